/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Runs tcpdump or tshark, which reads the capture from a pipe and prints it: one process for the
 * whole capture, without privileges, that the kernel ends when ours ends. These functions print
 * their own error messages.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "xdpdump/files/command_line.h"

struct decode {
	struct command_line line;
	char **argv;	  /* the array is ours; the strings are the line's or constants */
	const char *user; /* whom it runs as; NULL: the user that all children run as */
	pid_t child;	  /* 0: none */
	int pipe;	  /* our end, to write to; -1: the sink owns it, or there is none */
	char name[64];
};

/* Find the program of this command line, before the capture touches anything; command may be NULL
 * for none. drops: the packets shown are those that the host dropped. The program will run as user;
 * NULL: as the user that all children run as. Call decode_close() also after a failure. Returns 0
 * or -errno. */
int decode_open(struct decode *d, const char *command, bool drops, const char *user);
/* Start the program. Returns 0 or -errno. */
int decode_start(struct decode *d);
/* Close the pipe and wait until the program has printed all and ended. Returns 0, or -1 if it
 * failed (unless only because nobody reads its output any more), or if it has not ended and the
 * user has asked twice to stop. */
int decode_end(struct decode *d);
/* End the program if decode_end() has not, and free all. Returns what decode_end() returns. */
int decode_close(struct decode *d);
