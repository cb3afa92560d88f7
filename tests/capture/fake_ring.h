/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Rings in ordinary memory, written as bpf/capture.bpf.c writes them: what the reader's side can be
 * tested on without a kernel that captures. */
#pragma once

#include "capture/ring/ring.h"

#define FAKE_OVERHEAD                                                                              \
	(sizeof(struct epb_header) + sizeof(struct epb_options) + sizeof(struct epb_end))

struct ring_set *fake_rings(unsigned count, uint64_t size);
void fake_rings_free(struct ring_set *s);

/*
 * Publish a record on ring i: its frame is length bytes of fake_byte(number, offset), its packet id
 * number. False: no room, counted as a loss. The caller may be another thread than the reader's. It
 * stays within the ring whatever the control page says, as the verifier has the program do.
 */
bool fake_write(struct ring_set *s, unsigned i, uint64_t time, uint32_t length, uint64_t number);
/* Whether the program was asked to ring; takes the request, as the program does. */
bool fake_takes_bell(struct ring_set *s, unsigned i);

/* The number of a record; aborts the test when any byte of the record is wrong. */
uint64_t fake_check(const struct epb_header *r);
