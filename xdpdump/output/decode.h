/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * tcpdump or tshark, which reads the capture from a pipe and prints it: one process for all of it,
 * without privilege, that ends with ours. Complains itself.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "xdpdump/files/command_line.h"

struct decode {
	struct command_line line;
	char **argv;	  /* its words are the line's and constants */
	const char *user; /* that it runs as; NULL: as children do */
	pid_t child;	  /* 0: none */
	int pipe;	  /* to write to; -1: it is the sink's, or there is none */
	char name[64];
};

/* Find the program of this command line, before anything is touched; NULL: none. drops: packets are
 * shown that the host has dropped. It runs as the user; NULL: as children do. To be closed in any
 * case. -errno. */
int decode_open(struct decode *d, const char *command, bool drops, const char *user);
/* -errno. */
int decode_start(struct decode *d);
/* What was written is printed then. -1: it failed, and not for want of a reader, or does not end
 * and the user has asked twice. */
int decode_end(struct decode *d);
/* The same, for what has not been ended, and frees all. */
int decode_close(struct decode *d);
