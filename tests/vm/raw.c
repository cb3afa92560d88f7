// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/*
 * Frames for virtual machines, which have no interpreter.
 *	raw lengths INTERFACE FIRST LAST	a frame of each length, its bytes all different
 *	raw ptp INTERFACE COUNT			Sync messages of PTP, one every 50 ms
 *	raw stamps INTERFACE COUNT		prints the stamps of the driver to so many of them,
 *						as any socket is told; "none": it gave none
 *	raw filter INTERFACE			prints which frames it stamps, HWTSTAMP_FILTER_...
 *	raw sockets INTERFACE COUNT		AF_XDP sockets with zero-copy on so many queues, and
 *						no XDP program; says "bound", and waits
 */
#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_xdp.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define HEADER	    14
#define LONGEST	    1514
#define SYNC_LENGTH 60

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int open_link(const char *ifname, int protocol)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET,
				 .sll_protocol = htons((uint16_t)protocol),
				 .sll_ifindex = (int)if_nametoindex(ifname)};
	int s = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (s < 0 || bind(s, (struct sockaddr *)&to, sizeof(to)))
		die(ifname);
	return s;
}

static void put(int s, const void *frame, size_t length)
{
	if (send(s, frame, length, 0) != (ssize_t)length)
		die("send");
}

static void send_lengths(int s, unsigned first, unsigned last)
{
	uint8_t frame[LONGEST] = "\x02\x74\x67\x00\x00\x02\x02\x00\x00\x00\x00\x0a\x88\xb5";

	for (unsigned length = first; length >= HEADER && length <= last && length <= LONGEST;
	     length++) {
		for (unsigned i = HEADER; i < length; i++)
			frame[i] = (uint8_t)(97 * (i - HEADER) + length);
		put(s, frame, length);
	}
}

/* IEEE 1588-2008: version 2, Sync, 44 bytes, to the multicast address of PTP. */
static void send_ptp(int s, unsigned count)
{
	uint8_t frame[SYNC_LENGTH] = "\x01\x1b\x19\x00\x00\x00\x02\x00\x00\x00\x00\x0a\x88\xf7"
				     "\x00\x02\x00\x2c";

	for (unsigned i = 0; i < count; i++) {
		frame[HEADER + 31] = (uint8_t)i; /* sequenceId */
		put(s, frame, sizeof(frame));
		usleep(50000);
	}
}

static const struct scm_timestamping *stamps_of(struct msghdr *m)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPING)
			return (const void *)CMSG_DATA(c);
	return NULL;
}

static void print_stamps(int s, unsigned count)
{
	int wanted = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
	struct timeval most = {.tv_sec = 30};

	if (setsockopt(s, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof(wanted)) ||
	    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most)))
		die("setsockopt");
	fprintf(stderr, "ready\n");
	while (count--) {
		char frame[LONGEST], room[256] __attribute__((aligned(8)));
		struct iovec part = {frame, sizeof(frame)};
		struct msghdr m = {.msg_iov = &part,
				   .msg_iovlen = 1,
				   .msg_control = room,
				   .msg_controllen = sizeof(room)};
		const struct scm_timestamping *t;

		if (recvmsg(s, &m, 0) < 0)
			die("recvmsg");
		t = stamps_of(&m);
		if (t && (t->ts[2].tv_sec || t->ts[2].tv_nsec))
			printf("%lld.%09ld\n", (long long)t->ts[2].tv_sec, t->ts[2].tv_nsec);
		else
			printf("none\n");
	}
}

static void print_filter(int s, const char *ifname)
{
	struct hwtstamp_config c = {0};
	struct ifreq r = {.ifr_data = (void *)&c};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", ifname);
	if (ioctl(s, SIOCGHWTSTAMP, &r))
		die(ifname);
	printf("%d\n", c.rx_filter);
}

#define CHUNKS	   512
#define CHUNK_SIZE 2048

/* With chunks for the driver, so that it can receive. */
static void bind_socket(unsigned ifindex, unsigned queue)
{
	void *memory = mmap(NULL, CHUNKS * CHUNK_SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct xdp_umem_reg umem = {.addr = (uintptr_t)memory,
				    .len = CHUNKS * CHUNK_SIZE,
				    .chunk_size = CHUNK_SIZE};
	struct sockaddr_xdp to = {.sxdp_family = AF_XDP,
				  .sxdp_flags = XDP_ZEROCOPY,
				  .sxdp_ifindex = ifindex,
				  .sxdp_queue_id = queue};
	static const int rings[] = {XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING, XDP_RX_RING};
	int fd = socket(AF_XDP, SOCK_RAW, 0), entries = CHUNKS;
	struct xdp_mmap_offsets at;
	socklen_t size = sizeof(at);
	uint8_t *fill;

	if (setsockopt(fd, SOL_XDP, XDP_UMEM_REG, &umem, sizeof(umem)))
		die("XDP_UMEM_REG");
	for (unsigned i = 0; i < sizeof(rings) / sizeof(rings[0]); i++)
		if (setsockopt(fd, SOL_XDP, rings[i], &entries, sizeof(entries)))
			die("AF_XDP ring");
	if (getsockopt(fd, SOL_XDP, XDP_MMAP_OFFSETS, &at, &size))
		die("XDP_MMAP_OFFSETS");
	fill = mmap(NULL, at.fr.desc + CHUNKS * sizeof(uint64_t), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_POPULATE, fd, XDP_UMEM_PGOFF_FILL_RING);
	if (fill == MAP_FAILED)
		die("the fill ring");
	for (unsigned i = 0; i < CHUNKS; i++)
		((uint64_t *)(void *)(fill + at.fr.desc))[i] = i * CHUNK_SIZE;
	__atomic_store_n((uint32_t *)(void *)(fill + at.fr.producer), CHUNKS, __ATOMIC_RELEASE);
	if (bind(fd, (struct sockaddr *)&to, sizeof(to)))
		die("bind with XDP_ZEROCOPY");
}

static void hold_sockets(const char *ifname, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		bind_socket(if_nametoindex(ifname), i);
	printf("bound\n");
	fflush(stdout);
	pause();
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "lengths") == 0)
		send_lengths(open_link(argv[2], 0), (unsigned)atoi(argv[3]),
			     (unsigned)atoi(argv[4]));
	else if (argc == 4 && strcmp(argv[1], "ptp") == 0)
		send_ptp(open_link(argv[2], 0), (unsigned)atoi(argv[3]));
	else if (argc == 4 && strcmp(argv[1], "stamps") == 0)
		print_stamps(open_link(argv[2], ETH_P_1588), (unsigned)atoi(argv[3]));
	else if (argc == 3 && strcmp(argv[1], "filter") == 0)
		print_filter(open_link(argv[2], 0), argv[2]);
	else if (argc == 4 && strcmp(argv[1], "sockets") == 0)
		hold_sockets(argv[2], (unsigned)atoi(argv[3]));
	else
		return 2;
	return 0;
}
