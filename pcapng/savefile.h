/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The older pcap format: pcap-savefile(5). Numbers are in the byte order of the writer, which a
 * reader sees from the magic number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SAVEFILE_US 0xa1b2c3d4u
#define SAVEFILE_NS 0xa1b23c4du
/* Other variants, with longer packet headers; libpcap reads them. */
#define SAVEFILE_MODIFIED 0xa1b2cd34u
#define SAVEFILE_NAVTEL	  0xa12b3c4du

struct savefile_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t reserved[2], snaplen;
	uint32_t link_type; /* the bits above 16 give the length of the frame check sequence */
};

/* The header before each frame. */
struct savefile_record {
	uint32_t seconds, fraction, caplen, len;
};

/* Is this a version that libpcap reads? */
bool savefile_is_known(uint16_t major, uint16_t minor);
/* Does a packet of this version have caplen and len swapped? */
bool savefile_turns_lengths(uint16_t major, uint16_t minor, uint32_t caplen, uint32_t len);
/* A file header with nanosecond time stamps, in host byte order. */
struct savefile_header savefile_header(uint32_t snaplen, uint16_t link_type);
/* time: ns since 1970. */
struct savefile_record savefile_record(uint64_t time, uint32_t caplen, uint32_t len);
