/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * For which topic the sections of a spool are, and of which cluster: a file beside them says so,
 * that what a run has left does not go to somebody else by the next one.
 */
#pragma once

#include "kafka/put/spool.h"

/*
 * Once the spool is open, and before anything of it is sent. cluster: NULL where no broker has told
 * it yet: again when one has, and nothing is to be sent before if s->is_unclaimed. 0, or -1 after a
 * complaint: it has sections for another topic or cluster, and anyway is false.
 */
int claim_spool(struct spool *s, const char *topic, const char *cluster, bool anyway);
/* At the end: a spool without sections is nobody's. */
void claim_release(const struct spool *s);
