/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The single link type of a file whose sources have different ones: see struct output_context. */
#pragma once

#include "output.h"

/* Do packets of this source get a cooked header? */
bool output_cooks(const struct output_context *c, const struct source *s);
/* The LINKTYPE_... of the source's packets in the file; and the most bytes that a packet has there.
 */
uint16_t output_link_type(const struct output_context *c, const struct source *s);
uint32_t output_snaplen(const struct output_context *c);
/* Make the cooked header of a record that has the lengths l. Returns what cooked_header() does. */
uint32_t output_cook(struct epb_cooked *h, const struct source *s, const struct epb_header *r,
		     const struct epb_lengths *l);
