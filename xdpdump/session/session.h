/* SPDX-License-Identifier: BSD-3-Clause */
/* One capture, from the first check to the closing statistics. */
#ifndef XDPDUMP_SESSION_H
#define XDPDUMP_SESSION_H

struct options;

/* The exit status of the program. */
int session_run(const struct options *o);

#endif
