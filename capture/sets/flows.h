/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A table of flows that are left out: bpf/flows.h has its layout. One thread at a time writes it. */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/flows.h"

struct flows {
	void *map;
	uint32_t *active; /* of struct sets_control: the head in use */
	uint32_t first;	  /* line of the map, and lines of each of both halves */
	uint32_t half;
	uint32_t most; /* flows that there is to be room for */
	/* Of the half that is written: its head, flows in it, and lines that are not free. */
	uint32_t head, count, used;
};

/* Lines of a table for so many flows. */
uint32_t flows_lines(uint32_t most);
/* The table that begins at this line of the map. Its flows are those of the half in use. */
void flows_take(struct flows *f, void *map, uint32_t *active, uint32_t first, uint32_t most);
/* Write the half that is not in use, which has none at first; and have the programs look in it. */
void flows_begin(struct flows *f);
void flows_exchange(struct flows *f);
/* 0: it is in the half that is written; 1: it was there; -ENOSPC. */
int flows_put(struct flows *f, const struct flows_key *k);
/* 0: it is no more; -ENOENT: it was not there. */
int flows_remove(struct flows *f, const struct flows_key *k);
