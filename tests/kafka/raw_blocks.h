/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Blocks as somebody else may write them: any numbers, in the byte order of the machine. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pcapng/format.h"
#include "util/buffer.h"

static inline void put_word(struct buffer *b, uint32_t word)
{
	assert_int_equal(buffer_append(b, &word, sizeof(word)), 0);
}

static inline void put_header(struct buffer *b)
{
	const uint32_t header[] = {BLOCK_SECTION, 28, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff, 28};

	assert_int_equal(buffer_append(b, header, sizeof(header)), 0);
}

/* An interface with its number in an option that is nobody's: of 28 bytes. */
static inline void put_numbered(struct buffer *b, uint32_t number, uint32_t link)
{
	const uint32_t interface[] = {BLOCK_INTERFACE, 28, link, 0, 0x8000 | 4 << 16, number, 28};

	assert_int_equal(buffer_append(b, interface, sizeof(interface)), 0);
}

static inline void put_packet(struct buffer *b, uint32_t interface, uint32_t time)
{
	const uint32_t packet[] = {BLOCK_ENHANCED_PACKET, 36, interface, 0, time, 4, 4, 0, 36};

	assert_int_equal(buffer_append(b, packet, sizeof(packet)), 0);
}
