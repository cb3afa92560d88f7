/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/types.h>

#include "bpf/record.h"
#include "looker.h"
#include "programs.h"
#include "util/clock.h"
#include "who.h"

#define LOOK_PAUSE 8		    /* so many times as long as a look */
#define PAUSE_MIN  (5 * NS_PER_MS)  /* but no less than this, */
#define PAUSE_MAX  (2 * NS_PER_SEC) /* ... and no more */
#define BEAT_NS	   NS_PER_SEC
/* The wall clock was set: packets may bear times of before. */
#define STEP_MIN   NS_PER_MS
#define STEP_DOUBT (2 * NS_PER_SEC)

struct who {
	struct who_programs *programs;
	struct looker *looker;
	struct table table;
	bool command_lines;
	uint64_t lost, looks;
	int64_t wall_ahead; /* of CLOCK_REALTIME to CLOCK_MONOTONIC */
	/* While a look is taken in: what it saw, and has not been used yet. */
	const struct who_seen *next, *end;
	struct look look;
};

static int64_t boot_ahead(void)
{
	struct timespec boot;
	uint64_t now = clock_monotonic();

	clock_gettime(CLOCK_BOOTTIME, &boot);
	return (int64_t)boot.tv_sec * NS_PER_SEC + boot.tv_nsec - (int64_t)now;
}

int who_open(struct who **out, bool command_lines, char *err, size_t size)
{
	struct who *w = calloc(1, sizeof(*w));
	int e = w ? table_open(&w->table, boot_ahead()) : -ENOMEM;

	if (e) {
		snprintf(err, size, "out of memory");
		free(w);
		return e;
	}
	w->command_lines = command_lines;
	e = who_programs_open(&w->programs, err, size);
	if (e)
		who_close(w);
	else
		*out = w;
	return e;
}

void who_close(struct who *w)
{
	if (!w)
		return;
	looker_close(w->looker);
	who_programs_close(w->programs);
	table_close(&w->table);
	free(w);
}

int who_link(const struct who *w)
{
	return who_programs_look(w->programs);
}

/* What was seen before that time comes before it. */
static void take_seen(struct who *w, uint64_t until)
{
	while (w->next < w->end && w->next->time <= until)
		table_seen(&w->table, w->next++, &w->look);
}

static void take_event(void *to, const struct who_event *e)
{
	struct who *w = to;

	take_seen(w, e->time);
	table_event(&w->table, e);
}

/* These move: the host sleeps, or its clock is set. */
static void read_clocks(struct who *w)
{
	int64_t ahead = clock_offset(false), back = w->wall_ahead - ahead;

	w->table.boot_ahead = boot_ahead();
	/* What is stamped before it is set back, and read behind that, seems to come later by as
	 * much. */
	if (w->looks && llabs(back) > STEP_MIN)
		table_doubt(&w->table,
			    clock_monotonic() + STEP_DOUBT + (back > 0 ? (uint64_t)back : 0));
	w->wall_ahead = ahead;
}

static int look(struct who *w)
{
	struct looked l;
	int e = looker_look(w->looker, &l);
	bool whole = e != -EMSGSIZE;
	uint64_t lost;

	/* Too much was seen: until another look, what is since the last one is unknown. */
	if (e && whole)
		return e;
	read_clocks(w);
	w->look = (struct look){.number = w->look.number + 1, .begin = l.begin, .end = l.end};
	w->next = l.at;
	w->end = w->next + l.size / sizeof(*w->next);
	e = who_programs_read(w->programs, take_event, w);
	take_seen(w, UINT64_MAX);
	lost = who_programs_lost(w->programs);
	if (lost != w->lost)
		table_lost(&w->table, clock_monotonic());
	w->lost = lost;
	if (whole)
		table_looked(&w->table, &w->look);
	else
		w->table.refused++;
	w->looks++;
	return e;
}

int who_connect(struct who *w, int socket)
{
	int e = looker_open(&w->looker, socket);

	return e ? e : look(w);
}

uint64_t who_time(const struct who *w, uint64_t time)
{
	return time - (uint64_t)w->wall_ahead;
}

uint64_t who_pause(uint64_t ns)
{
	uint64_t pause = ns * LOOK_PAUSE;

	if (pause < PAUSE_MIN)
		pause = PAUSE_MIN;
	return pause > PAUSE_MAX ? PAUSE_MAX : pause;
}

/* When the next look may be. */
static uint64_t next_look(const struct who *w)
{
	return w->look.end + who_pause(w->look.end - w->look.begin);
}

static void sleep_until(uint64_t time)
{
	uint64_t now = clock_monotonic();
	struct timespec t;

	if (now >= time)
		return;
	t = (struct timespec){.tv_sec = (time_t)((time - now) / NS_PER_SEC),
			      .tv_nsec = (long)((time - now) % NS_PER_SEC)};
	nanosleep(&t, NULL);
}

int who_read(struct who *w, uint64_t time)
{
	bool was_set = llabs(clock_offset(false) - w->wall_ahead) > STEP_MIN;

	if (w->look.begin > who_time(w, time) && !was_set)
		return 0;
	sleep_until(next_look(w));
	return look(w);
}

int who_beat(struct who *w)
{
	return clock_monotonic() < w->look.end + BEAT_NS ? 0 : look(w);
}

void who_label(struct who *w, const struct epb_socket *s, uint64_t time, struct who_holders *to)
{
	uint64_t cookie = (uint64_t)s->cookie_high << 32 | s->cookie_low;

	*to = (struct who_holders){.class = WHO_UNKNOWN};
	switch (EPB_SOCKET_HOW(s->how)) {
	case EPB_SOCKET_FORWARDED:
		to->class = WHO_FORWARDED;
		break;
	case EPB_SOCKET_LISTENER:
		/* With several of one port it may be the others'. */
		if (s->how & EPB_SOCKET_SHARES_PORT)
			break;
		decide(&w->table, cookie, who_time(w, time), to);
		to->class = to->class == WHO_EXACT || to->class == WHO_SHARED ? WHO_LISTENER
									      : WHO_UNKNOWN;
		if (to->class == WHO_UNKNOWN)
			to->n = 0;
		break;
	case EPB_SOCKET_BOUND:
		if (s->how & EPB_SOCKET_SHARES_PORT)
			break;
		/* fallthrough */
	case EPB_SOCKET_OWN:
	case EPB_SOCKET_ESTABLISHED:
	case EPB_SOCKET_TIME_WAIT:
	case EPB_SOCKET_CONNECTED:
		decide(&w->table, cookie, who_time(w, time), to);
		break;
	}
}

void who_ask(struct who *w, struct process *p)
{
	char **line = w->command_lines ? &p->command_line : NULL;

	if (p->asked)
		return;
	p->asked = true;
	free(p->command_line);
	p->command_line = NULL;
	if (!p->ended)
		looker_ask(w->looker, p->pid, p->start, &p->group, line);
}

void who_figures(const struct who *w, struct who_figures *f)
{
	*f = (struct who_figures){.looks = w->looks,
				  .look_ns = w->look.end - w->look.begin,
				  .events_lost = w->lost,
				  .refused = w->table.refused + w->table.processes.refused,
				  .sockets = w->table.sockets,
				  .processes = w->table.processes.count};
}
