/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Cuts a section into parts that are smaller: each is a section by itself, with the number of the
 * whole, and its place in the stream by label.before. The same section and size give the same
 * parts.
 */
#pragma once

#include "kafka/label.h"
#include "util/buffer.h"

/* One more, in order: the section is taken if 0 is returned; else that is what recut() returns. */
typedef int recut_part(void *context, struct buffer *section, const struct label *label);

/* What is in no part. */
struct unfit {
	uint64_t packets; /* too large for any: the part behind them says that they are missing */
	uint64_t others;  /* other blocks, or some of their options; 1: nobody knows how many */
};

/*
 * Parts of so many bytes at most. 0; -ENOTSUP: it does not say its place in the stream; -EBADMSG:
 * it is broken, or cannot be cut so small; -ENOMEM. What was given before an error is not to be
 * sent.
 */
int recut(const struct buffer *section, size_t most, recut_part *give, void *context,
	  struct unfit *unfit);
/* In place of one that is broken: a part without packets, which says that all are missing. */
int recut_none(const struct buffer *section, size_t most, recut_part *give, void *context,
	       struct unfit *unfit);
