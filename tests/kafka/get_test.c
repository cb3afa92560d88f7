/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sections of a topic become one file: also after days, with broken names in them, of links that a
 * filter knows nothing of, and into a pipe that does not wait. libpcap reads it, whatever the hosts
 * have. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pcap/pcap.h>

#include "pcapng/convert.h"
#include "raw_blocks.h"
#include "kafka/get/links.h"
#include "kafka/get/merge.h"
#include "kafka/section.h"
#include "util/command/signals.h"
#include "pcapng/write.h"

#define LINK_USB 220

static const struct label who = {.host = "h", .session = "s", .writer = "w"};
static uint8_t memory[65536];

struct get {
	struct options options;
	struct streams streams;
	struct output output;
	struct merge merge;
};

static void open_get_to(struct get *g, char *const *expression, const char *path, bool mixed)
{
	static char *const none[] = {NULL};

	*g = (struct get){.options = {.until = UINT64_MAX,
				      .write = path,
				      .mixed_links = mixed,
				      .rest = expression ? expression : none}};
	assert_int_equal(streams_open(&g->streams, NULL), 0);
	assert_int_equal(output_open(&g->output, &g->options), 0);
	assert_int_equal(output_begin(&g->output), 0);
	merge_init(&g->merge, &g->streams, &g->output);
}

static void open_get(struct get *g, char *const *expression)
{
	open_get_to(g, expression, "/dev/null", false);
}

static void close_get(struct get *g)
{
	assert_int_equal(output_close(&g->output), 0);
	merge_free(&g->merge);
	streams_close(&g->streams);
}

static int give(struct section *s, const struct bytes *made)
{
	struct pcapng_reader r = {.at = made->at, .end = made->at + made->used};
	struct pcapng_block b;
	int e = 0;

	while (!e && pcapng_next(&r, &b))
		e = section_take(s, &b);
	return e;
}

/* Its interfaces are v0, v1 ..., with these snapshot lengths. */
static void begin_with(struct section *s, const uint16_t *links, const uint32_t *snaplens,
		       unsigned n)
{
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_section header = {.os = "o"};

	section_init(s, &who, SECTION_SIZE);
	pcapng_put_section(&b, &header);
	for (unsigned i = 0; i < n; i++) {
		const char name[] = {'v', (char)('0' + i), 0};
		const struct pcapng_interface one = {.name = name,
						     .link_type = links[i],
						     .snaplen = snaplens ? snaplens[i] : 0};

		pcapng_put_interface(&b, &one);
	}
	assert_int_equal(give(s, &b), 0);
}

static void begin(struct section *s, const uint16_t *links, unsigned n)
{
	begin_with(s, links, NULL, n);
}

static void give_packet(struct section *s, uint32_t interface, uint64_t time)
{
	/* Ethernet, IPv4, TCP to port 80 */
	static const uint8_t frame[1024] =
		{[12] = 8, [14] = 0x45, [17] = 46, [22] = 64, [23] = 6, [37] = 80};
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_frame f = {interface, time, sizeof(frame), sizeof(frame), frame};

	pcapng_put_frame(&b, &f);
	assert_int_equal(give(s, &b), 0);
}

/* What streams_add() says of it. */
static int add(struct get *g, struct section *s)
{
	struct buffer message;
	struct stream *unused;
	struct label l;
	int e;

	assert_int_equal(section_cut(s, 0, 0, &message, &l), 0);
	e = streams_add(&g->streams, &l, message.at, message.used, &unused);
	buffer_free(&message);
	return e;
}

static int add_numbered(struct get *g, struct section *s, uint64_t sequence)
{
	s->label.sequence = sequence;
	give_packet(s, 0, 1000 + sequence);
	return add(g, s);
}

static uint64_t missing_sections(const struct get *g)
{
	struct gap sum = {.lost = 0};

	for (size_t i = 0; i < g->streams.count; i++)
		gap_of_stream(&sum, g->streams.stream[i], &g->options);
	return sum.sections;
}

static void what_is_done_takes_no_room(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	for (uint64_t i = 0; i < 20000; i++) {
		if (i != 2000 && i != 2001)
			assert_int_equal(add_numbered(&g, &s, i), 0);
		if (i % 100)
			continue;
		assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
		streams_settle(&g.streams);
	}
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_true(g.streams.stream[0]->count < 2000);
	assert_int_equal(g.output.packets, 19998);
	/* Duplicates and gaps are found as before. */
	assert_int_equal(add_numbered(&g, &s, 0), 1);
	assert_int_equal(add_numbered(&g, &s, 1000), 1);
	assert_int_equal(add_numbered(&g, &s, 19999), 1);
	assert_int_equal(missing_sections(&g), 2);
	/* What comes very late comes all the same. */
	assert_int_equal(add_numbered(&g, &s, 2001), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	streams_settle(&g.streams);
	assert_int_equal(g.output.packets, 19999);
	assert_int_equal(missing_sections(&g), 1);
	assert_int_equal(g.merge.faults, 0);
	section_free(&s);
	close_get(&g);
}

/* libpcap would not read it whole. */
static void what_is_too_long_is_cut_and_counted(void **state)
{
	static uint8_t frame[SNAPLEN_MOST + 4], block[sizeof(frame) + 64];
	const struct pcapng_frame f = {0, 1000, sizeof(frame), sizeof(frame), frame};
	struct bytes b = {.at = block, .room = sizeof(block)};
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	give_packet(&s, 0, 999);
	pcapng_put_frame(&b, &f);
	assert_int_equal(give(&s, &b), 0);
	assert_int_equal(add(&g, &s), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 2);
	assert_int_equal(g.output.shortened, 1);
	section_free(&s);
	close_get(&g);
}

/* Secrets that claim to be longer than their block. */
static void broken_names_take_no_packets_away(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	pcapng_put_secrets(&b, SECRETS_TLS_KEY_LOG, "key", 3);
	memory[12] = 200;
	assert_int_equal(give(&s, &b), 0);
	for (unsigned i = 0; i < 10; i++) {
		give_packet(&s, 0, 1000 + i);
		assert_int_equal(add(&g, &s), 0);
	}
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 10);
	assert_int_equal(g.merge.faults, 1); /* the same ones in all of them */
	section_free(&s);
	close_get(&g);
}

static void keys_make_the_file_private(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	char path[] = "/tmp/get_test.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	for (int keys = 0; keys < 2; keys++) {
		struct bytes b = {.at = memory, .room = sizeof(memory)};
		struct section s;
		struct stat st;
		struct get g;

		assert_int_equal(fchmod(fd, 0644), 0);
		open_get_to(&g, NULL, path, false);
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
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(st.st_mode & 0777, keys ? 0600 : 0644);
	}
	close(fd);
	unlink(path);
}

/* Of the other byte order: an option without a value has none behind it, either. */
static void an_empty_option_stays_empty(void **state)
{
	const uint32_t words[] = {BLOCK_NAMES, 20, 0x10000, 0, 20};
	struct buffer given = {.at = NULL}, made = {.at = NULL};
	struct pcapng_reader r = {.swapped = true};
	struct pcapng_block b;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(buffer_u32(&given, words[i], true), 0);
	r.at = given.at;
	r.end = given.at + given.used;
	assert_true(pcapng_next(&r, &b));
	assert_int_equal(convert_names(&made, &b), 0);
	assert_int_equal(made.used, given.used);
	buffer_free(&given);
	buffer_free(&made);
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
	assert_int_equal(matches("tcp prt 80", NULL), -EINVAL);
	assert_int_equal(matches("tcp port 80", "another"), 0);
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

/* A clock that is beyond all: without --until there is no end. */
static void no_time_is_too_late(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	give_packet(&s, 0, UINT64_MAX);
	assert_int_equal(add(&g, &s), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 1);
	section_free(&s);
	close_get(&g);
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

/* What this process has taken of processors, in ms. */
static long cpu_ms(void)
{
	return (long)(clock() / (CLOCKS_PER_SEC / 1000));
}

static void add_raw(struct get *g, const struct label *l, struct buffer *b)
{
	struct stream *unused;

	assert_int_equal(streams_add(&g->streams, l, b->at, b->used, &unused), 0);
	b->used = 0;
}

/* Six messages that were made for it. */
static void many_interfaces_take_little_time(void **state)
{
	static char *const expression[] = {"tcp port 80", NULL};
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct get g;
	long begun;

	(void)state;
	open_get(&g, expression);
	for (uint32_t message = 0; message < 6; message++) {
		put_header(&b);
		for (uint32_t i = 0; i < 44000; i++)
			put_numbered(&b, message * 44000 + i, LINKTYPE_ETHERNET);
		put_packet(&b, 43999, message);
		l.sequence = message;
		add_raw(&g, &l, &b);
	}
	begun = cpu_ms();
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_in_range(cpu_ms() - begun, 0, 10000);
	assert_int_equal(g.output.count, OUTPUT_INTERFACES_MAX);
	assert_int_equal(g.output.beyond, 1); /* that of the sixth */
	buffer_free(&b);
	close_get(&g);
}

/* The same again and again are one. */
static void interfaces_are_written_once(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct get g;

	(void)state;
	open_get(&g, NULL);
	for (uint32_t message = 0; message < 3; message++) {
		put_header(&b);
		for (uint32_t i = 0; i < 100; i++)
			put_numbered(&b, i, LINKTYPE_ETHERNET);
		for (uint32_t i = 0; i < 100; i++)
			put_packet(&b, i, message);
		l.sequence = message;
		add_raw(&g, &l, &b);
	}
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.count, 100);
	assert_int_equal(g.output.packets, 300);
	buffer_free(&b);
	close_get(&g);
}

static unsigned clashes;

static void count_clash(const struct stream *s)
{
	(void)s;
	clashes++;
}

/* A hundred thousand captures that say that they are one, each with a packet, the latest first. */
static void many_streams_take_little_time(void **state)
{
	const uint32_t most = 100000;
	struct label l = who;
	struct buffer b = {.at = NULL};
	long begun = cpu_ms();
	struct get g;

	(void)state;
	open_get(&g, NULL);
	l.last = UINT64_MAX;
	for (uint32_t i = 0; i < most; i++) {
		snprintf(l.writer, sizeof(l.writer), "%u", i);
		put_header(&b);
		put_numbered(&b, 0, LINKTYPE_ETHERNET);
		put_packet(&b, 0, most - i);
		add_raw(&g, &l, &b);
	}
	l.sequence = 2; /* of each, one is missing */
	for (uint32_t i = 0; i < most; i++) {
		snprintf(l.writer, sizeof(l.writer), "%u", i);
		add_raw(&g, &l, &b);
	}
	assert_int_equal(g.streams.count, most);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, most);
	assert_int_equal(g.output.disordered, 0);
	assert_int_equal(missing_sections(&g), most);
	assert_int_equal(streams_clashes(&g.streams, count_clash), 0);
	assert_int_equal(clashes, 1);
	assert_in_range(cpu_ms() - begun, 0, 10000);
	buffer_free(&b);
	close_get(&g);
}

/* Whatever the packets of the streams are like, and however often what is ripe goes out. */
static void the_oldest_goes_first(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	uint64_t random = 1;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	for (uint32_t stream = 0; stream < 50; stream++) {
		uint32_t time = 0;

		l.stream = stream;
		put_header(&b);
		put_numbered(&b, 0, LINKTYPE_ETHERNET);
		for (unsigned i = 0; i < 200; i++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			time += random >> 33 & 7;
			put_packet(&b, 0, time);
		}
		add_raw(&g, &l, &b);
	}
	for (uint64_t until = 0; until < 2000; until += 100) /* microseconds */
		assert_int_equal(merge_run(&g.merge, until * 1000), 0);
	assert_int_equal(g.output.packets, 50 * 200);
	assert_int_equal(g.output.disordered, 0);
	buffer_free(&b);
	close_get(&g);
}

/* Also where nothing but interfaces comes; and it can go on. */
static void a_signal_is_heeded(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct get g;

	(void)state;
	open_get(&g, NULL);
	put_header(&b);
	for (uint32_t i = 0; i < 1000; i++)
		put_numbered(&b, i, LINKTYPE_ETHERNET);
	put_packet(&b, 999, 1);
	add_raw(&g, &l, &b);
	signals_stop = 1;
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), -EINTR);
	assert_int_equal(g.output.count, 0);
	g.merge.patience = 1;
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 1);
	signals_stop = 0;
	buffer_free(&b);
	close_get(&g);
}

/* What is said by that on standard error, up to so much; n: how much. */
static ssize_t said_by(struct get *g, char *to, size_t room)
{
	int standard = dup(STDERR_FILENO), file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	ssize_t n;

	assert_true(file >= 0);
	dup2(file, STDERR_FILENO);
	assert_int_equal(merge_run(&g->merge, UINT64_MAX), 0);
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
	said_by(&g, said, sizeof(said));
	for (const char *at = said; (at = strchr(at, '\n')); at++)
		lines++;
	assert_in_range(lines, 1, OUTPUT_LINKS_TOLD);
	assert_true(g.output.left_out.count > 1000);
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
	n = said_by(&g, said, sizeof(said));
	assert_non_null(strstr(said, "are left out"));
	for (ssize_t i = 0; i < n - 1; i++) /* its own end is a line's */
		assert_in_range((unsigned char)said[i], ' ', '~');
	buffer_free(&b);
	close_get(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_done_takes_no_room),
		cmocka_unit_test(what_is_too_long_is_cut_and_counted),
		cmocka_unit_test(broken_names_take_no_packets_away),
		cmocka_unit_test(keys_make_the_file_private),
		cmocka_unit_test(an_empty_option_stays_empty),
		cmocka_unit_test(a_filter_is_for_links_that_know_it),
		cmocka_unit_test(libpcap_reads_one_link_and_one_length),
		cmocka_unit_test(no_time_is_too_late),
		cmocka_unit_test(a_pipe_may_be_one_that_does_not_wait),
		cmocka_unit_test(many_interfaces_take_little_time),
		cmocka_unit_test(interfaces_are_written_once),
		cmocka_unit_test(many_streams_take_little_time),
		cmocka_unit_test(the_oldest_goes_first),
		cmocka_unit_test(a_signal_is_heeded),
		cmocka_unit_test(link_types_are_told_once),
		cmocka_unit_test(no_name_commands_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
