/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Runs the user's command (-z) for finished files: a few at a time, each in a thread. */
#pragma once

struct commands;
struct finish;

/*
 * text: the program and its arguments; the name of each file is appended. Returns 0, or -errno
 * after a complaint.
 */
int commands_open(struct commands **c, const char *text);
/* Takes over the job from the caller, and calls finish_end() once the command for it has ended. */
void commands_add(struct commands *c, struct finish *job);
/* Wait until a command ends, but no longer than ms. */
void commands_wait(struct commands *c, unsigned ms);
/* The first call tells the user how many commands still run or wait, if any; later ones nothing. */
void commands_tell(struct commands *c);
/*
 * Wait for all commands, including those that have not begun, and free everything; NULL is allowed.
 * Once the user has asked twice to end, the commands that run are ended and the others do not
 * begin. Returns 0, or -1 if a command failed.
 */
int commands_close(struct commands *c);
