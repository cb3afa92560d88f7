/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Until something happens, nothing goes to the output. With --pre-trigger nobody reads till then,
 * as the rings keep the newest records by themselves, and the kernel looks for what --trigger waits
 * for. Without it records are read, looked at and left out.
 */
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
	bool begins;	 /* it has come, and no record has been read since */
	uint64_t time;	 /* records before it came are older than this, in CLOCK_REALTIME ns */
	uint64_t before; /* packets that were read before it came */
};

/* Waits if options say so, and where nobody is to read, what is captured begins here. */
void trigger_begin(struct trigger *t, const struct sources *all, const struct options *o);
/* Where nobody reads: has it come? *time: when. */
bool trigger_came(const struct sources *all, uint64_t *time);
/* It came then. What was kept can be read, and does not count as what was waited for. */
void trigger_pull(struct trigger *t, struct sources *all, uint64_t time);
/* Packets and bytes that are kept. */
void trigger_held(const struct trigger *t, const struct sources *all, uint64_t *packets,
		  uint64_t *bytes);
/* Where records are read: does this one, which is wanted, pull the trigger? Else it is left out. */
bool trigger_meets(struct trigger *t, const struct source *s, const struct epb_header *record);
