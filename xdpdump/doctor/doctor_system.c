/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "config.h"
#include "doctor_checks.h"

#define MIB	 (1u << 20)
#define AT(a, b) ((a) << 16 | (b)) /* a version */

static unsigned kernel_version(struct utsname *u)
{
	unsigned a = 0, b = 0;

	uname(u);
	sscanf(u->release, "%u.%u", &a, &b);
	return AT(a, b);
}

static void check_kernel(struct patient *p)
{
	struct utsname u;
	unsigned version = kernel_version(&u);

	if (version < AT(5, 18))
		finding_add(&p->found, VERDICT_BAD, "kernel", "%s: 5.18 or newer is needed",
			    u.release);
	else if (access("/sys/kernel/btf/vmlinux", R_OK))
		finding_add(&p->found, VERDICT_NOTE, "kernel",
			    "%s; it tells no types (/sys/kernel/btf/vmlinux: %s)", u.release,
			    strerror(errno));
	else if (version < AT(6, 6))
		finding_add(&p->found, VERDICT_NOTE, "kernel",
			    "%s; a capture behind XDP takes a packet socket, as tc takes 6.6%s",
			    u.release,
			    version < AT(6, 0) ? ", and rings of more than 2M take 6.0" : "");
	else
		finding_add(&p->found, VERDICT_OK, "kernel", "%s: has all that is used", u.release);
}

/* Has the loader the capabilities, and may a process of this one gain them? */
static bool loader_is_privileged(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 && afxdp_loader_has_capabilities();
}

/* Returns whether it opens captures for this process. */
static bool check_loader(struct patient *p)
{
	const char *path = afxdp_loader();
	bool serves;

	if (afxdp_options_have(p->options, "loader", "off")) {
		finding_add(&p->found, VERDICT_OK, "loader", "not wanted");
		return false;
	}
	if (access(path, X_OK)) {
		bool forbidden = errno == EACCES;

		finding_add(&p->found, p->capabilities_missing ? VERDICT_NOTE : VERDICT_OK,
			    "loader", "%s: %s%s", path, strerror(errno),
			    forbidden ? ": it is for root and the members of its group" : "");
		if (p->capabilities_missing && forbidden)
			finding_fix_here(&p->found, "usermod -aG GROUP USER");
		else if (p->capabilities_missing)
			finding_fix_here(&p->found, "make install");
		return false;
	}
	serves = loader_is_privileged() || geteuid() == 0;
	finding_add(&p->found, serves || !p->capabilities_missing ? VERDICT_OK : VERDICT_NOTE,
		    "loader", "%s%s", path,
		    serves ? ": opens captures for who has not the capabilities"
			   : ": has no capabilities to open captures with");
	if (!serves && p->capabilities_missing)
		finding_fix_here(&p->found,
				 "L=%s; chgrp " CAPTURE_GROUP
				 " $L; chmod 750 $L; setcap " AFXDP_CAPABILITIES " $L",
				 path);
	return serves;
}

static void check_capabilities(struct patient *p, bool loader)
{
	char text[256], self[PATH_MAX] = "xdpdump";
	ssize_t n;

	if (!p->capabilities_missing) {
		finding_add(&p->found, VERDICT_OK, "capabilities", "all that are needed");
		return;
	}
	afxdp_missing_capabilities(text, sizeof(text));
	finding_add(&p->found, loader ? VERDICT_NOTE : VERDICT_BAD, "capabilities", "%s%s", text,
		    loader ? ": the loader opens the capture" : "");
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n > 0)
		self[n] = 0;
	finding_fix_here(&p->found, "setcap " AFXDP_CAPABILITIES " %s", self);
}

static void check_programs(struct patient *p)
{
	if (!doctor_has_hook(p)) /* of which it is told why */
		return;
	if (p->capabilities_missing)
		finding_add(&p->found, VERDICT_NOTE, "programs",
			    "not tried, as the capabilities are missing");
	else if (p->trial)
		finding_add(&p->found, VERDICT_BAD, "programs", "%s", p->trial_text);
	else
		finding_add(&p->found, VERDICT_OK, "programs",
			    "the kernel has loaded them, and they were taken back");
}

static bool read_number(const char *path, uint64_t *n)
{
	FILE *f = fopen(path, "re");
	bool ok = f && fscanf(f, "%" SCNu64, n) == 1;

	if (f)
		fclose(f);
	return ok;
}

/* "max" is no number: no limit. Those of the groups above hold as well, so the least counts. */
static bool lower_limit(const char *root, char *group, const char *max, const char *used,
			uint64_t *limit, uint64_t *left)
{
	bool told = false;

	for (;;) {
		char path[512];
		uint64_t m, u = 0;

		snprintf(path, sizeof(path), "%s%s/%s", root, group, max);
		told |= access(path, R_OK) == 0;
		if (read_number(path, &m) && m < *limit) {
			snprintf(path, sizeof(path), "%s%s/%s", root, group, used);
			read_number(path, &u);
			*limit = m;
			*left = m > u ? m - u : 0;
		}
		if (!*group)
			return told;
		*strrchr(group, '/') = 0;
	}
}

/*
 * Of version 2, "0::/group", or of version 1, "4:memory:/group". False: its files are not to be
 * seen here, as under ip netns exec.
 */
static bool find_cgroup(uint64_t *limit, uint64_t *left)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	bool told = false;
	char line[300];

	*limit = *left = UINT64_MAX;
	while (f && fgets(line, sizeof(line), f)) {
		char *group = strchr(line, '/');

		if (!group)
			continue;
		group[strcspn(group, "\n")] = 0;
		if (strncmp(line, "0::", 3) == 0)
			told |= lower_limit("/sys/fs/cgroup", group, "memory.max", "memory.current",
					    limit, left);
		else if (strstr(line, ":memory:"))
			told |= lower_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
					    "memory.usage_in_bytes", limit, left);
	}
	if (f)
		fclose(f);
	/* The topmost group of version 2 has no limit, and no file for it. */
	return told || access("/sys/fs/cgroup/cgroup.controllers", R_OK) == 0;
}

static uint64_t available_memory(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	uint64_t kib = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib << 10;
}

/* Since 5.11 memory of BPF maps is counted by the cgroup, before by RLIMIT_MEMLOCK. */
static void check_locked(struct patient *p, uint64_t need)
{
	struct rlimit r;
	struct utsname u;

	if (kernel_version(&u) >= AT(5, 11))
		finding_add(&p->found, VERDICT_OK, "memlock",
			    "no matter: since 5.11 the cgroup counts");
	else if (getrlimit(RLIMIT_MEMLOCK, &r) || r.rlim_cur >= need)
		finding_add(&p->found, VERDICT_OK, "memlock", "enough");
	else {
		finding_add(&p->found, VERDICT_BAD, "memlock", "%llu KiB, and %llu are needed",
			    (unsigned long long)r.rlim_cur >> 10, (unsigned long long)need >> 10);
		finding_fix_here(&p->found, "ulimit -l unlimited");
	}
}

static void check_memory(struct patient *p)
{
	uint64_t need = p->plan.memory;
	bool fits = need <= p->memory && need <= p->cgroup_limit, tight = need > p->cgroup_left;
	char cgroup[64] = "the cgroup has no limit";

	if (!p->plan.rings) /* the trial did not get so far */
		return;
	if (!p->cgroup_told)
		snprintf(cgroup, sizeof(cgroup), "a limit of the cgroup is not told here");
	if (p->cgroup_limit < 1ULL << 50) /* that of version 1 is just very large */
		snprintf(cgroup, sizeof(cgroup), "the cgroup leaves %" PRIu64 " of %" PRIu64 " MiB",
			 p->cgroup_left / MIB, p->cgroup_limit / MIB);
	finding_add(&p->found,
		    !fits   ? VERDICT_BAD
		    : tight ? VERDICT_NOTE
			    : VERDICT_OK,
		    "memory",
		    "%u rings of %" PRIu64 " KiB take %" PRIu64 " MiB; %" PRIu64
		    " MiB are available, %s",
		    p->plan.rings, p->plan.ring_size >> 10, need / MIB, p->memory / MIB, cgroup);
	if (!fits || tight)
		finding_fix(&p->found, "xdpdump -i %s --ring-total 16M", p->name);
	check_locked(p, need);
}

void doctor_measure(struct patient *p)
{
	p->memory = available_memory();
	p->cgroup_told = find_cgroup(&p->cgroup_limit, &p->cgroup_left);
}

void doctor_system(struct patient *p)
{
	check_kernel(p);
	check_capabilities(p, check_loader(p));
	check_programs(p);
	check_memory(p);
}
