/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The file that a reader writes at present, and the next. Complains itself. */
#pragma once

#include <stdint.h>

struct output_context;
struct reader;

/*
 * What options ask for: a file, standard output, text, the program of --decode, or nothing but what
 * others get. now: CLOCK_REALTIME ns, as all times here. -errno.
 */
int reader_open_output(struct reader *r, const struct output_context *c, uint64_t now);
/* It begins, or began, at this time. */
void reader_note_beginning(struct reader *r, uint64_t time);
/* The next one begins, unless there have been as many as were asked for. -errno. */
int reader_rotate(struct reader *r, uint64_t time);
/* A time has come: the next file begins where this one was to end, unless that is long ago. */
int reader_rotate_by_time(struct reader *r, uint64_t now);
/* The last words, and on to those who bring it to its name. -errno. */
int reader_end_file(struct reader *r, uint64_t now);
/* Of this source, by its number, all was read: its last words in the present file. -errno. */
int reader_end_source(struct reader *r, unsigned which);
/*
 * Old files go, or the capture ends. bytes: of the present file, as long as it is or is to become.
 */
void reader_watch_disk(struct reader *r, uint64_t bytes);
void reader_tell_disk_limit(void);
/* e, which is 0 or told: once, as what is written last may fail again in the same way. */
int reader_explain_write(struct reader *r, int e);
