/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of --doctor. Each looks at one side of the matter and adds what it finds. */
#ifndef XDPDUMP_DOCTOR_CHECKS_H
#define XDPDUMP_DOCTOR_CHECKS_H

#include "capture/afxdpcapture.h"
#include "findings.h"
#include "xdpdump/os/interfaces.h"

struct patient {
	const char *name;
	struct afxdp_options *options;
	struct interface interface;
	struct afxdp_trial plan;
	int trial; /* its result: 0 or -errno */
	char trial_text[AFXDP_ERROR_SIZE];
	int capabilities_missing;
	/* Bytes, before the trial; cgroup_told: its files can be seen here. */
	uint64_t memory, cgroup_limit, cgroup_left;
	bool cgroup_told;
	struct findings found;
};

/* An ethtool command. -errno. */
int doctor_ethtool(const struct patient *p, void *command);

/* Is there a hook that a capture would take? */
bool doctor_has_hook(const struct patient *p);

/* Before the trial, whose memory the kernel gives back with delay. */
void doctor_measure(struct patient *p);
/* Kernel, capabilities, loader, whether the programs load, memory for the rings. */
void doctor_system(struct patient *p);
/* Link, driver, offloads, time stamps, FCS. */
void doctor_device(struct patient *p);
/* Which hook it will be, who else is there, native XDP, zero-copy, MTU. */
void doctor_hooks(struct patient *p);
/* Where the filter would run; NULL: there is none. */
void doctor_filter(struct patient *p, const char *text);
/* Receive queues, how frames are spread over them, and the CPUs they are handled on. */
void doctor_queues(struct patient *p);

#endif
