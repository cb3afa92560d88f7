/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the process gives up once its captures are open, before it opens files or starts threads. */
#pragma once

#include "places.h"

/* What the capture still does from then on. */
struct needs {
	const char *user; /* to become; NULL: stay */
	bool commands;	  /* runs them, who write what is not known here */
	bool nothing;	  /* of a trial: no file is written */
	struct places places;
};

/* Is there such a user, and may we become it? Before anything is opened. -errno after telling. */
int privileges_check(const char *user);
/*
 * Become that user, and give up capabilities and system calls that are not needed from here
 * on. -errno after telling why.
 */
int privileges_drop(const struct needs *n);
