/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What libpcap's reader hides of a pcapng file: drop counts, statistics blocks, and whether the
 * file is sound.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pcapng/format.h"

#define PCAPNG_INTERFACES_MAX 256

struct pcapng_interface_account {
	uint64_t packets;
	uint64_t epb_drops;	 /* sum of epb_dropcount */
	uint64_t isb[ISB_CODES]; /* values of its last statistics block, by option */
};

struct pcapng_account {
	bool is_pcapng; /* false: another format; nothing else is filled in */
	uint64_t blocks;
	uint64_t interfaces;
	uint64_t packets;
	uint64_t epb_drops; /* sum of epb_dropcount */
	uint64_t statistics_blocks;
	uint64_t ifrecv, ifdrop, filteraccept, osdrop,
		usrdeliv; /* sums over the last block of each interface */
	/* Lost packets: for each interface what its last statistics block says, or what its packets
	 * say, if that is more (because there is no such block, or the capture was killed). */
	uint64_t dropped;
	/* Of the last section only. */
	uint32_t interface_count;
	struct pcapng_interface_account interface[PCAPNG_INTERFACES_MAX];
	uint64_t cut_bytes; /* after the last whole block */
	const char *fault;  /* what is wrong with the block at fault_at; NULL: all is sound */
	uint64_t fault_at;
};

/* Returns 0 or -errno. A fault in the file is not an error. */
int pcapng_account_read(const char *path, struct pcapng_account *account);
