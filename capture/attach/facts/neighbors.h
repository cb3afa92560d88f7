/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Programs that are on an interface already: whose they are, and where they stand. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Name what sent frames of an interface meet behind a capture that begins now: TCX programs, and
 * filters of clsact, "tc programs pace (id 7), filter u32". Left out are the n programs own[] of
 * this capture, and other captures, because they change nothing; without CAP_SYS_ADMIN those look
 * like any program. False: nothing is there, or we may not look.
 */
bool neighbors_at_egress(unsigned ifindex, const uint32_t *own, unsigned n, char *text,
			 size_t size);
/*
 * Behind which program a capture goes at ingress: the last of those captures there that come before
 * all others and pass all on. So who comes before a capture later is no capture. 0: before all, or
 * we may not look.
 */
uint32_t neighbors_to_follow(unsigned ifindex);
/*
 * May this be the program of a capture, or one that calls it? Without CAP_SYS_ADMIN nobody knows:
 * true. True, too, for one that has just gone.
 */
bool neighbors_may_be_capture(uint32_t program);
