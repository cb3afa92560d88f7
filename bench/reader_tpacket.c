/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* TPACKET_V3 as in the kernel's Documentation/networking/packet_mmap.rst, and nothing more. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "reader.h"

#define BLOCK_SIZE	(1u << 18)
#define BUFFER_DEFAULT	(64u << 20)
#define FRAME_SIZE_UNIT 2048

static uint8_t *ring = MAP_FAILED;
static uint32_t blocks, next_block, timeout_ms;
static int sock = -1;
static bool latency;
static struct reader_stats totals;

static int map_ring(const struct reader_options *options)
{
	uint32_t size = options->buffer ? options->buffer : BUFFER_DEFAULT;
	struct tpacket_req3 request = {.tp_block_size = BLOCK_SIZE,
				       .tp_block_nr = size / BLOCK_SIZE,
				       .tp_frame_size = FRAME_SIZE_UNIT,
				       .tp_frame_nr = size / FRAME_SIZE_UNIT,
				       .tp_retire_blk_tov = options->timeout_ms};
	int version = TPACKET_V3;

	blocks = request.tp_block_nr;
	if (setsockopt(sock, SOL_PACKET, PACKET_VERSION, &version, sizeof(version)) ||
	    setsockopt(sock, SOL_PACKET, PACKET_RX_RING, &request, sizeof(request)))
		return -1;
	ring = mmap(NULL, (size_t)blocks * BLOCK_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, sock, 0);
	return ring == MAP_FAILED ? -1 : 0;
}

static int join(const struct reader_options *options)
{
	struct sockaddr_ll address = {.sll_family = AF_PACKET,
				      .sll_protocol = htons(ETH_P_ALL),
				      .sll_ifindex = (int)if_nametoindex(options->device)};
	struct packet_mreq all = {.mr_ifindex = address.sll_ifindex, .mr_type = PACKET_MR_PROMISC};

	if (!address.sll_ifindex || bind(sock, (struct sockaddr *)&address, sizeof(address)))
		return -1;
	return setsockopt(sock, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof(all));
}

static int tpacket_open(const struct reader_options *options)
{
	latency = options->latency;
	timeout_ms = options->timeout_ms;
	sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (sock >= 0 && !map_ring(options) && !join(options))
		return 0;
	fprintf(stderr, "reader: packet socket on %s: %s\n", options->device, strerror(errno));
	return -1;
}

static struct tpacket_block_desc *block_at(uint32_t index)
{
	return (void *)(ring + (size_t)index * BLOCK_SIZE);
}

static void take_block(struct tpacket_block_desc *block, struct reader_tally *tally)
{
	struct tpacket3_hdr *h = (void *)((uint8_t *)block + block->hdr.bh1.offset_to_first_pkt);

	for (uint32_t n = block->hdr.bh1.num_pkts; n; n--) {
		struct tpacket3_hdr *next = (void *)((uint8_t *)h + h->tp_next_offset);

		__builtin_prefetch(next);
		reader_take(tally, (uint8_t *)h + h->tp_mac, h->tp_snaplen);
		if (latency)
			reader_take_time(tally, h->tp_sec * 1000000000ULL + h->tp_nsec);
		h = next;
	}
	/* Gives the block back: pairs with the kernel's read of the status. */
	__atomic_store_n(&block->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
	next_block = (next_block + 1) % blocks;
}

static long read_ready(struct reader_tally *tally)
{
	uint64_t before = tally->frames;

	for (;;) {
		struct tpacket_block_desc *block = block_at(next_block);

		if (!(__atomic_load_n(&block->hdr.bh1.block_status, __ATOMIC_ACQUIRE) &
		      TP_STATUS_USER))
			return (long)(tally->frames - before);
		take_block(block, tally);
	}
}

static long tpacket_read(struct reader_tally *tally)
{
	struct pollfd wanted = {.fd = sock, .events = POLLIN};
	long got = read_ready(tally);

	if (got)
		return got;
	poll(&wanted, 1, (int)timeout_ms);
	return read_ready(tally);
}

static void tpacket_stats(struct reader_stats *stats)
{
	struct tpacket_stats_v3 s;
	socklen_t length = sizeof(s);

	if (!getsockopt(sock, SOL_PACKET, PACKET_STATISTICS, &s, &length)) {
		totals.received += s.tp_packets;
		totals.lost += s.tp_drops;
	}
	*stats = totals;
}

static void tpacket_close(void)
{
	if (ring != MAP_FAILED)
		munmap(ring, (size_t)blocks * BLOCK_SIZE);
	close(sock);
}

const struct reader_ops reader_tpacket = {tpacket_open, tpacket_read, NULL, tpacket_stats,
					  tpacket_close};
