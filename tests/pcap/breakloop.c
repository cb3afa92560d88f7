/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * breakloop DEVICE TIMEOUT: what pcap_dispatch(), pcap_loop() and pcap_next_ex() return around
 * pcap_breakloop(), a line for each case, without a word of the device: to be compared.
 */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "tests/capture/own_net.h"
#include "live.h"

/* Several times the timeout of plain devices, after which the kernel closes a block of frames. */
#define SETTLE_MS 40
/* For a break to be heard: plain devices keep it until a frame comes. */
#define HEARD_S 10
/* Frames for a case, and for the calls after it. */
#define FRAMES 5
#define MORE   2

enum call { DISPATCH, LOOP, NEXT_EX };
enum breaker { CALLBACK, SIGNAL, THREAD, BREAKERS };
static const char *const call_names[] = {"dispatch", "loop", "next_ex"};
static const char *const breaker_names[] = {"callback", "signal", "thread"};

static pcap_t *handle;
static const char *device;
static int timeout_ms;

/* Of the case at hand. */
static struct {
	struct count c;
	unsigned break_at; /* the frame in whose callback it happens; 0: in none */
	enum breaker by;
} now;

static void on_signal(int number)
{
	(void)number;
	pcap_breakloop(handle);
}

static void *break_in_thread(void *unused)
{
	pcap_breakloop(handle);
	return unused;
}

static void break_now(enum breaker by)
{
	pthread_t thread;

	switch (by) {
	case SIGNAL:
		raise(SIGUSR1);
		break;
	case THREAD:
		pthread_create(&thread, NULL, break_in_thread, NULL);
		pthread_join(thread, NULL);
		break;
	default:
		pcap_breakloop(handle);
	}
}

static void take(u_char *unused, const struct pcap_pkthdr *h, const u_char *frame)
{
	(void)unused;
	live_count((u_char *)&now.c, h, frame);
	if (now.break_at && now.c.frames == now.break_at)
		break_now(now.by);
}

static int call(enum call what, int count)
{
	struct pcap_pkthdr *h;
	const u_char *frame;
	int n;

	if (what == DISPATCH)
		return pcap_dispatch(handle, count, take, NULL);
	if (what == LOOP)
		return pcap_loop(handle, count, take, NULL);
	n = pcap_next_ex(handle, &h, &frame);
	if (n > 0)
		take(NULL, h, frame);
	return n;
}

static void open_handle(bool nonblock)
{
	char err[PCAP_ERRBUF_SIZE];

	handle = live_open(&(struct open_options){.device = device, .timeout_ms = timeout_ms});
	live_filter(handle, "ether proto 0x88b5");
	if (pcap_setnonblock(handle, nonblock, err)) {
		fprintf(stderr, "pcap_setnonblock: %s\n", err);
		exit(1);
	}
}

static void begin(void)
{
	now.c = (struct count){0};
	now.break_at = 0;
}

static void send_and_settle(unsigned frames)
{
	live_send(frames, 0);
	sleep_ms(SETTLE_MS);
}

/*
 * What the call returned, and what those after it do, until all is read that was sent. In how many
 * calls frames come is the device's own affair.
 */
static void end(int returned, unsigned sent)
{
	printf(": %d, %u frames; then", returned, now.c.frames);
	now.break_at = 0;
	send_and_settle(MORE);
	for (int i = 0; i < 5 && now.c.frames < sent + MORE; i++) {
		unsigned before = now.c.frames;
		int n = call(DISPATCH, -1);

		if (n <= 0 || (unsigned)n != now.c.frames - before)
			printf(" %d", n);
	}
	printf(" %u frames in all\n", now.c.frames);
}

static void title(const char *when, bool nonblock, enum call what, int count)
{
	printf("%s, %s, %s(%d)", when, nonblock ? "non-blocking" : "blocking", call_names[what],
	       count);
}

/* While the callback has a frame. */
static void break_at(unsigned frame, enum breaker by, bool nonblock, enum call what, int count)
{
	char when[64];

	begin();
	send_and_settle(FRAMES);
	now.break_at = frame;
	now.by = by;
	snprintf(when, sizeof(when), "%s, frame %u", breaker_names[by], frame);
	title(when, nonblock, what, count);
	end(call(what, count), FRAMES);
}

static void break_before(bool waiting, bool nonblock, enum call what, int count)
{
	begin();
	if (waiting)
		send_and_settle(FRAMES);
	pcap_breakloop(handle);
	title(waiting ? "before, frames wait" : "before, nothing waits", nonblock, what, count);
	end(call(what, count), waiting ? FRAMES : 0);
}

struct later {
	pthread_t thread, reader;
	enum breaker by;
	unsigned frames;
	sem_t returned; /* from the call */
};

/* Frames that come before the reader has heard of the break are another case. */
static void wait_for_return(struct later *l)
{
	bool keeps = strncmp(device, "xdp:", 4) != 0;
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	if (keeps)
		at.tv_nsec += SETTLE_MS * NS_PER_MS;
	else
		at.tv_sec += HEARD_S;
	if (at.tv_nsec >= (long)NS_PER_SEC) {
		at.tv_nsec -= NS_PER_SEC;
		at.tv_sec++;
	}
	sem_clockwait(&l->returned, CLOCK_MONOTONIC, &at);
}

static void *break_later(void *data)
{
	struct later *l = data;

	sleep_ms(SETTLE_MS);
	if (l->by == SIGNAL)
		pthread_kill(l->reader, SIGUSR1);
	else
		pcap_breakloop(handle);
	wait_for_return(l);
	live_send(l->frames, 0);
	return NULL;
}

/* While nothing comes; who does not block reads on until something does. */
static void break_while_waiting(enum breaker by, bool nonblock, enum call what, int count)
{
	struct later l = {.reader = pthread_self(), .by = by, .frames = nonblock ? FRAMES : 0};
	char when[64];
	int n;

	begin();
	sem_init(&l.returned, 0, 0);
	snprintf(when, sizeof(when), "%s, while nothing comes", breaker_names[by]);
	title(when, nonblock, what, count);
	pthread_create(&l.thread, NULL, break_later, &l);
	do /* 0: the descriptor was readable, as the frames of the case before had ended */
		n = call(what, count);
	while (n == 0 && !nonblock);
	sem_post(&l.returned);
	pthread_join(l.thread, NULL);
	sem_destroy(&l.returned);
	end(n, l.frames);
}

static void all_counts(bool nonblock, enum call what)
{
	static const int counts[] = {-1, 1, 3};

	for (unsigned i = 0; i < (what == NEXT_EX ? 1 : 3); i++) {
		int count = what == NEXT_EX ? 1 : counts[i];

		break_before(true, nonblock, what, count);
		/* Who does not block would spin in a loop that nobody ends. */
		if (!nonblock || what != LOOP)
			break_before(false, nonblock, what, count);
		for (enum breaker by = SIGNAL; by <= THREAD; by++)
			if (!nonblock || what == LOOP)
				break_while_waiting(by, nonblock, what, count);
		for (enum breaker by = CALLBACK; by < BREAKERS && what != NEXT_EX; by++)
			for (unsigned frame = 1; frame <= (count == 1 ? 1 : 3); frame += 2)
				break_at(frame, by, nonblock, what, count);
	}
}

int main(int argc, char **argv)
{
	struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	if (argc != 3) {
		fputs("usage: breakloop DEVICE MILLISECONDS\n", stderr);
		return 2;
	}
	device = argv[1];
	timeout_ms = atoi(argv[2]);
	own_net();
	veth_pair("");
	sigaction(SIGUSR1, &a, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int nonblock = 0; nonblock <= 1; nonblock++) {
		open_handle(nonblock);
		for (enum call what = DISPATCH; what <= NEXT_EX; what++)
			all_counts(nonblock, what);
		live_close(handle);
	}
	return 0;
}
