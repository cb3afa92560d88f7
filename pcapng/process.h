/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Processes as Apple's tcpdump writes them, which Wireshark shows from 4.6 on: a block for each,
 * numbered in its section from 0, and in packets its number.
 */
#pragma once

#include "pcapng/write.h"

/* Of a packet. */
struct packet_process {
	bool has_number, has_pid;
	uint32_t number, pid;
	const char *comment; /* NULL: none */
};

void pcapng_put_process(struct bytes *b, uint32_t pid, const char *name);
/* In the record that is the last in b and begins at from: in place of its struct epb_socket. */
void pcapng_put_packet_process(struct bytes *b, size_t from, const struct packet_process *p);
