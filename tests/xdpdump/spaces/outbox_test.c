/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* News for a reader who stands still: nobody waits, memory has a bound, and the order is kept. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "xdpdump/spaces/outbox.h"

#define LETTERS 100u

static atomic_uint kept;

static void begin(struct outbox *o, int *reader)
{
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	*o = (struct outbox){.socket = ends[0], .kept = &kept};
	*reader = ends[1];
	alarm(60); /* who waits for the reader waits for ever */
}

static void end(struct outbox *o, int reader)
{
	close(reader);
	outbox_finish(o);
	close(o->socket);
}

static bool next(int reader, struct news *n)
{
	return recv(reader, n, sizeof(*n), MSG_DONTWAIT) == (ssize_t)sizeof(*n);
}

static void a_reader_stands_still(void **state)
{
	unsigned taken = 0, heard = 0;
	struct outbox o;
	struct news n;
	int reader, e;

	(void)state;
	begin(&o, &reader);
	while ((e = outbox_put(&o, &(struct news){.kind = NEWS_LINK, .index = taken})) == 0)
		taken++;
	assert_int_equal(e, -EAGAIN);
	assert_true(o.waits);
	assert_true(outbox_is_busy(&o) && outbox_is_full(&o));
	assert_int_equal(o.count, OUTBOX_FULL);
	for (unsigned i = 0; i < LETTERS; i++) {
		struct letter *l = malloc(sizeof(*l));

		assert_non_null(l);
		l->news = (struct news){.kind = NEWS_LEAVE, .index = taken++};
		outbox_put_letter(&o, l);
	}
	while (heard < taken) {
		while (next(reader, &n)) {
			assert_int_equal(n.index, heard++);
			assert_int_equal(n.kind, heard > taken - LETTERS ? NEWS_LEAVE : NEWS_LINK);
		}
		assert_int_equal(kept, taken - heard);
		outbox_flush(&o);
	}
	assert_int_equal(kept, 0);
	assert_int_equal(o.count, 0);
	assert_false(o.waits);
	assert_false(o.is_over);
	assert_int_equal(outbox_put(&o, &n), 0);
	assert_true(next(reader, &n));
	end(&o, reader);
}

static void a_reader_is_gone(void **state)
{
	struct news n = {.kind = NEWS_READY};
	struct letter *l = malloc(sizeof(*l));
	struct outbox o;
	int reader;

	(void)state;
	assert_non_null(l);
	begin(&o, &reader);
	while (outbox_put(&o, &n) == 0)
		;
	shutdown(reader, SHUT_RDWR);
	outbox_flush(&o);
	assert_true(o.is_over);
	assert_false(o.waits);
	assert_int_equal(outbox_put(&o, &n), -EPIPE);
	l->news = n;
	outbox_put_letter(&o, l);
	end(&o, reader);
}

static void *hear_all(void *arg)
{
	const int *reader = arg;
	uintptr_t heard = 0;
	struct news n;

	while (recv(*reader, &n, sizeof(n), 0) == (ssize_t)sizeof(n) && n.index == heard)
		heard++;
	return (void *)heard;
}

static void what_is_left_waits_for_a_slow_reader(void **state)
{
	uintptr_t taken = 0;
	struct outbox o;
	pthread_t slow;
	void *heard;
	int reader;

	(void)state;
	begin(&o, &reader);
	while (outbox_put(&o, &(struct news){.kind = NEWS_LINK, .index = (uint32_t)taken}) == 0)
		taken++;
	o.is_over = true;
	assert_int_equal(pthread_create(&slow, NULL, hear_all, &reader), 0);
	outbox_finish(&o);
	assert_int_equal(kept, 0);
	shutdown(o.socket, SHUT_RDWR);
	pthread_join(slow, &heard);
	assert_int_equal((uintptr_t)heard, taken);
	end(&o, reader);
}

static void what_is_left_waits_for_nobody(void **state)
{
	struct outbox o;
	int reader;

	(void)state;
	begin(&o, &reader);
	while (outbox_put(&o, &(struct news){.kind = NEWS_LINK}) == 0)
		;
	shutdown(reader, SHUT_RDWR);
	outbox_finish(&o);
	assert_int_equal(kept, 0);
	end(&o, reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reader_stands_still),
		cmocka_unit_test(a_reader_is_gone),
		cmocka_unit_test(what_is_left_waits_for_a_slow_reader),
		cmocka_unit_test(what_is_left_waits_for_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
