/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Ends the reading from outside: always by pcap_breakloop(), from a thread or a signal handler. */
#include "pcapread.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#define NSEC_PER_MSEC 1000000ULL
#define WATCH_MS      5

/* The reader, for the handlers; set before they are installed, and cleared after they are
 * removed. */
static struct reader *signalled;

uint64_t reader_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 * NSEC_PER_MSEC + now.tv_nsec;
}

static void end_reading(struct reader *reader, enum end_reason reason)
{
	int none = END_NONE;

	if (!atomic_compare_exchange_strong(&reader->end, &none, reason))
		return;
	atomic_store(&reader->break_ns, reader_clock_ns());
	pcap_breakloop(reader->handle);
}

static void on_signal(int signal)
{
	int saved = errno;

	end_reading(signalled, signal == SIGALRM ? END_BREAK : END_SIGNAL);
	errno = saved;
}

static bool is_over(uint64_t now, uint64_t since, double limit_ms)
{
	return limit_ms > 0 && now >= since + (uint64_t)(limit_ms * NSEC_PER_MSEC);
}

static void *watch(void *arg)
{
	const struct timespec pause = {.tv_nsec = WATCH_MS * NSEC_PER_MSEC};
	struct reader *reader = arg;
	const struct read_options *options = reader->options;
	uint64_t start = reader_clock_ns(), last = start, seen = 0;

	while (atomic_load(&reader->end) == END_NONE) {
		uint64_t now = reader_clock_ns(), received = atomic_load(&reader->received);

		if (received != seen)
			last = now;
		seen = received;
		if (is_over(now, start, options->break_after_ms))
			end_reading(reader, END_BREAK);
		else if (is_over(now, start, options->seconds * 1000))
			end_reading(reader, END_TIME);
		else if (seen && is_over(now, last, options->idle_ms))
			end_reading(reader, END_IDLE);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static void set_signals(struct reader *reader, uint32_t alarm_ms)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct itimerval timer = {.it_value = {alarm_ms / 1000, alarm_ms % 1000 * 1000}};

	signalled = reader;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	if (alarm_ms)
		setitimer(ITIMER_REAL, &timer, NULL);
}

int reader_watch(struct reader *reader)
{
	sigset_t all, old;
	int err;

	set_signals(reader, reader->options->break_signal_ms);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	err = -pthread_create(&reader->watcher, NULL, watch, reader);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

void reader_unwatch(struct reader *reader)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGALRM, SIG_IGN);
	if (reader->watcher)
		pthread_join(reader->watcher, NULL);
}
