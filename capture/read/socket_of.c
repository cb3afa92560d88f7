/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which socket a record names: option who. */
#include <string.h>

#include "capture/afxdpcapture.h"

bool afxdp_socket_of(const struct epb_header *record, const struct epb_lengths *l,
		     struct epb_socket *s)
{
	const uint8_t *at = (const uint8_t *)(epb_options_behind(record, l->caplen) + 1);
	const uint8_t *end = (const uint8_t *)record + l->total - sizeof(struct epb_end);
	uint32_t option;

	while (end - at >= (ptrdiff_t)sizeof(*s)) {
		memcpy(&option, at, sizeof(option));
		if (option == EPB_OPT_SOCKET_RAW) {
			memcpy(s, at, sizeof(*s));
			return true;
		}
		at += sizeof(option) + EPB_PADDED(option >> 16);
	}
	return false;
}
