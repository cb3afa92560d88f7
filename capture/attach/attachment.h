/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The kernel's side of an open capture: what the reader needs of it, as plain data and descriptors.
 * This process opens it, or the loader where only that has the privilege. A process that holds it
 * needs no privilege to read, to count, and to close it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/attach/facts/facts.h"
#include "capture/attach/facts/nic_time.h"
#include "capture/attach/program/program.h"

#define ATTACHMENT_FDS (12 + RING_MAPS_MAX)

struct attachment {
	struct facts facts;
	struct plan plan;
	bool borrowed;	   /* another process opened sockets and program: no maps (borrowed.h) */
	bool foreign;	   /* ... and the program is not ours: it writes no divert_meta */
	bool capture_only; /* the loader opened it for a user, and kept the sockets that send */
	union {
		struct {
			int rings[RING_MAPS_MAX]; /* maps, as place has them */
			int doorbell, counters;	  /* maps */
			int timers;		  /* map, which has them as long as it is open */
			int sockets;		  /* map: the XSKMAP of engine=divert */
			int left_out;		  /* map: AFXDP_ANY, interfaces to leave out */
			int sets;		  /* map: addresses and ports, by sets.h */
			int packet;		  /* socket: holds promiscuity, sends */
			int clock;		 /* /dev/ptpN of the interface, to convert stamps */
			int holders[IMAGES_MAX]; /* links or sockets that hold the programs */
			int slots[IMAGES_MAX];	 /* PROG_ARRAYs: without a holder the kernel empties
						    them */
		};
		int fd[ATTACHMENT_FDS]; /* all of them; -1: none */
	};
	bool is_link[IMAGES_MAX]; /* holders: a link, not a socket */
	bool clock_is_tai;	  /* the program stamps by CLOCK_TAI, else by CLOCK_MONOTONIC */
	bool shares_ring;	  /* the last ring is for CPUs that have none of their own */
	struct ring_place place;
	struct stamp_change stamps;	/* what was changed so that the interface stamps frames */
	char warning[AFXDP_ERROR_SIZE]; /* "": none */
};

enum attachment_state { ATTACHMENT_HOLDS, ATTACHMENT_DETACHED, ATTACHMENT_UNKNOWN };

/* Fill a->facts. -ENODEV; -ENETDOWN: it is down; or the kernel's error. err is written. */
int attachment_check_interface(struct attachment *a, const char *name, char *err, size_t size);
/* Make it empty: no descriptor. */
void attachment_init(struct attachment *a);
/*
 * Check the interface, load the programs, attach. p gets the images that filters are put into; keep
 * it as long as filters are set. -errno with err written, and nothing is left open.
 */
int attachment_open(struct attachment *a, struct program *p, const struct afxdp_options *o,
		    char *err, size_t size);
/*
 * What attachment_open() would do, without attaching anything: a gets facts, plan (without a hook
 * where none is possible), warning, and number and size of the rings, but no descriptors. The
 * programs are loaded and unloaded. The interface may be down. -errno with err written.
 */
int attachment_try(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);
/* Put the time stamps back, and detach the programs. The rings stay readable. Again is allowed. */
void attachment_detach(struct attachment *a);
/* What holds the program for received frames, the first one: it is at another hook now. */
void attachment_close_received(struct attachment *a);
/*
 * Rings, doorbell, counters, sets and left_out are mapped, which keeps them: close their
 * descriptors.
 */
void attachment_mapped(struct attachment *a);
/* Detach, and close everything. Again is allowed. */
void attachment_close(struct attachment *a);
/*
 * The packet socket to send with; -1: none. It is the one with our program, if there is one: the
 * kernel does not show a socket what it has sent itself.
 */
int attachment_sender(const struct attachment *a);
/* Are our programs still attached? UNKNOWN: sockets cannot tell, nor links before Linux 5.19. */
enum attachment_state attachment_state(const struct attachment *a);
/* Is a program of ours among others at tc? */
bool attachment_is_at_tc(const struct attachment *a);
/* A link of which attachment_state() knows; -1: none. */
int attachment_link(const struct attachment *a, unsigned i);
/* Was this link detached? 0: no, or the kernel does not say. */
bool attachment_is_detached(int link);
/* Append a sentence to the warning, behind a semicolon. */
__attribute__((format(printf, 2, 3))) void attachment_warn(struct attachment *a, const char *format,
							   ...);
