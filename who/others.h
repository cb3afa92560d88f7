/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sockets that surely belong to no wanted process: capture programs leave out their frames, and
 * count them. The map is memory that both sides share, so this takes no system call. Each socket
 * has one place; if two share a place, the later one has it, unless it would be the third since the
 * last look.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct others;

/* Returns 0 or -errno. */
int others_open(struct others **o);
void others_close(struct others *o);
/* Descriptor of the map, for the capture. */
int others_map(const struct others *o);
void others_add(struct others *o, uint64_t cookie);
bool others_have(const struct others *o, uint64_t cookie);

enum others_fate { OTHERS_STAY, OTHERS_GONE, OTHERS_WANTED };
typedef enum others_fate others_judge(void *of, uint64_t cookie);
/* Call these before and after a look: each of the sockets is judged again. */
void others_note(struct others *o);
void others_review(struct others *o, others_judge *judge, void *of);
/* Number of frames left out; and at most how many of these were of sockets that were wanted by
 * then. */
void others_figures(const struct others *o, uint64_t *left_out, uint64_t *missed);
