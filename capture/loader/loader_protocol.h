/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The protocol between a capture (loader.c) and its loader process (loader_main.c), over a stream
 * socket: one setup and its reply, then requests with a reply each. loader_version() makes sure
 * that both sides have the same version and the same structures. What the loader says on its own
 * comes by a pipe (struct loader_news).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/attach/attachment.h"
#include "capture/attach/program/image.h"
#include "capture/options/options.h"
#include "capture/sets/flow_file.h"

#define LOADER_VERSION_SIZE 32
/* The release, and a number computed from the sizes of all structures: the same on both sides. */
void loader_version(char version[LOADER_VERSION_SIZE]);

/* What to watch while the capture runs, for a loader that has not opened it itself. */
struct loader_proof {
	uint32_t plan;	/* enum plan_proof: check whether frames come to the XDP program */
	uint32_t at_tc; /* tell who else comes to tc, because the capture is or may go there
			   (beside.h) */
	uint32_t when_armed;
	char ifname[IFNAMSIZ];
	uint32_t ifindex;
	/* Maps, inherited with the same descriptor numbers. */
	int32_t rings[RING_MAPS_MAX], counters;
	struct ring_place place;
};

enum loader_task {
	LOADER_SWAP, /* count images follow; their descriptors are inherited */
	LOADER_OPEN, /* struct afxdp_options follows, then its filter_n classic instructions: open
			the attachment, and send it */
	LOADER_SETS, /* struct loader_sets follows: read files again when they change; later
			requests ask for that */
};

struct loader_setup {
	char version[LOADER_VERSION_SIZE]; /* loader_version() */
	uint32_t task;
	uint32_t count;
	struct stamp_change stamps; /* put these back at the end, through socket */
	int32_t socket;		    /* inherited with the same number */
	int32_t alive;		    /* likewise: write end of the pipe */
	/* Links, inherited likewise: say if one is detached. -1: none. */
	int32_t links[IMAGES_MAX];
	/* For plan.proof. With PLAN_CHANGES, one more image follows the others, for received frames
	 * at tc. */
	struct loader_proof proof;
};

struct loader_sets {
	struct afxdp_options options; /* with its files, and the size of the map */
	uint64_t read_at;	      /* CLOCK_REALTIME ns, taken before the files were read */
	int32_t map;		      /* inherited with the same number */
	struct flow_file flow_file;   /* how far the file of flows was read */
};

struct loader_image { /* n instructions follow */
	char name[16];
	uint32_t n, type, flags, ifindex, no_link_header, cooked, tag_beside, function,
		called[IMAGE_CALLED], place;
	int32_t btf, fd; /* inherited with the same numbers */
};

struct loader_request { /* n classic instructions follow */
	uint32_t n, generation;
	uint32_t known; /* the programs already have it: just remember it */
	/* Reply as soon as the first program is loaded, and again at the end. For LOADER_SETS: do
	 * not reply; what is wrong is written into the map. */
	uint32_t early;
};

struct loader_reply {	       /* log_length bytes of text follow */
	int32_t error;	       /* 0 or -errno */
	int32_t pid;	       /* the loader's; 0: it could not be executed */
	uint32_t unprivileged; /* it lacks the capabilities to open a capture, too */
	uint32_t level;	       /* enum afxdp_level */
	uint32_t unfinished;   /* another reply follows, without text */
	/* For LOADER_OPEN: LOADER_HAS_FILTER if the programs were attached with the filter; -errno:
	 * why not; 0: it was not tried. The text is that of afxdp_filter_log(). */
	int32_t filter;
	uint32_t log_length;
};

#define LOADER_HAS_FILTER 1 /* in .filter of struct loader_reply; level says where it runs */

enum loader_event {
	LOADER_DETACHED = 1, /* a link was detached */
	LOADER_BLIND = 2,    /* frames were received, but none came to the XDP program */
	LOADER_CHANGES = 4,  /* ... so that is detached now */
	LOADER_CHANGED = 8,  /* ... and received frames come from tc, unless error is set */
};

struct loader_news {
	uint32_t events;	   /* enum loader_event, or-ed */
	int32_t error;		   /* LOADER_CHANGED: -errno if tc failed */
	uint64_t received, missed; /* frames it counted; of these, missing */
};

#define LOADER_LOG_MAX (1u << 20)

/* What the loader needs to know of an open attachment. */
struct loader_proof loader_proof_of(const struct attachment *a);

/*
 * Send or receive all size bytes. Returns false if the other side is gone, or the deadline
 * (CLOCK_MONOTONIC ns; 0: none) has passed.
 */
bool loader_send(int fd, const void *data, size_t size, uint64_t deadline);
bool loader_receive(int fd, void *data, size_t size, uint64_t deadline);
/* Send the attachment with its descriptors (SCM_RIGHTS), which get new numbers in the receiver.
 * Returns false as above. */
bool loader_send_attachment(int fd, const struct attachment *a);
/* Returns 0; -EPIPE if loader_receive() would return false; -EMFILE, -ENFILE: there is no room for
 * the descriptors. On failure none is kept. */
int loader_receive_attachment(int fd, struct attachment *a, uint64_t deadline);
