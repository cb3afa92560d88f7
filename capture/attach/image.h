/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A capture program in the making: the compiled program's instructions, ready for the kernel but
 * for the filter, from which a program with any filter is loaded and put in the old one's place.
 *
 * Needs nothing of libbpf's objects, so that the loader process can do it with what it inherits.
 */
#ifndef PCAP_AFXDP_IMAGE_H
#define PCAP_AFXDP_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/options/options.h"

struct bpf_insn;
struct bpf_map;
struct bpf_program;

/* Where the program is put. */
enum image_place {
	IMAGE_SLOT,    /* entry 0 of a PROG_ARRAY */
	IMAGE_LINK,    /* a link's program */
	IMAGE_NOWHERE, /* in a trial: loaded, that is all */
};

struct image {
	struct bpf_insn *insns;
	uint32_t n;
	char name[16];		  /* of the program, as bpftool shows it */
	uint32_t type;		  /* BPF_PROG_TYPE_* */
	uint32_t flags;		  /* BPF_F_* to load with */
	uint32_t ifindex;	  /* of the device it is bound to; 0: none */
	uint32_t no_link_header;  /* frames have no Ethernet header, and so no tag */
	uint32_t cooked;	  /* frames begin with their packet: filter.h */
	uint32_t tag_beside;	  /* the filter sees it so: filter.h */
	uint32_t attach_type;	  /* BPF_TRACE_F... */
	int traced;		  /* the program that is traced, */
	uint32_t traced_function; /* ... and where, by its BTF; 0: none */
	enum image_place place;
	int fd; /* of the array or the link; not ours to close */
};
#define IMAGES_MAX 2 /* in and out */

/* Take the instructions of a program that libbpf has loaded, and its constants. -errno. */
int image_take(struct image *i, const struct bpf_program *program, struct bpf_map *constants);
void image_free(struct image *i);

/*
 * Load the programs of a capture's images with this filter, numbered generation, and swap them in.
 * 0; or -errno, and the old ones stay, unless the kernel refuses the exchange itself. *level is the
 * lowest that was reached, AFXDP_LEVEL_USER on failure. *log is libbpf's or the verifier's text for
 * a refusal, yours to free, or NULL. -ETIME: the kernel would take longer than a second. limited:
 * this process can stop it (limit.h); else it is not asked where that might be. With late, putting
 * the program of an image_waits() into its place is left to image_put(): it is in *late, yours to
 * close; -1: nothing is left.
 */
int image_swap_all(const struct image *images, unsigned count, const struct sock_filter *f,
		   unsigned n, uint32_t generation, bool limited, enum afxdp_level *level,
		   char **log, int *late);
/* Does the kernel wait for a grace period to exchange its program? */
bool image_waits(const struct image *i);
/* The program into its place. -errno. */
int image_put(const struct image *i, int program);

/* Instructions of the filter alone, translated for this kind of hook. -errno with err written. */
int image_try_filter(bool at_xdp, const struct sock_filter *f, unsigned n, char *err, size_t size);

#endif
