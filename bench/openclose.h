/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* bench/openclose's two ways: a pcap handle, or the bare descriptors that a capture holds. */
#pragma once

/* CLOCK_MONOTONIC in ms. */
double openclose_now(void);
/* For the time in between, in which a capture is read: nothing that was begun is left to do. */
void openclose_rest(void);

struct openclose_times {
	double create, activate, setfilter, close; /* ms each */
};

/* 0, or -1 after telling why on standard error. filter: an expression, or NULL. */
int openclose_pcap(const char *device, const char *filter, struct openclose_times *t);
/* activate: what loads and attaches; close: what takes off again. */
int openclose_bare(const char *ifname, struct openclose_times *t);
