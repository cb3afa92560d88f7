/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sockets of others, whose frames the capture leaves out: these surely are nobody's who is wanted,
 * and what may have been is counted. The capture counts frames where the test does here.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/types.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bpf/record.h"
#include "looking.h"
#include "util/clock.h"
#include "who/others.h"

#define WANTED	     "cat"
#define EVENTS	     100000 /* more than there is room for */
#define CLOSED_MS    100    /* what a process has that ends */
#define FORGOTTEN_MS 2500

/* A socket at a moment; what its process says; and what it waits for. */
struct moment {
	uint64_t cookie, time;
	int says, go;
	pid_t pid;
};

/* How another's socket comes to who is wanted. */
enum way { BECOMES, FORKS, FORKS_AND_STAYS };

static struct who *who;
static pid_t looker;

static uint64_t cookie_of(int fd)
{
	uint64_t c = 0;
	socklen_t n = sizeof(c);

	getsockopt(fd, SOL_SOCKET, SO_COOKIE, &c, &n);
	return c;
}

static int begin(void **state)
{
	struct choice *c;
	char err[512];

	(void)state;
	if (geteuid() != 0) {
		printf("skipped: needs root, to look at the sockets of processes\n");
		exit(77);
	}
	if (who_open(&who, false, err, sizeof(err)))
		exit(status_without(err));
	if (choice_of_processes(&c, WANTED, false, err, sizeof(err)) || who_choose(who, c) ||
	    begin_looking(who, &looker))
		return -1;
	return who_begin(who);
}

static int end(void **state)
{
	(void)state;
	who_close(who);
	waitpid(looker, NULL, 0);
	return 0;
}

static void one_look(void)
{
	assert_int_equal(who_read(who, clock_wall()), 0);
}

static struct epb_other other_at(uint64_t c)
{
	struct epb_other o = {.cookie = 0};
	uint32_t slot = (uint32_t)(c % EPB_OTHERS);

	assert_int_equal(bpf_map_lookup_elem(who_others(who), &slot, &o), 0);
	return o;
}

static void leave_out(uint64_t c, uint64_t frames)
{
	struct epb_other o = other_at(c);
	uint32_t slot = (uint32_t)(c % EPB_OTHERS);

	o.frames += frames;
	assert_int_equal(bpf_map_update_elem(who_others(who), &slot, &o, BPF_ANY), 0);
}

static uint64_t missed(void)
{
	uint64_t all, n;

	who_left_out(who, &all, &n);
	return n;
}

/* A packet of that time is not wanted. */
static void is_others(const struct moment *m)
{
	const struct epb_socket s = {.how = EPB_SOCKET_OWN,
				     .cookie_low = (uint32_t)m->cookie,
				     .cookie_high = (uint32_t)(m->cookie >> 32)};
	struct who_holders h;

	assert_int_equal(who_read(who, m->time), 0);
	who_label(who, &s, m->time, &h);
	assert_int_equal(h.class, WHO_EXACT);
	assert_int_equal(who_wants(who, &s, m->time, &h), CHOSEN_NOT);
}

/* Makes a socket, and becomes who is wanted when it is told to: itself, or a child in its place. */
static void be_other(int go, int says, enum way way)
{
	uint64_t c = cookie_of(socket(AF_INET, SOCK_DGRAM, 0));
	char byte;

	if (write(says, &c, sizeof(c)) != sizeof(c) || read(go, &byte, 1) != 1)
		_exit(1);
	if (way != BECOMES && fork()) {
		close(says);
		close(go);
		if (way == FORKS_AND_STAYS)
			pause();
		_exit(0);
	}
	dup2(says, STDOUT_FILENO);
	dup2(go, STDIN_FILENO);
	execlp(WANTED, WANTED, NULL);
	_exit(1);
}

static void begin_other(struct moment *m, enum way way)
{
	int go[2], says[2];
	pid_t child;

	assert_int_equal(pipe(go) || pipe(says), 0);
	child = fork();
	if (child == 0) {
		close(go[1]);
		close(says[0]);
		be_other(go[0], says[1], way);
	}
	assert_true(child > 0);
	close(go[0]);
	close(says[1]);
	*m = (struct moment){.says = says[0], .go = go[1], .pid = child};
	assert_int_equal(read(m->says, &m->cookie, sizeof(m->cookie)), sizeof(m->cookie));
	m->time = clock_wall();
}

/* It has become the wanted one, which answers. */
static void change(const struct moment *m)
{
	char byte;

	assert_int_equal(write(m->go, "..", 2), 2);
	assert_int_equal(read(m->says, &byte, 1), 1);
}

static void end_other(const struct moment *m)
{
	char byte;

	close(m->go);
	assert_int_equal(read(m->says, &byte, 1), 0);
	close(m->says);
}

/* It was another's when the packet passed, and has come to who is wanted since. */
static void what_has_come_to_a_wanted_one_is_not_left_out(void **state)
{
	struct moment m;

	(void)state;
	begin_other(&m, BECOMES);
	change(&m);
	one_look();
	is_others(&m);
	assert_int_equal(other_at(m.cookie).cookie, 0);
	end_other(&m);
}

/* One who is wanted gets it, and closes it, between two looks. */
static void what_was_a_wanted_ones_between_looks_is_counted(void **state)
{
	struct moment m;

	(void)state;
	begin_other(&m, FORKS);
	is_others(&m);
	assert_int_equal(other_at(m.cookie).cookie, m.cookie);
	leave_out(m.cookie, 3);
	one_look();
	one_look();
	assert_int_equal(missed(), 0);
	change(&m);
	leave_out(m.cookie, 5);
	end_other(&m);
	one_look();
	assert_int_equal(missed(), 5);
	assert_int_equal(other_at(m.cookie).cookie, 0);
}

/* Looks are rare on a machine with too much to do, and who held a socket is forgotten soon. */
static void what_was_a_wanted_ones_long_before_a_look_is_counted(void **state)
{
	uint64_t before = missed();
	struct moment m;

	(void)state;
	begin_other(&m, FORKS_AND_STAYS);
	is_others(&m);
	one_look();
	one_look();
	change(&m);
	leave_out(m.cookie, 5);
	end_other(&m);
	clock_sleep(FORGOTTEN_MS);
	one_look();
	kill(m.pid, SIGKILL);
	assert_int_equal(missed() - before, 5);
	assert_int_equal(other_at(m.cookie).cookie, 0);
}

/* So many events that there is no room for others. */
static void fill_events(void)
{
	for (unsigned i = 0; i < EVENTS / 2; i++)
		close(socket(AF_INET, SOCK_DGRAM, 0));
}

/* The same, and nobody tells: it may be any. */
static void what_is_left_out_while_events_are_lost_is_counted(void **state)
{
	uint64_t before = missed();
	struct moment m;

	(void)state;
	begin_other(&m, FORKS);
	is_others(&m);
	assert_int_equal(other_at(m.cookie).cookie, m.cookie);
	one_look();
	one_look();
	fill_events();
	change(&m);
	leave_out(m.cookie, 5);
	end_other(&m);
	clock_sleep(CLOSED_MS);
	one_look();
	assert_int_equal(missed() - before, 5);
	assert_int_equal(other_at(m.cookie).cookie, 0);
	one_look();
}

/* What was left out of a socket is judged also where another has its place by then. */
static enum others_fate wants_seven(void *of, uint64_t c)
{
	(void)of;
	return c == 7 ? OTHERS_WANTED : OTHERS_STAY;
}

static void a_place_that_changes_hands_is_judged(void **state)
{
	struct epb_other at = {.cookie = 7 + EPB_OTHERS};
	struct others *o;
	uint64_t all, n;
	uint32_t slot = 7;

	(void)state;
	assert_int_equal(others_open(&o), 0);
	others_add(o, 7);
	assert_int_equal(bpf_map_lookup_elem(others_map(o), &slot, &at), 0);
	assert_int_equal(at.cookie, 7);
	at.frames = 4;
	assert_int_equal(bpf_map_update_elem(others_map(o), &slot, &at, BPF_ANY), 0);
	others_add(o, 7 + EPB_OTHERS);
	assert_true(others_have(o, 7 + EPB_OTHERS));
	others_add(o, 7 + 2 * EPB_OTHERS);
	assert_true(others_have(o, 7 + EPB_OTHERS));
	others_note(o);
	others_review(o, wants_seven, NULL);
	others_figures(o, &all, &n);
	assert_int_equal(all, 4);
	assert_int_equal(n, 4);
	others_review(o, wants_seven, NULL);
	others_figures(o, &all, &n);
	assert_int_equal(n, 4);
	others_add(o, 7 + 2 * EPB_OTHERS);
	assert_true(others_have(o, 7 + 2 * EPB_OTHERS));
	others_close(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_come_to_a_wanted_one_is_not_left_out),
		cmocka_unit_test(what_was_a_wanted_ones_between_looks_is_counted),
		cmocka_unit_test(what_is_left_out_while_events_are_lost_is_counted),
		cmocka_unit_test(what_was_a_wanted_ones_long_before_a_look_is_counted),
		cmocka_unit_test(a_place_that_changes_hands_is_judged),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
