/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Prints a frame in one line: who talks to whom, in the words of tcpdump -nn. It makes no system
 * calls and looks up no names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_MAX 1024 /* bytes of a line at most, its final 0 included */

/*
 * Write the line, without a newline, but with a final 0, and return its length without that 0. If
 * the line does not fit in room bytes (at least 1), the rest is left out, and "..." says so. The
 * frame has len bytes, of which caplen were captured. With LINE_COOKED the frame begins with a
 * LINUX_SLL2 header.
 */
enum line_link { LINE_RAW_IP, LINE_ETHERNET, LINE_COOKED };
/* Bits that ask for more than usual. */
enum line_more {
	LINE_NUMBERS = 1,  /* those of TCP: sequence, acknowledgement, window */
	LINE_HARDWARE = 2, /* the addresses of Ethernet, and its type */
};
size_t line_of_frame(char *to, size_t room, enum line_link link, unsigned more,
		     const uint8_t *frame, uint32_t caplen, uint32_t len);
