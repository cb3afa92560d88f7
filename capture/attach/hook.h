/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which hooks a capture uses, and its attachments there. */
#ifndef PCAP_AFXDP_HOOK_H
#define PCAP_AFXDP_HOOK_H

#include "program.h"

/*
 * The hooks for what comes in and for what goes out, by what the user asked for and the interface
 * has. Where auto does not take XDP, or XDP is not the best, a warning is written. -EOPNOTSUPP with
 * err written where the user's hook cannot be had.
 */
int hook_choose(struct plan *plan, const struct afxdp_options *o, const struct facts *f,
		char *warning, size_t warning_size, char *err, size_t size);

/* Can a capture with these options have the interface's own time stamps? */
bool hook_offers_time(const struct afxdp_options *o, const struct facts *f);

/*
 * Attach the program of each image, and write the descriptors that hold them there to holders;
 * from here on frames are captured. -errno with err written: close what is >= 0.
 */
int hook_attach(struct program *p, const struct afxdp_options *o, const struct facts *f,
		int holders[IMAGES_MAX], char *err, size_t size);

#endif
