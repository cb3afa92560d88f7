/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the process gives up once its captures are open, before it opens files or starts threads. */
#pragma once

#include "places.h"

/* What the capture still has to do after that. */
struct needs {
	const char *user; /* the user to become; NULL: stay */
	bool commands;	  /* it runs commands; which files they write is not known */
	bool nothing;	  /* a trial: no file is written */
	struct places places;
};

/*
 * Does this user exist, and may we become it? Call it before anything is opened. Returns 0, or
 * -errno after a complaint.
 */
int privileges_check(const char *user);
/*
 * Become that user, and give up the capabilities and system calls that are not needed any more.
 * Returns 0, or -errno after a complaint.
 */
int privileges_drop(const struct needs *n);
