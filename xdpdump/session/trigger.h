/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Nothing goes to the output until something happens. With --pre-trigger nobody reads until then,
 * because the rings keep the newest records by themselves, and the kernel looks for what --trigger
 * waits for. Without --pre-trigger records are read, compared and left out. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct epb_header;
struct options;
struct source;
struct sources;

struct trigger {
	bool waits;
	bool unread;	 /* ... and nobody reads */
	bool begins;	 /* the trigger has come, and no record has been read since */
	uint64_t time;	 /* older records came before the trigger; CLOCK_REALTIME ns */
	uint64_t before; /* packets that were read before the trigger */
};

/* Wait for a trigger if the options ask for one. If nobody reads until it comes, the capture begins
 * to record here. */
void trigger_begin(struct trigger *t, const struct sources *all, const struct options *o);
/* If nobody reads: has the trigger come? *time: when. */
bool trigger_came(const struct sources *all, uint64_t *time);
/* The trigger came at this time. What was kept can now be read, and does not count as packets that
 * were asked for. */
void trigger_pull(struct trigger *t, struct sources *all, uint64_t time);
/* Get the number of packets and bytes that the rings keep. */
void trigger_held(const struct trigger *t, const struct sources *all, uint64_t *packets,
		  uint64_t *bytes);
/* If records are read: does this wanted record pull the trigger? If not, the caller leaves it
 * out. */
bool trigger_meets(struct trigger *t, const struct source *s, const struct epb_header *record);
