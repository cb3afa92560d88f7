/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What decompresses a source. Each form is in the build if its library was there. */
#pragma once

#include "find/source.h"

/* 0, -ENOMEM; -ENOTSUP: the build was without it. */
int unpack_open(struct source *s);
/*
 * Up to n bytes of what lies at s->in + s->at. 0: more is needed first. Says in s->is_between
 * whether a frame has ended there.
 */
ssize_t unpack(struct source *s, void *to, size_t n);
void unpack_close(struct source *s);
