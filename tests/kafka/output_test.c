/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The file that get writes: private where it has keys, with the links that a filter and libpcap
 * know, also into a pipe that does not wait; and what is said of it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pcap/pcap.h>

#include "get_streams.h"
#include "tests/ranges.h"

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 0777;
}

/* Whether it was there, or is new: then it is private until it is known what is in it. */
static void keys_make_the_file_private(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	char folder[] = "/tmp/output_test.XXXXXX", path[64];
	mode_t mask = umask(022);

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/f", folder);
	for (unsigned i = 0; i < 4; i++) {
		struct bytes b = {.at = memory, .room = sizeof(memory)};
		bool keys = i & 1, is_new = i & 2;
		struct section s;
		struct get g;

		unlink(path);
		if (!is_new)
			assert_int_equal(close(open(path, O_WRONLY | O_CREAT, 0644)), 0);
		open_get_to(&g, NULL, path, false);
		assert_int_equal(mode_of(path), is_new ? 0600 : 0644);
		begin(&s, &ethernet, 1);
		if (keys) {
			pcapng_put_secrets(&b, SECRETS_TLS_KEY_LOG, "key", 3);
			assert_int_equal(give(&s, &b), 0);
		}
		give_packet(&s, 0, 1000);
		assert_int_equal(add(&g, &s), 0);
		assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
		section_free(&s);
		close_get(&g);
		assert_int_equal(mode_of(path), keys ? 0600 : 0644);
	}
	unlink(path);
	rmdir(folder);
	umask(mask);
}

/* Its owner may always read it. */
static void keys_go_to_no_file_of_another(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	char path[] = "/tmp/output_test.XXXXXX";
	int fd = mkstemp(path);
	struct section s;
	struct get g;

	(void)state;
	assert_true(fd >= 0);
	open_get_to(&g, NULL, path, false);
	if (fchown(fd, 65534, (gid_t)-1)) {
		close_get(&g);
		close(fd);
		unlink(path);
		skip(); /* that takes root */
	}
	begin(&s, &ethernet, 1);
	pcapng_put_secrets(&b, SECRETS_TLS_KEY_LOG, "key", 3);
	assert_int_equal(give(&s, &b), 0);
	give_packet(&s, 0, 1000);
	assert_int_equal(add(&g, &s), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), -EPERM);
	section_free(&s);
	close_get(&g);
	close(fd);
	unlink(path);
}

/* How many packets of two interfaces match; negative: it is refused. */
static int matches(const char *expression, const char *interface)
{
	const uint16_t links[] = {LINKTYPE_ETHERNET, LINK_USB};
	char *const words[] = {(char *)expression, NULL};
	struct section s;
	struct get g;
	int e;

	open_get_to(&g, words, "/dev/null", true);
	if (interface)
		g.options.interfaces = (struct names){.name = {interface}, .count = 1};
	begin(&s, links, 2);
	for (unsigned i = 0; i < 4; i++)
		give_packet(&s, i % 2, 1000 + i);
	assert_int_equal(add(&g, &s), 0);
	e = merge_run(&g.merge, UINT64_MAX);
	section_free(&s);
	e = e ? e : (int)g.output.packets;
	close_get(&g);
	return e;
}

static void a_filter_is_for_links_that_know_it(void **state)
{
	(void)state;
	assert_int_equal(matches("greater 1", NULL), 4);
	assert_int_equal(matches("tcp port 80", NULL), 2);
	assert_int_equal(matches("tcp port 81", NULL), 0);
	assert_int_equal(matches("tcp port 80", "another"), 0);
}

/* A section of the other byte order, with a packet of BSD's loopback. */
static void put_loopback(struct buffer *b)
{
	static const uint32_t words[] = {
		BLOCK_SECTION,
		28,
		0x1a2b3c4d,
		0x10000,
		0xffffffff,
		0xffffffff,
		28, /* header */
		BLOCK_INTERFACE,
		20,
		0,
		0,
		20, /* of type 0 */
		BLOCK_ENHANCED_PACKET,
		56,
		0,
		0,
		1000,
		24,
		24,
		2,
		0x45000014,
		0,
		0,
		0,
		0,
		56, /* IPv4 */
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(buffer_u32(b, words[i], true), 0);
}

/* What is in a packet's header in the other byte order is in this one, for the filter and in the
 * file. */
static void headers_are_of_this_byte_order(void **state)
{
	static char *const filters[][2] = {{"ip", NULL}, {"ip6", NULL}};
	struct label l = who;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct pcapng_packet p = {.caplen = 0};
		struct buffer b = {.at = NULL};
		struct pcapng_reader r;
		struct pcapng_block block;
		struct get g;

		open_get(&g, filters[i]);
		put_loopback(&b);
		add_raw(&g, &l, &b);
		assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
		assert_int_equal(g.output.packets, i == 0);
		r = (struct pcapng_reader){.at = g.output.data.at,
					   .end = g.output.data.at + g.output.data.used};
		while (pcapng_next(&r, &block))
			if (pcapng_is_packet(block.type))
				assert_true(pcapng_packet_read(&p, &block));
		if (i == 0)
			assert_int_equal(pcapng_u32(p.frame, false), 2);
		buffer_free(&b);
		close_get(&g);
	}
}

/* Before anything is read, or a file made. */
static void a_filter_that_no_link_knows_is_refused(void **state)
{
	char *const words[] = {"tcp", "prt", "80", NULL};
	const struct options o = {.write = "/nosuch/f", .rest = words};
	struct output w;

	(void)state;
	assert_int_equal(output_open(&w, &o), -1);
	assert_int_equal(output_close(&w), 0);
}

/* What a topic has: two interfaces, with a packet each. */
struct topic {
	const char *expression;
	uint16_t links[2];
	uint32_t snaplens[2];
	const char *interface; /* that is asked for; NULL: both */
	bool mixed, follows;
};

#define REFUSED_BY_US (-1)
#define REFUSED_BY_IT (-2)

/* How many packets the system's libpcap reads of the file that we make, and their link. */
static int libpcap_reads(const struct topic *t, int *link)
{
	char path[] = "/tmp/get_testXXXXXX", err[PCAP_ERRBUF_SIZE];
	char *const words[] = {(char *)t->expression, NULL};
	struct pcap_pkthdr *h;
	const u_char *data;
	struct section s;
	struct get g;
	int n = 0, e, fd = mkstemp(path);
	pcap_t *p;

	assert_true(fd >= 0);
	close(fd);
	open_get_to(&g, t->expression ? words : NULL, path, t->mixed);
	if (t->interface)
		g.options.interfaces = (struct names){.name = {t->interface}, .count = 1};
	begin_with(&s, t->links, t->snaplens, 2);
	give_packet(&s, 0, 1000);
	give_packet(&s, 1, 1001);
	assert_int_equal(add(&g, &s), 0);
	section_free(&s);
	e = t->follows ? 0 : links_choose(&g.output, &g.streams);
	if (!e)
		assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	close_get(&g);
	p = e ? NULL : pcap_open_offline(path, err);
	unlink(path);
	if (e)
		return REFUSED_BY_US;
	assert_non_null(p);
	*link = pcap_datalink(p);
	while ((e = pcap_next_ex(p, &h, &data)) == 1) {
		assert_int_equal(h->caplen, h->len);
		n++;
	}
	pcap_close(p);
	return e == PCAP_ERROR_BREAK ? n : REFUSED_BY_IT;
}

static void reads(const struct topic *t, int packets, int link)
{
	int found = -1;

	assert_int_equal(libpcap_reads(t, &found), packets);
	if (packets > 0)
		assert_int_equal(found, link);
}

#define SLL2 LINKTYPE_LINUX_SLL2
#define ETH  LINKTYPE_ETHERNET
#define RAW  LINKTYPE_RAW

static void libpcap_reads_one_link_and_one_length(void **state)
{
	(void)state;
	reads(&(struct topic){.links = {ETH, ETH}, .snaplens = {96, 262144}}, 2, DLT_EN10MB);
	reads(&(struct topic){.links = {ETH, ETH}, .snaplens = {0, 65535}}, 2, DLT_EN10MB);
	reads(&(struct topic){.links = {RAW, RAW}}, 2, SLL2);
	reads(&(struct topic){.links = {ETH, RAW}}, 2, SLL2);
	reads(&(struct topic){.links = {SLL2, ETH}}, 2, SLL2);
	reads(&(struct topic){.links = {ETH, RAW}, .expression = "tcp port 80"}, 1, SLL2);
	reads(&(struct topic){.links = {ETH, LINK_USB}}, REFUSED_BY_US, 0);
	reads(&(struct topic){.links = {ETH, LINK_USB}, .expression = "tcp port 80"}, 1,
	      DLT_EN10MB);
	reads(&(struct topic){.links = {ETH, LINK_USB}, .interface = "v0"}, 1, DLT_EN10MB);
	reads(&(struct topic){.links = {ETH, LINK_USB}, .interface = "v1"}, 1, LINK_USB);
	reads(&(struct topic){.links = {ETH, RAW}, .mixed = true}, REFUSED_BY_IT, 0);
	/* What comes later is not known: the first one decides. */
	reads(&(struct topic){.links = {ETH, RAW}, .follows = true}, 1, DLT_EN10MB);
	reads(&(struct topic){.links = {RAW, ETH}, .follows = true}, 2, SLL2);
}

static void a_pipe_may_be_one_that_does_not_wait(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	int fds[2], status;
	struct section s;
	struct get g;
	pid_t child;

	(void)state;
	assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
	open_get(&g, NULL);
	close(g.output.fd);
	g.output.fd = fds[1];
	child = fork();
	if (child == 0) {
		size_t sum = 0;
		ssize_t n;

		close(fds[1]);
		fcntl(fds[0], F_SETFL, 0);
		while ((n = read(fds[0], memory, sizeof(memory))) > 0)
			sum += (size_t)n;
		_exit(sum > 3000 * 1024 ? 0 : 1);
	}
	close(fds[0]);
	begin(&s, &ethernet, 1);
	for (unsigned i = 0; i < 3000; i++) {
		give_packet(&s, 0, 1000 + i);
		assert_int_equal(add(&g, &s), 0);
	}
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	section_free(&s);
	close_get(&g);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static bool has_memory = true;

void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return has_memory ? __real_reallocarray(p, n, size) : NULL;
}

static void who_reads_may_have_had_enough(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct section s;
	struct get g;
	int fds[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	open_get(&g, NULL);
	close(g.output.fd);
	g.output.fd = fds[1];
	begin(&s, &ethernet, 1);
	give_packet(&s, 0, 1000);
	assert_int_equal(add(&g, &s), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	section_free(&s);
	close_get(&g);
}

/* What is said by a merge that ends so on standard error, up to so much; n: how much. */
static ssize_t said_by(struct get *g, int wanted, char *to, size_t room)
{
	int standard = dup(STDERR_FILENO), file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	ssize_t n;

	assert_true(file >= 0);
	dup2(file, STDERR_FILENO);
	assert_int_equal(merge_run(&g->merge, UINT64_MAX), wanted);
	dup2(standard, STDERR_FILENO);
	n = pread(file, to, room - 1, 0);
	assert_true(n >= 0);
	to[n] = 0;
	close(file);
	close(standard);
	return n;
}

/* A message of as many link types as there are is no page of notes, with an expression or without.
 */
static void link_types_are_told_once(void **state)
{
	static char *const expression[] = {"ip[0] & 15 > 5", NULL};
	static char said[65536];
	struct label l = who;
	struct buffer b = {.at = NULL};
	unsigned lines = 0;
	struct get g;

	(void)state;
	open_get(&g, expression);
	put_header(&b);
	for (uint32_t i = 0; i < 40000; i++)
		put_numbered(&b, i, i % 20000);
	put_packet(&b, 1, 1);
	add_raw(&g, &l, &b);
	said_by(&g, 0, said, sizeof(said));
	for (const char *at = said; (at = strchr(at, '\n')); at++)
		lines++;
	assert_in_range(lines, 1, EXPRESSION_LINKS_TOLD);
	assert_true(g.output.expression.left_out.count > 1000);
	buffer_free(&b);
	close_get(&g);
}

/* What is said goes to a terminal; names of interfaces are whatever their writer likes. */
static void no_name_commands_a_terminal(void **state)
{
	static char *const expression[] = {"tcp port 80", NULL};
	static const uint8_t name[] = "\x1b]0;x\x07\x1b[2J\xc2\x9b\xff\n";
	struct label l = who;
	struct buffer b = {.at = NULL};
	char said[4096] = "";
	struct get g;
	ssize_t n;

	(void)state;
	open_get(&g, expression);
	put_header(&b);
	put_word(&b, BLOCK_INTERFACE);
	put_word(&b, 20 + 4 + 16 + 4);
	put_word(&b, LINK_USB);
	put_word(&b, 0);
	put_word(&b, 2 | (sizeof(name) - 1) << 16);
	assert_int_equal(buffer_append(&b, name, sizeof(name) - 1), 0);
	assert_int_equal(buffer_pad(&b), 0);
	put_word(&b, 0);
	put_word(&b, 20 + 4 + 16 + 4);
	add_raw(&g, &l, &b);
	n = said_by(&g, 0, said, sizeof(said));
	assert_non_null(strstr(said, "are left out"));
	for (ssize_t i = 0; i < n - 1; i++) /* its own end is a line's */
		assert_in_range((unsigned char)said[i], ' ', '~');
	buffer_free(&b);
	close_get(&g);
}

static void want_of_memory_is_told(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	char said[4096] = "";
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	give_packet(&s, 0, 1000);
	assert_int_equal(add(&g, &s), 0);
	section_free(&s);
	has_memory = false;
	said_by(&g, -ENOMEM, said, sizeof(said));
	has_memory = true;
	assert_non_null(strstr(said, strerror(ENOMEM)));
	close_get(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_make_the_file_private),
		cmocka_unit_test(keys_go_to_no_file_of_another),
		cmocka_unit_test(a_filter_is_for_links_that_know_it),
		cmocka_unit_test(a_filter_that_no_link_knows_is_refused),
		cmocka_unit_test(headers_are_of_this_byte_order),
		cmocka_unit_test(libpcap_reads_one_link_and_one_length),
		cmocka_unit_test(a_pipe_may_be_one_that_does_not_wait),
		cmocka_unit_test(link_types_are_told_once),
		cmocka_unit_test(no_name_commands_a_terminal),
		cmocka_unit_test(who_reads_may_have_had_enough),
		cmocka_unit_test(want_of_memory_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
