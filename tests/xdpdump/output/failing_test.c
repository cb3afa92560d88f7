/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Each output, with a target that fails at the first write, at the second and so on, until all that
 * is done with the output was refused once: the step tells, nothing is written behind it, the
 * target holds whole blocks, records or lines, and .packets says how many.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "pcapng/read.h"
#include "pcapng/savefile.h"
#include "xdpdump/files/finisher.h"
#include "xdpdump/files/keylog.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/output/output.h"
#include "xdpdump/source/members.h"
#include "xdpdump/source/source.h"
#include "tests/ranges.h"

/* Of output_file.c: so much is gathered before it has to be written, by records of up to so much. */
#define GATHERED (512u << 10)
#define RUN	 (16u << 10)
/* Of output_secrets.c */
#define HELD_MOST (64u << 20)

#define STEPS_MAX 64
#define WRITES	  200u /* no story has so many */

static uint8_t record_room[RUN + 64];
static struct source source;
static struct output_context context = {.sources = &source, .count = 1, .snaplen = 65535};
static struct member *member;

/* What takes the bytes, and from a certain call on refuses them. */
struct memory {
	uint8_t *at;
	size_t used, room;
	unsigned calls, accepted;
};

static int take(void *arg, const struct iovec *iov, int n)
{
	struct memory *t = arg;

	if (t->calls++ >= t->accepted)
		return -EIO;
	for (int i = 0; i < n; i++) {
		if (t->used + iov[i].iov_len > t->room) {
			t->room = 2 * (t->used + iov[i].iov_len);
			t->at = realloc(t->at, t->room);
			assert_non_null(t->at);
		}
		memcpy(t->at + t->used, iov[i].iov_base, iov[i].iov_len);
		t->used += iov[i].iov_len;
	}
	return 0;
}

static struct sink_taker taker_of(struct memory *t)
{
	return (struct sink_taker){.take = take, .arg = t};
}

/* A record of so many bytes. */
static const struct epb_header *record(uint32_t length)
{
	struct epb_header *r = (void *)record_room;
	uint32_t caplen = length - (uint32_t)(sizeof(*r) + sizeof(struct epb_options) +
					      sizeof(struct epb_end));
	struct epb_options *o = (void *)(record_room + sizeof(*r) + EPB_PADDED(caplen));
	struct epb_end *end = (void *)(o + 1);

	memset(record_room, 0, sizeof(record_room));
	*r = (struct epb_header){.type = EPB_TYPE,
				 .total_length = length,
				 .time_low = 1000,
				 .caplen = caplen,
				 .len = caplen};
	*o = (struct epb_options){.flags_option = EPB_OPT_FLAGS,
				  .flags = EPB_FLAG_INBOUND,
				  .queue_option = EPB_OPT_QUEUE,
				  .packetid_option = EPB_OPT_PACKETID};
	*end = (struct epb_end){.total_length = length};
	return r;
}

static int put_record(struct output *o, uint32_t length, uint32_t keep)
{
	const struct epb_header *r = record(length);

	return o->ops->records(o, &(struct batch){.source = &source,
						  .first = r,
						  .end = (const void *)(record_room + length),
						  .n = 1,
						  .keep = keep});
}

/* --- steps --- */

static int flush(struct output *o)
{
	return o->ops->flush(o, true);
}

/* After a flush: only some bytes are left of the room in which blocks are gathered. */
static int fill(struct output *o)
{
	int e = 0;

	for (unsigned i = 1; i < GATHERED / RUN && !e; i++)
		e = put_record(o, RUN, 0);
	return e ? e : put_record(o, RUN - 16, 0);
}

/* The older format gathers more. */
static int fill_thrice(struct output *o)
{
	int e = 0;

	for (unsigned i = 0; i < 3 && !e; i++)
		e = fill(o);
	return e;
}

static int records(struct output *o)
{
	return put_record(o, 256, 0);
}

static int cut(struct output *o)
{
	return put_record(o, 256, 60);
}

static int secrets(struct output *o)
{
	static const char line[] = "CLIENT_RANDOM 00 00\n";

	return o->ops->secrets ? o->ops->secrets(o, line, sizeof(line) - 1, false) : 0;
}

static int interface(struct output *o)
{
	int e = source.members && o->ops->interface ? o->ops->interface(o, &source, member) : 0;

	return e || !source.members ? e : members_set_block(source.members, member, member->id);
}

static int end_interface(struct output *o)
{
	return source.members && o->ops->end_interface ? o->ops->end_interface(o, member, 2000) : 0;
}

static const struct afxdp_stats stats[SOURCES_MAX];
static const struct output_end end = {.stats = stats, .start_time = 1000, .end_time = 2000};

static int end_source(struct output *o)
{
	return o->ops->end_source ? o->ops->end_source(o, 0, &end) : 0;
}

static const struct step {
	const char *name;
	int (*run)(struct output *o);
	bool with_room; /* all of it; else there is none */
} story[] = {
	{"interface", interface, false},
	{"records", records, false},
	{"cut", cut, false},
	{"secrets", secrets, false},
	{"interface", interface, true},
	{"end_interface", end_interface, false},
	{"end_source", end_source, false},
	{"fill_thrice", fill_thrice, true},
};
#define STEPS (sizeof(story) / sizeof(story[0]))

/* The name of what failed, if anything did. */
static const char *run(const struct step *step, struct output *o, int *e)
{
	*e = flush(o);
	if (*e)
		return "flush";
	*e = step->with_room ? 0 : fill(o);
	if (*e)
		return "fill";
	*e = step->run(o);
	return *e ? step->name : NULL;
}

/* --- what is in the target --- */

static uint64_t blocks_of(const uint8_t *p, size_t n)
{
	struct pcapng_reader r = {.at = p, .end = p + n};
	struct pcapng_block b;
	uint64_t packets = 0;

	while (pcapng_next(&r, &b))
		packets += b.type == EPB_TYPE;
	assert_null(r.fault);
	assert_ptr_equal(r.at, r.end);
	return packets;
}

static uint64_t packets_of_pcap(const uint8_t *p, size_t n)
{
	size_t at = sizeof(struct savefile_header);
	struct savefile_record r;
	uint64_t packets = 0;

	for (; at < n; at += sizeof(r) + r.caplen, packets++) {
		assert_true(at + sizeof(r) <= n);
		memcpy(&r, p + at, sizeof(r));
	}
	assert_true(at == n || n == 0);
	return packets;
}

/* --- the story, with a target that accepts so many writes --- */

static struct memory first, beside, *refuses = &first;

static void empty(struct memory *t, unsigned accepted)
{
	t->used = t->calls = 0;
	t->accepted = accepted;
}

static int open_plain(struct output **o)
{
	return output_taker_open(o, taker_of(&first), "first", &context);
}

static int open_beside(struct output **o)
{
	struct sink_taker taker;
	int e = open_plain(o);

	if (e)
		return e;
	taker = taker_of(&beside);
	e = output_beside_open(o, &taker, &context);
	if (e)
		(*o)->ops->free(*o);
	return e;
}

static int open_pcap(struct output **o)
{
	struct sink s;

	sink_open_taker(&s, taker_of(&first));
	return output_pcap_open(o, &s, "first", &context);
}

/* The step that was refused; NULL: none. */
static const char *tell(int (*open)(struct output **), uint64_t (*count)(const uint8_t *, size_t),
			unsigned accepted)
{
	struct output *o;
	struct sink s;
	const char *failed = NULL;
	int e;

	empty(&first, UINT32_MAX);
	empty(&beside, UINT32_MAX);
	refuses->accepted = accepted;
	e = open(&o);
	if (e) {
		assert_int_equal(e, -EIO);
		return "open";
	}
	for (unsigned i = 0; i < STEPS && !failed; i++)
		failed = run(&story[i], o, &e);
	if (failed)
		assert_int_equal(e, -EIO);
	assert_string_equal(o->name, "first");
	e = o->ops->end(o, &end, &s);
	sink_close(&s);
	if (!failed && e)
		failed = "end";
	assert_true(refuses->calls <= accepted + 1); /* nothing more was written */
	assert_int_equal(count(first.at, first.used), o->packets);
	if (beside.calls)
		blocks_of(beside.at, beside.used);
	if (!failed) {
		sink_open_taker(&s, taker_of(&first));
		if (o->ops->begin(o, &s, "second"))
			failed = "begin";
		else
			failed = run(&story[1], o, &e); /* records */
		assert_string_equal(o->name, "second");
	}
	o->ops->free(o);
	return failed;
}

/* All of these, with "," behind each, were refused at some time. */
static void refuse_each(int (*open)(struct output **), uint64_t (*count)(const uint8_t *, size_t),
			const char *steps)
{
	char refused[WRITES * 16] = ",", name[32];
	unsigned accepted = 0;
	const char *step = "";

	for (; accepted < WRITES && step; accepted++) {
		step = tell(open, count, accepted);
		if (step)
			snprintf(refused + strlen(refused), sizeof(refused) - strlen(refused),
				 "%s,", step);
	}
	assert_null(step);
	for (; *steps; steps += strlen(name) - 1) {
		snprintf(name, sizeof(name), ",%.*s", (int)strcspn(steps, ",") + 1, steps);
		if (!strstr(refused, name))
			fail_msg("%s was never refused: %s", name, refused);
	}
}

static void set_members(bool has)
{
	const struct afxdp_member from = {.index = 1, .number = 1, .name = "eth0"};

	members_free(source.members);
	source.members = has ? members_new() : NULL;
	member = has ? members_get(source.members, 0, &from) : NULL;
	if (has)
		members_begin_file(source.members);
}

#define PCAPNG_STEPS "open,flush,records,cut,secrets,end_source,end,begin,"

/* Of one interface, and of many. */
static void refuse_pcapng(int (*open)(struct output **))
{
	set_members(false);
	refuse_each(open, blocks_of, PCAPNG_STEPS);
	set_members(true);
	refuse_each(open, blocks_of, PCAPNG_STEPS "interface,end_interface,");
}

static void pcapng_fails(void **state)
{
	(void)state;
	refuse_pcapng(open_plain);
}

/* Blocks of many interfaces, each with a long filter, are more than can be gathered. */
static void many_interfaces_fail(void **state)
{
	static struct source sources[SOURCES_MAX];
	static char filter[60000];

	(void)state;
	set_members(false);
	memset(filter, 'x', sizeof(filter) - 1);
	for (unsigned i = 0; i < SOURCES_MAX; i++) {
		sources[i] = source;
		for (enum afxdp_side side = 0; side < AFXDP_SIDES; side++)
			sources[i].interface_ids[side] = AFXDP_SIDES * i + side;
	}
	context = (struct output_context){.sources = sources,
					  .count = SOURCES_MAX,
					  .filter = filter,
					  .snaplen = 65535};
	refuse_each(open_plain, blocks_of, PCAPNG_STEPS);
	context = (struct output_context){.sources = &source, .count = 1, .snaplen = 65535};
}

static void the_first_of_two_fails(void **state)
{
	(void)state;
	refuse_pcapng(open_beside);
}

/* Who is told so is told of the file that is written now. */
static void the_second_of_two_fails(void **state)
{
	(void)state;
	refuses = &beside;
	set_members(false);
	refuse_each(open_beside, blocks_of, "open,flush,records,cut,secrets,end_source,end,");
	set_members(true);
	refuse_each(open_beside, blocks_of, PCAPNG_STEPS "interface,end_interface,");
	refuses = &first;
}

static void pcap_fails(void **state)
{
	(void)state;
	set_members(false);
	refuse_each(open_pcap, packets_of_pcap, "open,flush,fill_thrice,end,begin,");
}

/* --- files that the kernel lets grow to a certain length --- */

/* With the bytes in lines below, which begin with a blank. */
static uint64_t packets_of_text(const uint8_t *p, size_t n)
{
	uint64_t packets = 0;

	for (size_t i = 0; i < n; i++)
		packets += (i == 0 || p[i - 1] == '\n') && p[i] != ' ' && p[i] != '\t';
	assert_true(n == 0 || p[n - 1] == '\n');
	return packets;
}

static char on_disk[] = "/tmp/failing_test.XXXXXX", in_memory[64];
static const char *path = on_disk;

static void read_file(struct memory *to)
{
	static uint8_t piece[65536];
	struct iovec iov = {.iov_base = piece};
	int fd = open(path, O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	empty(to, UINT32_MAX);
	while ((n = read(fd, piece, sizeof(piece))) > 0) {
		iov.iov_len = (size_t)n;
		take(to, &iov, 1);
	}
	close(fd);
}

static int open_file(struct output **o)
{
	struct sink s;
	int e = sink_open(&s, path, false, NULL);

	return e ? e : output_file_open(o, &s, path, &context);
}

static int open_pcap_file(struct output **o)
{
	struct sink s;
	int e = sink_open(&s, path, false, NULL);

	return e ? e : output_pcap_open(o, &s, path, &context);
}

static int open_text(struct output **o)
{
	return output_text_open(o, &context);
}

/* Text in the file, and blocks in memory. */
static int open_both(struct output **o)
{
	int e = open_plain(o);

	return e ? e : output_beside_open(o, NULL, &context);
}

static int tell_to_file(int (*open)(struct output **), uint64_t *packets)
{
	struct output *o;
	struct sink s;
	int e = open(&o), ended;

	*packets = 0;
	if (e)
		return e;
	for (unsigned i = 0; i < STEPS && !e; i++)
		run(&story[i], o, &e);
	ended = o->ops->end(o, &end, &s);
	if (!e)
		e = ended;
	ended = sink_close(&s);
	*packets = o->packets;
	o->ops->free(o);
	return e ? e : ended;
}

/* RLIMIT_FSIZE: the kernel writes what still fits, and then refuses. */
static void grow_to(rlim_t length)
{
	const struct rlimit limit = {length, RLIM_INFINITY};

	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The limit grows in steps until nothing fails. count: of the file; NULL: blocks are in memory. */
static void outgrow(int (*open)(struct output **), uint64_t (*count)(const uint8_t *, size_t),
		    rlim_t step)
{
	struct memory file = {0};
	unsigned failed = 0;
	uint64_t packets;
	int e;

	do {
		empty(&first, UINT32_MAX);
		assert_int_equal(truncate(path, 0), 0);
		grow_to(100 + failed * step);
		e = tell_to_file(open, &packets);
		grow_to(RLIM_INFINITY);
		read_file(&file);
		if (count)
			assert_int_equal(count(file.at, file.used), packets);
		else
			assert_int_equal(blocks_of(first.at, first.used), packets);
		if (e)
			assert_int_equal(e, -EFBIG);
		failed++;
	} while (e && failed < WRITES);
	free(file.at);
	assert_in_range(failed, 10, WRITES - 1);
}

/* By the thread that writes, and, where the page cache cannot be passed, without it. */
static void files_outgrow_a_limit(void **state)
{
	(void)state;
	set_members(false);
	outgrow(open_file, blocks_of, 200003);
	outgrow(open_pcap_file, packets_of_pcap, 200003);
	path = in_memory;
	outgrow(open_file, blocks_of, 200003);
	path = on_disk;
}

/* The list of --print-name: what is said is why the rest of a name does not fit. */
static void a_list_outgrows_a_limit(void **state)
{
	struct finish *job = finish_new("made.pcapng", NULL);
	struct finisher *f = NULL;
	char said[4096], wanted[256];
	int failed;

	(void)state;
	assert_non_null(job);
	job->sink = (struct sink){.fd = dup(STDERR_FILENO), .ours = true};
	assert_int_equal(truncate(path, 0), 0);
	complain_into(said, sizeof(said));
	assert_int_equal(finisher_open(&f, path, NULL), 0);
	grow_to(strlen("made"));
	finisher_add(f, job);
	failed = finisher_close(f);
	grow_to(RLIM_INFINITY);
	complain_into(NULL, 0);
	assert_int_equal(failed, -1);
	snprintf(wanted, sizeof(wanted), "%s: %s\n", path, strerror(EFBIG));
	assert_string_equal(said, wanted);
}

static void text_outgrows_a_limit(void **state)
{
	int saved = dup(STDOUT_FILENO), fd = open(path, O_WRONLY | O_APPEND);

	(void)state;
	set_members(false);
	context.style.hex = true;
	fflush(stdout);
	assert_true(dup2(fd, STDOUT_FILENO) >= 0);
	outgrow(open_text, packets_of_text, 1000003);
	outgrow(open_both, NULL, 1000003);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	context.style.hex = false;
}

/* Where more comes than may wait for keys, the oldest go: also of packets that are cut. */
static void what_waits_for_keys_is_bounded(void **unused)
{
	struct memory blocks = {.accepted = UINT_MAX};
	struct output *o;
	struct keylog keys;

	(void)unused;
	assert_int_equal(keylog_open(&keys, on_disk), 0);
	assert_int_equal(output_taker_open(&o, taker_of(&blocks), "memory", &context), 0);
	assert_int_equal(output_secrets_open(&o, &keys), 0);
	for (unsigned i = 0; i < 2 * HELD_MOST / RUN; i++)
		assert_int_equal(put_record(o, RUN, 60), 0);
	assert_in_range(o->length, 1, HELD_MOST * 5 / 4);
	o->ops->free(o);
	keylog_close(&keys);
	free(blocks.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pcapng_fails),
		cmocka_unit_test(many_interfaces_fail),
		cmocka_unit_test(the_first_of_two_fails),
		cmocka_unit_test(the_second_of_two_fails),
		cmocka_unit_test(pcap_fails),
		cmocka_unit_test(files_outgrow_a_limit),
		cmocka_unit_test(a_list_outgrows_a_limit),
		cmocka_unit_test(text_outgrows_a_limit),
		cmocka_unit_test(what_waits_for_keys_is_bounded),
	};
	int fd = mkstemp(on_disk), memory = memfd_create("failing_test", MFD_CLOEXEC), failed;

	strcpy(source.ifname, "eth0");
	strcpy(source.interface.name, "eth0");
	for (enum afxdp_side side = 0; side < AFXDP_SIDES; side++) {
		strcpy(source.place[side], "here");
		source.interface_ids[side] = side;
	}
	signal(SIGXFSZ, SIG_IGN);
	snprintf(in_memory, sizeof(in_memory), "/proc/self/fd/%d", memory);
	failed = fd < 0 || memory < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
	unlink(on_disk);
	return failed;
}
