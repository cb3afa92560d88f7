/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/capture/own_net.h"
#include "live.h"
#include "testprogs/no_error.h"

#define ETHERTYPE_TEST 0x88b5 /* IEEE 802: for experiments */

#define HANDLES_MAX 8

static uint32_t sent;
static pcap_t *handles[HANDLES_MAX]; /* created and not closed */

pcap_t *live_create(const struct open_options *o)
{
	char err[PCAP_ERRBUF_SIZE] = "";
	const char *device = o->device ? o->device : "xdp:vb,ring=1M";
	pcap_t *p = pcap_create(device, err);

	if (!p)
		fail_msg("pcap_create(%s): %s", device, err);
	for (int i = 0; i < HANDLES_MAX; i++) {
		if (!handles[i]) {
			handles[i] = p;
			break;
		}
	}
	no_error(pcap_set_snaplen(p, o->snaplen));
	no_error(pcap_set_promisc(p, !o->no_promisc));
	no_error(pcap_set_timeout(p, o->timeout_ms ? o->timeout_ms : 100));
	no_error(pcap_set_immediate_mode(p, o->immediate));
	if (o->nano)
		assert_int_equal(pcap_set_tstamp_precision(p, PCAP_TSTAMP_PRECISION_NANO), 0);
	return p;
}

pcap_t *live_open(const struct open_options *o)
{
	const struct open_options defaults = {0};
	pcap_t *p = live_create(o ? o : &defaults);
	int status = pcap_activate(p);

	if (status) /* clients take a warning for a failure */
		fail_msg("pcap_activate: %s: %s", pcap_statustostr(status), pcap_geterr(p));
	return p;
}

void live_close(pcap_t *p)
{
	for (int i = 0; i < HANDLES_MAX; i++)
		if (handles[i] == p)
			handles[i] = NULL;
	pcap_close(p);
}

void live_begin(void)
{
	own_net();
	veth_pair("");
}

int live_end(int failed, size_t count)
{
	printf("%zu passed, %d failed, 0 skipped\n", count - (size_t)failed, failed);
	return failed != 0;
}

int live_teardown(void **state)
{
	(void)state;
	for (int i = 0; i < HANDLES_MAX; i++)
		if (handles[i])
			live_close(handles[i]);
	return 0;
}

void live_filter(pcap_t *p, const char *expression)
{
	struct bpf_program f;

	if (pcap_compile(p, &f, expression, 1, PCAP_NETMASK_UNKNOWN) || pcap_setfilter(p, &f))
		fail_msg("%s: %s", expression, pcap_geterr(p));
	pcap_freecode(&f);
}

static int sending_socket(void)
{
	static int s = -1;
	struct sockaddr_ll a = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex("va")};

	if (s >= 0)
		return s;
	s = socket(AF_PACKET, SOCK_RAW, 0);
	if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof(a))) {
		perror("packet socket on va");
		exit(1);
	}
	return s;
}

void live_send_sized(unsigned count, uint8_t kind, unsigned size)
{
	uint8_t frame[1514] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2};
	uint16_t type = htons(ETHERTYPE_TEST);
	int s = sending_socket();

	memcpy(frame + 12, &type, 2);
	frame[18] = kind;
	for (unsigned i = 0; i < count; i++) {
		uint32_t number = htonl(sent++);

		memcpy(frame + 14, &number, 4);
		while (send(s, frame, size, 0) < 0 && errno == ENOBUFS)
			;
	}
}

void live_send(unsigned count, uint8_t kind)
{
	live_send_sized(count, kind, 60);
}

uint32_t live_number(const u_char *frame)
{
	uint32_t number;

	memcpy(&number, frame + 14, 4);
	return ntohl(number);
}

uint32_t live_sent(void)
{
	return sent;
}

void live_count(u_char *data, const struct pcap_pkthdr *h, const u_char *frame)
{
	struct count *c = (void *)data;
	uint32_t number = live_number(frame);

	if (frame[12] != ETHERTYPE_TEST >> 8)
		return; /* the kernel's own */
	c->disorder += c->frames && number <= c->last;
	c->last = number;
	c->kinds[frame[18] % 3]++;
	c->frames++;
	c->header = *h;
	c->latency = wall_ns() - (uint64_t)h->ts.tv_sec * NS_PER_SEC;
}

bool live_readable(pcap_t *p, int ms)
{
	struct pollfd fd = {.fd = pcap_get_selectable_fd(p), .events = POLLIN};

	assert_true(fd.fd >= 0);
	return poll(&fd, 1, ms) > 0;
}

void live_read(pcap_t *p, struct count *c, unsigned frames, int limit_ms)
{
	uint64_t end = clock_ns() + (uint64_t)limit_ms * NS_PER_MS, now;

	while (c->frames < frames && (now = clock_ns()) < end) {
		int n;

		if (!live_readable(p, (int)((end - now) / NS_PER_MS)))
			continue;
		n = pcap_dispatch(p, -1, live_count, (u_char *)c);

		if (n < 0)
			fail_msg("pcap_dispatch: %d, %s", n, pcap_geterr(p));
	}
}

void live_await(pcap_t *p, unsigned frames)
{
	uint64_t end = clock_ns() + PATIENCE * NS_PER_MS;
	struct pcap_stat s;

	do {
		sleep_ms(5);
		assert_int_equal(pcap_stats(p, &s), 0);
	} while (s.ps_recv < frames && clock_ns() < end);
	assert_true(s.ps_recv >= frames);
}

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

uint64_t clock_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t wall_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

void sleep_ms(unsigned ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000L};

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

unsigned fds_open(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

int live_promiscuity(void)
{
	FILE *f = popen("ip -d link show vb | sed -n 's/.*promiscuity \\([0-9]*\\).*/\\1/p'", "r");
	int n = -1;

	assert_non_null(f);
	if (fscanf(f, "%d", &n) != 1)
		n = -1;
	pclose(f);
	return n;
}
