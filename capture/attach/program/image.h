/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * An image: the instructions of a compiled capture program, complete except for the filter. For
 * each filter, a program is made from the image, loaded, and put in the place of the previous one.
 *
 * It needs no libbpf object, so the loader process can do this with the descriptors it inherits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/options/options.h"
#include "filter/filter.h"
#include "limit.h"

struct bpf_insn;
struct bpf_map;
struct bpf_object;
struct bpf_program;

/* Where the program goes. */
enum image_place {
	IMAGE_SLOT,    /* entry 0 of a PROG_ARRAY */
	IMAGE_LINK,    /* a link's program */
	IMAGE_NOWHERE, /* nowhere: it is only loaded, for a trial */
};

#define IMAGE_CALLED 4
struct image {
	struct bpf_insn *insns;
	uint32_t n;
	char name[16];		  /* of the program, as bpftool shows it */
	uint32_t type;		  /* BPF_PROG_TYPE_* */
	uint32_t flags;		  /* BPF_F_* to load with */
	uint32_t ifindex;	  /* the device that it is bound to; 0: none */
	uint32_t no_link_header;  /* frames have no Ethernet header, so no tag */
	uint32_t cooked;	  /* frames begin with their packet: filter.h */
	uint32_t tag_beside;	  /* the filter sees tags beside the frame: filter.h */
	uint32_t attach_type;	  /* BPF_TRACE_F... */
	int traced;		  /* descriptor of the program that it traces */
	uint32_t traced_function; /* BTF id of what it traces: a function of that program, or a
				     tracepoint; 0: nothing */
	uint32_t function; /* its own BTF id in btf, by which tracers find the program; 0: none */
	/* The same for the functions that it calls, in the order of the calls. */
	uint32_t called[IMAGE_CALLED];
	int btf; /* descriptor of the object's BTF; the image does not own it */
	enum image_place place;
	int fd; /* of the array or the link; the image does not own it */
};
#define IMAGES_MAX 2 /* received and sent */

/*
 * Copy the instructions of a program of this object, which libbpf has loaded, with its constants
 * filled in. If calls is false, the function that the program calls is left out, because its
 * constants make it unreachable. -ENOMEM; -EFAULT: the program uses stack that is reserved for the
 * filter. Call image_free() in any case.
 */
int image_take(struct image *i, const struct bpf_program *program, struct bpf_map *constants,
	       const struct bpf_object *object, bool calls);
void image_free(struct image *i);

/*
 * Load programs from a capture's images with this filter, whose number is generation, and swap them
 * in. Returns 0; or -errno, and the old programs stay, unless the kernel refuses the exchange
 * itself. -ETIME: loading would take the kernel longer than a second. limited: this process can
 * stop the load (limit.h); if not, a filter that may take long is not loaded at all. *level gets
 * the slowest level of all images, on failure AFXDP_LEVEL_USER. *log gets the reason if a level was
 * refused, else NULL; the caller frees it. If late is not NULL, the program of an image for which
 * image_waits() is true is not put into its place, but returned in *late; the caller passes it to
 * image_put() and closes it. -1: there is none.
 */
int image_swap_all(const struct image *images, unsigned count, const struct sock_filter *f,
		   unsigned n, uint32_t generation, bool limited, enum afxdp_level *level,
		   char **log, int *late);
/*
 * Load a program from an image, with this filter or if n is 0 with none, and return its descriptor.
 * It is not attached. Returns -errno on failure.
 */
int image_load(const struct image *i, const struct sock_filter *f, unsigned n, uint32_t generation);
/*
 * Make the whole program with this filter, in the form that level names. limit: see limit.h; NULL:
 * this process cannot stop the load. Returns 0, and the caller frees *insns; or -EOPNOTSUPP,
 * -ETIME: err says why.
 */
typedef int image_builder(const struct image *i, const struct sock_filter *f, unsigned n,
			  uint32_t generation, enum filter_level level,
			  const struct load_limit *limit, struct bpf_insn **insns, unsigned *count,
			  char *err, size_t size);
image_builder image_build;
/*
 * As image_load(); *level and *log are as in image_swap_all(). builder: that of the loader, or NULL
 * for image_build(). limit: as for that, and shared by all images.
 */
int image_load_with(const struct image *i, const struct sock_filter *f, unsigned n,
		    uint32_t generation, image_builder *builder, struct load_limit *limit,
		    enum afxdp_level *level, char **log);
/* Does the kernel wait for an RCU grace period when this program is exchanged? */
bool image_waits(const struct image *i);
/* Put the program with this descriptor into its place. Returns 0 or -errno. */
int image_put(const struct image *i, int program);

/* How many instructions does the filter itself take at this kind of hook? Returns that, or -errno
 * with err written. */
int image_try_filter(bool at_xdp, const struct sock_filter *f, unsigned n, char *err, size_t size);
