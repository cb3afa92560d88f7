/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Decompresses a source. A format is supported if its library was there when we were built. */
#pragma once

#include "find/source.h"

/* Returns 0, -ENOMEM, or -ENOTSUP if the build lacks the format. */
int unpack_open(struct source *s);
/*
 * Decompresses up to n bytes from s->in + s->at. Returns their number, 0 if more input is needed
 * first, or -EBADMSG. Sets s->is_between if a frame has ended there.
 */
ssize_t unpack(struct source *s, void *to, size_t n);
void unpack_close(struct source *s);
