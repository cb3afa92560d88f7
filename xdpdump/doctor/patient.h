/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What checks look at: an interface, and how a capture on it would go. Looking changes nothing. */
#pragma once

#include "capture/afxdpcapture.h"
#include "rehearsal.h"
#include "util/offloads.h"
#include "xdpdump/cli/options.h"
#include "xdpdump/os/interfaces.h"

struct queues {
	unsigned now, most; /* how many there are, and can be */
	const char *kind;   /* the word for ethtool -L; some drivers have separate receive queues */
};

/* Bytes. */
struct memory {
	uint64_t available, cgroup_limit, cgroup_left;
	bool cgroup_told; /* the cgroup's files can be seen here */
};

struct patient {
	const struct options *given;
	const struct rehearsal *rehearsal;
	const struct session_source *source; /* of this interface, in the rehearsal; NULL: none */
	unsigned captures;	  /* of the session; they share the total size of the rings */
	const char *name, *netns; /* netns as in --netns; NULL: this one */
	int socket;		  /* in its network namespace, for ethtool's commands */
	int missing;		  /* -errno: the interface cannot be looked at */
	struct afxdp_options *options;
	struct interface interface;
	struct offloads offloads;
	struct queues queues;
	struct memory memory; /* measured before the trial, because the kernel frees the trial's
				 memory with a delay */
	struct afxdp_trial plan;
	int trial; /* its result: 0 or -errno */
	char trial_text[AFXDP_ERROR_SIZE];
	char capabilities[256]; /* those that are missing */
	bool is_privileged;
};

/*
 * Open the interface of this number among those in the options. Returns 0, or -1 after saying what
 * is wrong with its name. Call patient_release() in either case.
 */
int patient_open(struct patient *p, const struct options *o, unsigned interface,
		 const struct rehearsal *rehearsal);
void patient_release(struct patient *p);

/* Run an ethtool command. Returns 0 or -errno. */
int patient_ethtool(const struct patient *p, void *command);
/* Is this offload on? */
bool patient_has(const struct patient *p, const char *feature);
/* Would a capture attach to a hook? */
bool patient_has_hook(const struct patient *p);
/* Would a capture trace the XDP programs that are already attached, for received frames? */
bool patient_is_traced(const struct patient *p);
/* Can the loader process open captures for users without privileges? */
bool patient_has_loader(const struct patient *p);
