/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which processes are wanted: by name, by number, with what they start, or by control group. */
#pragma once

#include <stddef.h>

#include "decide.h"

struct choice;

enum chosen { CHOSEN_NOT, CHOSEN_YES, CHOSEN_UNKNOWN };

/* names: NAME|PID[,...]; children: what these start, too. -errno; err: in words. */
int choice_of_processes(struct choice **c, const char *names, bool children, char *err,
			size_t size);
/* The path of a control group, a unit of systemd, or a container by its name or id. */
int choice_of_group(struct choice **c, const char *group, char *err, size_t size);
void choice_free(struct choice *c);
/* Who is there already. Events of what comes then are to be there, and to be read later. -errno. */
int choice_begin(struct choice *c);
/* The first that is not there yet, from *at on; NULL: there is none. */
const char *choice_missing(const struct choice *c, unsigned *at);
bool choice_is_of_group(const struct choice *c);
void choice_event(struct choice *c, const struct who_event *e);
/* Events were lost: who is none of them may be a child of theirs. */
void choice_lost(struct choice *c);
/* Those that have ended before that time are forgotten. */
void choice_forget(struct choice *c, uint64_t before);
/* Is one of these wanted, at that time? Groups of all of them were asked for. */
enum chosen choice_has(struct choice *c, const struct who_holders *h, uint64_t time);
enum chosen choice_has_process(struct choice *c, const struct process *p, uint64_t time);
/* Some found no room. */
bool choice_is_full(const struct choice *c);
