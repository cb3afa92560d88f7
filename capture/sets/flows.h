/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A table of flows to leave out: bpf/flows.h describes the layout. One thread at a time writes
 * it. */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/flows.h"

struct flows {
	void *map;
	uint32_t *active; /* in struct sets_control: the head in use */
	uint32_t first;	  /* first line of the table in the map, and number of lines in each of its
			     two halves */
	uint32_t half;
	uint32_t most; /* number of flows to have room for */
	/* Of the half that is being written: its head, its number of flows, and its lines that are
	 * not free. */
	uint32_t head, count, used;
};

/* Number of lines of a table for this many flows. */
uint32_t flows_lines(uint32_t most);
/* Use the table that begins at this line of the map. Its flows are those of the half in use. */
void flows_take(struct flows *f, void *map, uint32_t *active, uint32_t first, uint32_t most);
/* Begin to write the half that is not in use, which becomes empty. flows_exchange() makes the
 * programs use it. */
void flows_begin(struct flows *f);
void flows_exchange(struct flows *f);
/* Returns 0: the flow is in the half that is being written; 1: it was there before; -ENOSPC. */
int flows_put(struct flows *f, const struct flows_key *k);
/* Returns 0: it is no longer there; -ENOENT: it was not there. */
int flows_remove(struct flows *f, const struct flows_key *k);
