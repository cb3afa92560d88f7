/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What is decided from events and looks that are hard to bring about. */
#include <linux/types.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "who/decide.h"

#define MS   1000000ULL
#define SOCK 77

enum { A = 101, B, C };

static struct sockets table;
static uint32_t looks;

static int begin(void **state)
{
	(void)state;
	looks = 0;
	return sockets_open(&table, 0);
}

static int end(void **state)
{
	(void)state;
	sockets_close(&table);
	return 0;
}

static void tell(enum who_event_kind kind, uint32_t pid, uint64_t time)
{
	struct who_event e =
		{.time = time, .kind = kind, .pid = pid, .start = pid, .cookie = SOCK, .parent = A};

	strcpy(e.command, "one");
	sockets_event(&table, &e);
}

/* A look of a millisecond from that time on, which sees these in its middle. */
static void look_named(uint64_t time, const uint32_t *pid, unsigned n, const char *command)
{
	const struct look l = {.number = ++looks, .begin = time, .end = time + MS};

	for (unsigned i = 0; i < n; i++) {
		struct who_seen s = {.time = time + MS / 2,
				     .cookie = SOCK,
				     .start = pid[i],
				     .pid = pid[i]};

		strcpy(s.command, command);
		sockets_seen(&table, &s, &l);
	}
	sockets_looked(&table, &l);
}

static void look_at(uint64_t time, uint32_t pid)
{
	look_named(time, &pid, 1, "one");
}

static void look_in_vain(uint64_t time)
{
	look_named(time, NULL, 0, "");
}

static struct who_holders at(uint64_t time)
{
	struct who_holders h;

	decide(&table, SOCK, time, &h);
	return h;
}

static void is(uint64_t time, enum who_class class, uint32_t pid)
{
	struct who_holders h = at(time);

	assert_int_equal(h.class, class);
	assert_int_equal(h.n ? h.process[0]->pid : 0, pid);
}

/* A reader of /proc, or the looker, had the file in its hand when its holder closed it. */
static void who_only_releases_holds_nothing(void **state)
{
	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	look_at(200 * MS, A);
	tell(WHO_RELEASED, B, 400 * MS);
	look_in_vain(500 * MS);
	is(199 * MS, WHO_EXACT, A);
	is(400 * MS, WHO_UNKNOWN, 0);
	is(450 * MS, WHO_CLOSED, 0);
}

/* Where events are lost nobody tells of an end: there would be no room for others some day. */
static void who_holds_nothing_for_long_is_forgotten(void **state)
{
	(void)state;
	look_at(100 * MS, A);
	look_at(200 * MS, B);
	look_in_vain(300 * MS);
	assert_int_equal(table.processes.count, 2);
	look_at(200000 * MS, C);
	look_at(202000 * MS, C);
	assert_int_equal(table.processes.count, 1);
	look_at(400000 * MS, C);
	assert_int_equal(table.processes.count, 1);
	is(399999 * MS, WHO_EXACT, C);
}

static void who_made_and_closed_it_held_it(void **state)
{
	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	tell(WHO_RELEASED, A, 400 * MS);
	look_in_vain(500 * MS);
	is(300 * MS, WHO_EXACT, A);
	is(450 * MS, WHO_CLOSED, A);
}

/* It exits, and the last descriptor is closed behind that. */
static void who_exits_held_it_until_then(void **state)
{
	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	tell(WHO_EXITED, A, 300 * MS);
	tell(WHO_RELEASED, A, 310 * MS);
	look_in_vain(500 * MS);
	is(299 * MS, WHO_EXACT, A);
	is(305 * MS, WHO_CLOSED, A);
	is(450 * MS, WHO_CLOSED, A);
}

/* Sent, closed, and not read yet: nobody holds it, and nothing tells. */
static void what_flies_is_not_the_senders(void **state)
{
	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	look_at(200 * MS, A);
	tell(WHO_FORKED, C, 300 * MS);
	tell(WHO_EXITED, A, 400 * MS);
	tell(WHO_RECEIVED, B, 500 * MS);
	look_at(600 * MS, B);
	is(290 * MS, WHO_UNKNOWN, 0);
	is(350 * MS, WHO_UNKNOWN, 0);
	is(450 * MS, WHO_UNKNOWN, 0);
	look_at(700 * MS, B);
	is(650 * MS, WHO_EXACT, B);
}

/* Who accepted it closes it before any look, and so is known to nobody. */
static void what_is_given_was_somebodys(void **state)
{
	(void)state;
	look_in_vain(50 * MS);
	tell(WHO_ACCEPTED, 0, 100 * MS);
	tell(WHO_RECEIVED, B, 200 * MS);
	look_at(300 * MS, B);
	is(250 * MS, WHO_UNKNOWN, 0);
	look_at(400 * MS, B);
	is(250 * MS, WHO_UNKNOWN, 0);
	is(350 * MS, WHO_EXACT, B);
}

/* A look comes past the child, then past its parent, which has closed the socket meanwhile. */
static void who_accepted_may_close_within_a_look(void **state)
{
	(void)state;
	look_in_vain(50 * MS);
	tell(WHO_ACCEPTED, 0, 100 * MS);
	look_at(200 * MS, B);
	look_at(300 * MS, B);
	is(200 * MS + MS / 2 + 1, WHO_UNKNOWN, 0);
	is(250 * MS, WHO_EXACT, B);
}

/* The host slept: the process began before the time that the clocks' distance allows. */
static void the_start_of_a_process_may_be_before_all_time(void **state)
{
	const uint32_t both[] = {A, B};

	(void)state;
	look_at(100 * MS, A);
	look_at(200 * MS, A);
	table.boot_ahead = (int64_t)(1000 * MS);
	look_named(300 * MS, both, 2, "one");
	look_named(400 * MS, both, 2, "one");
	is(150 * MS, WHO_EXACT, A);
	is(250 * MS, WHO_UNKNOWN, 0);
	assert_int_equal(at(350 * MS).class, WHO_SHARED);
}

static const char *name_at(uint64_t time)
{
	struct who_holders h = at(time);

	assert_int_equal(h.class, WHO_EXACT);
	return process_command(h.process[0], time);
}

/* Its event was lost, or it has renamed itself. */
static void a_name_that_has_changed_is_seen(void **state)
{
	const uint32_t a = A;

	(void)state;
	look_named(100 * MS, &a, 1, "one");
	look_named(200 * MS, &a, 1, "one");
	look_named(300 * MS, &a, 1, "two");
	look_named(400 * MS, &a, 1, "two");
	assert_string_equal(name_at(150 * MS), "one");
	assert_null(name_at(250 * MS));
	assert_string_equal(name_at(350 * MS), "two");
}

/* What comes while a look is under way may have gone past it. */
#define LISTENER (SOCK + 1)

/* Before accept() a connection is its listener's, once it is seen to have come to that. */
static void what_begins_a_connection_is_its_listeners(void **state)
{
	const struct look l = {.number = ++looks, .begin = 200 * MS, .end = 201 * MS};
	struct who_seen s = {.time = 200 * MS, .cookie = LISTENER, .start = A, .pid = A};
	struct who_event e = {.kind = WHO_CREATED,
			      .time = 50 * MS,
			      .cookie = LISTENER,
			      .pid = A,
			      .start = A};
	struct who_holders h;

	(void)state;
	sockets_event(&table, &e);
	e = (struct who_event){.kind = WHO_LISTENS, .time = 60 * MS, .cookie = LISTENER};
	sockets_event(&table, &e);
	tell(WHO_ACCEPTED, 0, 100 * MS);
	sockets_seen(&table, &s, &l);
	sockets_looked(&table, &l);
	decide_request(&table, SOCK, 99 * MS, &h);
	assert_int_equal(h.class, WHO_UNKNOWN);
	s.cookie = SOCK;
	s.time = 200 * MS + 1;
	sockets_seen(&table, &s, &l);
	decide_request(&table, SOCK, 99 * MS, &h);
	assert_int_equal(h.class, WHO_LISTENER);
	assert_int_equal(h.n, 1);
	assert_int_equal(h.process[0]->pid, A);
	decide_request(&table, SOCK, 101 * MS, &h);
	assert_int_equal(h.class, WHO_UNKNOWN);
	/* Something sends it to B, which holds another listener. */
	s.pid = s.start = B;
	sockets_seen(&table, &s, &l);
	decide_request(&table, SOCK, 99 * MS, &h);
	assert_int_equal(h.class, WHO_UNKNOWN);
}

static void tell_of(enum who_event_kind kind, uint64_t cookie, uint32_t pid, uint64_t time)
{
	struct who_event e = {.time = time,
			      .kind = kind,
			      .pid = pid,
			      .start = pid,
			      .cookie = cookie,
			      .parent = A,
			      .listener = kind == WHO_ACCEPTED ? LISTENER : 0};

	sockets_event(&table, &e);
}

static void waits(uint64_t time, unsigned n, uint32_t first, uint32_t second)
{
	struct who_holders h;

	decide_waiting(&table, SOCK, time, &h);
	assert_int_equal(h.class, n ? WHO_LISTENER : WHO_UNKNOWN);
	assert_int_equal(h.n, n);
	for (unsigned i = 0; i < n; i++)
		assert_true(h.process[i]->pid == first || h.process[i]->pid == second);
}

/* The look that comes next sees this one with it. */
static void sees_listener(uint64_t time, uint32_t pid)
{
	const struct look l = {.number = looks + 1, .begin = time, .end = time + MS};
	const struct who_seen s = {.time = time,
				   .cookie = LISTENER,
				   .listens = 1,
				   .pid = pid,
				   .start = pid};

	sockets_seen(&table, &s, &l);
}

/* That it will be accepted by one of them makes it not this one's before. */
static void what_waits_is_of_all_who_hold_its_listener(void **state)
{
	struct who_holders h;

	(void)state;
	tell_of(WHO_CREATED, LISTENER, A, 50 * MS);
	tell_of(WHO_LISTENS, LISTENER, 0, 60 * MS);
	tell_of(WHO_FORKED, 0, B, 80 * MS);
	sees_listener(90 * MS, A);
	sees_listener(90 * MS, B);
	look_in_vain(90 * MS);
	tell_of(WHO_ACCEPTED, SOCK, 0, 100 * MS);
	tell_of(WHO_TAKEN, SOCK, B, 300 * MS);
	sees_listener(400 * MS, A);
	sees_listener(400 * MS, B);
	look_at(400 * MS, B);
	is(200 * MS, WHO_UNKNOWN, 0);
	waits(200 * MS, 2, A, B);
	is(350 * MS, WHO_EXACT, B);
	waits(350 * MS, 0, 0, 0);
	waits(99 * MS, 0, 0, 0);
	decide_request(&table, SOCK, 99 * MS, &h);
	assert_int_equal(h.class, WHO_LISTENER);
	assert_int_equal(h.n, 2);
}

/* It is there later than what it gets. */
static void what_waits_is_not_a_childs_that_comes_later(void **state)
{
	(void)state;
	tell_of(WHO_CREATED, LISTENER, A, 50 * MS);
	tell_of(WHO_LISTENS, LISTENER, 0, 60 * MS);
	tell_of(WHO_ACCEPTED, SOCK, 0, 100 * MS);
	tell_of(WHO_FORKED, 0, B, 200 * MS);
	tell_of(WHO_TAKEN, SOCK, B, 300 * MS);
	sees_listener(400 * MS, A);
	look_at(400 * MS, B);
	is(150 * MS, WHO_UNKNOWN, 0);
	waits(150 * MS, 1, A, A);
	waits(250 * MS, 0, 0, 0);
	is(350 * MS, WHO_EXACT, B);
}

/* With tcp_migrate_req it waits at another's from then on, and came by that: whose it was before? */
static void what_waits_is_nobodys_once_a_listener_of_its_port_has_ended(void **state)
{
	struct who_holders h;

	(void)state;
	tell_of(WHO_CREATED, LISTENER, A, 50 * MS);
	tell_of(WHO_LISTENS, LISTENER, 0, 60 * MS);
	tell_of(WHO_CREATED, LISTENER + 1, B, 50 * MS);
	tell_of(WHO_LISTENS, LISTENER + 1, 0, 60 * MS);
	tell_of(WHO_LISTENED, LISTENER + 1, 0, 90 * MS);
	tell_of(WHO_ACCEPTED, SOCK, 0, 100 * MS);
	tell_of(WHO_LISTENED, LISTENER, 0, 200 * MS);
	tell_of(WHO_TAKEN, SOCK, A, 300 * MS);
	sees_listener(400 * MS, A);
	look_at(400 * MS, A);
	waits(150 * MS, 1, A, A);
	waits(250 * MS, 0, 0, 0);
	decide_request(&table, SOCK, 95 * MS, &h);
	assert_int_equal(h.class, WHO_LISTENER);
	assert_int_equal(h.process[0]->pid, A);
	decide_request(&table, SOCK, 85 * MS, &h);
	assert_int_equal(h.class, WHO_UNKNOWN);
	is(350 * MS, WHO_EXACT, A);
}

/* No look has begun behind that packet. */
static void what_waits_is_unknown_before_a_look(void **state)
{
	(void)state;
	tell_of(WHO_CREATED, LISTENER, A, 50 * MS);
	tell_of(WHO_LISTENS, LISTENER, 0, 60 * MS);
	tell_of(WHO_ACCEPTED, SOCK, 0, 100 * MS);
	look_in_vain(150 * MS);
	tell_of(WHO_TAKEN, SOCK, A, 300 * MS);
	waits(200 * MS, 0, 0, 0);
}

/* Who is moved is asked for its group again. */
static void a_group_that_has_changed_is_not_known(void **state)
{
	struct process *p;

	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	p = processes_find(&table.processes, A, A);
	p->asked = true;
	cgroup_names_of_path(&p->group, "/a");
	tell(WHO_MOVED, A, 200 * MS);
	assert_false(p->asked);
	assert_string_equal(p->group.path, "");
	assert_int_equal(p->moved, 200 * MS);
}

static void a_doubt_in_a_look_ends_with_the_next(void **state)
{
	(void)state;
	look_at(100 * MS, A);
	tell(WHO_DOUBTED, A, 202 * MS);
	look_at(200 * MS, A);
	look_at(300 * MS, A);
	is(250 * MS, WHO_UNKNOWN, 0);
	look_at(400 * MS, A);
	is(350 * MS, WHO_EXACT, A);
	sockets_lost(&table, 450 * MS);
	look_at(440 * MS, A);
	look_at(500 * MS, A);
	is(470 * MS, WHO_UNKNOWN, 0);
	look_at(600 * MS, A);
	is(550 * MS, WHO_EXACT, A);
}

/* A look has to have begun since. */
static void what_no_look_has_begun_behind_is_unknown(void **state)
{
	(void)state;
	look_at(100 * MS, A);
	look_at(200 * MS, A);
	is(200 * MS, WHO_EXACT, A);
	is(200 * MS + 1, WHO_UNKNOWN, 0);
}

/* One that forks for each connection, and lives. */
static void what_has_ended_long_ago_is_dropped(void **state)
{
	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	for (uint32_t i = 0; i < 1000; i++) {
		tell(WHO_FORKED, 1000 + i, (200 + i * 10) * MS);
		tell(WHO_EXITED, 1000 + i, (205 + i * 10) * MS);
		look_at((206 + i * 10) * MS, A);
	}
	assert_true(table.holdings < 300);
	is(10189 * MS, WHO_EXACT, A);
	is(300 * MS, WHO_UNKNOWN, 0); /* it is not known any more who had it, too */
	is(203 * MS, WHO_UNKNOWN, 0);
}

static void what_comes_again_and_again_is_one_holding(void **state)
{
	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	for (uint32_t i = 0; i < 1000; i++)
		tell(WHO_RECEIVED, B, 200 * MS + i);
	assert_int_equal(table.holdings, 2);
}

/* The parent has no socket yet, so that nobody has told of it. */
static void who_shares_descriptors_is_never_exact(void **state)
{
	struct who_event e = {.time = 100 * MS,
			      .kind = WHO_FORKED,
			      .pid = B,
			      .start = B,
			      .parent = A,
			      .parent_start = A,
			      .shares = 1};

	(void)state;
	sockets_event(&table, &e);
	tell(WHO_CREATED, A, 200 * MS);
	look_at(300 * MS, A);
	look_at(400 * MS, A);
	is(350 * MS, WHO_UNKNOWN, 0);
}

/* 5,000 a second for longer than what is closed is kept. */
static void the_table_does_not_fill_up_by_what_is_closed(void **state)
{
	(void)state;
	for (uint64_t ms = 1; ms < 70000; ms++) {
		for (unsigned i = 0; i < 5; i++) {
			struct who_event e = {.time = ms * MS,
					      .kind = WHO_CREATED,
					      .pid = A,
					      .start = A,
					      .cookie = ms * 5 + i};

			sockets_event(&table, &e);
			e.kind = WHO_RELEASED;
			sockets_event(&table, &e);
		}
		if (ms % 500 == 0)
			look_in_vain(ms * MS);
	}
	assert_int_equal(table.refused, 0);
}

static void change_many(enum who_event_kind kind, uint32_t n, uint64_t time)
{
	for (uint32_t i = 0; i < n; i++) {
		struct who_event e = {.time = time,
				      .kind = kind,
				      .pid = A,
				      .start = A,
				      .cookie = SOCK + i};

		sockets_event(&table, &e);
	}
}

/* Of a look of that time, which sees this one alone; 0: nobody. */
static bool misses(uint64_t time, uint32_t pid)
{
	const struct look l = {.number = ++looks, .begin = time, .end = time + MS};
	const struct who_seen s = {.time = time + MS / 2,
				   .cookie = SOCK,
				   .start = pid,
				   .pid = pid,
				   .command = "one"};

	if (pid)
		sockets_seen(&table, &s, &l);
	return sockets_misses(&table, &l);
}

/* One that forks and closes is the usual case, and one whose descriptor gets another number is not.
 */
static void a_look_misses_a_socket_that_it_saw_with_nobody(void **state)
{
	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	look_at(200 * MS, A);
	assert_true(misses(300 * MS, 0));
	assert_false(misses(310 * MS, A));
	tell(WHO_FORKED, B, 320 * MS);
	assert_false(misses(400 * MS, B));
	assert_true(misses(500 * MS, 0));
}

/* Else a busy server's would take all of a CPU: each packet wants a look. */
static void what_is_closed_costs_no_look_anything(void **state)
{
	const uint32_t n = 100000;
	clock_t start = clock(), all;

	(void)state;
	change_many(WHO_CREATED, n, 2000 * MS);
	change_many(WHO_RELEASED, n, 2001 * MS);
	look_in_vain(2002 * MS);
	all = clock() - start;
	start = clock();
	for (uint64_t i = 0; i < 400; i++)
		look_in_vain((2010 + 2 * i) * MS);
	assert_int_equal(table.sockets, n);
	assert_true(clock() - start < all);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

/* The event of an exec or a move may be among those that were lost. */
static void after_lost_events_each_process_is_asked_again(void **state)
{
	struct process *p;

	(void)state;
	tell(WHO_CREATED, A, 100 * MS);
	look_at(200 * MS, A);
	p = at(199 * MS).process[0];
	p->asked = true;
	strcpy(p->group.path, "/a");
	processes_doubt(&table.processes, 300 * MS);
	assert_false(p->asked);
	assert_string_equal(p->group.path, "");
	assert_int_equal(p->moved, 300 * MS);
	assert_int_equal(p->executed, 300 * MS);
	assert_string_equal(process_command(p, 300 * MS), "one");
	look_named(400 * MS, (uint32_t[]){A}, 1, "two");
	assert_null(process_command(p, 350 * MS));
	assert_string_equal(process_command(p, 401 * MS), "two");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(who_holds_nothing_for_long_is_forgotten),
		CASE(who_only_releases_holds_nothing),
		CASE(who_made_and_closed_it_held_it),
		CASE(who_exits_held_it_until_then),
		CASE(what_flies_is_not_the_senders),
		CASE(what_is_given_was_somebodys),
		CASE(who_accepted_may_close_within_a_look),
		CASE(the_start_of_a_process_may_be_before_all_time),
		CASE(a_name_that_has_changed_is_seen),
		CASE(what_begins_a_connection_is_its_listeners),
		CASE(what_waits_is_of_all_who_hold_its_listener),
		CASE(what_waits_is_not_a_childs_that_comes_later),
		CASE(what_waits_is_nobodys_once_a_listener_of_its_port_has_ended),
		CASE(what_waits_is_unknown_before_a_look),
		CASE(a_group_that_has_changed_is_not_known),
		CASE(a_doubt_in_a_look_ends_with_the_next),
		CASE(what_no_look_has_begun_behind_is_unknown),
		CASE(what_has_ended_long_ago_is_dropped),
		CASE(what_comes_again_and_again_is_one_holding),
		CASE(who_shares_descriptors_is_never_exact),
		CASE(the_table_does_not_fill_up_by_what_is_closed),
		CASE(a_look_misses_a_socket_that_it_saw_with_nobody),
		CASE(what_is_closed_costs_no_look_anything),
		CASE(after_lost_events_each_process_is_asked_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
