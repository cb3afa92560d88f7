/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The parts of a capture, for the files of this folder. */
#pragma once

#include "capture/options/options.h"
#include "capture/divert/divert.h"
#include "capture/divert/inject.h"
#include "capture/loader/loader.h"
#include "capture/read/reader.h"
#include "capture/sets/sets.h"
#include "capture/attach/attachment.h"
#include "capture/attach/facts/links.h"
#include "capture/attach/proof.h"
#include "capture/attach/watch.h"

struct afxdp_capture {
	struct afxdp_options options;
	struct attachment attachment;
	struct program program; /* not loaded if the loader has opened the attachment */
	struct reading reading;
	struct afxdp_reader reader; /* of all rings */
	struct watch watch;
	struct links links; /* if the reader needs names of interfaces: reads_links() */
	uint64_t *left_out; /* the map left_out with LEFT_OUT_PLACES entries, mapped; or NULL */
	struct sets sets;
	struct loader reloader; /* the process that reads the files of sets again */
	struct divert divert;
	bool by_ring; /* sockets could not be opened: frames are diverted by the rings */
	struct inject inject;
	char sockets[48];     /* afxdp_sockets(): "4 queues, zero-copy" */
	char diverted_to[80]; /* afxdp_diverted_to(); "": frames are not diverted */
	struct loader loader;
	struct proof proof;	     /* if there is no loader */
	struct shared_page *page;    /* the map counters, mapped; or NULL */
	uint64_t nic_dropped_before; /* what the interface had dropped when the capture, or its
					gate, was opened */
	uint64_t nested_before;	     /* likewise, drops that no program could look at */
	uint64_t no_ring_before[AFXDP_SIDES]; /* likewise, frames on CPUs without a ring */
	uint64_t nic_dropped; /* what it has dropped since then, as of the last afxdp_stats();
				 atomic */
};

/* files_warn() says which files are empty. files_keep() starts the process that reads them again,
 * using the map that is open; files_await() waits until it has begun. */
void files_warn(struct afxdp_capture *c);
void files_keep(struct afxdp_capture *c);
void files_await(struct afxdp_capture *c);
/* What that process says, or that it has ended; NULL: nothing newer than other. */
const char *files_hear(const struct afxdp_capture *c, const char *other);
