/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The BPF object of a capture: maps, and the capture programs for the hooks of a plan. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/options/options.h"
#include "capture/attach/addresses.h"
#include "capture/attach/facts/facts.h"
#include "capture/ring/ring.h"
#include "image.h"

struct capture_bpf;
struct bpf_program;

/* How to check whether the driver gives frames to the program that it has accepted: proof.h. */
enum plan_proof {
	PLAN_PROVES_NOTHING,
	PLAN_TELLS,   /* if none come, the user is told */
	PLAN_CHANGES, /* ... and the capture goes on at tc */
};

/* Which programs a capture needs. */
struct plan {
	enum capture_hook in;  /* received frames; AUTO: none */
	enum capture_hook out; /* sent frames: TC or PACKET; AUTO: none */
	bool divert;	       /* XDP: matching frames go to sockets, not to the rings */
	bool divert_by_ring;   /* XDP: they are recorded, then dropped */
	bool keeps_frames;     /* matching frames do not reach the host */
	bool any;	       /* all interfaces: one packet socket, cooked records */
	bool namespaces;       /* ... by the caller's sockets, in many namespaces */
	bool own;	       /* XDP: the user's own program is in the hook, and calls ours */
	bool join;	       /* XDP: it is one of a dispatcher's programs; user space filters */
	bool bound; /* XDP: bound to the device, and in the hook itself, without xdp_root, */
	bool vlan, time, hash; /* ... because it asks the driver for these */
	bool no_link_header;   /* frames are raw IP packets, or those of any */
	/* Filters see VLAN tags as a packet socket's do. unsure: at XDP, user space filters frames
	 * with a tag. inside: tc sees the tag of sent frames in the frame. */
	bool tags_beside, tags_unsure, sent_tags_inside;
	enum plan_proof proof;
};

struct bpf_object;
struct drop_names;

struct program {
	/*
	 * In the loader this is join_attach(), else NULL. With plan.join, program_load() does not
	 * load the capture program: this function loads it into the dispatcher of interface f.
	 */
	int (*join)(struct program *p, const struct afxdp_options *o, const struct facts *f,
		    char *err, size_t size);
	image_builder *builder; /* for image_load_with(), in the loader; else NULL */
	uint64_t builder_until; /* CLOCK_MONOTONIC ns; after that the capture opens without the
				   filter */
	/*
	 * For a capture that diverts, else NULL: opens the sockets before anything is attached. If
	 * it returns an error, opening the capture fails with that.
	 */
	int (*open_sockets)(void *owner, char *err, size_t size);
	void *owner;
	struct plan plan;
	struct bpf_object *own;		 /* xdp-obj=; else NULL */
	int own_fd;			 /* its program; belongs to own */
	struct capture_bpf *bpf;	 /* the skeleton: owns maps and programs */
	struct image images[IMAGES_MAX]; /* programs with other filters are made from these */
	unsigned image_count;
	/* The programs of the images with the filter of the options: first.h. */
	int first[IMAGES_MAX];
	unsigned first_count;
	bool has_filter;  /* they were attached; level and filter_log describe them */
	int filter_error; /* why they were not, with filter_log; 0: nothing was tried */
	enum afxdp_level level;
	char *filter_log;   /* or NULL */
	struct image spare; /* PLAN_CHANGES: the image for received frames at tc; else empty */
	bool traces;	    /* traced and traced_function are valid */
	int traced;	    /* descriptor of the XDP program that is traced */
	uint32_t traced_function;      /* BTF id in that program */
	struct addresses addresses;    /* for the option who */
	struct drop_names *drop_names; /* CAPTURE_HOOK_DROPS; else NULL */
	char *log; /* messages of libbpf and the verifier during the last load, or NULL */
	struct ring_place place;
	bool shares_ring; /* the last ring is for CPUs without a ring of their own */
	bool ring_is_big; /* rings have room for frames of more than 64 KiB */
};

/*
 * Make the maps and load the programs of p->plan. With plan.join, only make the rings: p->join()
 * does the rest. Returns 0, or -errno with err written; call program_unload() in any case.
 */
int program_load(struct program *p, const struct afxdp_options *o, const struct facts *f, char *err,
		 size_t size);
/* Make the images of the loaded programs, for filters and for hook_attach(). Returns 0 or
 * -errno. */
int program_take_images(struct program *p, const struct facts *f);
/* Call it when the programs are attached: closes their descriptors. */
void program_let_go(struct program *p);
/* Free everything. May be called at any stage, and again. */
void program_unload(struct program *p);

/* The capture program for the XDP hook that the plan needs. */
struct bpf_program *program_at_xdp(const struct program *p);
/* The one for packet sockets. */
struct bpf_program *program_at_packet(const struct program *p);
/* The following descriptors belong to p. */
/* The filter for packet sockets, packet_root; -1: the plan has none. */
int program_socket_fd(const struct program *p);
/* The map with number i in p->place.maps. */
int program_rings_fd(const struct program *p, unsigned i);
/* The XSKMAP of plan.divert; -1: there is none. */
int program_sockets_fd(const struct program *p);
/* The map of LEFT_OUT_PLACES interfaces to leave out; -1: the user chose all. */
int program_left_out_fd(const struct program *p);
/* The map of the sets in options.sets_asked: sets.h; -1: none was asked for. */
int program_sets_fd(const struct program *p);
int program_doorbell_fd(const struct program *p);
/* One page. It begins with the frames lost on CPUs without a ring: 64 bits for each side. */
int program_counters_fd(const struct program *p);
/* Does the program stamp by CLOCK_TAI? Else by CLOCK_MONOTONIC. */
bool program_clock_is_tai(const struct program *p);
