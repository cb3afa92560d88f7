/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The kernel, privileges and memory. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "config.h"
#include "check.h"
#include "patient.h"
#include "util/no_bpf.h"

#define MIB	   (1u << 20)
#define RING_LEAST (512u << 10)	     /* no ring is smaller */
#define AT(a, b)   ((a) << 16 | (b)) /* a version */

static unsigned kernel_version(struct utsname *u)
{
	unsigned a = 0, b = 0;

	uname(u);
	sscanf(u->release, "%u.%u", &a, &b);
	return AT(a, b);
}

enum result check_kernel(const struct patient *p, struct finding *f)
{
	struct utsname u;
	unsigned version = kernel_version(&u);

	(void)p;
	if (version < AT(5, 18))
		return say(RESULT_FAILURE, f, "%s: 5.18 or newer is needed", u.release);
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return say(RESULT_WARNING, f,
			   "%s; its type information cannot be read (/sys/kernel/btf/vmlinux: %s)",
			   u.release, strerror(errno));
	if (version < AT(6, 6))
		return say(RESULT_WARNING, f,
			   "%s; a capture behind XDP uses a packet socket, as tc needs 6.6%s",
			   u.release,
			   version < AT(6, 0) ? ", and rings of more than 2M need 6.0" : "");
	return say(RESULT_OK, f, "%s: has all that is used", u.release);
}

static enum result refuse_loader(const struct patient *p, struct finding *f, const char *path)
{
	bool forbidden = errno == EACCES;
	enum result r =
		say(RESULT_WARNING, f, "%s: %s%s", path, strerror(errno),
		    forbidden
			    ? ": it is for root and the members of its group"
			    : ": nobody without the capabilities can capture, and a filter set without them runs in user space");

	if (forbidden && !p->is_privileged)
		remedy(NULL, f, "usermod -aG GROUP USER");
	else if (!forbidden)
		remedy(NULL, f, "make install");
	return r;
}

enum result check_loader(const struct patient *p, struct finding *f)
{
	const char *path = afxdp_loader();
	/* A loader without capabilities works for root, but for nobody else. */
	bool opens = p->is_privileged ? afxdp_loader_has_capabilities() : patient_has_loader(p);

	if (afxdp_options_have(p->options, "loader", "off"))
		return say(RESULT_OK, f, "not wanted");
	if (access(path, X_OK))
		return refuse_loader(p, f, path);
	if (opens)
		return say(RESULT_OK, f, "%s: opens captures for users without the capabilities",
			   path);
	if (p->is_privileged)
		return say(RESULT_OK, f, "%s: has no capabilities to open captures with", path);
	remedy(NULL, f,
	       "L=%s; chgrp " CAPTURE_GROUP " $L; chmod 750 $L; setcap " AFXDP_CAPABILITIES " $L",
	       path);
	return say(RESULT_WARNING, f, "%s: has no capabilities to open captures with", path);
}

enum result check_capabilities(const struct patient *p, struct finding *f)
{
	bool loader = patient_has_loader(p);
	char self[PATH_MAX] = "xdpdump";
	ssize_t n;

	if (p->is_privileged && !p->rehearsal->works && no_bpf_here(self, sizeof(self)))
		return say(RESULT_FAILURE, f, "%s", self);
	if (p->is_privileged)
		return say(RESULT_OK, f, "all that are needed");
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n > 0)
		self[n] = 0;
	remedy(NULL, f, "setcap " AFXDP_CAPABILITIES " %s", self);
	return say(loader ? RESULT_WARNING : RESULT_FAILURE, f, "%s%s", p->capabilities,
		   loader ? ": the loader opens the capture" : "");
}

static const char *describe_cgroup(const struct memory *m, char *text, size_t size)
{
	if (m->cgroup_limit < 1ULL << 50) { /* cgroup v1: a huge number is no limit */
		snprintf(text, size, "the cgroup leaves %" PRIu64 " of %" PRIu64 " MiB",
			 m->cgroup_left / MIB, m->cgroup_limit / MIB);
		return text;
	}
	return m->cgroup_told ? "the cgroup has no limit"
			      : "the cgroup's limit cannot be seen here";
}

/* Returns a total size for the rings that leaves half of the memory to programs and to this
 * process, or 0 if even the smallest rings need more.
 */
static uint64_t total_that_fits(const struct patient *p)
{
	const struct memory *m = &p->memory;
	uint64_t left = m->cgroup_left < m->available ? m->cgroup_left : m->available;
	uint64_t least = (uint64_t)RING_LEAST * p->plan.rings * p->captures;

	left = left / 2 / RING_LEAST * RING_LEAST;
	return left < least ? 0 : left;
}

static void advise_total(const struct patient *p, struct finding *f)
{
	uint64_t total = total_that_fits(p);

	if (total)
		remedy(p, f, "%s -i %s --ring-total %" PRIu64 "K", program_invocation_short_name,
		       p->name, total >> 10);
}

enum result check_memory(const struct patient *p, struct finding *f)
{
	const struct memory *m = &p->memory;
	uint64_t need = p->plan.memory * p->captures;
	bool fits = need <= m->available && need <= m->cgroup_limit, tight = need > m->cgroup_left;
	char cgroup[64];

	if (!p->plan.rings) /* the trial did not get so far */
		return RESULT_NOT_APPLICABLE;
	if (!fits || tight)
		advise_total(p, f);
	return say(!fits   ? RESULT_FAILURE
		   : tight ? RESULT_WARNING
			   : RESULT_OK,
		   f,
		   "%u rings of %" PRIu64 " KiB are %" PRIu64
		   " MiB, resident while it captures; %" PRIu64 " MiB are available, %s",
		   p->plan.rings * p->captures, p->plan.ring_size >> 10, need / MIB,
		   m->available / MIB, describe_cgroup(m, cgroup, sizeof(cgroup)));
}

/* Kernels on which RLIMIT_MEMLOCK counts the memory of BPF maps are too old to capture. */
enum result check_locked(const struct patient *p, struct finding *f)
{
	if (!p->plan.rings)
		return RESULT_NOT_APPLICABLE;
	return say(RESULT_OK, f, "not used: since 5.11 the cgroup counts this memory");
}
