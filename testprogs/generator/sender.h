/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How trafgen gets frames into a device: a plan, and two ways to carry it out. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "testprogs/frame.h"

#define SIZE_MIX 0

struct traffic_plan {
	const char *iface;
	uint32_t size; /* bytes, or SIZE_MIX */
	uint64_t first_seq;
	uint32_t batch;	   /* frames handed over at a time */
	uint64_t batch_ns; /* time from batch to batch, which the sender keeps; 0: flat out */
	bool call_each;	   /* each call sends one batch, because there are many calls */
	struct frame_spec spec;
};

struct traffic_progress {
	uint64_t generated; /* built and handed over */
	uint64_t bytes;
	uint64_t waited_ns; /* CPU time that pacing burnt */
	uint64_t late_ns;   /* how far behind the plan; not made up for */
	uint64_t active_ns; /* from the first to the last frame; 0: not known */
	double fastest_ns;  /* ns per frame, over the fastest few thousand in a row; 0: not known */
};

struct sender;

struct sender_ops {
	/* Returns 0, or -errno after a message on standard error. */
	int (*open)(const struct traffic_plan *plan, struct sender **sender);
	uint64_t call_max; /* most frames per call: small enough to end soon after a signal */
	/* Sends up to count frames; fewer on a signal or when resources are short. Returns 0 or
	 * -errno. */
	int (*send)(struct sender *sender, uint64_t count);
	void (*progress)(const struct sender *sender, struct traffic_progress *progress);
	void (*close)(struct sender *sender);
};

extern const struct sender_ops live_sender;   /* XDP live frames */
extern const struct sender_ops socket_sender; /* PF_PACKET socket */

extern const uint32_t mix_sizes[3];
/* Size of the frame with this number. */
uint32_t plan_size(const struct traffic_plan *plan, uint64_t seq);
