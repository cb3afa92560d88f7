/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads a file, decompressing it: gzip, zstd and LZ4 are recognized by how the file begins. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/buffer.h"

enum source_form { SOURCE_PLAIN, SOURCE_GZIP, SOURCE_ZSTD, SOURCE_LZ4, SOURCE_FORMS };

#define SOURCE_HEAD 4096u

struct source {
	int fd;
	enum source_form form;
	void *state;	      /* the decompressor's state */
	uint8_t *in;	      /* bytes of the file: compressed, or the beginning of a plain one */
	size_t at, end;	      /* bounds of those still to be used */
	uint64_t read;	      /* bytes read from the file */
	bool is_cut;	      /* the file ended inside compressed data */
	bool is_between;      /* no compressed frame is incomplete so far */
	bool is_once;	      /* it is read only once: the page cache is given back */
	uint64_t made;	      /* uncompressed bytes that were read */
	struct buffer frames; /* some places where frames begin that can be read alone */
	size_t frame;	      /* index of the one found last */
	uint8_t head[SOURCE_HEAD]; /* how the file began when it was opened */
	size_t head_size;
	const char *fault; /* why, after -EBADMSG */
};

/* The source owns fd from now on, even after an error. Returns 0; -ENOTSUP: the build lacks the
 * library for this format; or another -errno. */
int source_open(struct source *s, int fd);
/* Reads up to n bytes. Returns their number; 0: the end; -EBADMSG: the file is damaged; -EINTR: a
 * signal says to stop; or another -errno. */
ssize_t source_read(struct source *s, void *to, size_t n);
/* Where to begin to read in the file for the uncompressed offset `made`, and how many uncompressed
 * bytes to skip from there. Offsets must not decrease from call to call. */
void source_place(struct source *s, uint64_t made, uint64_t *start, uint64_t *skip);
/* Goes on reading there. Returns 0, or errors as source_read(). */
int source_seek(struct source *s, uint64_t start, uint64_t skip);
/* Does the file now begin with something else? Then two different files were read in part. */
bool source_is_another(const struct source *s);
const char *source_name(enum source_form form);
/* 0: no limit. */
void source_limit(uint64_t bytes_a_second);
void source_close(struct source *s);
