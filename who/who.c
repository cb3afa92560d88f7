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
#include "others.h"
#include "programs.h"
#include "util/clock.h"
#include "who.h"

#define LOOK_PAUSE 8		    /* pause, in multiples of the CPU time of a look */
#define PAUSE_MIN  (5 * NS_PER_MS)  /* but no less than this, */
#define PAUSE_MAX  (2 * NS_PER_SEC) /* and no more */
#define BEAT_NS	   NS_PER_SEC
#define REVIEW_NS  (NS_PER_SEC / 20) /* ... if the kernel leaves out frames */
/* If the wall clock was set, packets may have older times. */
#define STEP_MIN   NS_PER_MS
#define STEP_DOUBT (2 * NS_PER_SEC)
#define KEPT_NS	   (75 * NS_PER_SEC) /* of processes that have ended: as in the table */

struct who {
	struct who_programs *programs;
	struct looker *looker;
	struct sockets table;
	struct choice *choice; /* NULL: all processes are wanted */
	struct others *others;
	bool command_lines;
	uint64_t lost, looks;
	uint64_t lost_before; /* when packets came */
	int64_t wall_ahead;   /* CLOCK_REALTIME minus CLOCK_MONOTONIC */
	/* While a look is being processed: what it saw, and was not used yet. */
	const struct who_seen *next, *end;
	struct look look;
	uint64_t since; /* when the previous look began */
	bool is_blind;	/* some of what has happened since then is not known */
	uint64_t done;	/* when the look was completely processed */
	uint64_t cost;	/* and its CPU time, of the looker and here */
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
	int e = w ? sockets_open(&w->table, boot_ahead()) : -ENOMEM;

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
	others_close(w->others);
	choice_free(w->choice);
	sockets_close(&w->table);
	free(w);
}

int who_choose(struct who *w, struct choice *c)
{
	int e = others_open(&w->others);

	w->choice = c;
	return e;
}

int who_others(const struct who *w)
{
	return others_map(w->others);
}

struct looks who_looks(const struct who *w)
{
	return who_programs_looks(w->programs);
}

/* What was seen before that time is processed first. */
static void take_seen(struct who *w, uint64_t until)
{
	while (w->next < w->end && w->next->time <= until)
		sockets_seen(&w->table, w->next++, &w->look);
}

static void take_event(void *to, const struct who_event *e)
{
	struct who *w = to;

	take_seen(w, e->time);
	sockets_event(&w->table, e);
	if (w->choice)
		choice_event(w->choice, e);
}

/* These change when the host sleeps, or its clock is set. */
static void read_clocks(struct who *w)
{
	int64_t ahead = clock_offset(false), back = w->wall_ahead - ahead;

	w->table.boot_ahead = boot_ahead();
	/* A packet that is stamped before the clock is set back, and read afterwards, seems to come
	 * later by that much. */
	if (w->looks && llabs(back) > STEP_MIN)
		sockets_doubt(&w->table,
			      clock_monotonic() + STEP_DOUBT + (back > 0 ? (uint64_t)back : 0));
	w->wall_ahead = ahead;
}

/* Is it wanted now, or may it have been since the previous look? */
static bool is_wanted_since(struct who *w, struct process *p)
{
	bool was_another = p->executed > w->since || p->moved > w->since;

	if (choice_is_of_group(w->choice))
		who_ask(w, p);
	return choice_has_process(w->choice, p, w->look.end) != CHOSEN_NOT ||
	       (was_another && choice_has_process(w->choice, p, w->since) != CHOSEN_NOT);
}

/* May frames that were left out since the previous look belong to a wanted process? It may be one
 * that is no longer known. */
static enum others_fate review(void *of, uint64_t cookie)
{
	struct who *w = of;
	const struct socket_entry *s = sockets_find(&w->table, cookie);

	if (w->is_blind || (s && s->dropped >= w->since))
		return OTHERS_WANTED;
	for (const struct holding *h = s ? s->holdings : NULL; h; h = h->next)
		if (h->maybe_until >= w->since && is_wanted_since(w, h->process))
			return OTHERS_WANTED;
	return s && s->released == WHO_OPEN ? OTHERS_STAY : OTHERS_GONE;
}

static void lose_events(struct who *w)
{
	uint64_t now = clock_monotonic();

	sockets_lost(&w->table, now);
	processes_doubt(&w->table.processes, now);
	if (w->choice)
		choice_lost(w->choice);
}

static int ask_for_look(struct who *w, struct looked *l)
{
	int e = looker_look(w->looker, l);

	if (!e || e == -EMSGSIZE)
		w->cost += l->cost;
	return e;
}

/* Processes what was seen, and the events up to then. */
static int take_look(struct who *w, const struct looked *l)
{
	int e;

	w->look.end = l->end;
	w->next = l->at;
	w->end = w->next + l->size / sizeof(*w->next);
	e = who_programs_read(w->programs, take_event, w);
	take_seen(w, UINT64_MAX);
	if (e != -EAGAIN)
		return e;
	sockets_lost(&w->table, clock_monotonic()); /* they will come, but this look lacks them */
	return 0;
}

/* Look again, as a part of the same look: -EMSGSIZE: too much was seen. */
static int look_again(struct who *w)
{
	struct looked l;
	int e = ask_for_look(w, &l);

	return e ? e : take_look(w, &l);
}

static void end_look(struct who *w, bool whole)
{
	uint64_t lost = who_programs_lost(w->programs);

	if (lost != w->lost)
		lose_events(w);
	w->lost = lost;
	w->is_blind = !whole || w->table.doubted;
	if (whole)
		sockets_looked(&w->table, &w->look);
	else
		w->table.refused++;
	w->looks++;
	if (w->choice) {
		others_review(w->others, review, w);
		choice_forget(w->choice, w->look.end > KEPT_NS ? w->look.end - KEPT_NS : 0);
	}
	w->done = clock_monotonic();
}

static int look(struct who *w)
{
	uint64_t begin = clock_thread();
	struct looked l;
	bool whole;
	int e;

	w->cost = 0;
	if (w->others)
		others_note(w->others);
	e = ask_for_look(w, &l);
	whole = e != -EMSGSIZE;
	/* Too much was seen: until another look, what happened since the last one is unknown. */
	if (e && whole)
		return e;
	read_clocks(w);
	w->since = w->look.begin;
	w->look = (struct look){.number = w->look.number + 1, .begin = l.begin};
	e = take_look(w, &l);
	if (!e && whole && sockets_misses(&w->table, &w->look)) {
		e = look_again(w);
		whole = e != -EMSGSIZE;
		if (e && whole)
			return e;
		e = 0;
	}
	end_look(w, whole);
	w->cost += clock_thread() - begin;
	return e;
}

int who_connect(struct who *w, int socket)
{
	int e = looker_open(&w->looker, socket);

	return e ? e : look(w);
}

int who_begin(struct who *w)
{
	int e = look(w);

	if (!e && w->choice)
		e = choice_begin(w->choice);
	/* Until now, the room for events may have been full; now it is empty. */
	if (!e && w->table.doubted)
		e = look(w);
	w->lost_before = w->lost;
	return e == -EMSGSIZE ? 0 : e;
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

/* Time of the next look, at the earliest. */
static uint64_t next_look(const struct who *w)
{
	return w->done + who_pause(w->cost);
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

uint64_t who_due(const struct who *w)
{
	uint64_t beat = w->look.end + (w->choice ? REVIEW_NS : BEAT_NS), next = next_look(w);

	return beat > next ? beat : next;
}

int who_beat(struct who *w)
{
	return clock_monotonic() < who_due(w) ? 0 : look(w);
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
		/* If several share the port, it may be another one's. */
		if (s->how & EPB_SOCKET_SHARES_PORT)
			break;
		decide(&w->table, cookie, who_time(w, time), to);
		to->class = to->class == WHO_EXACT || to->class == WHO_SHARED ? WHO_LISTENER
									      : WHO_UNKNOWN;
		if (to->class == WHO_UNKNOWN)
			to->n = 0;
		break;
	case EPB_SOCKET_REQUEST:
		decide_request(&w->table, cookie, who_time(w, time), to);
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
		if (to->class == WHO_UNKNOWN && s->how & EPB_SOCKET_NOT_OPEN)
			decide_waiting(&w->table, cookie, who_time(w, time), to);
		break;
	}
}

enum chosen who_wants(struct who *w, const struct epb_socket *s, uint64_t time,
		      const struct who_holders *h)
{
	uint64_t cookie = (uint64_t)s->cookie_high << 32 | s->cookie_low;
	enum chosen is;

	if (!w->choice)
		return CHOSEN_YES;
	for (unsigned i = 0; i < h->n && choice_is_of_group(w->choice); i++)
		who_ask(w, h->process[i]);
	is = choice_has(w->choice, h, who_time(w, time));
	/* The packet may be old: a wanted process may have got the socket since. */
	if (is == CHOSEN_NOT && (h->class == WHO_EXACT || h->class == WHO_SHARED) &&
	    !others_have(w->others, cookie) && review(w, cookie) == OTHERS_STAY)
		others_add(w->others, cookie);
	return is;
}

void who_ask(struct who *w, struct process *p)
{
	char **line = w->command_lines ? &p->command_line : NULL;

	if (p->asked)
		return;
	p->asked = true;
	free(p->command_line);
	p->command_line = NULL;
	if (p->ended)
		return;
	looker_ask(w->looker, p->pid, p->start, &p->group, line);
	/* By then it may have executed another program, or moved: the answer is then about that. */
	if (!who_programs_read(w->programs, take_event, w))
		return;
	free(p->command_line);
	p->command_line = NULL;
	p->group = (struct cgroup_names){.path = ""};
	p->asked = false;
}

void who_figures(const struct who *w, struct who_figures *f)
{
	*f = (struct who_figures){.looks = w->looks,
				  .look_ns = w->look.end - w->look.begin,
				  .events_lost = w->lost - w->lost_before,
				  .refused = w->table.refused + w->table.processes.refused,
				  .sockets = w->table.sockets,
				  .processes = w->table.processes.count};
	if (w->choice && choice_is_full(w->choice))
		f->refused++;
}

void who_left_out(const struct who *w, uint64_t *left_out, uint64_t *missed)
{
	*left_out = *missed = 0;
	if (w->others)
		others_figures(w->others, left_out, missed);
}
