/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A line of a file of flows: PROTOCOL ADDRESS PORT ADDRESS PORT, PROTOCOL ADDRESS:PORT
 * ADDRESS:PORT, or as conntrack -L prints it. A protocol without ports has none in the line.
 */
#pragma once

#include <stddef.h>

#include "flows.h"

#define FLOW_LINE_MAX 1024u /* bytes; a longer line is not a flow */

/* Does the protocol have ports? */
bool flow_has_ports(uint32_t protocol);
/* Returns 1: *k has the flow, with its ends in order; 0: the line is empty or a comment;
 * -EINVAL. */
int flow_line_parse(const char *line, size_t length, struct flows_key *k);
