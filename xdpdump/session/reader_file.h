/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The file that a reader writes, and the next ones. These functions print their own error
 * messages. */
#pragma once

#include <stdint.h>

struct output_context;
struct reader;

/* Open what the options ask for: a file, standard output, text, the program of --decode, or only
 * the feeds (--listen, --to). now is in CLOCK_REALTIME ns, as are all times here. Returns 0 or
 * -errno. */
int reader_open_output(struct reader *r, const struct output_context *c, uint64_t now);
/* The present file begins at this time. */
void reader_note_beginning(struct reader *r, uint64_t time);
/* Begin the next file; or end the capture if there have been as many files as were asked for.
 * Returns 0 or -errno. */
int reader_rotate(struct reader *r, uint64_t time);
/* The time of the present file is over. The next one begins where this one was to end, or now if a
 * whole file would have ended since. */
int reader_rotate_by_time(struct reader *r, uint64_t now);
/* End the present file, and pass it to the threads that rename it. Returns 0 or -errno. */
int reader_end_file(struct reader *r, uint64_t now);
/* All records of this source were read: write its statistics to the present file. Returns 0 or
 * -errno. */
int reader_end_source(struct reader *r, unsigned which);
/* Remove old files until the disk limit is met; if there are none left to remove, end the capture.
 * bytes: the size of the present file, or the size that it will have. */
void reader_watch_disk(struct reader *r, uint64_t bytes);
void reader_tell_disk_limit(void);
/* Returns e, after telling the user about it. The same error is told only once, because the last
 * write may fail in the same way; 0 and reader_is_left() are not told. */
int reader_explain_write(struct reader *r, int e);
