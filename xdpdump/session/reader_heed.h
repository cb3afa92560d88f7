/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a reader does besides reading: ends, prints statistics; also while a pipe has no room
 * or a file has to wait for a command. It is below the files, and calls nothing that reads or
 * writes packets.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "util/clock.h"
#include "xdpdump/files/sink.h"

struct reader;

/* What was captured before the user asked to end is still written, for so long. */
#define READER_DRAIN_NS (10 * (uint64_t)NS_PER_SEC)

/* Of the present file, on the disk, with the most that its index can have. */
uint64_t reader_present_bytes(const struct reader *r);
/* It has looked at the rings: has the output come on as well? */
void reader_note_advance(struct reader *r, uint64_t now);
/* What is captured is still read, then it ends. now: CLOCK_MONOTONIC. */
void reader_begin_end(struct reader *r, uint64_t now);
/* What signals and clocks ask of the capture; one of several readers leaves its figures. */
void reader_heed(struct reader *r, uint64_t now);
/* For a sink that may be a pipe. */
struct patience reader_patience(struct reader *r);
/*
 * Until a command has ended, or a moment. What comes meanwhile stays in the rings, and is lost
 * where they are full. false: there is nothing to wait for any more, as the capture ends.
 */
bool reader_wait_for_room(struct reader *r);
/* All rings were empty: what is lost from now on is not for want of room. */
void reader_waited(struct reader *r);
