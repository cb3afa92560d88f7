/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What --who would find, and what it would cost. */
#include <linux/types.h>
#include <string.h>

#include "check.h"
#include "patient.h"
#include "util/clock.h"
#include "who/looker.h"
#include "who/who.h"

#define NS_PER_TENTH 100000

/* Its programs are loaded and attached for the time of one look. */
enum result check_who(const struct patient *p, struct finding *f)
{
	char err[sizeof(f->text)];
	struct looks looks;
	struct who *w;
	uint64_t ns = 0;
	size_t seen = 0;
	int e;

	if (p->given->who == WHO_NOT)
		return RESULT_NOT_APPLICABLE;
	if (who_open(&w, false, err, sizeof(err)))
		return say(RESULT_FAILURE, f, "%s", err);
	looks = who_looks(w);
	e = looker_try(&looks, &seen, &ns);
	who_close(w);
	if (e)
		return say(RESULT_FAILURE, f, "--who: cannot look at the sockets of processes: %s",
			   strerror(-e));
	return say(RESULT_OK, f,
		   "a look at the %zu descriptors of sockets that processes have takes %llu.%llu ms; packets are labeled some %llu ms after they came",
		   seen, (unsigned long long)(ns / NS_PER_MS),
		   (unsigned long long)(ns % NS_PER_MS / NS_PER_TENTH),
		   (unsigned long long)(who_pause(ns) / NS_PER_MS));
}
