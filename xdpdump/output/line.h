/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A frame in one line: who talks to whom, in the words of tcpdump -nn. Nothing is asked of the
 * system. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_MAX 1024 /* bytes of a line at most, its final 0 included */

/*
 * The line, without an end of line and with a final 0; its length without that. What does not fit
 * into room, which is not 0, is left out, and "..." says so. Of the len bytes of the frame, caplen
 * are there. LINE_COOKED: it begins with the header of LINUX_SLL2.
 */
enum line_link { LINE_RAW_IP, LINE_ETHERNET, LINE_COOKED };
/* More than usual, as bits. */
enum line_more {
	LINE_NUMBERS = 1,  /* those of TCP: sequence, acknowledgement, window */
	LINE_HARDWARE = 2, /* the addresses of Ethernet, and its type */
};
size_t line_of_frame(char *to, size_t room, enum line_link link, unsigned more,
		     const uint8_t *frame, uint32_t caplen, uint32_t len);
