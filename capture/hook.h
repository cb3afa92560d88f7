/* SPDX-License-Identifier: BSD-3-Clause */
/* Which hooks a capture takes, and the attachments that hold it there. */
#ifndef PCAP_AFXDP_HOOK_H
#define PCAP_AFXDP_HOOK_H

#include "program.h"

/*
 * The hooks for what comes in and for what goes out, by what the user asked for and the interface
 * has. Where auto does not take XDP, or XDP is not the best, a warning is written. -EOPNOTSUPP with
 * err written where the user's hook cannot be had.
 */
int hook_choose(struct plan *plan, const struct capture_options *o, const struct facts *f,
		char *warning, size_t warning_size, char *err, size_t size);

/* Attach; from here on frames are captured. -errno with err written. */
int hook_attach(struct program *p, const struct capture_options *o, const struct facts *f,
		char *err, size_t size);
/* Close what hook_attach() opened; the kernel detaches. Again is allowed. */
void hook_detach(struct program *p);
/* Do our links still hold our programs to an interface? */
enum hook_state { HOOK_ATTACHED, HOOK_DETACHED, HOOK_UNKNOWN };
enum hook_state hook_state(const struct program *p);

#endif
