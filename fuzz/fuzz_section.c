/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Any bytes as what pcapng-kafka put reads: the sections that it cuts are whole, not too large, say
 * of themselves what is in them, get finds every packet of them, and they can be cut again. And any
 * bytes as a message of the topic; also some of them again and again, as many blocks and many
 * messages, which may not take more time than their bytes are worth.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"
#include "kafka/get/merge.h"
#include "kafka/put/flow.h"
#include "kafka/put/input.h"
#include "kafka/put/recut.h"
#include "kafka/record.h"
#include "kafka/section.h"

#define LANES	  3
#define MANY	  262144
#define STREAMS	  1000
#define NS_A_BYTE 3000
#define SMALL	  16384 /* as --section-size has it at least */

static const struct label who = {.host = "h", .session = "s", .writer = "w"};
static char *const no_expression[] = {NULL};
static const struct options options = {.until = UINT64_MAX,
				       .write = "/dev/null",
				       .rest = no_expression};

struct topic {
	struct streams streams;
	struct output output;
	struct merge merge;
	uint64_t packets;
};

static void open_topic(struct topic *t)
{
	must(streams_open(&t->streams, NULL) == 0, "no streams");
	must(output_open(&t->output, &options) == 0 && output_begin(&t->output) == 0, "no output");
	merge_init(&t->merge, &t->streams, &t->output);
	t->packets = 0;
}

static void close_topic(struct topic *t)
{
	output_close(&t->output);
	merge_free(&t->merge);
	streams_close(&t->streams);
}

static int add(struct topic *t, const struct label *l, const uint8_t *section, size_t length)
{
	struct stream *unused;

	return streams_add(&t->streams, l, section, length, &unused);
}

static void look_at_section(const struct buffer *m, const struct label *l, size_t most)
{
	struct pcapng_reader r = {.at = m->at, .end = m->at + m->used};
	struct label found = {.stream = 0};
	char text[LABEL_ROOM], wanted[LABEL_ROOM];
	uint64_t packets = 0, sections = 0;
	struct pcapng_block b;

	must(m->used <= most, "a section is too large");
	must(label_find(&found, m->at, m->used), "a section has no label");
	label_format(&found, text);
	label_format(l, wanted);
	must(strcmp(text, wanted) == 0, "a label is another");
	must(found.first <= found.last, "it ends before it begins");
	while (pcapng_next(&r, &b)) {
		packets += pcapng_is_packet(b.type);
		sections += b.type == BLOCK_SECTION;
	}
	must(!r.fault && r.at == r.end, "a section is broken");
	must(packets == found.packets && sections == 1, "a label does not tell what is there");
}

static int look_at_part(void *context, struct buffer *part, const struct label *l)
{
	uint64_t *packets = context;

	look_at_section(part, l, SMALL);
	*packets += l->packets;
	buffer_free(part);
	return 0;
}

static void cut_again(const struct buffer *m, const struct label *l)
{
	uint64_t packets = 0;
	struct unfit unfit;

	must(recut(m, SMALL, look_at_part, &packets, &unfit) == 0, "it cannot be cut again");
	must(packets + unfit.packets == l->packets, "parts have other packets");
	must(recut_none(m, SMALL, look_at_part, &packets, &unfit) == 0, "it cannot be told of");
}

static void cut(struct section *s, struct topic *t)
{
	struct buffer message;
	struct label l;

	if (section_is_empty(s))
		return;
	must(section_cut(s, 0, 1000, &message, &l) == 0, "no memory");
	look_at_section(&message, &l, s->most);
	cut_again(&message, &l);
	must(add(t, &l, message.at, message.used) == 0, "it is there already");
	buffer_free(&message);
}

/* As put does. False: it ends there. */
static bool take_block(struct section *s, struct topic *t, const struct pcapng_block *b)
{
	int e = section_take(s, b);

	if (e == 1) {
		cut(s, t);
		e = section_take(s, b);
	}
	must(e != 1, "it is to be cut again");
	t->packets += !e && pcapng_is_packet(b->type);
	return !e || e == -EMSGSIZE;
}

static bool take_all(struct input *in, struct section lane[LANES], unsigned lanes, struct topic *t)
{
	struct flow flow = {.interfaces = 0};
	struct pcapng_block b;
	bool goes_on = true;
	int n;

	while (goes_on && (n = input_next(in, &b)) == 1) {
		if (pcapng_is_packet(b.type)) {
			goes_on = take_block(&lane[flow_bucket(&flow, &b, lanes)], t, &b);
			continue;
		}
		flow_note(&flow, &b);
		for (unsigned i = 0; i < lanes && goes_on; i++)
			goes_on = take_block(&lane[i], t, &b);
	}
	return goes_on && n == 0;
}

/* It comes in parts of any size, as by a pipe. */
static void put_and_get(const uint8_t *data, size_t size, size_t most, unsigned lanes, size_t part)
{
	struct section lane[LANES];
	struct topic t;
	struct input in;
	int fds[2];

	must(pipe2(fds, O_NONBLOCK | O_CLOEXEC) == 0, "no pipe");
	input_init(&in, fds[0]);
	open_topic(&t);
	for (unsigned i = 0; i < lanes; i++) {
		struct label l = who;

		l.stream = i;
		section_init(&lane[i], &l, most);
	}
	while (size) {
		size_t n = size < part ? size : part;

		must(write(fds[1], data, n) == (ssize_t)n, "a pipe takes less");
		data += n;
		size -= n;
		if (input_fill(&in) != 1 || !take_all(&in, lane, lanes, &t))
			break;
	}
	for (unsigned i = 0; i < lanes; i++)
		cut(&lane[i], &t);
	must(merge_run(&t.merge, UINT64_MAX) == 0, "get fails");
	must(t.output.packets == t.packets, "get has other packets");
	for (unsigned i = 0; i < lanes; i++)
		section_free(&lane[i]);
	close_topic(&t);
	input_free(&in);
	close(fds[0]);
	close(fds[1]);
}

/* A record of an index, which says the same when it is written again. */
static void look_at_record(const uint8_t *data, size_t size)
{
	static uint8_t again[RECORD_ROOM];
	struct record r, other;

	if (!record_parse(&r, data, size) || r.keys_size > KEYS_FEW_ROOM)
		return;
	size = record_place(again, record_format(&r, again), r.partition, r.offset);
	must(record_parse(&other, again, size), "a record is none");
	must(other.offset == r.offset && other.time == r.time && other.partition == r.partition &&
		     other.bytes == r.bytes && other.keys_size == r.keys_size &&
		     strcmp(other.label.host, r.label.host) == 0,
	     "a record is another");
}

/* Messages of any bytes, and of any label. */
static void get_any(const uint8_t *data, size_t size)
{
	struct label l = who;
	struct topic t;

	look_at_record(data, size);
	open_topic(&t);
	while (size) {
		uint64_t n = take(&data, &size, 2);
		size_t length = n % 4096 < size ? n % 4096 : size;

		if (!label_find(&l, data, length))
			l.sequence = n >> 12;
		add(&t, &l, data, length);
		data += length;
		size -= length;
		if (n >> 15) {
			merge_run(&t.merge, UINT64_MAX);
			streams_settle(&t.streams);
		}
	}
	merge_run(&t.merge, UINT64_MAX);
	close_topic(&t);
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* As many of the block as there is room for, each whole, with a number that makes it another. */
static size_t repeat(const uint8_t *block, uint32_t length, uint8_t *to, size_t room)
{
	static uint32_t number;
	size_t used = 0;

	for (; used + length <= room; used += length) {
		memcpy(to + used, block, length);
		if (length >= 20)
			memcpy(to + used + 12, &number, sizeof(number));
		number++;
		memcpy(to + used + 4, &length, sizeof(length));
		memcpy(to + used + length - 4, &length, sizeof(length));
	}
	return used;
}

/*
 * A section header, and a block of any bytes thousands of times, in messages of many streams. With
 * sanitizers a byte may take 3 us.
 */
static void get_many(const uint8_t *data, size_t size)
{
	static const uint32_t header[] = {BLOCK_SECTION, 28,	     0x1a2b3c4d, 1,
					  0xffffffff,	 0xffffffff, 28};
	static uint8_t message[MANY];
	uint32_t messages = 1 + (uint32_t)take(&data, &size, 1) % 4, length = size & ~3u;
	size_t bytes = 0;
	struct label l = who;
	struct topic t;
	uint64_t begun;

	if (length < 12 || length > 256)
		return;
	open_topic(&t);
	memcpy(message, header, sizeof(header));
	begun = cpu_ns();
	for (l.sequence = 0; l.sequence < messages; l.sequence++) {
		bytes = sizeof(header) + repeat(data, length, message + sizeof(header),
						sizeof(message) - sizeof(header));
		must(add(&t, &l, message, bytes) == 0, "a message is there already");
	}
	for (l.stream = 1; l.stream < STREAMS; l.stream++)
		add(&t, &l, message, sizeof(header) + length);
	merge_run(&t.merge, UINT64_MAX);
	bytes = messages * bytes + STREAMS * (sizeof(header) + length);
	must(cpu_ns() - begun < NS_A_BYTE * bytes, "it takes too long");
	close_topic(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t how = take(&data, &size, 1);

	if (size > 60000) /* what a pipe takes at once */
		return 0;
	if ((how & 15) == 15) /* seldom, as it takes long */
		get_many(data, size);
	else if (how & 1)
		get_any(data, size);
	else
		put_and_get(data, size, how & 2 ? SECTION_SIZE : SMALL, how & 4 ? LANES : 1,
			    how & 8 ? 7 : 4096);
	return 0;
}
