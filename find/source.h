/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The bytes of a file, as they were before it was compressed: gzip, zstd and LZ4 are told by how
 * the file begins. */
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
	void *state;	      /* of what decompresses */
	uint8_t *in;	      /* compressed bytes; NULL: it is plain */
	size_t at, end;	      /* of those, what is still to be used */
	uint64_t read;	      /* bytes of the file that were read */
	bool is_cut;	      /* it ended inside what is compressed */
	bool is_between;      /* what is compressed is whole so far */
	bool is_once;	      /* it is read from end to end: the page cache is given back */
	uint64_t made;	      /* bytes that were read of what it was before it was compressed */
	struct buffer frames; /* where those that can be read alone begin, here and there */
	size_t frame;	      /* the one that was found last */
	uint8_t head[SOURCE_HEAD]; /* how the file began when it was opened */
	size_t head_size;
	const char *fault; /* after -EBADMSG: why */
};

/* fd becomes its own, also where it fails. -ENOTSUP: this form was left out of the build. */
int source_open(struct source *s, int fd);
/* Up to n bytes; 0: the end; -EBADMSG: it is damaged; -errno, -EINTR where a signal says to stop. */
ssize_t source_read(struct source *s, void *to, size_t n);
/* Where to begin to read for that place: in the file; what lies in front of it there. Places only
 * grow. */
void source_place(struct source *s, uint64_t made, uint64_t *start, uint64_t *skip);
/* Read on from there: 0, or as source_read(); -EINTR: a signal says to stop. */
int source_seek(struct source *s, uint64_t start, uint64_t skip);
/* Does the file begin with something else by now? Then what was read of it is of two files. */
bool source_is_another(const struct source *s);
const char *source_name(enum source_form form);
/* Where n is 0 the rate is not limited. */
void source_limit(uint64_t bytes_a_second);
void source_close(struct source *s);
