/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What checks look at: an interface, and what a capture of it would be. Asking changes nothing. */
#pragma once

#include "capture/afxdpcapture.h"
#include "rehearsal.h"
#include "util/offloads.h"
#include "xdpdump/cli/options.h"
#include "xdpdump/os/interfaces.h"

struct queues {
	unsigned now, most; /* there are, and there could be */
	const char *kind;   /* as for ethtool -L: some drivers have separate ones for reception */
};

/* Bytes. */
struct memory {
	uint64_t available, cgroup_limit, cgroup_left;
	bool cgroup_told; /* its files can be seen here */
};

struct patient {
	const struct options *given;
	const struct rehearsal *rehearsal;
	const struct session_source *source; /* of this interface, in the rehearsal; NULL: none */
	unsigned captures;	  /* of the session, which share the total of the rings */
	const char *name, *netns; /* netns as in --netns; NULL: this one */
	int socket;		  /* in its network namespace, for ethtool's commands */
	int missing;		  /* -errno: the interface cannot be looked at */
	struct afxdp_options *options;
	struct interface interface;
	struct offloads offloads;
	struct queues queues;
	struct memory memory; /* before the trial, whose memory the kernel gives back with delay */
	struct afxdp_trial plan;
	int trial; /* its result: 0 or -errno */
	char trial_text[AFXDP_ERROR_SIZE];
	char capabilities[256]; /* that are missing */
	bool is_privileged;
};

/*
 * The interface of this number among those of the options. -1 after telling what is wrong with its
 * name; to be released in any case.
 */
int patient_open(struct patient *p, const struct options *o, unsigned interface,
		 const struct rehearsal *rehearsal);
void patient_release(struct patient *p);

/* An ethtool command. -errno. */
int patient_ethtool(const struct patient *p, void *command);
/* Is this offload on? */
bool patient_has(const struct patient *p, const char *feature);
/* Is there a hook that a capture would take? */
bool patient_has_hook(const struct patient *p);
/* Is what is received captured in XDP programs that are there? */
bool patient_is_traced(const struct patient *p);
/* Does the loader process open captures for users without privilege? */
bool patient_has_loader(const struct patient *p);
