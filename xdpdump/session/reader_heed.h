/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a reader does besides reading: it handles the end and leaves its statistics, also while a
 * pipe has no room or a file has to wait for a command. This is below the files, and calls nothing
 * that reads or writes packets. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "util/clock.h"
#include "xdpdump/files/sink.h"

struct reader;

/* After the user has asked to end, what was captured before is still written, for at most this
 * long. */
#define READER_DRAIN_NS (10 * (uint64_t)NS_PER_SEC)

/* The size of the present file on the disk, with the largest index that it can have. */
uint64_t reader_present_bytes(const struct reader *r);
/* The reader has looked at the rings: note whether its output made progress, too. */
void reader_note_advance(struct reader *r, uint64_t now);
/* Stop capturing; the reader ends after it has read what is in the rings. now: CLOCK_MONOTONIC. */
void reader_begin_end(struct reader *r, uint64_t now);
/* Handle what signals and clocks ask of the capture; one of several readers leaves its numbers for
 * the supervisor. */
void reader_heed(struct reader *r, uint64_t now);
/* What a sink calls while it waits for the reader of a pipe. */
struct patience reader_patience(struct reader *r);
/* Wait until a command has ended, or for a moment. Packets that come meanwhile stay in the rings,
 * and are lost if these are full. false: do not wait any longer, because the capture has ended and
 * the rings are empty, or because of a second signal. */
bool reader_wait_for_room(struct reader *r);
/* All rings were empty: packets lost from now on are not lost because files had no room. */
void reader_waited(struct reader *r);
