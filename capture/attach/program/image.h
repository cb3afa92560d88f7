/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * An image: the instructions of a compiled capture program, complete but for the filter. For each
 * filter a program is made from it, loaded, and put in the old one's place.
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

/* Where the program is put. */
enum image_place {
	IMAGE_SLOT,    /* entry 0 of a PROG_ARRAY */
	IMAGE_LINK,    /* a link's program */
	IMAGE_NOWHERE, /* a trial: loaded only */
};

#define IMAGE_CALLED 4
struct image {
	struct bpf_insn *insns;
	uint32_t n;
	char name[16];		  /* of the program, as bpftool shows it */
	uint32_t type;		  /* BPF_PROG_TYPE_* */
	uint32_t flags;		  /* BPF_F_* to load with */
	uint32_t ifindex;	  /* of the device it is bound to; 0: none */
	uint32_t no_link_header;  /* frames have no Ethernet header, so no tag */
	uint32_t cooked;	  /* frames begin with their packet: filter.h */
	uint32_t tag_beside;	  /* the filter sees tags beside the frame: filter.h */
	uint32_t attach_type;	  /* BPF_TRACE_F... */
	int traced;		  /* descriptor of the program that is traced */
	uint32_t traced_function; /* BTF id: its function, or the tracepoint; 0: none */
	uint32_t function;	  /* BTF id in btf, by which tracers find the program; 0: none */
	/* The same of the functions that it calls, in the order in which it does. */
	uint32_t called[IMAGE_CALLED];
	int btf; /* descriptor of the object's BTF; not ours to close */
	enum image_place place;
	int fd; /* of the array or the link; not ours to close */
};
#define IMAGES_MAX 2 /* received and sent */

/*
 * Copy the instructions of a program of this object that libbpf has loaded, with its constants
 * filled in; without the function that it calls, where its constants rule that out and calls is
 * false. -ENOMEM; -EFAULT: it uses stack that is the filter's. Free it with image_free() in any
 * case.
 */
int image_take(struct image *i, const struct bpf_program *program, struct bpf_map *constants,
	       const struct bpf_object *object, bool calls);
void image_free(struct image *i);

/*
 * Load the programs of a capture's images with this filter, numbered generation, and swap them in.
 * 0; or -errno, and the old ones stay, unless the kernel refuses the exchange itself. -ETIME: the
 * kernel would load it for longer than a second. limited: this process can stop the load (limit.h);
 * if not, a filter that may take long is not loaded at all. *level is the slowest level of all
 * images, AFXDP_LEVEL_USER on failure. *log says why a level was refused; the caller frees it; or
 * NULL. late, unless NULL: the program of an image_waits() is not put into its place but returned
 * in *late, for image_put(), and the caller closes it; -1: there is none.
 */
int image_swap_all(const struct image *images, unsigned count, const struct sock_filter *f,
		   unsigned n, uint32_t generation, bool limited, enum afxdp_level *level,
		   char **log, int *late);
/*
 * Load the program of an image without a place, with this filter, or with none where n is 0, and
 * return its descriptor. -errno.
 */
int image_load(const struct image *i, const struct sock_filter *f, unsigned n, uint32_t generation);
/*
 * Make the whole program with this filter, in the form that level names; limit: of limit.h, or
 * NULL: this process cannot stop the load. 0, and the caller frees *insns; -EOPNOTSUPP, -ETIME: err
 * says why.
 */
typedef int image_builder(const struct image *i, const struct sock_filter *f, unsigned n,
			  uint32_t generation, enum filter_level level,
			  const struct load_limit *limit, struct bpf_insn **insns, unsigned *count,
			  char *err, size_t size);
image_builder image_build;
/*
 * As image_load(), and *level and *log are those of image_swap_all(). builder: the loader's, or
 * NULL: image_build(); limit: as there, of all images together.
 */
int image_load_with(const struct image *i, const struct sock_filter *f, unsigned n,
		    uint32_t generation, image_builder *builder, struct load_limit *limit,
		    enum afxdp_level *level, char **log);
/* Does the kernel wait for an RCU grace period when this program is exchanged? */
bool image_waits(const struct image *i);
/* Put the program with this descriptor into its place. -errno. */
int image_put(const struct image *i, int program);

/* How many instructions the filter alone has for this kind of hook, or -errno with err written. */
int image_try_filter(bool at_xdp, const struct sock_filter *f, unsigned n, char *err, size_t size);
