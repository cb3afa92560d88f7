/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sections that librdkafka does not have, or not all of: in their turn. */
#pragma once

struct letter;
struct sender;

/*
 * Librdkafka does not have it, or no more: it goes there in its turn. A queue that is given back
 * comes in order, in front of what came meanwhile.
 */
void kept_add(struct sender *s, struct letter *l);
/* The first, of which there is one. */
struct letter *kept_take(struct sender *s);
