/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The one link type of a file, without which libpcap's programs do not read it. */
#pragma once

#include "kafka/get/output.h"
#include "kafka/get/streams.h"

/*
 * By the interfaces of all sections, before a packet is written: it goes into w->link. 0, or -1
 * after a complaint.
 */
int links_choose(struct output *w, const struct streams *s);
