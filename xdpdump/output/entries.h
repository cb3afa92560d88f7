/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Tells as text which lines of the address and port files a packet matched: "hosts:42". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "capture/afxdpcapture.h"

#define ENTRIES_TEXT_MAX 168 /* with the final 0, for any line numbers */

/* Write the entries, with between as the separator. The text is "" if there are none. */
void entries_text(char text[ENTRIES_TEXT_MAX], const char *between, const struct epb_entries *e);

struct bytes;
/* Replace the entries by a comment in the record at offset from, which must be the last one in b.
 * The entries are read from r, which has the lengths l. */
void entries_put(struct bytes *b, size_t from, const struct epb_header *r,
		 const struct epb_lengths *l);
