/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads what a record says for the application alone: options who and entries. */
#include <string.h>

#include "capture/afxdpcapture.h"

/* Copy the option with this code and size. False: the record has none. */
static bool copy_option(const struct epb_header *record, const struct epb_lengths *l,
			uint32_t wanted, void *to, ptrdiff_t size)
{
	const uint8_t *at = (const uint8_t *)(epb_options_behind(record, l->caplen) + 1);
	const uint8_t *end = (const uint8_t *)record + l->total - sizeof(struct epb_end);
	uint32_t option;

	while (end - at >= size) {
		memcpy(&option, at, sizeof(option));
		if (option == wanted) {
			memcpy(to, at, (size_t)size);
			return true;
		}
		at += sizeof(option) + EPB_PADDED(option >> 16);
	}
	return false;
}

bool afxdp_socket_of(const struct epb_header *record, const struct epb_lengths *l,
		     struct epb_socket *s)
{
	return copy_option(record, l, EPB_OPT_SOCKET_RAW, s, sizeof(*s));
}

bool afxdp_entries_of(const struct epb_header *record, const struct epb_lengths *l,
		      struct epb_entries *e)
{
	return copy_option(record, l, EPB_OPT_ENTRIES_RAW, e, sizeof(*e));
}
