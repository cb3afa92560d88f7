/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Counters of afxdp_stats() only grow. One thread reads, one sets filters and directions and sends,
 * and two ask for the counters all the time: at each hook, with short and long records, while the
 * interface is taken down and up and moved to another network namespace.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "own_net.h"
#include "capture/afxdpcapture.h"

#define ETHER_TEST 0x88b5 /* for local experiments */
#define ROUNDS	   40
#define BURST	   200

static unsigned passed, failed;

static void report(bool good, const char *device, const char *what)
{
	printf("%s: %s: %s\n", good ? "ok" : "FAILED", device, what);
	*(good ? &passed : &failed) += 1;
}

/* The counters, and what the face makes of them. */
struct reading {
	struct afxdp_stats s;
	uint64_t received, lost;
};

struct asker {
	struct afxdp_capture *capture;
	pthread_t thread;
	unsigned decreases, readings;
	size_t which; /* the counter that was seen to decrease */
	uint64_t from, to;
};

static atomic_bool done;

static void ask(struct asker *a, struct reading *last)
{
	struct reading now;
	const uint64_t *was = (const uint64_t *)last, *is = (const uint64_t *)&now;

	afxdp_stats(a->capture, &now.s, sizeof(now.s));
	now.received = afxdp_stats_received(&now.s);
	now.lost = afxdp_stats_lost(&now.s);
	for (size_t i = 0; i < sizeof(now) / sizeof(*is); i++) {
		if (is[i] >= was[i])
			continue;
		a->decreases++;
		a->which = i;
		a->from = was[i];
		a->to = is[i];
	}
	*last = now;
	a->readings++;
}

static void *keep_asking(void *asker)
{
	struct reading last = {.received = 0};

	while (!atomic_load(&done))
		ask(asker, &last);
	return NULL;
}

static void read_all(struct afxdp_reader *r)
{
	const struct epb_header *at;
	struct afxdp_run run;
	struct epb_lengths l;

	while (afxdp_run(r, &run)) {
		for (at = run.first; afxdp_run_at(&run, at, &l);
		     at = (const void *)((const uint8_t *)at + l.total))
			if (run.refine)
				afxdp_refine(r, at);
		afxdp_run_done(r, &run, at);
	}
}

static void *keep_reading(void *capture)
{
	struct afxdp_reader *r = afxdp_reader(capture);

	while (!atomic_load(&done)) {
		afxdp_wait(r, 5);
		read_all(r);
	}
	read_all(r);
	return NULL;
}

/* One byte at offset 18 is the kind of a frame. */
static void take_kind(struct afxdp_capture *c, uint32_t kind)
{
	struct sock_filter code[] = {{BPF_LD | BPF_B | BPF_ABS, 0, 0, 18},
				     {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, kind},
				     {BPF_RET | BPF_K, 0, 0, 65535},
				     {BPF_RET | BPF_K, 0, 0, 0}};
	char err[AFXDP_ERROR_SIZE];

	if (afxdp_set_filter(c, code, 4, err, sizeof(err))) {
		printf("FAILED: %s\n", err);
		failed++;
	}
}

/* X has one of two values after each comparison: too much for the verifier. It takes kind 1. */
static void take_in_user_space(struct afxdp_capture *c)
{
	enum { COMPARISONS = 60 };
	struct sock_filter code[3 * COMPARISONS + 6];
	char err[AFXDP_ERROR_SIZE];
	unsigned n = 0;

	for (unsigned i = 0; i < COMPARISONS; i++) {
		code[n++] = (struct sock_filter){BPF_LD | BPF_B | BPF_ABS, 0, 0, i % 14};
		code[n++] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 0, 1, i};
		code[n++] = (struct sock_filter){BPF_LDX | BPF_IMM, 0, 0, i + 1};
	}
	code[n++] = (struct sock_filter){BPF_MISC | BPF_TXA, 0, 0, 0};
	code[n++] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 1000};
	code[n++] = (struct sock_filter){BPF_LD | BPF_B | BPF_ABS, 0, 0, 18};
	code[n++] = (struct sock_filter){BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1};
	code[n++] = (struct sock_filter){BPF_RET | BPF_K, 0, 0, 0};
	code[n++] = (struct sock_filter){BPF_RET | BPF_K, 0, 0, 65535};
	if (afxdp_set_filter(c, code, n, err, sizeof(err)) ||
	    afxdp_filter_level(c) != AFXDP_LEVEL_USER) {
		printf("FAILED: this filter is not one for user space: %s\n", afxdp_filter_text(c));
		failed++;
	}
}

static int open_sender(const char *name)
{
	struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(name)};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at))) {
		perror("packet socket");
		exit(1);
	}
	return fd;
}

static unsigned send_kind(int fd, uint8_t kind)
{
	uint8_t frame[200] =
		{2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, ETHER_TEST >> 8, ETHER_TEST & 0xff};
	unsigned n = 0;

	frame[18] = kind;
	for (unsigned i = 0; i < BURST; i++)
		n += send(fd, frame, sizeof(frame), 0) == (ssize_t)sizeof(frame);
	return n;
}

static struct afxdp_capture *open_capture(const char *device, const char *snaplen)
{
	struct afxdp_options *o = afxdp_options_new();
	struct afxdp_capture *c = NULL;
	char err[AFXDP_ERROR_SIZE] = "";
	int e = o ? afxdp_options_set(o, "snaplen", snaplen, err, sizeof(err)) : -ENOMEM;

	if (!e)
		e = afxdp_options_device(o, device, err, sizeof(err));
	if (!e)
		e = afxdp_open(&c, o, err, sizeof(err));
	afxdp_options_free(o);
	if (e)
		printf("FAILED: %s: %s\n", device, err);
	failed += e != 0;
	return c;
}

/* What one does between two bursts. */
static void change(struct afxdp_capture *c, unsigned round)
{
	switch (round % 8) {
	case 0:
		take_in_user_space(c);
		break;
	case 3:
		take_kind(c, 2);
		break;
	case 5:
		take_kind(c, 1);
		break;
	case 7:
		take_kind(c, 3);
		break;
	default:
		afxdp_set_directions(c, true, round % 2);
	}
}

static void tell(const struct asker *a, unsigned n, const char *device)
{
	char text[200];

	for (unsigned i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%u decreases in %u readings%s", a[i].decreases,
			 a[i].readings, a[i].decreases ? ":" : "");
		report(a[i].decreases == 0, device, text);
		if (a[i].decreases)
			printf("\tcounter %zu went from %llu to %llu\n", a[i].which,
			       (unsigned long long)a[i].from, (unsigned long long)a[i].to);
	}
}

/* At rest each number is the true one: the last filter is in user space, and all came to it. */
static void end_exactly(struct afxdp_capture *c, int fd, const char *device)
{
	struct afxdp_stats before, after;
	unsigned n;

	take_in_user_space(c);
	read_all(afxdp_reader(c)); /* adopts it */
	afxdp_stats(c, &before, sizeof(before));
	n = send_kind(fd, 1) + send_kind(fd, 2);
	for (unsigned i = 0; i < 1000; i++) {
		afxdp_stats(c, &after, sizeof(after));
		if (afxdp_stats_received(&after) - afxdp_stats_received(&before) >= n)
			break;
		usleep(10000);
	}
	read_all(afxdp_reader(c));
	afxdp_stats(c, &after, sizeof(after));
	report(afxdp_stats_received(&after) - afxdp_stats_received(&before) == n, device,
	       "what came to a filter in user space counts as received");
	report(after.refused - before.refused == n / 2, device, "and what it refused as refused");
}

static void counters_only_grow(const char *device, const char *snaplen)
{
	struct afxdp_capture *c = open_capture(device, snaplen);
	struct asker asker[2] = {{.capture = c}, {.capture = c}};
	struct reading last = {.received = 0};
	pthread_t reader;
	int fd;

	if (!c)
		return;
	fd = open_sender("va");
	atomic_store(&done, false);
	pthread_create(&reader, NULL, keep_reading, c);
	pthread_create(&asker[1].thread, NULL, keep_asking, &asker[1]);
	for (unsigned i = 0; i < ROUNDS; i++) {
		change(c, i);
		send_kind(fd, (uint8_t)(i % 3));
		ask(&asker[0], &last);
		if (i == ROUNDS / 2)
			run("ip link set vb down && ip link set vb up");
	}
	atomic_store(&done, true);
	pthread_join(asker[1].thread, NULL);
	pthread_join(reader, NULL);
	ask(&asker[0], &last);
	tell(asker, 2, device);
	if (!strstr(device, "sample="))
		end_exactly(c, fd, device);
	/* Elsewhere its counters are asked for in another way, if at all. */
	run("ip link set vb netns counts-%d", (int)getpid());
	ask(&asker[0], &last);
	tell(asker, 1, "moved to another namespace");
	run("ip -n counts-%d link set vb netns %d && ip link set vb up", (int)getpid(),
	    (int)getpid());
	afxdp_close(c);
	close(fd);
}

int main(void)
{
	static const char *const devices[] = {"xdp:vb,loader=off,hook=xdp,ring=1M",
					      "xdp:vb,loader=off,hook=tc,ring=1M",
					      "xdp:vb,loader=off,hook=packet,ring=1M",
					      "xdp:vb,loader=off,hook=tc,sample=3,ring=1M"};

	own_net();
	veth_pair("");
	run("ip netns add counts-%d", (int)getpid());
	for (unsigned i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		counters_only_grow(devices[i], i % 2 ? "60" : "262144");
	run("ip netns del counts-%d", (int)getpid());
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
