/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Cuts a section into smaller parts. Each is a section itself. It has the number of the whole, and
 * label.before says where in the stream its packets are. The same section and size always give the
 * same parts.
 */
#pragma once

#include "kafka/label.h"
#include "util/buffer.h"

/* Takes the next part. If it returns 0, it owns the section; else recut() returns its result. */
typedef int recut_part(void *context, struct buffer *section, const struct label *label);

/* What no part has. */
struct unfit {
	uint64_t packets; /* packets too large for any part; the next part says so */
	uint64_t others;  /* other blocks or options that were left out; 1: maybe more */
};

/*
 * Makes parts of at most `most` bytes. Returns 0; -ENOTSUP: the section does not say its place in
 * the stream; -EBADMSG: it is damaged, or cannot be cut that small; -ENOMEM; or what give()
 * returned. After an error do not send the parts that were given.
 */
int recut(const struct buffer *section, size_t most, recut_part *give, void *context,
	  struct unfit *unfit);
/* The same for a section that is damaged: makes one part without packets, which says that all are
 * missing. */
int recut_none(const struct buffer *section, size_t most, recut_part *give, void *context,
	       struct unfit *unfit);
