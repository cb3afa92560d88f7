/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The one link of a file whose sources have different ones: struct output_context. */
#pragma once

#include "output.h"

/* Do its packets get another header? */
bool output_cooks(const struct output_context *c, const struct source *s);
/* LINKTYPE_... of its packets in the file; the most bytes that one has there. */
uint16_t output_link_type(const struct output_context *c, const struct source *s);
uint32_t output_snaplen(const struct output_context *c);
/* The header of a record with these lengths: cooked_header(). */
uint32_t output_cook(struct epb_cooked *h, const struct source *s, const struct epb_header *r,
		     const struct epb_lengths *l);
