/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Which sections may be in flight together. The brokers keep the order of an idempotent producer's
 * requests by their sequence numbers, if they know the last one. A broker that knows nothing of a
 * producer takes any number as its first. So the first section of a key goes alone, until it is
 * acknowledged.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kafka/label.h"

/*
 * Requests in flight. One more waits for its turn, which makes 5: as many as an idempotent producer
 * may have. With all 5 in flight librdkafka's thread does not sleep until an answer comes.
 */
#define WINDOW_REQUESTS "4"
#define WINDOW_KEYS	32

struct window {
	uint64_t known[WINDOW_KEYS];
	unsigned count; /* how many were ever noted */
	bool is_alone;	/* the section in flight must stay alone */
};

/* A hash of the label's host, session and stream. */
uint64_t window_key(const struct label *l);
/* May a section of that key be sent while so many are in flight? If true, it counts as sent. */
bool window_opens(struct window *w, uint64_t key, uint64_t under_way);
/*
 * A section is acknowledged. Returns false if no broker has said so: librdkafka concludes it
 * (offset < 0) because later sections are acknowledged. That can be wrong if the broker did not
 * know the producer.
 */
bool window_acknowledged(struct window *w, uint64_t key, int64_t offset);
/* Call this for a new producer, or after an error. */
void window_forget(struct window *w);
