/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which processes are wanted: by name, by pid, with their children, or by control group. */
#pragma once

#include <stddef.h>

#include "decide.h"

struct choice;

enum chosen { CHOSEN_NOT, CHOSEN_YES, CHOSEN_UNKNOWN };

/* names: NAME|PID[,...]; children: include what these start. Returns 0, or -errno with the reason
 * in err. */
int choice_of_processes(struct choice **c, const char *names, bool children, char *err,
			size_t size);
/* group: the path of a control group, a unit of systemd, or a container's name or id. */
int choice_of_group(struct choice **c, const char *group, char *err, size_t size);
void choice_free(struct choice *c);
/* Find those that are running. Call it when events are already recorded, and before they are read.
 * Returns 0 or -errno. */
int choice_begin(struct choice *c);
/* The first word, from number *at on, for which no process was seen; NULL: there is none. */
const char *choice_missing(const struct choice *c, unsigned *at);
bool choice_is_of_group(const struct choice *c);
void choice_event(struct choice *c, const struct who_event *e);
/* Events were lost: an unknown process may be a child of a wanted one. */
void choice_lost(struct choice *c);
/* Forget those that ended before that time. */
void choice_forget(struct choice *c, uint64_t before);
/* Was one of these wanted at that time? Their groups must have been asked for. */
enum chosen choice_has(struct choice *c, const struct who_holders *h, uint64_t time);
enum chosen choice_has_process(struct choice *c, const struct process *p, uint64_t time);
/* Some did not fit. */
bool choice_is_full(const struct choice *c);
