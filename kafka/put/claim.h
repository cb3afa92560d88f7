/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Which topic and cluster the sections of a spool are for. A file beside them says so, so that the
 * next run does not send them elsewhere.
 */
#pragma once

#include "kafka/put/spool.h"

/*
 * Call this when the spool is open, before anything of it is sent. cluster: NULL if no broker has
 * named it yet: then call this again when one has, and send nothing before if s->is_unclaimed is
 * set. Returns 0, or -1 after an error message: the spool has sections for another topic or
 * cluster, and anyway is false.
 */
int claim_spool(struct spool *s, const char *topic, const char *cluster, bool anyway);
/* Call this at the end: removes the claim if the spool has no sections. */
void claim_release(const struct spool *s);
