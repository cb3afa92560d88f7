/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Choose the hooks of a capture, and attach its programs there. */
#pragma once

#include "capture/attach/program/program.h"

/*
 * Choose hooks for received and for sent frames, by the options and the facts. Writes a warning if
 * hook=auto does not choose XDP, or XDP has a cost. Returns 0, or with err written -EINVAL: options
 * that do not go together; -EBUSY: the XDP hook is held; -EOPNOTSUPP: the interface has no such
 * hook.
 */
int hook_choose(struct plan *plan, const struct afxdp_options *o, const struct facts *f,
		char *warning, size_t warning_size, char *err, size_t size);

/* Can a capture with these options have the interface's own time stamps? */
bool hook_offers_time(const struct afxdp_options *o, const struct facts *f);

/*
 * Attach the program of each image, and write the descriptors that keep them attached to holders.
 * Frames are captured from now on. Returns 0, or -errno with err written: the caller closes the
 * holders >= 0.
 */
int hook_attach(struct program *p, const struct afxdp_options *o, const struct facts *f,
		int holders[IMAGES_MAX], char *err, size_t size);

/* Attach a program for received frames at tc, before all others. Returns its link, or -errno. */
int hook_attach_ingress(int program, unsigned ifindex);
