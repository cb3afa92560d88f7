/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Other programs on an interface: whose they are, and where they are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Name what will process sent frames of an interface after a capture that begins now: TCX programs
 * and filters of clsact, as in "tc programs pace (id 7), filter u32". Not named are the n programs
 * own[] of this capture, and those of other captures, because they change nothing; without
 * CAP_SYS_ADMIN those look like any program. False: there are none, or we may not look.
 */
bool neighbors_at_egress(unsigned ifindex, const uint32_t *own, unsigned n, char *text,
			 size_t size);
/*
 * Returns the program that a new capture is placed behind at ingress: the last of those captures
 * that come before all other programs and pass on all frames. So any program that comes before a
 * capture later is not a capture. 0: place it before all, or we may not look.
 */
uint32_t neighbors_to_follow(unsigned ifindex);
/*
 * May this be the program of a capture, or one that calls it? True if nobody can know (without
 * CAP_SYS_ADMIN), and for a program that has just gone.
 */
bool neighbors_may_be_capture(uint32_t program);
