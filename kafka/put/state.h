/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How put stands, for the process that captures: util/put_state.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sender;
struct spool;
struct put_state;

struct state {
	struct put_state *to; /* NULL: nobody asks */
	/* Of runs before. */
	uint64_t acknowledged, earlier, lost, told, dropped, repeated;
};

/* fd: of that memory; 0: there is none. -1 after a complaint. */
int state_open(struct state *s, uint64_t fd);
/* Before state_begin(): was there a run of the same capture? */
bool state_is_restart(const struct state *s);
/* The spool is open, and so is the topic. */
void state_begin(struct state *s, const struct spool *spool);
void state_tell(const struct state *s, const struct sender *sender);
/* What the spool had from other captures has been sent, if it is known. */
bool state_has_sent_others(const struct state *s);
/*
 * Packets that runs before were given, that neither brokers nor disk have, and of which no section
 * says that they are missing: at most, because who is killed may have told of less than there is.
 * Once the input has begun.
 */
uint64_t state_never_acknowledged(const struct state *s);
/* At the same time: packets that went to runs before, and that these have not counted. */
void state_find_vanished(const struct state *s);
/* Bytes of a section: as many, or as few as a run before has found that the topic takes. */
uint64_t state_section(const struct state *s, uint64_t bytes);
void state_fit(const struct state *s, uint64_t section);
/* Does the other process tell how it was? */
bool state_is_told_elsewhere(const struct state *s);
