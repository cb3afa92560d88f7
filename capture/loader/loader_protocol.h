/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Between a capture (loader.c) and its loader process (loader_main.c), over a stream socket: one
 * setup and its reply, then requests with a reply each. loader_version() makes sure that both sides
 * have the same version and the same structures. What the loader has to say by itself comes by a
 * pipe (struct loader_news).
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
/* The release, and a number made of the sizes of all structures: equal on both sides. */
void loader_version(char version[LOADER_VERSION_SIZE]);

/* What to look at while the capture goes on, for a loader that has not opened it itself. */
struct loader_proof {
	uint32_t plan;	/* enum plan_proof: whether frames come to the XDP program */
	uint32_t at_tc; /* who else comes to tc, where the capture is or may go (beside.h) */
	uint32_t when_armed;
	char ifname[IFNAMSIZ];
	uint32_t ifindex;
	/* Maps, inherited under the same numbers. */
	int32_t rings[RING_MAPS_MAX], counters;
	struct ring_place place;
};

enum loader_task {
	LOADER_SWAP, /* count images follow; their descriptors are inherited */
	LOADER_OPEN, /* struct afxdp_options follows, then their filter_n classic instructions: open
			the attachment, and send it */
	LOADER_SETS, /* struct loader_sets follows: read files again; then each request asks for
			that */
};

struct loader_setup {
	char version[LOADER_VERSION_SIZE]; /* loader_version() */
	uint32_t task;
	uint32_t count;
	struct stamp_change stamps; /* put these back at the end, through socket */
	int32_t socket;		    /* inherited under the same number */
	int32_t alive;		    /* inherited too: write end of the pipe */
	/* Links, inherited too: when one is detached, that is news. -1: none. */
	int32_t links[IMAGES_MAX];
	/* Of plan.proof. PLAN_CHANGES: after the images comes one more, for received frames at tc.
	 */
	struct loader_proof proof;
};

struct loader_sets {
	struct afxdp_options options; /* its files, and the size of the map */
	uint64_t read_at;	      /* CLOCK_REALTIME ns: before the files were read */
	int32_t map;		      /* inherited under the same number */
	struct flow_file flow_file;   /* how far the file of flows was read */
};

struct loader_image { /* n instructions follow */
	char name[16];
	uint32_t n, type, flags, ifindex, no_link_header, cooked, tag_beside, function,
		called[IMAGE_CALLED], place;
	int32_t btf, fd; /* inherited under the same numbers */
};

struct loader_request { /* n classic instructions follow */
	uint32_t n, generation;
	uint32_t known; /* the programs have it already: to be remembered */
	/* Reply once the first program is loaded, and again at the end. Of LOADER_SETS: no reply,
	 * what is wrong comes by the map. */
	uint32_t early;
};

struct loader_reply {	       /* log_length bytes of text follow */
	int32_t error;	       /* 0 or -errno */
	int32_t pid;	       /* the loader's; 0: it could not be executed */
	uint32_t unprivileged; /* it too lacks the capabilities to open a capture */
	uint32_t level;	       /* enum afxdp_level */
	uint32_t unfinished;   /* another reply follows, without text */
	/* Of LOADER_OPEN: whether the programs were attached with the filter. -errno: why not; 0:
	 * it was not tried. The text is what afxdp_filter_log() gives. */
	int32_t filter;
	uint32_t log_length;
};

#define LOADER_HAS_FILTER 1 /* of struct loader_reply; level says where it runs */

enum loader_event {
	LOADER_DETACHED = 1, /* a link was detached */
	LOADER_BLIND = 2,    /* frames were received, and none came to the XDP program */
	LOADER_CHANGES = 4,  /* ... so it is detached now, */
	LOADER_CHANGED = 8,  /* ... and received frames come from tc, or error */
};

struct loader_news {
	uint32_t events;	   /* enum loader_event, or-ed */
	int32_t error;		   /* LOADER_CHANGED: -errno of tc */
	uint64_t received, missed; /* frames that the interface has counted; that did not come */
};

#define LOADER_LOG_MAX (1u << 20)

/* What the loader needs to know of an attachment that is open. */
struct loader_proof loader_proof_of(const struct attachment *a);

/*
 * Send or receive all size bytes. False: the other side is gone, or the deadline (CLOCK_MONOTONIC
 * ns; 0: none) has passed.
 */
bool loader_send(int fd, const void *data, size_t size, uint64_t deadline);
bool loader_receive(int fd, void *data, size_t size, uint64_t deadline);
/* The attachment with its descriptors (SCM_RIGHTS), which get the receiver's numbers. False as
 * above. */
bool loader_send_attachment(int fd, const struct attachment *a);
/* -EPIPE: the same; -EMFILE, -ENFILE: there is no room for the descriptors. Then none is kept. */
int loader_receive_attachment(int fd, struct attachment *a, uint64_t deadline);
