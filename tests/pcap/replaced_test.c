/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The interface of a handle is deleted, and another one gets its name and its number. Nothing that
 * the handle sends goes out there, and its reader is told that the interface has disappeared: as on
 * an AF_PACKET device, which is the first of each table.
 */
#include "testprogs/no_error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live.h"
#include "tests/capture/own_net.h"

#define NUMBER	   4711
#define ETHER_TEST 0x88b5 /* for local experiments */
#define WAIT_MS	   300

static const char *const devices[] = {
	"wb",
	"xdp:wb",
	"xdp:wb,hook=xdp,sent-at=tc",
	"xdp:wb,hook=tc",
	"xdp:wb,hook=packet",
	"xdp:wb,engine=divert",
	"xdp:wb,engine=divert,zero-copy=off",
};

#define DEVICES (sizeof(devices) / sizeof(devices[0]))

static void make(void)
{
	run("ip link del wb 2> /dev/null; ip link add wb index %d type veth peer name wa && ip link set wa up && ip link set wb up",
	    NUMBER);
}

/* The other end. */
static int listen_there(void)
{
	struct sockaddr_ll at = {.sll_family = AF_PACKET,
				 .sll_protocol = htons(ETHER_TEST),
				 .sll_ifindex = (int)if_nametoindex("wa")};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETHER_TEST));

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

static int arrived(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	uint8_t frame[128];
	int n = 0;

	for (; poll(&p, 1, WAIT_MS) > 0; n++)
		assert_true(recv(fd, frame, sizeof(frame), 0) > 0);
	return n;
}

static int send_one(pcap_t *p)
{
	static const uint8_t frame[60] =
		{2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, ETHER_TEST >> 8, ETHER_TEST & 0xff};

	errno = 0;
	return pcap_inject(p, frame, sizeof(frame));
}

static void does_not_send(pcap_t *p, const char *device)
{
	int n = send_one(p), e = errno;

	if (n != PCAP_ERROR || (e != ENXIO && e != ENETDOWN))
		fail_msg("%s: pcap_inject() returns %d, %s", device, n, strerror(e));
}

static void nothing_is_sent_by_the_next_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < DEVICES; i++) {
		pcap_t *p;
		int fd;

		make();
		p = live_open(&(struct open_options){.device = devices[i]});
		fd = listen_there();
		assert_int_equal(send_one(p), 60);
		assert_int_equal(arrived(fd), 1);
		close(fd);
		make(); /* another one */
		fd = listen_there();
		does_not_send(p, devices[i]);
		does_not_send(p, devices[i]); /* AF_PACKET has told of it now */
		if (i)
			assert_string_equal(pcap_geterr(p), "The interface disappeared");
		assert_int_equal(arrived(fd), 0);
		close(fd);
		live_close(p);
	}
}

static void the_reader_is_told_what_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < DEVICES; i++) {
		struct count c = {0};
		uint64_t end;
		char err[PCAP_ERRBUF_SIZE];
		int n = 0;
		pcap_t *p;

		make();
		p = live_open(&(struct open_options){.device = devices[i]});
		no_error(pcap_setnonblock(p, 1, err));
		no_error(pcap_dispatch(p, -1, live_count, (u_char *)&c));
		make(); /* another one */
		end = clock_ns() + PATIENCE * NS_PER_MS;
		while (n >= 0 && clock_ns() < end) {
			n = pcap_dispatch(p, -1, live_count, (u_char *)&c);
			sleep_ms(10);
		}
		if (n != PCAP_ERROR || strcmp(pcap_geterr(p), "The interface disappeared") != 0)
			fail_msg("%s: %d, %s", devices[i], n, pcap_geterr(p));
		live_close(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(nothing_is_sent_by_the_next_one),
		LIVE_TEST(the_reader_is_told_what_it_is),
	};

	return LIVE_RUN(tests);
}
