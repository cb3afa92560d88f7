/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Processes make sockets, hand them on and close them, and the test knows who holds which when: who
 * says the same of each moment, or that it does not know.
 */
#include <time.h>

#include "workers.h"

#define MOMENTS 4096
#define ROUNDS	600

/* What was true at a moment, to be asked about later. */
static struct moment {
	uint64_t cookie, time;
	unsigned n;
	uint32_t pid[WORKERS];
} moment[MOMENTS];
static unsigned moments;

static void note(unsigned s)
{
	struct moment *m = &moment[moments++];

	*m = (struct moment){.cookie = cookie[s], .time = clock_wall()};
	for (unsigned w = 0; w < WORKERS; w++)
		if (worker[w].holds[s])
			m->pid[m->n++] = (uint32_t)worker[w].pid;
}

static struct who_holders ask_how(uint32_t how, const struct moment *m)
{
	const struct epb_socket s = {.how = how,
				     .cookie_low = (uint32_t)m->cookie,
				     .cookie_high = (uint32_t)(m->cookie >> 32)};
	struct who_holders h;

	assert_int_equal(who_read(who, m->time), 0);
	who_label(who, &s, m->time, &h);
	return h;
}

static struct who_holders ask(const struct moment *m)
{
	return ask_how(EPB_SOCKET_OWN, m);
}

static bool has(const struct who_holders *h, uint32_t pid)
{
	for (unsigned i = 0; i < h->n; i++)
		if (h->process[i]->pid == pid)
			return true;
	return false;
}

static void show(const char *what, const struct moment *m, const struct who_holders *h)
{
	printf("%s: class %d, %u holders:", what, (int)h->class, h->n);
	for (unsigned i = 0; i < h->n; i++)
		printf(" %u", h->process[i]->pid);
	printf("; true are");
	for (unsigned i = 0; i < m->n; i++)
		printf(" %u", m->pid[i]);
	printf("\n");
}

/* Is what is said true? Not to know is. */
static bool is_true(const struct moment *m, const struct who_holders *h)
{
	enum who_class class = m->n == 0 ? WHO_CLOSED : m->n == 1 ? WHO_EXACT : WHO_SHARED;

	if (h->class == WHO_UNKNOWN)
		return true;
	for (unsigned i = 0; i < m->n; i++)
		if (!has(h, m->pid[i]))
			return false;
	return h->class == class && (m->n == 0 || h->n == m->n);
}

static void is_said(const char *what, const struct moment *m)
{
	struct who_holders h = ask(m);

	if (h.class == WHO_UNKNOWN || !is_true(m, &h))
		show(what, m, &h);
	assert_int_not_equal(h.class, WHO_UNKNOWN);
	assert_true(is_true(m, &h));
}

static void one_look(void)
{
	assert_int_equal(who_read(who, clock_wall()), 0);
}

/* Seen by no look while it lived. */
static void what_is_short_is_exact_and_then_closed(void **state)
{
	struct moment *m = &moment[moments = 0];

	(void)state;
	make(0, 0);
	note(0);
	leave(0, 0, CLOSE);
	note(0);
	is_said("short", &m[0]);
	is_said("short, closed", &m[1]);
	assert_true(
		has(&(struct who_holders){.n = ask(&m[1]).n, .process = {ask(&m[1]).process[0]}},
		    (uint32_t)worker[0].pid));
}

static void what_is_opened_for_two_is_not_ones(void **state)
{
	struct moment *m = &moment[moments = 0];

	(void)state;
	make(SHARER, 0);
	note(0);
	leave(SHARER, 0, CLOSE);
	assert_int_equal(ask(&m[0]).class, WHO_UNKNOWN);
	make(SHARER, 0);
	one_look();
	note(0);
	one_look();
	assert_int_equal(ask(&m[1]).class, WHO_SHARED);
	leave(SHARER, 0, CLOSE);
}

static void handed(enum operation by, enum operation gone)
{
	struct moment *m = &moment[moments = 0];

	make(0, 0);
	one_look();
	note(0);
	if (by == TAKE_BY_PIDFD)
		one_look(); /* without fentry nothing else tells of it */
	hand_over(0, 1, 0, by);
	one_look();
	note(0);
	one_look();
	leave(0, 0, gone);
	one_look();
	note(0);
	one_look();
	leave(1, 0, gone);
	note(0);
	for (unsigned i = 0; i < moments; i++)
		is_said("handed", &m[i]);
}

static void what_is_handed_on_is_shared_then_the_others(void **state)
{
	(void)state;
	handed(TAKE, CLOSE);
	handed(TAKE, DUP_OVER);
	handed(TAKE_BY_PIDFD, CLOSE);
}

/* By one process alone: from before accept() returned. */
static void what_is_accepted_is_its_listeners(void **state)
{
	struct moment *m = &moment[moments = 0];
	struct answer l, c, a;

	(void)state;
	memset(worker[2].holds, 0, sizeof(worker[2].holds));
	l = order(2, (struct order){.operation = LISTEN});
	one_look();
	for (unsigned look = 0; look < 2; look++) {
		c = order(3, (struct order){.operation = CONNECT, .port = l.port});
		a = order(2, (struct order){.operation = ACCEPT, .fd = l.fd});
		cookie[0] = a.cookie;
		worker[2].holds[0] = true;
		note(0);
		if (look)
			one_look();
		order(2, (struct order){.operation = CLOSE, .fd = a.fd});
		order(3, (struct order){.operation = CLOSE, .fd = c.fd});
		worker[2].holds[0] = false;
		note(0);
	}
	order(2, (struct order){.operation = CLOSE, .fd = l.fd});
	for (unsigned i = 0; i < moments; i++)
		is_said("accepted", &m[i]);
}

/* Two hold the listener; no look comes while one has the connection. */
static void what_one_of_two_accepts_is_that_ones(void **state)
{
	struct moment waits = {.n = 2};
	struct answer l, c, a;
	struct who_holders h;
	int second;

	(void)state;
	l = order(2, (struct order){.operation = LISTEN});
	order(2, (struct order){.operation = GIVE, .other = 1, .fd = l.fd});
	second = order(1, (struct order){.operation = TAKE}).fd;
	one_look();
	c = order(3, (struct order){.operation = CONNECT, .port = l.port});
	waits.time = clock_wall();
	waits.pid[0] = (uint32_t)worker[1].pid;
	waits.pid[1] = (uint32_t)worker[2].pid;
	a = order(1, (struct order){.operation = ACCEPT, .fd = second});
	waits.cookie = a.cookie;
	moment[0] = (struct moment){.cookie = a.cookie,
				    .time = clock_wall(),
				    .n = 1,
				    .pid = {(uint32_t)worker[1].pid}};
	order(1, (struct order){.operation = CLOSE, .fd = a.fd});
	one_look(); /* at the listener's two */
	order(1, (struct order){.operation = CLOSE, .fd = second});
	order(2, (struct order){.operation = CLOSE, .fd = l.fd});
	order(3, (struct order){.operation = CLOSE, .fd = c.fd});
	h = ask(&moment[0]);
	assert_true(is_true(&moment[0], &h));
	if (!is_all_told()) {
		printf("no fentry here: nothing tells who accepts\n");
		return;
	}
	is_said("accepted by one of two", &moment[0]);
	h = ask_how(EPB_SOCKET_ESTABLISHED | EPB_SOCKET_NOT_OPEN, &waits);
	assert_int_equal(h.class, WHO_LISTENER);
	assert_int_equal(h.n, 2);
	assert_true(has(&h, waits.pid[0]) && has(&h, waits.pid[1]));
}

/* The child has what its parent has. */
static void a_fork_shares_and_an_exit_ends_it(void **state)
{
	struct moment *m = &moment[moments = 0];
	int ends[2];
	pid_t child;
	char byte;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	(void)state;
	cookie[0] = cookie_of(fd);
	assert_int_equal(pipe(ends), 0);
	m[0] = (struct moment){.cookie = cookie[0],
			       .time = clock_wall(),
			       .n = 1,
			       .pid = {(uint32_t)getpid()}};
	child = fork();
	if (child == 0)
		_exit(read(ends[0], &byte, 1) != 1);
	m[1] = (struct moment){.cookie = cookie[0],
			       .time = clock_wall(),
			       .n = 2,
			       .pid = {(uint32_t)getpid(), (uint32_t)child}};
	one_look();
	m[2] = m[1];
	m[2].time = clock_wall();
	one_look();
	assert_int_equal(write(ends[1], "", 1), 1);
	waitpid(child, NULL, 0);
	one_look();
	m[3] = m[0];
	m[3].time = clock_wall();
	one_look();
	close(fd);
	m[4] = (struct moment){.cookie = cookie[0], .time = clock_wall()};
	for (unsigned i = 0; i < 5; i++) {
		struct who_holders h = ask(&m[i]);

		if (i != 1) /* before the look, which may find that it has given it up */
			is_said("forked", &m[i]);
		assert_true(is_true(&m[i], &h));
	}
	close(ends[0]);
	close(ends[1]);
}

/* The name is that of the program which ran at that time; what /proc has is not said of before. */
static void an_exec_changes_the_name(void **state)
{
	struct moment m = {.time = 0};
	struct who_holders h;
	int ends[2], back[2];
	char byte;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends) || pipe(back), 0);
	child = fork();
	if (child == 0) {
		int fd = socket(AF_INET, SOCK_DGRAM, 0);
		uint64_t c = cookie_of(fd);

		if (write(back[1], &c, sizeof(c)) != sizeof(c) || read(ends[0], &byte, 1) != 1)
			_exit(1);
		dup2(back[1], STDOUT_FILENO);
		execlp("sh", "sh", "-c", "echo; exec sleep 30", NULL);
		_exit(1);
	}
	assert_int_equal(read(back[0], &m.cookie, sizeof(m.cookie)), sizeof(m.cookie));
	m.time = clock_wall();
	h = ask(&m);
	assert_int_equal(h.class, WHO_EXACT);
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_int_equal(read(back[0], &byte, 1), 1);
	who_ask(who, h.process[0]);
	assert_true(h.process[0]->executed > who_time(who, m.time));
	h = ask(&m);
	assert_int_equal(h.class, WHO_EXACT);
	if (process_command(h.process[0], who_time(who, m.time)))
		assert_string_equal(process_command(h.process[0], who_time(who, m.time)),
				    "holders_test");
	for (unsigned i = 0; i < 200; i++) {
		const char *name; /* between the two programs there may be none */

		m.time = clock_wall();
		h = ask(&m);
		assert_int_equal(h.class, WHO_EXACT);
		name = process_command(h.process[0], who_time(who, m.time));
		if (name && strcmp(name, "sleep") == 0)
			break;
		assert_int_not_equal(i, 199);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	m.time = clock_wall();
	assert_int_equal(ask(&m).class, WHO_CLOSED);
}

/* Anybody can have that many descriptors: nothing is known meanwhile, and all goes on. */
static void a_look_too_large_is_given_up(void **state)
{
	struct moment *m = &moment[moments = 0];
	size_t max = looker_room_max;

	(void)state;
	make(0, 0);
	note(0);
	looker_room_max = 0;
	assert_int_equal(ask(&m[0]).class, WHO_UNKNOWN);
	looker_room_max = max;
	one_look();
	note(0);
	is_said("afterwards", &m[1]);
}

/* The one who looks is kept from running for 400 ms, as by a busy machine: the pause behind that
 * look is as long as behind any other. Eight times its duration would be 3.2 s, of which two are
 * the most. */
static void a_look_held_up_is_followed_by_a_short_pause(void **state)
{
	pid_t waker;
	uint64_t begin;

	(void)state;
	one_look();
	assert_int_equal(kill(looker, SIGSTOP), 0);
	assert_int_equal(waitpid(looker, NULL, WUNTRACED), looker);
	waker = fork();
	if (waker == 0) {
		clock_sleep(400);
		_exit(kill(looker, SIGCONT));
	}
	begin = clock_monotonic();
	one_look();
	assert_true(clock_monotonic() - begin >= 350 * NS_PER_MS);
	begin = clock_monotonic();
	one_look();
	assert_true(clock_monotonic() - begin < NS_PER_SEC);
	assert_int_equal(waitpid(waker, NULL, 0), waker);
}

static void pause_for(unsigned us)
{
	const struct timespec t = {.tv_nsec = us * 1000};

	nanosleep(&t, NULL);
}

static unsigned holders(unsigned s, unsigned *one)
{
	unsigned n = 0;

	for (unsigned w = 0; w < WORKERS; w++)
		if (worker[w].holds[s] && (!n++ || rand() % 2))
			*one = w;
	return n;
}

static void do_something(unsigned s)
{
	unsigned to = (unsigned)rand() % WORKERS, from = to, kind = (unsigned)rand() % 8;

	if (!holders(s, &from))
		make(to, s);
	else if (kind < 3 && !worker[to].holds[s])
		hand_over(from, to, s, TAKE);
	else if (kind < 5)
		leave(from, s, kind & 1 ? CLOSE : DUP_OVER);
}

/* Whatever happens between looks. */
static void nothing_that_is_said_is_wrong(void **state)
{
	unsigned known = 0, wrong = 0, total = 0;

	(void)state;
	srand(49);
	for (unsigned w = 0; w < WORKERS; w++)
		memset(worker[w].holds, 0, sizeof(worker[w].holds));
	for (unsigned i = 0; i < SOCKETS; i++)
		make(i % WORKERS, i);
	moments = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned s = (unsigned)rand() % SOCKETS;

		do_something(s);
		note(s);
		note((unsigned)rand() % SOCKETS);
		pause_for((unsigned)rand() % 2000);
		if (round % 16 && round != ROUNDS - 1)
			continue;
		one_look();
		for (unsigned i = 0; i < moments; i++) {
			struct who_holders h = ask(&moment[i]);

			known += h.class != WHO_UNKNOWN;
			total++;
			if (is_true(&moment[i], &h))
				continue;
			show("wrong", &moment[i], &h);
			wrong++;
		}
		moments = 0;
	}
	printf("%u moments: %u known, %u wrong\n", total, known, wrong);
	assert_int_equal(wrong, 0);
	assert_true(known > total / 4);
}

static int64_t step; /* of the wall clock, as who reads it */

int64_t __real_clock_offset(bool tai), __wrap_clock_offset(bool tai);
int64_t __wrap_clock_offset(bool tai)
{
	return __real_clock_offset(tai) + step;
}

/* The packet bears a time of before, which means another moment now. Nothing is known for 2 s: it
 * is the last case. */
static void a_step_of_the_clock_is_a_doubt(void **state)
{
	struct moment *m = &moment[moments = 0];

	(void)state;
	make(0, 0);
	pause_for(30000);
	note(0);
	is_said("before", &m[0]);
	step = 10 * NS_PER_MS;
	one_look();
	assert_int_equal(ask(&m[0]).class, WHO_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_short_is_exact_and_then_closed),
		cmocka_unit_test(what_is_opened_for_two_is_not_ones),
		cmocka_unit_test(what_is_handed_on_is_shared_then_the_others),
		cmocka_unit_test(what_is_accepted_is_its_listeners),
		cmocka_unit_test(what_one_of_two_accepts_is_that_ones),
		cmocka_unit_test(a_fork_shares_and_an_exit_ends_it),
		cmocka_unit_test(an_exec_changes_the_name),
		cmocka_unit_test(a_look_too_large_is_given_up),
		cmocka_unit_test(a_look_held_up_is_followed_by_a_short_pause),
		cmocka_unit_test(nothing_that_is_said_is_wrong),
		cmocka_unit_test(a_step_of_the_clock_is_a_doubt),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
