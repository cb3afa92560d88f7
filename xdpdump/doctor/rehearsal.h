/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A capture is tried by the code of a capture, in a process of its own: that gives up its
 * privileges and becomes another user as a capture does, and what it complains of is the reason
 * that is told.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "xdpdump/session/session.h"

#define REHEARSAL_WORDS_SIZE 8192

struct rehearsal {
	bool works;
	char words[REHEARSAL_WORDS_SIZE]; /* what it complained of, a line each */
	struct session_trial trial;
	char *log; /* the kernel's and libbpf's words, where they were asked for; else NULL */
	size_t log_length;
};

/* NULL after telling why not. with_log: keep those words, in place of standard error. */
struct rehearsal *rehearsal_run(const struct options *o, bool with_log);
void rehearsal_free(struct rehearsal *r);
/* Why it does not work: the last complaint that is no warning. */
void rehearsal_reason(const struct rehearsal *r, char *text, size_t size);
/* The first warning, of those that name this interface; NULL: of all. False: there is none. */
bool rehearsal_warning(const struct rehearsal *r, const char *ifname, char *text, size_t size);
