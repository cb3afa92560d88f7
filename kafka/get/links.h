/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Chooses the one link type of a file, because libpcap's programs do not read a file with
 * several. */
#pragma once

#include "kafka/get/output.h"
#include "kafka/get/streams.h"

/*
 * Chooses w->link by the interfaces of all sections. Call it before a packet is written. Returns 0,
 * or -1 after an error message.
 */
int links_choose(struct output *w, const struct streams *s);
