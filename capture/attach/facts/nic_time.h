/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Time stamps by the interface's own clock: how to switch them on, and how to read them in records.
 *
 * The program stamps every record by the host's clock, and the reader merges by that stamp. The
 * interface's stamp is an option of the record.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct epb_header;

/* As struct hwtstamp_config of linux/net_tstamp.h; plain data, so that the loader can receive
 * it. */
struct stamp_config {
	int32_t flags, tx_type, rx_filter;
};

/* What we changed on the interface, and put back at the end. */
struct stamp_change {
	uint32_t ifindex; /* 0: nothing */
	struct stamp_config before, after;
};

/*
 * Let the interface stamp received frames. filter says which: HWTSTAMP_FILTER_ALL or another value.
 * socket: any socket in its network namespace. *c gets what was changed. Changes nothing if the
 * interface already stamps these frames or all, or if filter is for some frames and somebody has
 * chosen others. Returns 0 or -errno.
 */
int stamp_enable(int socket, unsigned ifindex, int filter, struct stamp_change *c);
/*
 * Put the old configuration back, unless somebody has changed it since, or the interface that
 * socket is bound to is gone. May be called again. Needs CAP_NET_ADMIN.
 */
void stamp_restore(int socket, struct stamp_change *c);

/* The interface's clock, and its difference from the host's. All times are in ns. */
struct nic_clock {
	bool synced;	   /* stamps are converted to the host's clock */
	int ptp;	   /* from stamp_open_clock(), if synced; its owner closes it */
	uint64_t missing;  /* records without the interface's stamp */
	int64_t ahead;	   /* if not synced: its stamp minus the host's, in the last record that has
			      both */
	uint64_t compared; /* if synced: its time at the last comparison; 0: none yet */
	uint64_t looked;   /* CLOCK_MONOTONIC at the last comparison, successful or not */
	int64_t offset;	   /* the host's time minus its time at the last successful comparison */
	int64_t drift;	   /* how much the offset changes, in ns per second */
};

/* Open /dev/ptpN, by which the kernel compares that clock with the host's. Returns a descriptor or
 * -errno. */
int stamp_open_clock(int n);
/* Compare the two clocks. Returns 0, or -errno if the kernel cannot. */
int nic_clock_compare(struct nic_clock *c);
/*
 * The time of a record by the interface's stamp; if synced, converted to the host's clock. A record
 * without such a stamp is counted in missing, and gets the host's stamp; if not synced, that is
 * converted to the interface's clock, because a file has one clock. The record must be whole:
 * afxdp_run_has().
 */
uint64_t nic_clock_time(struct nic_clock *c, const struct epb_header *r);
