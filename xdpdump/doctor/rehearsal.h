/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Tries a capture with the code of a real one, in a process of its own. That process gives up its
 * privileges and changes its user as a capture does. What it complains about is the reason that
 * --doctor gives.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "xdpdump/session/session.h"

#define REHEARSAL_WORDS_SIZE 8192

struct rehearsal {
	bool works;
	char words[REHEARSAL_WORDS_SIZE]; /* its complaints, one per line */
	struct session_trial trial;
	char *log; /* messages of the kernel and libbpf, if asked for; else NULL */
	size_t log_length;
};

/* Returns NULL after saying why it cannot be run; the caller frees the result. with_log: keep the
 * messages in .log in place of printing them to standard error. */
struct rehearsal *rehearsal_run(const struct options *o, bool with_log);
void rehearsal_free(struct rehearsal *r);
/* Write why the capture does not work: the last complaint that is not a warning. */
void rehearsal_reason(const struct rehearsal *r, char *text, size_t size);
/* Write the first warning that names this interface; ifname NULL: the first of all. Returns false
 * if there is none. */
bool rehearsal_warning(const struct rehearsal *r, const char *ifname, char *text, size_t size);
