/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * An AF_XDP socket in copy mode, and nothing more: no filter, one queue, and of a time stamp what
 * reading the clock costs, or with --lowprec not that. What no reader of such sockets can do
 * better than.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <xdp/xsk.h>

#include "reader.h"

#define FRAME_SIZE     2048u
#define BUFFER_DEFAULT (16u << 20)
#define PAUSE_NS       250000 /* as engine=divert reads so many buffers */

static uint8_t *memory = MAP_FAILED;
static uint32_t size;
static struct xsk_umem *umem;
static struct xsk_socket *sock;
static struct xsk_ring_prod fill;
static struct xsk_ring_cons rx, completion;
static int map = -1, program = -1, link_fd = -1;

static int load(const struct reader_options *options)
{
	const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_6, .src_reg = BPF_REG_1},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_6},
		{.code = BPF_LDX | BPF_MEM | BPF_W,
		 .dst_reg = BPF_REG_2,
		 .src_reg = BPF_REG_1,
		 .off = offsetof(struct xdp_md, rx_queue_index)},
		{.code = BPF_LD | BPF_IMM | BPF_DW,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_PSEUDO_MAP_FD,
		 .imm = map},
		{0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = XDP_PASS},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect_map},
		{.code = BPF_JMP | BPF_EXIT},
	};

	/* The first three read the clock. */
	const struct bpf_insn *first = insns + (options->lowprec ? 3 : 0);
	size_t count = sizeof(insns) / sizeof(insns[0]) - (size_t)(first - insns);

	return bpf_prog_load(BPF_PROG_TYPE_XDP, "to_socket", "Dual BSD/GPL", first, count, NULL);
}

static int give_all(void)
{
	uint32_t at, count = size / FRAME_SIZE;

	if (xsk_ring_prod__reserve(&fill, count, &at) != count)
		return -ENOBUFS;
	for (uint32_t i = 0; i < count; i++)
		*xsk_ring_prod__fill_addr(&fill, at + i) = (uint64_t)i * FRAME_SIZE;
	xsk_ring_prod__submit(&fill, count);
	return 0;
}

static int open_socket(const struct reader_options *options)
{
	const struct xsk_umem_config memory_config = {.fill_size = size / FRAME_SIZE,
						      .comp_size = XSK_RING_CONS__DEFAULT_NUM_DESCS,
						      .frame_size = FRAME_SIZE};
	const struct xsk_socket_config config = {.rx_size = size / FRAME_SIZE,
						 .libxdp_flags =
							 XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
						 .bind_flags = XDP_COPY | XDP_USE_NEED_WAKEUP};
	int e;

	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	e = xsk_umem__create(&umem, memory, size, &fill, &completion, &memory_config);
	if (!e)
		e = give_all();
	return e ? e : xsk_socket__create(&sock, options->device, 0, umem, &rx, NULL, &config);
}

static int attach(const struct reader_options *options)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = XDP_FLAGS_DRV_MODE);
	int key = 0, fd = xsk_socket__fd(sock);

	map = bpf_map_create(BPF_MAP_TYPE_XSKMAP, "sockets", sizeof(key), sizeof(fd), 1, NULL);
	if (map < 0 || bpf_map_update_elem(map, &key, &fd, 0))
		return -errno;
	program = load(options);
	if (program < 0)
		return -errno;
	link_fd = bpf_link_create(program, (int)if_nametoindex(options->device), BPF_XDP, &opts);
	return link_fd < 0 ? -errno : 0;
}

static int xsk_reader_open(const struct reader_options *options)
{
	int e;

	size = options->buffer ? options->buffer : BUFFER_DEFAULT;
	e = open_socket(options);
	if (!e)
		e = attach(options);
	if (e)
		fprintf(stderr, "reader: AF_XDP socket on %s: %s\n", options->device, strerror(-e));
	return e ? -1 : 0;
}

/* Read what is there, and give the buffers back. */
static long xsk_reader_read(struct reader_tally *tally)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	uint32_t at, to = 0, n = xsk_ring_cons__peek(&rx, size / FRAME_SIZE, &at);

	if (!n) {
		nanosleep(&pause, NULL);
		return 0;
	}
	xsk_ring_prod__reserve(&fill, n, &to); /* there is a place for each */
	for (uint32_t i = 0; i < n; i++) {
		const struct xdp_desc *d = xsk_ring_cons__rx_desc(&rx, at + i);

		reader_take(tally, xsk_umem__get_data(memory, d->addr), d->len);
		*xsk_ring_prod__fill_addr(&fill, to + i) = d->addr;
	}
	xsk_ring_prod__submit(&fill, n);
	xsk_ring_cons__release(&rx, n);
	nanosleep(&pause, NULL);
	return n;
}

static void xsk_reader_stats(struct reader_stats *stats)
{
	struct xdp_statistics s = {0};
	socklen_t length = sizeof(s);

	getsockopt(xsk_socket__fd(sock), SOL_XDP, XDP_STATISTICS, &s, &length);
	stats->lost = s.rx_dropped + s.rx_ring_full;
	stats->received = stats->lost + (uint64_t)*rx.consumer;
	stats->interface = 0;
}

static void xsk_reader_close(void)
{
	close(link_fd);
	xsk_socket__delete(sock);
	xsk_umem__delete(umem);
	munmap(memory, size);
	close(program);
	close(map);
}

const struct reader_ops reader_xsk = {xsk_reader_open, xsk_reader_read, NULL, xsk_reader_stats,
				      xsk_reader_close};
