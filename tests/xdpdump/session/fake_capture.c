/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "fake_capture.h"
#include "util/clock.h"
#include "xdpdump/os/interfaces.h"
#include "xdpdump/os/privileges.h"
#include "xdpdump/os/signals.h"

#define CAPTURES     4
#define BATCHES_MAX  8
#define FRAME_SIZE   60 /* and the n-th of a ring has n % 4 bytes more */
#define RECORD_SIZE  256
#define NOW	     (1700000000 * (uint64_t)NS_PER_SEC)
#define FIRST	     (NOW - 600 * (uint64_t)NS_PER_SEC)
#define STEP	     (uint64_t) NS_PER_MS
#define MEMBERS_LAST 3 /* of any there are two at first */

struct afxdp_reader {
	struct afxdp_capture *capture;
	int ring; /* -1: of all */
	uint8_t *memory;
	const uint8_t *at, *end; /* what is published and not read */
	unsigned published;
	uint64_t refused, side_refused[AFXDP_SIDES];
	bool keeps; /* nobody reads yet: --pre-trigger */
	bool idle;  /* it sleeps, and nothing is left to read */
};

struct afxdp_capture {
	uint32_t ids[AFXDP_SIDES];
	unsigned number;
	bool gone, stopped;
	unsigned joined, told;
	bool leaves;
	bool chooses; /* by names: what is of no interface that is known is refused */
	bool spaces;  /* records are of many network namespaces */
	bool drops;
	struct afxdp_reader all, own[FAKE_RINGS];
	unsigned owners;
};

static struct fake_story story;
static struct afxdp_capture capture[CAPTURES];
static unsigned captures;
static const char *next_event;
static const char *_Atomic warning;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *const unchanged;

void fake_begin(const struct fake_story *s)
{
	story = *s;
	next_event = story.events;
}

/* --- Records. --- */

static uint32_t write_record(uint8_t *to, const struct afxdp_capture *c, unsigned ring, unsigned n)
{
	uint32_t length = FRAME_SIZE + n % 4, padded = (length + 3) & ~3u;
	uint64_t time = FIRST + ((uint64_t)n * FAKE_RINGS + ring) * STEP + c->number * (STEP / 4);
	enum afxdp_side side = n % 5 == 4 ? AFXDP_SENT : AFXDP_RECEIVED;
	struct epb_header h = {.type = EPB_TYPE,
			       .interface_id = c->ids[side],
			       .time_high = (uint32_t)(time >> 32),
			       .time_low = (uint32_t)time,
			       .caplen = length,
			       .len = length + 40};
	struct epb_options o = {.flags_option = EPB_OPT_FLAGS,
				.flags = side == AFXDP_SENT ? EPB_FLAG_OUTBOUND : EPB_FLAG_INBOUND,
				.queue_option = EPB_OPT_QUEUE,
				.queue = ring,
				.packetid_option = EPB_OPT_PACKETID,
				.packetid_low = n,
				.packetid_high = ring << 20};
	struct epb_end end = {.total_length =
				      (uint32_t)(sizeof(h) + padded + sizeof(o) + sizeof(end))};

	h.total_length = end.total_length;
	if (c->spaces && !c->drops)
		h.interface_id = fake_netns(ring);
	memcpy(to, &h, sizeof(h));
	for (uint32_t i = 0; i < padded; i++)
		to[sizeof(h) + i] = i < length ? (uint8_t)(n * 131 + i * 7) : 0;
	if (c->spaces && !c->drops)
		memcpy(to + sizeof(h), &(struct epb_cooked){.ifindex = htonl(ring + 1), .halen = 6},
		       sizeof(struct epb_cooked));
	memcpy(to + sizeof(h) + padded, &o, sizeof(o));
	memcpy(to + sizeof(h) + padded + sizeof(o), &end, sizeof(end));
	return end.total_length;
}

/* As many as a batch has, of each ring of the reader. */
static void publish(struct afxdp_reader *r)
{
	uint8_t *to = (uint8_t *)r->end;

	for (unsigned i = 0; i < story.batch; i++, r->published++)
		for (unsigned ring = 0; ring < FAKE_RINGS; ring++)
			if (r->ring < 0 || (unsigned)r->ring == ring)
				to += write_record(to, r->capture, ring, r->published);
	r->end = to;
	r->idle = false;
}

static void begin_reader(struct afxdp_reader *r, struct afxdp_capture *c, int ring)
{
	*r = (struct afxdp_reader){.capture = c, .ring = ring};
	r->memory = calloc((size_t)BATCHES_MAX * FAKE_RINGS * (story.batch + 1), RECORD_SIZE);
	if (!r->memory)
		abort();
	r->at = r->end = r->memory;
	publish(r);
}

static void free_reader(struct afxdp_reader *r)
{
	free(r->memory);
	r->memory = NULL;
}

/* --- What happens. --- */

static bool is_idle(const struct afxdp_capture *c)
{
	if (c->gone) /* of rings: once their files have ended */
		return !c->owners || !c->own[c->owners - 1].memory;
	for (unsigned i = 0; i < c->owners; i++)
		if (!c->own[i].idle)
			return false;
	return c->owners || c->all.keeps || c->all.at == c->all.end;
}

static void publish_more(void)
{
	for (unsigned i = 0; i < captures && !capture[i].gone; i++) {
		for (unsigned k = 0; k < capture[i].owners; k++)
			publish(&capture[i].own[k]);
		publish(&capture[i].all);
	}
}

/* Behind so many packets of each ring, and before the next one. */
static uint64_t time_behind(unsigned packets)
{
	return FIRST + (uint64_t)packets * FAKE_RINGS * STEP - 1;
}

static void happen(char event)
{
	unsigned published = capture[0].all.published;

	switch (event) {
	case 'm':
		publish_more();
		break;
	case 'r':
		signals_report = 1;
		break;
	case 'f':
		signals_rotate++;
		break;
	case 'u':
		signals_flush++;
		break;
	case 'U':
		signals_flush++;
		signals_stop = 1;
		break;
	case 'g':
		capture[captures - 1].gone = true;
		break;
	case 'j':
		capture[0].joined++;
		break;
	case 'l':
		capture[0].leaves = true;
		break;
	case 'w':
		warning = "the story warns";
		break;
	case 'i':
	case 'o':
	case 'n':
	case 'I':
	case 'O':
	case 'E':
		fake_spaces_happen(event, time_behind(published));
		break;
	case 'N':
	case 'A': /* in the middle of what comes, and is not yet read */
		publish_more();
		fake_spaces_happen(event, time_behind(published + story.batch / 2));
		break;
	default:
		signals_stop = event ? 2 : 1;
	}
}

/* One event, when the first capture is looked at and nothing is left to read. */
static int look(struct afxdp_capture *c)
{
	bool idle = true;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < captures; i++)
		idle &= is_idle(&capture[i]);
	if (c == &capture[0] && idle && !signals_stop && !signals_report) {
		happen(*next_event);
		next_event += *next_event != 0;
	}
	pthread_mutex_unlock(&lock);
	return c->gone ? -ENODEV : 0;
}

/* --- The face. --- */

#define WRAP(type, name, ...)                                                                      \
	type __wrap_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__)

static uint32_t number_of(const struct afxdp_options *o, const char *name)
{
	char text[12];

	for (uint32_t i = 0; i < 64; i++) {
		snprintf(text, sizeof(text), "%u", i);
		if (afxdp_options_have(o, name, text))
			return i;
	}
	return 0;
}

WRAP(int, afxdp_open, struct afxdp_capture **c, const struct afxdp_options *o, char *err,
     size_t size)
{
	struct afxdp_capture *made = &capture[captures];

	(void)err;
	(void)size;
	if (captures == CAPTURES)
		abort();
	made->ids[AFXDP_RECEIVED] = number_of(o, "interface-received");
	made->ids[AFXDP_SENT] = number_of(o, "interface-sent");
	made->number = captures++;
	made->joined = 2;
	made->chooses = !afxdp_options_have(o, "interfaces", NULL);
	made->spaces = afxdp_options_have(o, "namespaces", "on");
	made->drops = afxdp_options_have(o, "place", "drops");
	begin_reader(&made->all, made, -1);
	*c = made;
	return 0;
}

WRAP(void, afxdp_close, struct afxdp_capture *c)
{
	if (c)
		free_reader(&c->all);
}

WRAP(void, afxdp_stop, struct afxdp_capture *c)
{
	if (c)
		c->stopped = true;
}

WRAP(struct afxdp_reader *, afxdp_reader, struct afxdp_capture *c)
{
	return &c->all;
}

WRAP(unsigned, afxdp_rings, const struct afxdp_capture *c)
{
	(void)c;
	return FAKE_RINGS;
}

WRAP(int, afxdp_reader_open, struct afxdp_reader **r, struct afxdp_capture *c, unsigned number)
{
	*r = &c->own[number];
	begin_reader(*r, c, (int)number);
	c->owners++;
	return 0;
}

WRAP(void, afxdp_reader_close, struct afxdp_reader *r)
{
	if (r)
		free_reader(r);
}

WRAP(int, afxdp_reader_cpu, const struct afxdp_reader *r)
{
	return r->ring;
}

WRAP(void, afxdp_begin, struct afxdp_reader *r)
{
	(void)r;
}

WRAP(void, afxdp_gate_open, struct afxdp_capture *const *c, unsigned n)
{
	(void)c;
	(void)n;
}

WRAP(void, afxdp_gate_close, struct afxdp_capture *const *c, unsigned n)
{
	(void)c;
	(void)n;
}

/* Another thread publishes more. */
static const uint8_t *end_of(const struct afxdp_reader *r)
{
	const uint8_t *end;

	pthread_mutex_lock(&lock);
	end = r->end;
	pthread_mutex_unlock(&lock);
	return end;
}

WRAP(int, afxdp_run, struct afxdp_reader *r, struct afxdp_run *run)
{
	const uint8_t *end = end_of(r);

	if (r->at == end || r->keeps)
		return 0;
	*run = (struct afxdp_run){.first = (const void *)r->at,
				  .end = end,
				  .until = UINT64_MAX,
				  .refine = story.refines,
				  .changed = &unchanged};
	return 1;
}

WRAP(void, afxdp_run_done, struct afxdp_reader *r, const struct afxdp_run *run,
     const struct epb_header *next)
{
	(void)run;
	r->at = (const uint8_t *)next;
}

static void refuse(struct afxdp_reader *r, const struct epb_header *record)
{
	r->refused++;
	r->side_refused[epb_is_sent(record) ? AFXDP_SENT : AFXDP_RECEIVED]++;
}

WRAP(uint32_t, afxdp_refine, struct afxdp_reader *r, const struct epb_header *record)
{
	unsigned n = epb_options(record)->packetid_low;

	if (n % 3 == 0)
		refuse(r, record);
	return n % 3 == 0 ? 0 : n % 3 == 1 ? record->caplen / 2 : record->caplen;
}

WRAP(void, afxdp_refuse, struct afxdp_reader *r, const struct epb_header *record)
{
	refuse(r, record);
}

WRAP(bool, afxdp_has_nic_time, const struct afxdp_capture *c)
{
	(void)c;
	return false;
}

WRAP(bool, afxdp_has_link_header, const struct afxdp_capture *c)
{
	(void)c;
	return true;
}

WRAP(const char *, afxdp_hooks, const struct afxdp_capture *c)
{
	(void)c;
	return "xdp, and tc for sent frames";
}

WRAP(const char *, afxdp_warning, const struct afxdp_capture *c)
{
	(void)c;
	return warning;
}

WRAP(const char *, afxdp_diverted_to, const struct afxdp_capture *c)
{
	(void)c;
	return NULL;
}

WRAP(int, afxdp_set_filter, struct afxdp_capture *c, const struct sock_filter *f, unsigned n,
     char *err, size_t size)
{
	(void)c;
	(void)f;
	(void)n;
	(void)err;
	(void)size;
	return 0;
}

WRAP(enum afxdp_level, afxdp_filter_level, const struct afxdp_capture *c)
{
	(void)c;
	return story.refines ? AFXDP_LEVEL_USER : AFXDP_LEVEL_NONE;
}

WRAP(const char *, afxdp_filter_text, const struct afxdp_capture *c)
{
	(void)c;
	return story.refines ? "in user space, because the story says so" : "in the kernel";
}

/* The one of a ring sleeps until it is woken, or for a moment. */
WRAP(int, afxdp_wait, struct afxdp_reader *r, int timeout_ms)
{
	const struct timespec moment = {.tv_nsec = NS_PER_MS};

	(void)timeout_ms;
	if (r->ring < 0)
		return look(r->capture);
	pthread_mutex_lock(&lock);
	r->idle = r->at == r->end;
	pthread_mutex_unlock(&lock);
	nanosleep(&moment, NULL);
	return 0;
}

WRAP(int, afxdp_poll, struct afxdp_reader *r)
{
	return look(r->capture);
}

WRAP(int, afxdp_attend, struct afxdp_reader *all)
{
	return look(all->capture);
}

WRAP(void, afxdp_rest, struct afxdp_reader *r)
{
	(void)r;
}

/* Always readable. */
WRAP(int, afxdp_fd, const struct afxdp_reader *r)
{
	static int fd = -1;

	(void)r;
	if (fd < 0)
		fd = eventfd(1, EFD_CLOEXEC);
	return fd;
}

WRAP(void, afxdp_wake, struct afxdp_reader *r)
{
	(void)r;
}

WRAP(void, afxdp_reader_stats, struct afxdp_reader *r, struct afxdp_stats *s, size_t size)
{
	uint64_t rings = r->ring < 0 ? FAKE_RINGS : 1;
	uint64_t records = rings * r->published, sent = rings * (r->published / 5);

	if (size != sizeof(*s))
		abort();
	*s = (struct afxdp_stats){.lost_full = rings * story.lost,
				  .matched = records + rings * story.lost,
				  .offered = records + rings * story.lost + rings * 7,
				  .refused = r->refused,
				  .bells = rings};
	s->side_seen[AFXDP_SENT] = s->side_matched[AFXDP_SENT] = sent;
	s->side_matched[AFXDP_RECEIVED] = s->matched - sent;
	s->side_seen[AFXDP_RECEIVED] = s->offered - sent;
	s->side_lost[AFXDP_RECEIVED] = s->lost_full;
	for (enum afxdp_side side = 0; side < AFXDP_SIDES; side++) {
		s->side_received[side] = s->side_matched[side];
		s->side_refused[side] = r->side_refused[side];
	}
}

WRAP(bool, afxdp_reader_is_empty, struct afxdp_reader *r, uint64_t read)
{
	(void)read;
	return r->at == end_of(r);
}

WRAP(int, afxdp_socket_program, const struct afxdp_capture *c)
{
	(void)c;
	return 0;
}

/* Of any: each ring is of an interface. */
WRAP(bool, afxdp_came_by, struct afxdp_reader *r, const struct epb_header *record,
     struct afxdp_member *m)
{
	unsigned ring = epb_options(record)->queue;
	bool is_refused;

	*m = (struct afxdp_member){.index = ring + 1,
				   .number = ring < MEMBERS_LAST - 1 ? ring + 1 : 0,
				   .netns = r->capture->spaces ? fake_netns(ring) : 0};
	snprintf(m->name, sizeof(m->name), "%s%u", m->number ? "m" : "", m->number);
	is_refused = r->capture->chooses && !m->number;
	if (is_refused)
		refuse(r, record);
	return !is_refused;
}

WRAP(bool, afxdp_next_member, struct afxdp_reader *r, struct afxdp_member *m)
{
	struct afxdp_capture *c = r->capture;

	*m = (struct afxdp_member){.gone = c->leaves};
	if (!c->leaves && c->told == c->joined)
		return false;
	m->index = m->number = c->leaves ? 2 : ++c->told;
	c->leaves = false;
	snprintf(m->name, sizeof(m->name), "m%u", m->number);
	return true;
}

WRAP(void, afxdp_keep_newest, struct afxdp_reader *r)
{
	r->keeps = true;
}

WRAP(uint64_t, afxdp_pulled, const struct afxdp_reader *r)
{
	(void)r;
	return 0;
}

WRAP(uint64_t, afxdp_kept, const struct afxdp_reader *r)
{
	return (uint64_t)(r->end - r->at);
}

WRAP(void, afxdp_take_over, struct afxdp_reader *const *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		r[i]->keeps = false;
}

WRAP(int, afxdp_look, const char *ifname, struct afxdp_interface *i, size_t size)
{
	(void)ifname;
	(void)i;
	(void)size;
	return -ENODEV;
}

/* --- Of xdpdump: what the machine is like, and what time it is. --- */

WRAP(int, interface_get, struct interface *i, const char *name)
{
	*i = (struct interface){.index = 7, .hatype = 1, .mac = {2, 0, 0, 0, 0, 1}};
	snprintf(i->name, sizeof(i->name), "%s", name);
	return 0;
}

WRAP(void, interface_programs, const char *ifname, char *text, size_t size)
{
	(void)ifname;
	if (size)
		*text = 0;
}

WRAP(void, interface_program, const char *ifname, struct xdp_program *p)
{
	(void)ifname;
	*p = (struct xdp_program){.id = 0};
}

WRAP(int, statvfs, const char *path, struct statvfs *v)
{
	(void)path;
	*v = (struct statvfs){.f_bsize = 4096,
			      .f_frsize = 4096,
			      .f_blocks = 1 << 20,
			      .f_bavail = 1 << 19};
	return 0;
}

WRAP(int, privileges_drop, const struct needs *n)
{
	(void)n;
	return 0;
}

WRAP(uint64_t, clock_wall, void)
{
	return NOW;
}
