/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sending by the AF_XDP socket of a capture, on a veth pair: what is recorded of it, and what
 * happens when the kernel has no room. That it has none is simulated: while `busy` is set, the
 * calls that make it send do not reach it. So is that the driver drops a frame: as none does, the
 * call sends it and returns what it would return then.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../capture/own_net.h"
#include "capture.h"
#include "clock.h"

#define LENGTH	   100
#define ETHER_TEST 0x88b5 /* for local experiments */
#define RING	   (512u << 10)
#define BUFFERS	   (RING / 2048 / 8) /* that there are to send with */
#define WAIT_MS	   300
#define MANY	   200000
#define UNREAD	   60000 /* more than the ring takes of what is sent */
#define COUNT	   200	 /* fewer than there are buffers */

ssize_t __real_sendto(int fd, const void *data, size_t n, int flags, const struct sockaddr *to,
		      socklen_t size);
int __real_poll(struct pollfd *p, nfds_t n, int timeout);

static unsigned passed, failed;
static bool busy;
static int dropped; /* so many calls that send say that the driver has dropped the frame */

static void report(bool good, const char *what)
{
	printf("%s: %s\n", good ? "ok" : "FAILED", what);
	*(good ? &passed : &failed) += 1;
}

static void equal(const char *what, long long wanted, long long got)
{
	char text[200];

	snprintf(text, sizeof(text), "%s: %lld, wanted %lld", what, got, wanted);
	report(wanted == got, text);
}

ssize_t __wrap_sendto(int fd, const void *data, size_t n, int flags, const struct sockaddr *to,
		      socklen_t size)
{
	if (busy && !data) {
		errno = EAGAIN;
		return -1;
	}
	n = (size_t)__real_sendto(fd, data, n, flags, to, size);
	if (!data && dropped > 0) {
		dropped--;
		errno = EBUSY; /* the kernel's word for it; the frame is no longer in the ring */
		return -1;
	}
	return (ssize_t)n;
}

/* poll() sends as well. */
int __wrap_poll(struct pollfd *p, nfds_t n, int timeout)
{
	return __real_poll(p, busy ? 0 : n, timeout);
}

static void fill(uint8_t *frame, uint32_t number, size_t length)
{
	static const uint8_t head[14] = {
		2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, ETHER_TEST >> 8, ETHER_TEST & 0xff};

	memcpy(frame, head, sizeof(head));
	for (size_t i = sizeof(head); i < length; i++)
		frame[i] = (uint8_t)(number * 31 + i);
	memcpy(frame + sizeof(head), &number, sizeof(number));
}

static int inject(struct capture *c, uint32_t number, size_t length)
{
	uint8_t frame[2048];

	fill(frame, number, length);
	return capture_inject(c, frame, length);
}

/* The other end. */
static int listen_on(const char *name)
{
	struct sockaddr_ll at = {.sll_family = AF_PACKET,
				 .sll_protocol = htons(ETHER_TEST),
				 .sll_ifindex = (int)if_nametoindex(name)};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETHER_TEST));

	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at))) {
		perror("packet socket");
		exit(1);
	}
	return fd;
}

/* How many frames have come: those from first on, in order and whole; -1: one was not. */
static int arrived(int fd, uint32_t first)
{
	uint8_t frame[4096], wanted[2048];
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int count = 0;
	ssize_t n;

	while (__real_poll(&p, 1, WAIT_MS) > 0) {
		n = recv(fd, frame, sizeof(frame), 0);
		if (n < 14 || n > (ssize_t)sizeof(wanted))
			return -1;
		fill(wanted, first + (uint32_t)count, (size_t)n);
		if (memcmp(frame, wanted, (size_t)n))
			return -1;
		count++;
	}
	return count;
}

static struct capture *open_capture(bool in_only)
{
	struct capture_options o = {.ifname = "vb",
				    .engine = CAPTURE_ENGINE_DIVERT,
				    .hook = CAPTURE_HOOK_AUTO,
				    .ring_size = RING,
				    .loader_off = true,
				    .in_only = in_only,
				    .immediate = true,
				    .filter_follows = true};
	char err[CAPTURE_ERROR_SIZE];
	struct capture *c;

	if (capture_open(&c, &o, err, sizeof(err))) {
		fprintf(stderr, "%s\n", err);
		exit(1);
	}
	return c;
}

struct seen {
	int sent, received, others;
	bool ordered, whole;
	uint64_t last;
};

static void look_at(struct seen *s, const struct epb_header *r, uint32_t keep)
{
	const uint8_t *f = epb_frame(r);
	uint8_t wanted[2048];
	uint32_t number;

	if (r->caplen < 20 || (f[12] << 8 | f[13]) != ETHER_TEST) {
		s->others++;
		return;
	}
	memcpy(&number, f + 14, sizeof(number));
	fill(wanted, number, r->len);
	if (keep > r->caplen || memcmp(f, wanted, keep))
		s->whole = false;
	if (epb_time(r) < s->last)
		s->ordered = false;
	s->last = epb_time(r);
	if (epb_options(r)->flags & EPB_FLAG_OUTBOUND)
		s->sent++;
	else
		s->received++;
}

/* Everything, until nothing has come for a while. */
static struct seen read_all(struct capture *c)
{
	struct seen s = {.ordered = true, .whole = true};
	uint64_t end = clock_monotonic() + WAIT_MS * NS_PER_MS;
	struct capture_run run;

	while (clock_monotonic() < end) {
		while (capture_run(c, &run)) {
			const struct epb_header *r;

			for (r = run.first; capture_run_has(&run, r); r = epb_next(r)) {
				uint32_t keep = run.refine ? capture_refine(c, r) : r->caplen;

				if (keep)
					look_at(&s, r, keep);
			}
			capture_run_done(c, &run, r);
			end = clock_monotonic() + WAIT_MS * NS_PER_MS;
		}
		capture_wait(c, WAIT_MS / 3);
	}
	capture_rest(c);
	return s;
}

static void send_from(int fd, uint32_t number)
{
	uint8_t frame[LENGTH];

	fill(frame, number, sizeof(frame));
	if (send(fd, frame, sizeof(frame), 0) != sizeof(frame))
		perror("send");
}

static void recorded_once_and_in_order(void)
{
	struct capture *c = open_capture(false);
	struct capture_stats s;
	int peer = listen_on("va");
	struct seen seen;

	read_all(c); /* from now on frames are diverted */
	for (uint32_t i = 0; i < COUNT; i++) {
		if (inject(c, i, LENGTH) != LENGTH)
			report(false, "pcap_inject returns the length");
		send_from(peer, i);
	}
	seen = read_all(c);
	equal("sent frames, recorded as sent", COUNT, seen.sent);
	equal("received between them", COUNT, seen.received);
	report(seen.ordered && seen.whole, "in the order of time, and whole");
	capture_stats(c, &s);
	equal("by the socket", COUNT, (long long)s.injected);
	equal("lost", 0, (long long)capture_stats_lost(&s));
	equal("records that the statistics promise", 2 * COUNT,
	      (long long)capture_stats_records(&s) - seen.others);
	capture_close(c);
	close(peer);
}

static void a_filter_holds(void)
{
	/* Frames whose number is even. */
	static const struct sock_filter even[] = {
		{BPF_LD | BPF_B | BPF_ABS, 0, 0, 14},
		{BPF_JMP | BPF_JSET | BPF_K, 1, 0, 1},
		{BPF_RET | BPF_K, 0, 0, 60},
		{BPF_RET | BPF_K, 0, 0, 0},
	};
	struct capture *c = open_capture(false);
	char err[CAPTURE_ERROR_SIZE];
	struct capture_stats s;
	struct seen seen;

	for (uint32_t i = 0; i < 100; i++)
		inject(c, i, LENGTH);
	equal("a filter is set", 0, capture_set_filter(c, even, 4, err, sizeof(err)));
	seen = read_all(c);
	equal("it holds for what was sent before", 50, seen.sent);
	for (uint32_t i = 0; i < 100; i++)
		inject(c, i, LENGTH);
	sleep(2); /* programs of the filter before have ended: others are no longer looked at */
	for (uint32_t i = 0; i < 100; i++)
		inject(c, i, LENGTH);
	seen = read_all(c);
	equal("and for what is sent later", 100, seen.sent);
	capture_stats(c, &s);
	equal("of which the statistics know", 150,
	      (long long)capture_stats_received(&s) - seen.others);
	capture_set_directions(c, true, false);
	for (uint32_t i = 0; i < 100; i++)
		inject(c, i, LENGTH);
	equal("none, where only received ones are wanted", 0, read_all(c).sent);
	capture_close(c);
	c = open_capture(true);
	for (uint32_t i = 0; i < 100; i++)
		inject(c, i, LENGTH);
	equal("none, where the capture was opened so", 0, read_all(c).sent);
	capture_stats(c, &s);
	equal("all of them sent by the socket", 100, (long long)s.injected);
	capture_close(c);
}

static void back_pressure(bool blocking)
{
	struct capture *c = open_capture(true);
	int peer = listen_on("va"), taken = 0, e = LENGTH;
	uint64_t begun;

	capture_set_blocking(c, false);
	busy = true;
	for (; taken < 10000 && e == LENGTH; taken += e == LENGTH)
		e = inject(c, (uint32_t)taken, LENGTH);
	equal("non-blocking: frames taken while the kernel is busy", BUFFERS, taken);
	equal("then -EAGAIN", -EAGAIN, e);
	equal("none has gone out", 0, arrived(peer, 0));
	if (blocking) {
		capture_set_blocking(c, true);
		begun = clock_monotonic();
		equal("blocking: -EAGAIN as well", -EAGAIN, inject(c, 0, LENGTH));
		begun = clock_monotonic() - begun;
		report(begun >= NS_PER_SEC && begun < 10 * NS_PER_SEC, "after a second");
	}
	busy = false;
	if (blocking) {
		for (int i = 0; i < 100; i++, taken++)
			if (inject(c, (uint32_t)taken, LENGTH) != LENGTH)
				report(false, "there is room again");
	} else {
		capture_rest(c); /* as at the end of any read */
	}
	equal("all that were taken go out once, in order", taken, arrived(peer, 0));
	capture_close(c);
	close(peer);
}

static void what_the_socket_does_not_take(void)
{
	struct capture *c = open_capture(false);
	int peer = listen_on("va");
	struct capture_stats s;
	uint8_t frame[2000] = {0};

	equal("longer than the MTU", -EMSGSIZE, capture_inject(c, frame, 1600));
	equal("shorter than a header", -EINVAL, capture_inject(c, frame, 10));
	run("ip link set vb down");
	equal("down", -ENETDOWN, inject(c, 0, LENGTH));
	run("ip link set vb up");
	sleep(1);
	equal("and not sent later", 0, arrived(peer, 0));
	equal("up again", LENGTH, inject(c, 7, LENGTH));
	equal("it arrives", 1, arrived(peer, 7));
	equal("recorded are those that were sent", 1, read_all(c).sent);
	capture_stats(c, &s);
	equal("by the socket", 1, (long long)s.injected);
	capture_close(c);
	close(peer);
}

/* More than there is room for, and nobody reads: counted, and told in the next record. */
static void what_nobody_reads_is_counted(void)
{
	struct capture *c = open_capture(false);
	struct capture_run run;
	struct capture_stats s;
	struct seen seen;

	read_all(c);
	for (uint32_t i = 0; i < UNREAD; i++)
		if (inject(c, i, LENGTH) != LENGTH)
			report(false, "sent, though not read");
	seen = read_all(c);
	capture_stats(c, &s);
	report(s.lost_full > 0, "not read: there is an end of room");
	equal("not read: recorded and lost", UNREAD, seen.sent + (long long)s.lost_full);
	report(seen.ordered && seen.whole, "not read: what is recorded, in order and whole");
	inject(c, UNREAD, LENGTH);
	for (int i = 0; i < 1000 && !capture_run(c, &run); i++)
		capture_wait(c, 10);
	equal("the next record tells of the loss", (long long)s.lost_full,
	      (long long)((const struct epb_dropcount *)(epb_options(run.first) + 1))->low);
	capture_run_done(c, &run, epb_next(run.first));
	capture_close(c);
}

static void what_the_driver_drops(void)
{
	struct capture *c = open_capture(false);

	read_all(c);
	dropped = 1;
	equal("dropped by the driver", -ENOBUFS, inject(c, 0, LENGTH));
	equal("and the next one is sent", LENGTH, inject(c, 1, LENGTH));
	equal("recorded is that one", 1, read_all(c).sent);
	capture_close(c);
}

/* An application that selects. */
static void select_sees_it(void)
{
	struct capture *c = open_capture(false);
	struct pollfd p = {.fd = capture_fd(c), .events = POLLIN};

	capture_set_blocking(c, false);
	read_all(c);
	sleep(1);
	read_all(c);
	equal("nothing there: the descriptor is quiet", 0, __real_poll(&p, 1, 100));
	inject(c, 1, LENGTH);
	equal("readable when a frame was sent", 1, __real_poll(&p, 1, 100));
	equal("it is read", 1, read_all(c).sent);
	capture_close(c);
}

/* What could not go out at once goes while the application waits for packets. */
static void waiting_sends(void)
{
	struct capture *c = open_capture(false);
	int peer = listen_on("va");

	capture_set_blocking(c, false);
	read_all(c);
	busy = true;
	equal("non-blocking, busy: taken", LENGTH, inject(c, 3, LENGTH));
	capture_wait(c, 20);
	equal("still busy: not gone", 0, arrived(peer, 3));
	busy = false;
	capture_wait(c, 20);
	equal("gone, without a call to send", 1, arrived(peer, 3));
	capture_close(c);
	close(peer);
}

static void *send_many(void *data)
{
	struct capture *c = data;

	for (uint32_t i = 0; i < MANY; i++)
		if (inject(c, i, LENGTH) != LENGTH)
			report(false, "pcap_inject of another thread");
	return NULL;
}

static void another_thread_reads(void)
{
	struct capture *c = open_capture(false);
	struct capture_stats s;
	struct seen seen;
	pthread_t thread;

	read_all(c);
	if (pthread_create(&thread, NULL, send_many, c))
		exit(1);
	seen = read_all(c);
	pthread_join(thread, NULL);
	capture_stats(c, &s);
	equal("sent by another thread: lost", 0, (long long)capture_stats_lost(&s));
	equal("sent by another thread: recorded", MANY, seen.sent);
	report(seen.ordered && seen.whole, "in order, and whole");
	capture_close(c);
}

int main(void)
{
	own_net();
	veth_pair("mtu 1500");
	recorded_once_and_in_order();
	a_filter_holds();
	back_pressure(false);
	back_pressure(true);
	what_the_socket_does_not_take();
	what_nobody_reads_is_counted();
	what_the_driver_drops();
	select_sees_it();
	waiting_sends();
	another_thread_reads();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
