/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Which sections may be under way together. The brokers keep the order of an idempotent producer's
 * requests by their numbers, if they know the last one. A broker that knows nothing of a producer
 * takes any number as its first: so the first section of a key goes alone, until it is
 * acknowledged.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kafka/label.h"

/*
 * On the way. One more waits for its turn, which makes 5: as many as an idempotent producer may
 * have. With all 5 on the way librdkafka's thread does not sleep until an answer comes.
 */
#define WINDOW_REQUESTS "4"
#define WINDOW_KEYS	32

struct window {
	uint64_t known[WINDOW_KEYS];
	unsigned count; /* of all that were known */
	bool is_alone;	/* what is under way */
};

/* Of that label, in a few bytes. */
uint64_t window_key(const struct label *l);
/* Whether a section of that key may go while so many are under way: then it has gone. */
bool window_opens(struct window *w, uint64_t key, uint64_t under_way);
/*
 * It is acknowledged. False: no broker has said so, but librdkafka concludes it, because what came
 * behind it is acknowledged (offset < 0). A broker that did not know the producer breaks that.
 */
bool window_acknowledged(struct window *w, uint64_t key, int64_t offset);
/* Another producer, or an error. */
void window_forget(struct window *w);
