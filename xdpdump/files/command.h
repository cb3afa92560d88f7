/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The user's command, run for finished files: a few at a time, each waited for by a thread. */
#pragma once

struct commands;
struct finish;

/* text: the program and its arguments, to which the name of a file is added. -errno, and said. */
int commands_open(struct commands **c, const char *text);
/* This owns the file's job from now on, and calls finish_end() once its command has ended. */
void commands_add(struct commands *c, struct finish *job);
/* Until one has ended, or for so long. */
void commands_wait(struct commands *c, unsigned ms);
/* Once: how many are waited for, unless it is none. */
void commands_tell(struct commands *c);
/*
 * Wait for all, those that have not begun included; NULL is allowed. Once the user has asked twice
 * to end, those that run are ended and the others do not begin. -1: one failed.
 */
int commands_close(struct commands *c);
