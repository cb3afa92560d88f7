/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The kernel's side of a capture, once it is open: what the reader needs of it, as plain data and
 * descriptors. Whoever has the privilege opens it, this process or the loader; who holds it needs
 * none to read, to count, and to let go.
 */
#ifndef PCAP_AFXDP_ATTACHMENT_H
#define PCAP_AFXDP_ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "facts.h"
#include "nic_time.h"
#include "program.h"

#define ATTACHMENT_FDS 11

struct attachment {
	struct facts facts;
	struct plan plan;
	bool borrowed; /* sockets and program were opened by another process: no maps (borrowed.h) */
	bool foreign;  /* ... and nothing is known of what the program does to frames */
	bool capture_only; /* the loader opened it for a user, and has kept all that sends */
	union {
		struct {
			int rings, doorbell, counters; /* maps */
			int sockets;		       /* map: the XSKMAP of engine=divert */
			int left_out;		       /* map: interfaces, of AFXDP_ANY */
			int packet;		       /* socket: holds promiscuity, sends */
			int clock; /* the interface's, where stamps are converted by it */
			int holders[IMAGES_MAX]; /* links or sockets that hold the programs */
			int slots[IMAGES_MAX];	 /* PROG_ARRAYs: emptied when nobody holds them */
		};
		int fd[ATTACHMENT_FDS]; /* all of them; -1: not there */
	};
	bool is_link[IMAGES_MAX];
	bool clock_is_tai; /* the program stamps by CLOCK_TAI, else by CLOCK_MONOTONIC */
	uint32_t ring_count;
	uint64_t ring_size;
	struct stamp_change stamps; /* what was changed so that the interface stamps frames */
	char warning[AFXDP_ERROR_SIZE];
};

enum attachment_state { ATTACHMENT_HOLDS, ATTACHMENT_DETACHED, ATTACHMENT_UNKNOWN };

/* Facts, for one that is up. -errno with err written. */
int attachment_check_interface(struct attachment *a, const char *name, char *err, size_t size);
/* Without descriptors. */
void attachment_init(struct attachment *a);
/*
 * Check the interface, load the programs, attach. p gets what filters are made with, and must live
 * as long as they are set. -errno with err written, and nothing left open.
 */
int attachment_open(struct attachment *a, struct program *p, const struct afxdp_options *o,
		    char *err, size_t size);
/*
 * What attachment_open() would do, without attaching anything: a gets facts, plan (without a hook
 * where none can be had), warning and the measure of the rings, but no descriptors. The programs
 * are loaded and unloaded. That the interface is down is no failure here. -errno with err
 * written.
 */
int attachment_try(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);
/* Take the programs off the interface, its stamps put back; the rings stay readable. */
void attachment_detach(struct attachment *a);
/* Close everything; again is allowed. */
void attachment_close(struct attachment *a);
/*
 * The packet socket to send by: the one with our program for sent frames, if there is one, as the
 * kernel shows no socket what it has sent itself. -1: none.
 */
int attachment_sender(const struct attachment *a);
/* Do the links still hold our programs to an interface? */
enum attachment_state attachment_state(const struct attachment *a);
/* Append a sentence to the warning. */
__attribute__((format(printf, 2, 3))) void attachment_warn(struct attachment *a, const char *format,
							   ...);

#endif
