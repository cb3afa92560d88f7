/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A check of --doctor: looks at one thing, and says how it is in one sentence, with a remedy to
 * type where there is one. checks.c has the table of them all.
 */
#ifndef XDPDUMP_CHECK_H
#define XDPDUMP_CHECK_H

#include <stdbool.h>

struct patient;

enum result {
	RESULT_OK,
	RESULT_WARNING, /* a capture works, but with less than there could be */
	RESULT_FAILURE, /* it does not work */
	RESULT_NOT_APPLICABLE,
};

struct finding {
	enum result result;
	const char *name;
	char text[640];
	char fix[512]; /* what to type; empty: nothing */
};

struct check {
	const char *name;
	enum result (*run)(const struct patient *p, struct finding *f);
	bool (*applies)(const struct patient *p); /* NULL: wherever the interface is there */
};

/* Write the sentence. The result is the first argument. */
__attribute__((format(printf, 3, 4))) enum result say(enum result r, struct finding *f,
						      const char *format, ...);
/* What to type, which begins with the way to where the interface is. */
__attribute__((format(printf, 3, 4))) void remedy(const struct patient *p, struct finding *f,
						  const char *format, ...);
/* The same without the way, where it makes no difference. */
__attribute__((format(printf, 2, 3))) void remedy_here(struct finding *f, const char *format, ...);

/* Device: link, driver, offloads, FCS, time stamps, what it counts. */
enum result check_missing(const struct patient *p, struct finding *f);
enum result check_link(const struct patient *p, struct finding *f);
enum result check_driver(const struct patient *p, struct finding *f);
enum result check_offloads(const struct patient *p, struct finding *f);
enum result check_fcs(const struct patient *p, struct finding *f);
enum result check_time_stamps(const struct patient *p, struct finding *f);
enum result check_counters(const struct patient *p, struct finding *f);
/* What a trial of the capture has met with. */
enum result check_capture(const struct patient *p, struct finding *f);
enum result check_filter(const struct patient *p, struct finding *f);
enum result check_divert(const struct patient *p, struct finding *f);
enum result check_files(const struct patient *p, struct finding *f);
/* Of --who: whether its programs load here, and what a look costs. */
enum result check_who(const struct patient *p, struct finding *f);
enum result check_programs(const struct patient *p, struct finding *f);
/* Hooks: which programs are there, and what the driver can do. */
enum result check_holder(const struct patient *p, struct finding *f);
enum result check_tcx(const struct patient *p, struct finding *f);
enum result check_native(const struct patient *p, struct finding *f);
enum result check_running(const struct patient *p, struct finding *f);
enum result check_attaching(const struct patient *p, struct finding *f);
enum result check_zero_copy(const struct patient *p, struct finding *f);
enum result check_mtu(const struct patient *p, struct finding *f);
/* Queues, how frames are spread over them, and the CPUs they are handled on. */
enum result check_queues(const struct patient *p, struct finding *f);
enum result check_spread(const struct patient *p, struct finding *f);
enum result check_cpus(const struct patient *p, struct finding *f);
/* The installed libpcap and the system's. */
enum result check_libpcap(const struct patient *p, struct finding *f);
/* Kernel, privileges, memory. */
enum result check_kernel(const struct patient *p, struct finding *f);
enum result check_loader(const struct patient *p, struct finding *f);
enum result check_capabilities(const struct patient *p, struct finding *f);
enum result check_memory(const struct patient *p, struct finding *f);
enum result check_locked(const struct patient *p, struct finding *f);

#endif
