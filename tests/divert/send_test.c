/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sending by the AF_XDP socket of a capture, on a veth pair: that its own reader gets none of it,
 * and what happens when the kernel has no room. That it has none is simulated: while `busy` is set,
 * the calls that make it send do not reach it. So is that the driver drops a frame: as none does,
 * the call sends it and returns what it would return then.
 */
#include <arpa/inet.h>
#include <errno.h>
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

#include "tests/capture/own_net.h"
#include "capture/options/options.h"
#include "util/clock.h"

#define LENGTH	   100
#define ETHER_TEST 0x88b5 /* for local experiments */
#define RING	   (512u << 10)
#define BUFFERS	   (RING / 2048 / 8) /* that there are to send with */
#define WAIT_MS	   300
#define MANY	   200000
#define COUNT	   200 /* fewer than there are buffers */

ssize_t __real_sendto(int fd, const void *data, size_t n, int flags, const struct sockaddr *to,
		      socklen_t size);
int __real_poll(struct pollfd *p, nfds_t n, int timeout);

static unsigned passed, failed;
static bool busy;
static bool without_queue;
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
	if (without_queue && !data) /* xsk_generic_xmit() of a queue that is not there any more */
		return 0;
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
	static const uint8_t head[14] =
		{2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, ETHER_TEST >> 8, ETHER_TEST & 0xff};

	memcpy(frame, head, sizeof(head));
	for (size_t i = sizeof(head); i < length; i++)
		frame[i] = (uint8_t)(number * 31 + i);
	memcpy(frame + sizeof(head), &number, sizeof(number));
}

static int inject(struct afxdp_capture *c, uint32_t number, size_t length)
{
	uint8_t frame[2048];

	fill(frame, number, length);
	return afxdp_inject(c, frame, length);
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

static struct afxdp_capture *open_capture(bool no_sent)
{
	struct afxdp_options o = {.ifname = "vb",
				  .engine = CAPTURE_ENGINE_DIVERT,
				  .zero_copy = CAPTURE_ZERO_COPY_OFF, /* sockets */
				  .hook = CAPTURE_HOOK_AUTO,
				  .ring_size = RING,
				  .loader_off = true,
				  .no_sent = no_sent,
				  .immediate = true,
				  .filter_follows = true};
	char err[AFXDP_ERROR_SIZE];
	struct afxdp_capture *c;

	if (afxdp_open(&c, &o, err, sizeof(err))) {
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
static struct seen read_all(struct afxdp_capture *c)
{
	struct seen s = {.ordered = true, .whole = true};
	uint64_t end = clock_monotonic() + WAIT_MS * NS_PER_MS;
	struct afxdp_run run;

	while (clock_monotonic() < end) {
		while (afxdp_run(afxdp_reader(c), &run)) {
			const struct epb_header *r;

			for (r = run.first; afxdp_run_has(&run, r); r = epb_next(r)) {
				uint32_t keep =
					run.refine ? afxdp_refine(afxdp_reader(c), r) : r->caplen;

				if (keep)
					look_at(&s, r, keep);
			}
			afxdp_run_done(afxdp_reader(c), &run, r);
			end = clock_monotonic() + WAIT_MS * NS_PER_MS;
		}
		afxdp_wait(afxdp_reader(c), WAIT_MS / 3);
	}
	afxdp_rest(afxdp_reader(c));
	return s;
}

static void send_from(int fd, uint32_t number)
{
	uint8_t frame[LENGTH];

	fill(frame, number, sizeof(frame));
	if (send(fd, frame, sizeof(frame), 0) != sizeof(frame))
		perror("send");
}

static void not_read_by_who_sent_it(void)
{
	struct afxdp_capture *c = open_capture(false);
	struct afxdp_stats s;
	int peer = listen_on("va"), other = listen_on("vb");
	struct seen seen;

	read_all(c); /* from now on frames are diverted */
	for (uint32_t i = 0; i < COUNT; i++) {
		if (inject(c, i, LENGTH) != LENGTH)
			report(false, "pcap_inject returns the length");
		send_from(peer, i);
	}
	equal("arrived at the other end", COUNT, arrived(peer, 0));
	seen = read_all(c);
	equal("its own, read", 0, seen.sent);
	equal("received between them", COUNT, seen.received);
	report(seen.ordered && seen.whole, "in the order of time, and whole");
	for (uint32_t i = 0; i < COUNT; i++)
		send_from(other, i);
	equal("what another sends there, read as sent", COUNT, read_all(c).sent);
	afxdp_stats(c, &s, sizeof(s));
	equal("by the socket", COUNT, (long long)s.injected);
	equal("lost", 0, (long long)afxdp_stats_lost(&s));
	equal("of sent frames it has seen the others'", COUNT, (long long)s.side_seen[AFXDP_SENT]);
	afxdp_close(c);
	close(other);
	close(peer);
}

static void back_pressure(bool blocking)
{
	struct afxdp_capture *c = open_capture(true);
	int peer = listen_on("va"), taken = 0, e = LENGTH;
	uint64_t begun;

	afxdp_set_blocking(afxdp_reader(c), false);
	busy = true;
	for (; taken < 10000 && e == LENGTH; taken += e == LENGTH)
		e = inject(c, (uint32_t)taken, LENGTH);
	equal("non-blocking: frames taken while the kernel is busy", BUFFERS, taken);
	equal("then -EAGAIN", -EAGAIN, e);
	equal("none has gone out", 0, arrived(peer, 0));
	if (blocking) {
		afxdp_set_blocking(afxdp_reader(c), true);
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
		afxdp_rest(afxdp_reader(c)); /* as at the end of any read */
	}
	equal("all that were taken go out once, in order", taken, arrived(peer, 0));
	afxdp_close(c);
	close(peer);
}

/* So many frames went by the socket of the capture. */
static void end(struct afxdp_capture *c, int peer, long long by_socket)
{
	struct afxdp_stats s;

	afxdp_stats(c, &s, sizeof(s));
	equal("by the socket", by_socket, (long long)s.injected);
	afxdp_close(c);
	close(peer);
}

static void what_the_socket_does_not_take(void)
{
	struct afxdp_capture *c = open_capture(false);
	int peer = listen_on("va");
	uint8_t frame[2000] = {0};

	equal("longer than the MTU", -EMSGSIZE, afxdp_inject(c, frame, 1600));
	equal("shorter than a header", -EINVAL, afxdp_inject(c, frame, 10));
	run("ip link set vb down");
	equal("down", -ENETDOWN, inject(c, 0, LENGTH));
	run("ip link set vb up");
	sleep(1);
	equal("and not sent later", 0, arrived(peer, 0));
	equal("up again", LENGTH, inject(c, 7, LENGTH));
	equal("it arrives", 1, arrived(peer, 7));
	end(c, peer, 1);
}

static void what_the_driver_drops(void)
{
	struct afxdp_capture *c = open_capture(false);

	read_all(c);
	dropped = 1;
	equal("dropped by the driver", -ENOBUFS, inject(c, 0, LENGTH));
	equal("and the next one is sent", LENGTH, inject(c, 1, LENGTH));
	afxdp_close(c);
}

/* An application that selects. */
static void select_is_quiet(void)
{
	struct afxdp_capture *c = open_capture(false);
	struct pollfd p = {.fd = afxdp_fd(afxdp_reader(c)), .events = POLLIN};

	afxdp_set_blocking(afxdp_reader(c), false);
	read_all(c);
	sleep(1);
	read_all(c);
	equal("nothing there: the descriptor is quiet", 0, __real_poll(&p, 1, 100));
	inject(c, 1, LENGTH);
	equal("nor by a frame of its own", 0, __real_poll(&p, 1, 100));
	afxdp_close(c);
}

/* What could not go out at once goes while the application waits for packets. */
static void waiting_sends(void)
{
	struct afxdp_capture *c = open_capture(false);
	int peer = listen_on("va");

	afxdp_set_blocking(afxdp_reader(c), false);
	read_all(c);
	busy = true;
	equal("non-blocking, busy: taken", LENGTH, inject(c, 3, LENGTH));
	afxdp_wait(afxdp_reader(c), 20);
	equal("still busy: not gone", 0, arrived(peer, 3));
	busy = false;
	afxdp_wait(afxdp_reader(c), 20);
	equal("gone, without a call to send", 1, arrived(peer, 3));
	afxdp_close(c);
	close(peer);
}

static void *send_many(void *data)
{
	struct afxdp_capture *c = data;

	for (uint32_t i = 0; i < MANY; i++)
		if (inject(c, i, LENGTH) != LENGTH)
			report(false, "pcap_inject of another thread");
	return NULL;
}

static void another_thread_reads(void)
{
	struct afxdp_capture *c = open_capture(false);
	int peer = listen_on("va");
	struct afxdp_stats s;
	struct seen seen;
	pthread_t thread;

	read_all(c);
	if (pthread_create(&thread, NULL, send_many, c))
		exit(1);
	for (uint32_t i = 0; i < COUNT; i++)
		send_from(peer, i);
	seen = read_all(c);
	pthread_join(thread, NULL);
	afxdp_stats(c, &s, sizeof(s));
	equal("sent by another thread", MANY, (long long)s.injected);
	equal("sent by another thread: read", 0, seen.sent);
	equal("sent by another thread: lost", 0, (long long)afxdp_stats_lost(&s));
	equal("received meanwhile", COUNT, seen.received);
	report(seen.ordered && seen.whole, "in order, and whole");
	close(peer);
	afxdp_close(c);
}

static void what_a_queue_that_is_gone_does_not_send(void)
{
	struct afxdp_capture *c = open_capture(false);
	int peer = listen_on("va");

	read_all(c);
	without_queue = true;
	equal("the queue is gone: taken", LENGTH, inject(c, 0, LENGTH));
	without_queue = false;
	equal("the queue is there again: taken", LENGTH, inject(c, 1, LENGTH));
	equal("both arrive, once", 2, arrived(peer, 0));
	end(c, peer, 1);
}

/* It has more queues for receiving than for sending, and the capture has one of those. */
static void a_queue_that_does_not_send(void)
{
	struct afxdp_options o = {.loader_off = true, .immediate = true, .filter_follows = true};
	char err[AFXDP_ERROR_SIZE];
	struct afxdp_capture *c;
	int peer;

	run("ip link add wa numtxqueues 2 numrxqueues 2 type veth peer name wb numtxqueues 1 numrxqueues 2");
	run("ip link set wa up && ip link set wb up");
	peer = listen_on("wa");
	if (afxdp_options_device(&o, "xdp:wb,engine=divert,zero-copy=off,queues=1,ring=1M", err,
				 sizeof(err)) ||
	    afxdp_open(&c, &o, err, sizeof(err))) {
		report(false, err);
		return;
	}
	read_all(c);
	equal("a queue that does not send: taken", LENGTH, inject(c, 0, LENGTH));
	equal("and again", LENGTH, inject(c, 1, LENGTH));
	equal("both arrive", 2, arrived(peer, 0));
	end(c, peer, 0);
	run("ip link del wa");
}

int main(void)
{
	own_net();
	veth_pair("mtu 1500");
	not_read_by_who_sent_it();
	back_pressure(false);
	back_pressure(true);
	what_the_socket_does_not_take();
	what_the_driver_drops();
	select_is_quiet();
	waiting_sends();
	another_thread_reads();
	what_a_queue_that_is_gone_does_not_send();
	a_queue_that_does_not_send();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
