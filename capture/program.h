/* SPDX-License-Identifier: BSD-3-Clause */
/* The BPF side of a capture: maps, capture program, and the link that holds it to the interface. */
#ifndef PCAP_AFXDP_PROGRAM_H
#define PCAP_AFXDP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "facts.h"
#include "image.h"

struct capture_bpf;

struct program {
	struct capture_bpf *bpf; /* the skeleton: owns maps and programs */
	struct image image;	 /* what programs with other filters are made from */
	int link;		 /* the XDP link; -1: not attached */
	bool bound;		 /* attached itself, bound to the device; else behind the root */
	char *log;		 /* libbpf's and the verifier's words at the last load, or NULL */
	unsigned ring_count;
	uint64_t ring_size;
};

/* Make the maps and load the programs. -errno with err written. */
int program_load(struct program *p, const struct capture_options *o, const struct facts *f,
		 char *err, size_t size);
/* Put it to the hook. From here on frames are captured. */
int program_attach(struct program *p, const struct capture_options *o, const struct facts *f,
		   char *err, size_t size);
/* Detach and free; may be called at any stage, and again. */
void program_unload(struct program *p);

int program_rings_fd(const struct program *p);
int program_doorbell_fd(const struct program *p);
uint64_t program_lost_no_ring(const struct program *p);
/* The program stamps by CLOCK_TAI, else by CLOCK_MONOTONIC. */
bool program_clock_is_tai(const struct program *p);
/* Is the link still holding our program to an interface? */
bool program_is_attached(const struct program *p);

#endif
