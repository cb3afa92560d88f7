/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Letters that librdkafka does not have, or only in part, in the order of their turns. */
#pragma once

struct letter;
struct sender;

/*
 * Adds a letter that is still to be given to librdkafka, in its turn. This is fast for letters that
 * librdkafka gives back in order, before those that came meanwhile.
 */
void kept_add(struct sender *s, struct letter *l);
/* Removes and returns the first. There must be one. */
struct letter *kept_take(struct sender *s);
