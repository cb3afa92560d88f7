/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * BPF_PROG_RUN with BPF_F_TEST_XDP_LIVE_FRAMES (kernel 5.18) runs the program on pages of a page
 * pool and carries out its verdict for real: a redirect goes through the devmap's bulk queue into
 * the device's ndo_xdp_xmit. No skb, no socket and no copy: one core makes a million frames and
 * more a second, and a veth's peer receives them in its NAPI poll as a driver does, native XDP
 * included. That needs NAPI on the peer: an XDP program there, or GRO (`ethtool -K PEER gro on').
 * One frame must fit into a page beside the kernel's own head and tail room.
 */
#include "sender.h"

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trafgen.h"
#include "testprogs/generator/trafgen.skel.h"

struct sender {
	struct trafgen *skel;
	int idle_netns; /* a namespace's descriptor, or -1 */
	uint64_t first_seq;
	uint64_t timed_ns; /* what the program's clock saw of the calls, and the frames of that time
			    */
	uint64_t timed_frames;
	uint32_t batch;
	uint32_t len; /* length of the template */
	uint8_t frame[FRAME_MAX];
};

static uint32_t header_sum(const uint8_t *frame)
{
	const uint8_t *ip = frame + 14;
	uint32_t sum = 0;
	uint16_t word;

	for (int at = 0; at < 20; at += 2) {
		memcpy(&word, ip + at, sizeof(word));
		if (at != 10 && at != 14) /* checksum, second half of the source */
			sum += word;
	}
	return sum;
}

static void fill_class(struct trafgen_class *class, uint32_t len, const struct traffic_plan *plan)
{
	struct frame_spec spec = plan->spec;
	uint8_t frame[FRAME_MAX];

	spec.match_every = 0;
	frame_build(frame, len, 0, &spec);
	memcpy(class->header, frame, sizeof(class->header));
	class->len = len;
	class->ip_sum = header_sum(frame);
}

static void fill_config(struct trafgen_config *config, const struct traffic_plan *plan)
{
	for (uint32_t i = 0; i < TRAFGEN_CLASSES; i++)
		fill_class(&config->classes[i], plan->size == SIZE_MIX ? mix_sizes[i] : plan->size,
			   plan);
	config->classes[TRAFGEN_CLASSES] = config->classes[0];
	config->mix = plan->size == SIZE_MIX;
	config->group = plan->batch;
	config->group_ns = plan->batch_ns;
	config->flows = plan->spec.flows;
	config->match_every = plan->spec.match_every;
	config->match_port = htons(plan->spec.match_port);
}

static int load_program(struct sender *sender, const struct traffic_plan *plan)
{
	uint32_t key = 0, ifindex = if_nametoindex(plan->iface);
	int err;

	sender->skel = trafgen__open();
	if (!sender->skel)
		return -errno;
	fill_config((struct trafgen_config *)&sender->skel->rodata->config, plan);
	sender->skel->bss->state.seq = plan->first_seq;
	err = trafgen__load(sender->skel);
	if (err)
		return err;
	return bpf_map__update_elem(sender->skel->maps.target, &key, sizeof(key), &ifindex,
				    sizeof(ifindex), 0);
}

static int attach_to_idle_lo(struct sender *sender)
{
	int program = bpf_program__fd(sender->skel->progs.traffic_generate);

	if (unshare(CLONE_NEWNET))
		return -errno;
	sender->idle_netns = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (sender->idle_netns < 0)
		return -errno;
	return bpf_xdp_attach(if_nametoindex("lo"), program, XDP_FLAGS_SKB_MODE, NULL);
}

/*
 * Each call of BPF_PROG_RUN adds the program to the kernel's XDP dispatcher and removes it again,
 * which takes 20 ms (RCU), unless the program is attached to some device. So it is attached to lo
 * in a network namespace of its own, where nothing is sent, and which ends with the sender.
 */
static int make_calls_short(struct sender *sender)
{
	int home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), err;

	if (home < 0)
		return -errno;
	err = attach_to_idle_lo(sender);
	if (setns(home, CLONE_NEWNET))
		err = -errno;
	close(home);
	return err;
}

static void live_close(struct sender *sender)
{
	if (!sender)
		return;
	if (sender->idle_netns >= 0)
		close(sender->idle_netns);
	trafgen__destroy(sender->skel);
	free(sender);
}

static int live_open(const struct traffic_plan *plan, struct sender **opened)
{
	struct sender *sender = calloc(1, sizeof(*sender));
	int err;

	if (!sender)
		return -ENOMEM;
	sender->idle_netns = -1;
	sender->first_seq = plan->first_seq;
	sender->batch = plan->batch;
	sender->len = plan->size == SIZE_MIX ? mix_sizes[2] : plan->size;
	frame_build(sender->frame, sender->len, plan->first_seq, &plan->spec);
	err = load_program(sender, plan);
	if (!err && plan->call_each)
		err = make_calls_short(sender);
	if (err) {
		fprintf(stderr, "trafgen: loading the generator: %s (needs root, kernel 5.18)\n",
			strerror(-err));
		live_close(sender);
		return err;
	}
	*opened = sender;
	return 0;
}

/* Each call begins groups and schedule anew, and ends with a group of which only the start is
 * known. */
static void begin_call(struct trafgen_state *state)
{
	state->left = 0;
	state->next_ns = 0;
	state->first_ns = 0;
	state->stretch_ns = 0;
	state->stretch_groups = 0;
	state->last_ns = 0;
	state->last_seq = state->seq;
}

static int live_send(struct sender *sender, uint64_t count)
{
	LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = sender->frame, .data_size_in = sender->len,
		    .repeat = count, .flags = BPF_F_TEST_XDP_LIVE_FRAMES,
		    .batch_size = sender->batch);
	struct trafgen_state *state = &sender->skel->bss->state;
	uint64_t from = state->seq;
	int err;

	begin_call(state);
	err = bpf_prog_test_run_opts(bpf_program__fd(sender->skel->progs.traffic_generate), &run);
	sender->timed_ns += state->last_ns - state->first_ns;
	sender->timed_frames += state->last_seq - from;
	/* A signal ended it, or pages were short for the moment: the state says what was sent. */
	return err == -EINTR || err == -ENOMEM ? 0 : err;
}

static void live_progress(const struct sender *sender, struct traffic_progress *progress)
{
	const struct trafgen_state *state = &sender->skel->bss->state;

	*progress = (struct traffic_progress){.generated = state->seq - sender->first_seq};
	progress->bytes = state->bytes;
	progress->waited_ns = state->waited_ns;
	progress->late_ns = state->late_ns;
	progress->fastest_ns =
		(double)state->fastest_stretch_ns / (TRAFGEN_STRETCH_GROUPS * sender->batch);
	if (sender->timed_frames)
		progress->active_ns =
			(double)sender->timed_ns * progress->generated / sender->timed_frames;
}

/* Setting up and ending a call takes time: so make as few calls as possible. The kernel checks for
 * signals after each batch. */
const struct sender_ops live_sender = {
	.call_max = INT32_MAX,
	.open = live_open,
	.send = live_send,
	.progress = live_progress,
	.close = live_close,
};
