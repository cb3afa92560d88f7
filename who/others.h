/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sockets that surely nobody has who is wanted: capture programs leave out their frames, and count
 * them. The map is memory that both sides have, so no system call is needed. Each socket has one
 * place; of two that share it the later one has it, but for a third between two looks.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct others;

/* -errno. */
int others_open(struct others **o);
void others_close(struct others *o);
/* For the capture. */
int others_map(const struct others *o);
void others_add(struct others *o, uint64_t cookie);
bool others_have(const struct others *o, uint64_t cookie);

enum others_fate { OTHERS_STAY, OTHERS_GONE, OTHERS_WANTED };
typedef enum others_fate others_judge(void *of, uint64_t cookie);
/* Before a look, and behind it: each of them is judged anew. */
void others_note(struct others *o);
void others_review(struct others *o, others_judge *judge, void *of);
/* Frames left out; of these, at most, of sockets that were wanted by then. */
void others_figures(const struct others *o, uint64_t *left_out, uint64_t *missed);
