/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The BPF object of a capture: maps, and the capture programs for the hooks of a plan. */
#ifndef PCAP_AFXDP_PROGRAM_H
#define PCAP_AFXDP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/options/options.h"
#include "facts.h"
#include "image.h"

struct capture_bpf;
struct bpf_program;

/* Which programs a capture needs. */
struct plan {
	enum capture_hook in;  /* AUTO: none */
	enum capture_hook out; /* TC or PACKET; AUTO: none */
	bool divert;	       /* XDP: to sockets, not to the rings */
	bool divert_by_ring;   /* XDP: recorded, and dropped */
	bool keeps_frames;     /* matching frames do not reach the host */
	bool any;	       /* all interfaces: one packet socket, and cooked records */
	bool namespaces;       /* ... and by sockets of the caller's, of many namespaces */
	bool own;	       /* XDP: a program of the user's own is in the hook, and calls ours */
	bool join;  /* XDP: as one of a dispatcher's programs; the filter is in user space */
	bool bound; /* XDP: bound to the device and attached itself, not behind the root, */
	bool vlan, time, hash; /* ... because it asks the driver for these */
	bool no_link_header;   /* frames are raw IP packets */
	/* Filters see tags as a packet socket's do: at XDP user space filters frames that have
	 * one, and what is sent has its own in the frame where the kernel puts it there. */
	bool tags_beside, tags_unsure, sent_tags_inside;
};

struct bpf_object;
struct drop_names;

struct program {
	/*
	 * Load what program_load() leaves out where the plan joins: the capture program, into the
	 * dispatcher that is on f. Set by the loader, which alone has that part of libxdp; else
	 * NULL.
	 */
	int (*join)(struct program *p, const struct afxdp_options *o, const struct facts *f,
		    char *err, size_t size);
	struct plan plan;
	struct bpf_object *own; /* xdp-obj= */
	int own_fd;
	struct capture_bpf *bpf;	 /* the skeleton: owns maps and programs */
	struct image images[IMAGES_MAX]; /* what programs with other filters are made from */
	unsigned image_count;
	bool traces;		       /* the two following are valid */
	int traced;		       /* the XDP program that is traced */
	uint32_t traced_function;      /* by its BTF */
	struct drop_names *drop_names; /* CAPTURE_HOOK_DROPS; else NULL */
	char *log; /* libbpf's and the verifier's words at the last load, or NULL */
	unsigned ring_count;
	uint64_t ring_size;
};

/*
 * Make the maps and load the programs of p->plan; of one that joins only the rings are made, the
 * rest is for p->join(). -errno with err written.
 */
int program_load(struct program *p, const struct afxdp_options *o, const struct facts *f, char *err,
		 size_t size);
/* The images of what is loaded, for filters and for hook_attach(). -errno. */
int program_take_images(struct program *p, const struct facts *f);
/* Free; may be called at any stage, and again. */
void program_unload(struct program *p);

/* The one that goes to the XDP hook, by the plan. */
struct bpf_program *program_at_xdp(const struct program *p);
/* ... and the one of the packet hook. */
struct bpf_program *program_at_packet(const struct program *p);
/* What a packet socket has as its filter; -1: no plan with one was loaded. */
int program_socket_fd(const struct program *p);
int program_rings_fd(const struct program *p);
/* The XSKMAP of engine=divert; -1: not made. */
int program_sockets_fd(const struct program *p);
/* LEFT_OUT_PLACES of the interfaces that are not wanted; -1: all are. */
int program_left_out_fd(const struct program *p);
int program_doorbell_fd(const struct program *p);
/* One page, at its start the count of frames lost on CPUs without a ring: 64 bits. */
int program_counters_fd(const struct program *p);
/* The program stamps by CLOCK_TAI, else by CLOCK_MONOTONIC. */
bool program_clock_is_tai(const struct program *p);

#endif
