/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Turns each frame that BPF_PROG_RUN hands it into the next frame of the sequence and redirects it
 * into the device of the map. Pages come back used, so everything that differs from frame to frame
 * is written every time: headers, mark, tail marker, and filler where a smaller frame had its tail.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "testprogs/frame.h"
#include "trafgen.h"

#define WAIT_ROUNDS_MAX (1 << 16)

char _license[] SEC("license") = "Dual BSD/GPL";

const volatile struct trafgen_config config;
struct trafgen_state state;

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__type(key, __u32);
	__type(value, __u32);
	__uint(max_entries, 1);
} target SEC(".maps");

static long time_is_up(__u32 round, void *unused)
{
	(void)round, (void)unused;
	return bpf_ktime_get_ns() >= state.next_ns;
}

/* Waits for the group's time. Frames of one batch leave together, whatever the pauses between them
 * here: so pauses between single frames would only waste time. */
static __always_inline __u64 wait_for_group(__u64 now)
{
	__u64 from = now;

	if (!state.next_ns)
		state.next_ns = now;
	if (now > state.next_ns + TRAFGEN_LATE_NS) {
		state.late_ns += now - state.next_ns;
		state.next_ns = now;
	}
	if (now < state.next_ns) {
		bpf_loop(WAIT_ROUNDS_MAX, time_is_up, NULL, 0);
		now = bpf_ktime_get_ns();
		state.waited_ns += now - from;
	}
	state.next_ns += config.group_ns;
	return now;
}

static __always_inline void time_stretch(__u64 now)
{
	__u64 worked = now - state.waited_ns, took = worked - state.stretch_ns;

	if (state.stretch_groups++ % TRAFGEN_STRETCH_GROUPS)
		return;
	if (state.stretch_ns && (!state.fastest_stretch_ns || took < state.fastest_stretch_ns))
		state.fastest_stretch_ns = took;
	state.stretch_ns = worked;
}

static __always_inline void begin_group(__u64 seq)
{
	__u64 now = bpf_ktime_get_ns();

	if (config.group_ns)
		now = wait_for_group(now);
	if (!state.first_ns)
		state.first_ns = now;
	time_stretch(now);
	state.last_ns = now;
	state.last_seq = seq;
	state.left = config.group;
}

static __always_inline __u32 class_of(__u64 seq)
{
	__u32 place = seq % TRAFGEN_MIX_PERIOD;

	if (!config.mix || place < TRAFGEN_MIX_SMALL)
		return 0;
	return place < TRAFGEN_MIX_MIDDLE ? 1 : 2;
}

/* Writes near the end of a frame, at an offset that the verifier cannot know. */
static __always_inline void put_word(struct xdp_md *ctx, __u32 offset, __be32 word)
{
	__u64 at = offset;
	void *end = (void *)(long)ctx->data_end;
	void *place;

	asm volatile("%0 &= 0x3fff" : "+r"(at));
	place = (void *)(long)ctx->data + at;
	if (place + sizeof(word) <= end)
		*(__be32 *)place = word;
}

static __always_inline __be32 filler_word(__u32 at)
{
	return bpf_htonl(frame_filler(at) << 24 | frame_filler(at + 1) << 16 |
			 frame_filler(at + 2) << 8 | frame_filler(at + 3));
}

/* The page may have held a smaller frame, whose tail marker is inside this one's filler. */
static __always_inline void mend_filler(struct xdp_md *ctx, __u32 class)
{
	for (__u32 i = 0; i < TRAFGEN_CLASSES - 1; i++) {
		__u32 at = config.classes[i].len - FRAME_TAIL_LEN;

		if (i < class && at >= FRAME_HEADERS + sizeof(struct frame_mark))
			put_word(ctx, at, filler_word(at));
	}
}

static __always_inline void put_flow(void *data, __u64 seq, __u32 ip_sum)
{
	__u32 flow = config.flows > 1 ? seq % config.flows : 0;
	struct iphdr *ip = data + ETH_HLEN;
	struct udphdr *udp = (void *)(ip + 1);
	__u16 *source = (__u16 *)&ip->saddr;
	__u32 sum;

	((__u8 *)&ip->saddr)[2] += flow;
	sum = ip_sum + source[1];
	sum = (sum & 0xffff) + (sum >> 16);
	ip->check = ~((sum & 0xffff) + (sum >> 16));
	udp->source = bpf_htons(FRAME_SPORT_BASE + flow);
}

static __always_inline int put_frame(struct xdp_md *ctx, __u64 seq, __u32 class, __u32 len)
{
	const volatile struct trafgen_class *shape = &config.classes[class & TRAFGEN_CLASSES];
	void *data = (void *)(long)ctx->data;
	struct frame_mark *mark = data + FRAME_HEADERS;
	__u64 *words = data;

	if (data + FRAME_MIN > (void *)(long)ctx->data_end)
		return -1;
#pragma unroll
	for (int i = 0; i < TRAFGEN_HEADER_WORDS; i++)
		words[i] = shape->header[i];
	put_flow(data, seq, shape->ip_sum);
	if (config.match_every && seq % config.match_every == 0)
		((struct udphdr *)(data + ETH_HLEN + sizeof(struct iphdr)))->dest =
			config.match_port;
	*(__be64 *)(data + FRAME_HEADERS) = bpf_cpu_to_be64(seq);
	mark->magic = bpf_htonl(FRAME_MAGIC);
	mark->len = bpf_htons(len);
	if (config.mix)
		mend_filler(ctx, class);
	put_word(ctx, len - FRAME_TAIL_LEN, bpf_htonl(frame_tail(seq)));
	return 0;
}

SEC("xdp")
int traffic_generate(struct xdp_md *ctx)
{
	__u64 seq = state.seq;
	__u32 class = class_of(seq);
	__u32 len = config.classes[class & TRAFGEN_CLASSES].len;
	long surplus = (long)ctx->data_end - (long)ctx->data - len;

	if (!state.left)
		begin_group(seq);
	state.left--;
	if (surplus && bpf_xdp_adjust_tail(ctx, -surplus))
		return XDP_ABORTED;
	if (put_frame(ctx, seq, class, len))
		return XDP_ABORTED;
	/* If the device goes away, the map forgets it. */
	if (bpf_redirect_map(&target, 0, 0) != XDP_REDIRECT)
		return XDP_ABORTED;
	state.seq = seq + 1;
	state.bytes += len;
	return XDP_REDIRECT;
}
