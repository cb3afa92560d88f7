/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The kernel's side of an open capture: what the reader needs of it, as plain data and descriptors.
 * This process opens it, or the loader if only that has the privilege. A process that holds it
 * needs no privilege to read, to count, or to close it.
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
	bool borrowed;	   /* another process opened the sockets and the program: there are no maps
			      (borrowed.h) */
	bool foreign;	   /* ... and the program is not one of ours: it writes no divert_meta */
	bool capture_only; /* the loader opened it for a user, and kept the sockets that can send */
	union {
		struct {
			int rings[RING_MAPS_MAX]; /* maps, as in place */
			int doorbell, counters;	  /* maps */
			int timers;   /* map that owns the timers as long as it is open */
			int sockets;  /* map: the XSKMAP of engine=divert */
			int left_out; /* map for AFXDP_ANY: interfaces to leave out */
			int sets;     /* map of addresses and ports: sets.h */
			int packet;   /* socket that holds promiscuity, and sends */
			int clock;    /* /dev/ptpN of the interface, to convert its time stamps */
			int holders[IMAGES_MAX]; /* links or sockets that keep the programs attached
						  */
			int slots[IMAGES_MAX]; /* PROG_ARRAYs, which the kernel empties when nobody
						  holds them */
		};
		int fd[ATTACHMENT_FDS]; /* all of them; -1: none */
	};
	bool is_link[IMAGES_MAX]; /* the holder is a link, not a socket */
	bool clock_is_tai;	  /* the program stamps by CLOCK_TAI, not by CLOCK_MONOTONIC */
	bool shares_ring;	  /* the last ring is for CPUs without a ring of their own */
	struct ring_place place;
	struct stamp_change stamps;	/* what was changed so that the interface stamps frames */
	char warning[AFXDP_ERROR_SIZE]; /* "": none */
};

enum attachment_state { ATTACHMENT_HOLDS, ATTACHMENT_DETACHED, ATTACHMENT_UNKNOWN };

/* Fill a->facts. Returns 0, or with err written -ENODEV; -ENETDOWN: it is down; or the kernel's
 * error. */
int attachment_check_interface(struct attachment *a, const char *name, char *err, size_t size);
/* Make it empty, with no descriptor. */
void attachment_init(struct attachment *a);
/*
 * Check the interface, load the programs, and attach them. p gets the images that filters are put
 * into; keep it as long as filters are set. Returns 0, or -errno with err written and nothing left
 * open.
 */
int attachment_open(struct attachment *a, struct program *p, const struct afxdp_options *o,
		    char *err, size_t size);
/*
 * What attachment_open() would do, without attaching anything: a gets facts, plan (without a hook
 * if none is possible), warning, and number and size of the rings, but no descriptors. The programs
 * are loaded and unloaded. The interface may be down. Returns 0, or -errno with err written.
 */
int attachment_try(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);
/* Put the time stamps back, and detach the programs. The rings stay readable. May be called
 * again. */
void attachment_detach(struct attachment *a);
/* Close what holds the first program, which is for received frames: it is at another hook now. */
void attachment_close_received(struct attachment *a);
/*
 * Call it when rings, doorbell, counters, sets and left_out are mapped: closes their descriptors,
 * because the mappings keep the maps.
 */
void attachment_mapped(struct attachment *a);
/* Detach, and close everything. May be called again. */
void attachment_close(struct attachment *a);
/*
 * The packet socket to send with; -1: none. It is the one with our program, if there is one,
 * because the kernel does not show a socket what it has sent itself.
 */
int attachment_sender(const struct attachment *a);
/* Are our programs still attached? UNKNOWN: sockets cannot tell, nor can links before Linux
 * 5.19. */
enum attachment_state attachment_state(const struct attachment *a);
/* Is a program of ours among others at tc? */
bool attachment_is_at_tc(const struct attachment *a);
/* Holder number i, if it is a link whose state attachment_state() can see; -1: it is not. */
int attachment_link(const struct attachment *a, unsigned i);
/* Was this link detached? False: no, or the kernel does not say. */
bool attachment_is_detached(int link);
/* Append a sentence to the warning, behind a semicolon. */
__attribute__((format(printf, 2, 3))) void attachment_warn(struct attachment *a, const char *format,
							   ...);
