/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* By which lines of files of addresses and ports a packet was captured, as text: "hosts:42". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "capture/afxdpcapture.h"

#define ENTRIES_TEXT_MAX 168 /* with the 0, and any lines */

/* Blanks between several, or what is given for them. "": there are none. */
void entries_text(char text[ENTRIES_TEXT_MAX], const char *between, const struct epb_entries *e);

struct bytes;
/* In the record that is the last in b and begins at from, a comment in place of those of r. */
void entries_put(struct bytes *b, size_t from, const struct epb_header *r,
		 const struct epb_lengths *l);
