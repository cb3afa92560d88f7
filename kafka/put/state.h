/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Tells the capturing process how put is doing: util/put_state.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sender;
struct spool;
struct put_state;

struct state {
	struct put_state *to; /* NULL: nobody asked for it */
	/* What earlier runs had counted. */
	uint64_t acknowledged, earlier, lost, told, dropped, repeated;
};

/* fd: the shared memory; 0: none. Returns 0, or -1 after an error message. */
int state_open(struct state *s, uint64_t fd);
/* Was there an earlier run of the same capture? Call it before state_begin(). */
bool state_is_restart(const struct state *s);
/* Call this when the spool and the topic are open. */
void state_begin(struct state *s, const struct spool *spool);
void state_tell(const struct state *s, const struct sender *sender);
/* Is it known that all that the spool had from other captures has been sent? */
bool state_has_sent_others(const struct state *s);
/*
 * Upper bound of the packets that earlier runs were given, that neither brokers nor disk have, and
 * that no section says are missing. It may be too high, because a run that was killed may have
 * counted less than it had done. Call it once the input has begun.
 */
uint64_t state_never_acknowledged(const struct state *s);
/* Call it at the same time: notes packets that were handed to earlier runs, and that those have not
 * counted. */
void state_find_vanished(const struct state *s);
/* Returns the size of a section: bytes, or less if an earlier run has found that the topic takes
 * less. */
uint64_t state_section(const struct state *s, uint64_t bytes);
void state_fit(const struct state *s, uint64_t section);
/* Does the other process print the figures at the end? */
bool state_is_told_elsewhere(const struct state *s);
