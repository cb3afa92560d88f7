/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The bytes of a file, as they were before it was compressed: gzip, zstd and LZ4 are told by how
 * the file begins. */
#ifndef FIND_SOURCE_H
#define FIND_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum source_form { SOURCE_PLAIN, SOURCE_GZIP, SOURCE_ZSTD, SOURCE_LZ4, SOURCE_FORMS };

struct source {
	int fd;
	enum source_form form;
	void *state;	   /* of what decompresses */
	uint8_t *in;	   /* compressed bytes; NULL: it is plain */
	size_t at, end;	   /* of those, what is still to be used */
	uint64_t read;	   /* bytes of the file that were read */
	bool is_cut;	   /* it ended inside what is compressed */
	bool is_between;   /* what is compressed is whole so far */
	const char *fault; /* after -EBADMSG: why */
};

/* fd becomes its own, also where it fails. -ENOTSUP: this form was left out of the build. */
int source_open(struct source *s, int fd);
/* Up to n bytes; 0: the end; -EBADMSG: it is damaged; -errno. */
ssize_t source_read(struct source *s, void *to, size_t n);
const char *source_name(enum source_form form);
/* Where n is 0 the rate is not limited. */
void source_limit(uint64_t bytes_a_second);
void source_close(struct source *s);

#endif
