/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Filters on socket buffers in pieces, which BPF_PROG_TEST_RUN makes of XDP frames only: at tc
 * egress of a veth pair in a network namespace of its own. A packet socket's ring for sending gives
 * any frame with as many bytes in the linear part as one asks for, from 14 on, and the rest in
 * pages. FILTER_ROUNDS scales the random part.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* unshare() */
#endif
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>

#include "kernel.h"

enum {
	FRAMES = 60,
	EXPRESSIONS = 300,
	PROGRAMS = 300,
	LONG = 700,
	SLOT = 8192,
	LENGTH_MAX = 4000,
	LINEAR_MAX = 90,
	TCX_EGRESS = 47, /* uapi since 6.6 */
};

static int wire = -1, link_fd = -1, device;
static uint8_t *slot;
static struct wire_result *result;
static unsigned long compared, in_pieces, accepted;

static int bpf(int command, union bpf_attr *attr)
{
	long rc = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return rc < 0 ? -errno : (int)rc;
}

/* The pair, and a socket on its one end. -errno. */
static int open_wire(void)
{
	struct tpacket_req ring = {.tp_block_size = SLOT,
				   .tp_block_nr = 1,
				   .tp_frame_size = SLOT,
				   .tp_frame_nr = 1};
	struct sockaddr_ll address = {.sll_family = AF_PACKET};
	int version = TPACKET_V2, on = 1, mark = WIRE_MARK;

	if (unshare(CLONE_NEWNET))
		return -errno;
	if (system("ip link add wa mtu 9000 type veth peer name wb mtu 9000 && ip link set wa up"
		   " && ip link set wb up"))
		return -ENODEV;
	device = (int)if_nametoindex("wa");
	address.sll_ifindex = device;
	wire = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (wire < 0 || setsockopt(wire, SOL_PACKET, PACKET_VERSION, &version, sizeof(version)) ||
	    setsockopt(wire, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof(on)) ||
	    setsockopt(wire, SOL_PACKET, PACKET_TX_RING, &ring, sizeof(ring)) ||
	    setsockopt(wire, SOL_SOCKET, SO_MARK, &mark, sizeof(mark)) ||
	    bind(wire, (struct sockaddr *)&address, sizeof(address)))
		return -errno;
	slot = mmap(NULL, SLOT, PROT_READ | PROT_WRITE, MAP_SHARED, wire, 0);
	return slot == MAP_FAILED ? -errno : 0;
}

/* In the hook, in place of the program before. -errno. */
static int attach(int program)
{
	union bpf_attr attr = {0};

	if (link_fd >= 0) {
		attr.link_update.link_fd = (uint32_t)link_fd;
		attr.link_update.new_prog_fd = (uint32_t)program;
		return bpf(BPF_LINK_UPDATE, &attr);
	}
	attr.link_create.prog_fd = (uint32_t)program;
	attr.link_create.target_ifindex = (uint32_t)device;
	attr.link_create.attach_type = TCX_EGRESS;
	link_fd = bpf(BPF_LINK_CREATE, &attr);
	return link_fd < 0 ? link_fd : 0;
}

/* The kernel drops it once the filter has run: send() says ENOBUFS. False: it has not run. */
static bool run(const struct test_frame *t)
{
	struct tpacket2_hdr *h = (struct tpacket2_hdr *)slot;
	uint8_t *data = (uint8_t *)h + TPACKET2_HDRLEN - sizeof(struct sockaddr_ll);
	struct virtio_net_hdr vnet = {.hdr_len = (uint16_t)t->linear};
	uint32_t before = result->runs;

	memcpy(data, &vnet, sizeof(vnet));
	memcpy(data + sizeof(vnet), t->frame->data, t->frame->len);
	h->tp_len = (uint32_t)sizeof(vnet) + t->frame->len;
	result->tpid = (uint16_t)(t->tpid << 8 | t->tpid >> 8);
	result->tci = t->tci;
	__atomic_store_n(&h->tp_status, TP_STATUS_SEND_REQUEST, __ATOMIC_RELEASE);
	if (send(wire, NULL, 0, 0) < 0 && errno != ENOBUFS)
		return false;
	return result->runs == before + 1;
}

/* The kernel pushes tags of two types only. */
static bool can_push(const struct test_frame *t)
{
	return t->tpid == ETH_P_8021Q || t->tpid == ETH_P_8021AD;
}

static void compare(const struct program *p, const struct program *lowered, const struct variant *v,
		    const struct frame *recorded, struct rng *r)
{
	static struct frame memory;
	struct test_frame t = {.frame = recorded};
	struct verdict expected;
	bool ran;

	if (v->tagged) {
		if (!frame_extract_tag(&memory, recorded, &t.tpid, &t.tci) || !can_push(&t))
			return;
		t.frame = &memory;
	}
	if (t.frame->len < ETH_HLEN || t.frame->len > LENGTH_MAX)
		return;
	t.linear = t.frame->len < LINEAR_MAX ? t.frame->len : LINEAR_MAX;
	t.linear = ETH_HLEN + rng_below(r, t.linear - ETH_HLEN + 1);
	expected = variant_expect(v, lowered, recorded);
	ran = run(&t);
	check(ran, "%s, %s: has not run, %u bytes", p->name, v->name, t.frame->len);
	compared++;
	accepted += expected.value != 0;
	in_pieces += result->linear < t.frame->len;
	check(!ran || result->value == expected.unrolled,
	      "%s, %s: got %#x, expected %#x, %u bytes, %u linear", p->name, v->name, result->value,
	      expected.unrolled, t.frame->len, result->linear);
	/* Tags of a frame that it sends the kernel has in the linear part. */
	check(!ran || result->linear >= t.linear, "%u bytes are linear, not %u", result->linear,
	      t.linear);
}

static void make_frame(struct frame *f, const struct program *p, bool tagged, struct rng *r)
{
	frame_random(f, r);
	frame_steer(f, p->f, p->n, r);
	if (!tagged || rng_chance(r, 20))
		return;
	f->data[12] = 0x81;
	f->data[13] = 0;
}

static void try_variant(const struct program *p, const struct variant *v, bool random,
			struct rng *r)
{
	struct filter_options options = variant_options(v, 0);
	static struct frame recorded;
	struct filter_code code;
	struct program lowered;
	struct loaded loaded;

	if (filter_translate(p->f, p->n, &options, &code, NULL, 0))
		return;
	loaded = kernel_load(v->tagged ? HOST_WIRE_TAGGED : HOST_WIRE, &code);
	filter_code_free(&code);
	check(loaded.fd >= 0 || random, "%s, %s: %s", p->name, v->name, loaded.log);
	if (loaded.fd < 0)
		return;
	check(attach(loaded.fd) == 0, "%s, %s: attached", p->name, v->name);
	program_lower(&lowered, p, 0);
	for (unsigned i = 0; i < FRAMES; i++) {
		make_frame(&recorded, &lowered, v->tagged, r);
		compare(p, &lowered, v, &recorded, r);
	}
	free(lowered.f);
	kernel_unload(&loaded);
}

static void try_program(const struct program *p, bool random, struct rng *r)
{
	for (unsigned i = 0; i < IN_KERNEL; i++)
		if (variants[i].ctx == FILTER_SKB)
			try_variant(p, &variants[i], random, r);
}

static void try_expression(const char *text, bool optimise, struct rng *r)
{
	struct program p;

	if (!program_compile(&p, text, optimise))
		return;
	if (p.n <= LONG)
		try_program(&p, false, r);
	free(p.f);
}

static void run_corpus(struct rng *r)
{
	struct corpus corpus;

	corpus_read(&corpus);
	for (unsigned i = 0; i < corpus.n; i++)
		try_expression(corpus.expression[i], i % 2, r);
	corpus_free(&corpus);
}

static void run_random(struct rng *r, double rounds)
{
	struct program p;
	char text[2000];

	for (unsigned i = 0; i < rounds * EXPRESSIONS; i++) {
		expression_random(text, sizeof(text), r);
		try_expression(text, i % 2, r);
	}
	for (unsigned i = 0; i < rounds * PROGRAMS; i++) {
		program_random(&p, r);
		try_program(&p, true, r);
		free(p.f);
	}
}

int main(void)
{
	struct rng r = {.state = seed_from_environment(4)};
	int rc;

	if (!kernel_available()) {
		skip("no privilege to load programs");
		return summary();
	}
	result = kernel_wire();
	rc = result ? open_wire() : -ENOMEM;
	if (rc) {
		skip("no veth pair with a packet socket: %s", strerror(-rc));
		return summary();
	}
	run_corpus(&r);
	run_random(&r, rounds_from_environment());
	printf("%lu comparisons, %lu of them with frames in pieces, %lu accepted\n", compared,
	       in_pieces, accepted);
	check(in_pieces > compared / 2 && accepted > compared / 10, "frames are in pieces");
	return summary();
}
