/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The older format: pcap-savefile(5). Numbers are in the byte order of the writer, which the
 * magic number tells.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SAVEFILE_US 0xa1b2c3d4u
#define SAVEFILE_NS 0xa1b23c4du
/* Of others, with longer headers of packets; libpcap reads them. */
#define SAVEFILE_MODIFIED 0xa1b2cd34u
#define SAVEFILE_NAVTEL	  0xa12b3c4du

struct savefile_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t reserved[2], snaplen;
	uint32_t link_type; /* above 16 bits: how long the frame check sequence is */
};

/* In front of each frame. */
struct savefile_record {
	uint32_t seconds, fraction, caplen, len;
};

/* Versions that libpcap reads. */
bool savefile_is_known(uint16_t major, uint16_t minor);
/* The two lengths of a packet stand in each other's place. */
bool savefile_turns_lengths(uint16_t major, uint16_t minor, uint32_t caplen, uint32_t len);
/* With nanoseconds, in host byte order. */
struct savefile_header savefile_header(uint32_t snaplen, uint16_t link_type);
/* time: ns since 1970. */
struct savefile_record savefile_record(uint64_t time, uint32_t caplen, uint32_t len);
