/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The table of options.def, and setting options by name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/options/options.h"
#include "capture/options/option.h"

#define IN(member)                                                                                 \
	.at = offsetof(struct afxdp_options, member),                                              \
	.size = sizeof(((struct afxdp_options *)0)->member)

#define WORD(member)		 .set = option_word, IN(member)
#define NUMBER(member, from, to) .set = option_number, .least = from, .most = to, IN(member)
#define SIZE(member, from, to, by)                                                                 \
	.set = option_size, .least = from, .most = to, .rule = by, IN(member)
#define QUEUES(member)		   .set = option_queues, IN(member)
#define DURATION(member, from, to) .set = option_duration, .least = from, .most = to, IN(member)
#define SLICE(member)		   .set = option_slice, IN(member)
#define PATH(member)		   .set = option_path, IN(member)
#define FD(member)		   .set = option_fd, IN(member)
#define SOCK_FDS(member)	   .set = option_sock_fds, IN(member)

#define OPTION(n, t, g, kind, help, dialogue)	     {.name = n, .takes = t, .gives = g, kind},
#define DEVICE_OPTION(n, t, g, kind, help, dialogue) {.name = n, .takes = t, .gives = g, kind},
#define API_OPTION(n, t, g, kind)		     {.name = n, .takes = t, .gives = g, kind, .api = true},
static const struct option_row rows[] = {
#include "capture/options/options.def"
};
#undef OPTION
#undef DEVICE_OPTION
#undef API_OPTION
#define ROWS (sizeof(rows) / sizeof(rows[0]))

#define HISTORY_LEAVES 4 /* chunks */

static void append(char *err, size_t size, const char *text, size_t length)
{
	size_t used = strlen(err);

	snprintf(err + used, size - used, "%.*s", (int)length, text);
}

/* "auto|xdp" as "auto, xdp". */
static void append_words(char *err, size_t size, const char *words)
{
	for (;; words++) {
		size_t n = strcspn(words, "|");

		append(err, size, words, n);
		words += n;
		if (!*words)
			return;
		append(err, size, ", ", 2);
	}
}

static int refuse_value(const struct option_row *row, char *err, size_t size)
{
	if (row->gives) {
		snprintf(err, size, "give %s", row->gives);
	} else {
		snprintf(err, size, "not a value; valid are ");
		append_words(err, size, row->takes);
	}
	return -EINVAL;
}

/* Names only the options of a device name: a program need not be told its own. */
static int refuse_name(char *err, size_t size)
{
	bool first = true;

	snprintf(err, size, "not an option; valid are ");
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].api)
			continue;
		if (!first)
			append(err, size, ", ", 2);
		append(err, size, rows[i].name, strlen(rows[i].name));
		first = false;
	}
	return -ENOENT;
}

static const struct option_row *find_row(const char *name)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

static int set_row(struct afxdp_options *o, const struct option_row *row, const char *value,
		   char *err, size_t size)
{
	if (!value || !*value) {
		snprintf(err, size, "needs a value");
		return -EINVAL;
	}
	if (row->set(row, (char *)o + row->at, value) == 0)
		return 0;
	return refuse_value(row, err, size);
}

int afxdp_options_set(struct afxdp_options *o, const char *name, const char *value, char *err,
		      size_t size)
{
	const struct option_row *row = find_row(name);

	return row ? set_row(o, row, value, err, size) : refuse_name(err, size);
}

int options_set_of_device(struct afxdp_options *o, const char *name, const char *value, char *err,
			  size_t size)
{
	const struct option_row *row = find_row(name);

	return row && !row->api ? set_row(o, row, value, err, size) : refuse_name(err, size);
}

bool afxdp_options_have(const struct afxdp_options *o, const char *name, const char *value)
{
	const struct option_row *row = find_row(name);
	struct afxdp_options other = {.ifname = ""};

	if (!row || (value && row->set(row, (char *)&other + row->at, value)))
		return false;
	return memcmp((const char *)o + row->at, (const char *)&other + row->at, row->size) == 0;
}

struct afxdp_options *afxdp_options_new(void)
{
	return calloc(1, sizeof(struct afxdp_options));
}

void afxdp_options_free(struct afxdp_options *o)
{
	free(o);
}

void afxdp_options_filter(struct afxdp_options *o, const struct sock_filter *f, unsigned n)
{
	o->filter = f;
	o->filter_n = n;
}

const char *afxdp_options_interface(const struct afxdp_options *o)
{
	return o->ifname;
}

/* The total for all rings of this capture: its part, if several captures share it. */
static uint64_t ring_total(const struct afxdp_options *o, uint64_t memory)
{
	uint64_t total = memory / CAPTURE_RING_TOTAL_PART;

	if (total > CAPTURE_RING_TOTAL_DEFAULT)
		total = CAPTURE_RING_TOTAL_DEFAULT;
	if (o->ring_total)
		total = o->ring_total;
	return o->sharers ? total / o->sharers : total;
}

/* Doubles size until it holds the buffer that was asked for, or is the maximum. */
static uint64_t raised(uint64_t size, uint64_t buffer)
{
	while (size < buffer && size < RING_SIZE_MAX)
		size *= 2;
	return size;
}

uint64_t options_ring_size(const struct afxdp_options *o, unsigned count, uint64_t most,
			   uint64_t memory)
{
	uint64_t first = o->ring_size ? o->ring_size : CAPTURE_RING_SIZE_DEFAULT;
	uint64_t size = o->ring_size ? o->ring_size : most;
	uint64_t least = o->ring_size;
	uint64_t buffer = o->pre_trigger ? o->pre_trigger + CAPTURE_RING_SIZE_DEFAULT : o->buffer;

	if (buffer > first)
		size = raised(first, buffer);
	if (o->pre_trigger || buffer > CAPTURE_BUFFER_WITHIN)
		least = size;
	if (o->ring_total || least < RING_SIZE_MIN)
		least = RING_SIZE_MIN;
	while (size > least && size * count > ring_total(o, memory))
		size /= 2;
	return size;
}

int options_check_total(const struct afxdp_options *o, unsigned count, uint64_t ring_size,
			char *err, size_t size)
{
	unsigned sharers = o->sharers ? o->sharers : 1;
	unsigned long long needed = (unsigned long long)ring_size * count * sharers;

	if (!o->ring_total || needed <= o->ring_total)
		return 0;
	snprintf(err, size,
		 "ring-total=%lluK is less than %u rings of %lluK take, the smallest: give ring-total=%lluK or more",
		 (unsigned long long)o->ring_total >> 10, count * sharers,
		 (unsigned long long)ring_size >> 10, needed >> 10);
	return -EINVAL;
}

/* One chunk more, because one is being written. Some are left free for records that come while the
 * kept ones are read. */
uint32_t options_history_chunks(const struct afxdp_options *o, uint64_t ring_size, uint64_t chunk)
{
	uint64_t n = (o->pre_trigger + chunk - 1) / chunk + 1;

	return n + HISTORY_LEAVES <= ring_size / chunk ? (uint32_t)n : 0;
}

int options_check_history(const struct afxdp_options *o, unsigned count, uint64_t ring_size,
			  bool fits, uint64_t memory, char *err, size_t size)
{
	unsigned all = count * (o->sharers ? o->sharers : 1);
	unsigned long long mib = o->pre_trigger >> 20;

	if (!fits)
		snprintf(err, size,
			 "%llu MiB before the trigger, and what comes after it, do not fit into %u rings of %llu KiB, the most that ring-total= allows: give a larger ring-total= or a smaller pre-trigger=",
			 mib, all, (unsigned long long)ring_size >> 10);
	else if (all * ring_size > memory / 2)
		snprintf(err, size,
			 "%llu MiB before the trigger take %u rings of %llu MiB, more than half of the memory: give a smaller pre-trigger=",
			 mib, all, (unsigned long long)ring_size >> 20);
	else
		return 0;
	return -ENOMEM;
}

bool options_are_any(const struct afxdp_options *o)
{
	return strcmp(o->ifname, AFXDP_ANY) == 0;
}

bool options_keep_frames(const struct afxdp_options *o)
{
	return o->engine == CAPTURE_ENGINE_DIVERT || o->after_drop;
}

bool options_ask_for_sockets(const struct afxdp_options *o)
{
	return o->engine == CAPTURE_ENGINE_DIVERT &&
	       (o->zero_copy != CAPTURE_ZERO_COPY_AUTO || o->busy_poll || o->sock_fds.count ||
		o->prog_fd);
}

bool options_name_queues(const struct afxdp_options *o)
{
	for (unsigned i = 0; i < CAPTURE_QUEUES_MAX / 64; i++)
		if (o->queues[i])
			return true;
	return false;
}

uint64_t options_watchdog(const struct afxdp_options *o)
{
	if (!options_keep_frames(o) || o->watchdog == CAPTURE_WATCHDOG_OFF)
		return 0;
	return o->watchdog ? o->watchdog : CAPTURE_WATCHDOG_DEFAULT;
}

bool options_are_words(const struct afxdp_options *o)
{
	for (size_t i = 0; i < ROWS; i++) {
		const unsigned char *member = (const unsigned char *)o + rows[i].at;
		unsigned value = *member; /* a byte: a bool must not be read as one before its value
					     is checked */

		if (rows[i].set != option_word)
			continue;
		if (rows[i].size == sizeof(value))
			memcpy(&value, member, sizeof(value));
		if (value >= option_words(&rows[i]))
			return false;
	}
	return true;
}
