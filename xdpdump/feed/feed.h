/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The capture goes to a child by a pipe, as pcapng, and never waits for it: what the pipe does not
 * take waits in memory, and where there is no room left either, packets are lost, counted, and told
 * of in the stream. The child may be replaced by another, which gets the beginning again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "xdpdump/files/sink.h"

struct feed;

/* why: the comment on packets that are lost here. -errno. */
int feed_open(struct feed **f, const char *why);
/* fd: the writing end of a pipe, which the feed owns from now on. The one before is closed. */
void feed_set_pipe(struct feed *f, int fd);
struct sink_taker feed_taker(struct feed *f);
/* Write as much of what waits as the pipe has room for. */
void feed_push(struct feed *f);
/* Does something wait for a pipe that is there? */
bool feed_waits(const struct feed *f);
/* Is there nobody at the other end? */
bool feed_is_broken(const struct feed *f);
/* Nothing more comes: write down what was lost last. */
void feed_finish(struct feed *f);
/* Packets that it was given; of these, that were lost here. From any thread. */
uint64_t feed_packets(const struct feed *f);
uint64_t feed_lost(const struct feed *f);
/* When it got this pipe: packets that went to those before, or that nothing in it tells are lost. */
uint64_t feed_given(const struct feed *f);
/* Of these, what went to those before. */
uint64_t feed_went(const struct feed *f);
/* Close the pipe. What waits is lost. */
void feed_end(struct feed *f);
void feed_close(struct feed *f);
