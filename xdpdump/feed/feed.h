/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sends the capture to a child through a pipe, as pcapng, and never waits for it. What the pipe
 * does not take waits in memory. If that is full too, packets are lost, counted, and reported in
 * the stream. The child may be replaced by another, which gets the beginning again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "xdpdump/files/sink.h"

struct feed;

/* why: the comment on packets that are lost here. Returns 0 or -errno. */
int feed_open(struct feed **f, const char *why);
/* fd: the writing end of a pipe, which the feed owns from now on. The previous pipe is closed. */
void feed_set_pipe(struct feed *f, int fd);
struct sink_taker feed_taker(struct feed *f);
/* Write as much of what waits as the pipe has room for. */
void feed_push(struct feed *f);
/* Is there a pipe, and does something wait for it? */
bool feed_waits(const struct feed *f);
/* Is nobody at the other end? */
bool feed_is_broken(const struct feed *f);
/* Nothing more will be captured: write down what was lost last. */
void feed_finish(struct feed *f);
/* The packets that it was given, and how many of these were lost here. From any thread. */
uint64_t feed_packets(const struct feed *f);
uint64_t feed_lost(const struct feed *f);
/*
 * As of the time it got this pipe: packets that went to earlier pipes, or whose loss this pipe does
 * not report.
 */
uint64_t feed_given(const struct feed *f);
/* How many of these went to earlier pipes. */
uint64_t feed_went(const struct feed *f);
/* Close the pipe. What waits is lost. */
void feed_end(struct feed *f);
void feed_close(struct feed *f);
