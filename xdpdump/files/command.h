/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's command, run for finished files: a few at a time, each waited for by a thread. */
#ifndef XDPDUMP_COMMAND_H
#define XDPDUMP_COMMAND_H

#include <stdbool.h>

struct commands;

/* program is started with the name of a file as its one argument, without a shell. -errno. */
int commands_open(struct commands **c, const char *program);
void commands_add(struct commands *c, const char *file);
bool commands_failed(struct commands *c);
/* Wait for all, those that have not begun included; NULL is allowed. -1: one failed. */
int commands_close(struct commands *c);

#endif
