/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "programs.h"
#include "trial.h"
#include "util/descriptors.h"
#include "util/log.h"
#include "util/memory_limit.h"
#include "util/no_bpf.h"
#include "who/who.skel.h"

#define TRIES  200    /* to read on after an event that is being written, */
#define TRY_NS 50000L /* this far apart */

#define DESCRIPTORS_NEEDED 32 /* programs, their links and maps, and those of libbpf */

struct who_programs {
	struct who_bpf *bpf;
	struct ring_buffer *ring;
	const uint64_t *taken, *written; /* of the ring, in bytes; NULL: not mapped */
	who_take *take;
	void *to;
};

/* Mounts the groups where nobody sees it, because ip-netns(8) has none in what it starts. Returns a
 * descriptor or -errno. */
static int mount_groups(void)
{
	int context = (int)syscall(SYS_fsopen, "cgroup2", FSOPEN_CLOEXEC), mount = -1, fd = -1;

	if (context >= 0 && syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		mount = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	if (mount >= 0)
		fd = openat(mount, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	if (context >= 0)
		close(context);
	if (mount >= 0)
		close(mount);
	return fd;
}

/* Opens the groups of version 2 where a process has them mounted. Returns a descriptor or
 * -errno. */
static int open_groups_of(const char *process)
{
	char path[1024], line[4096], place[512];
	int fd = -ENOENT;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%s/mountinfo", process);
	in = fopen(path, "re");
	while (in && fd < 0 && fgets(line, sizeof(line), in)) {
		if (!strstr(line, " - cgroup2 ") ||
		    sscanf(line, "%*s %*s %*s %*s %511s", place) != 1)
			continue;
		snprintf(path, sizeof(path), "/proc/%s/root%s", process, place);
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	if (in)
		fclose(in);
	return fd;
}

/* Those of the host's first process are complete: a container in a namespace of its own only sees
 * its own groups. Returns a descriptor or -errno. */
static int open_groups(void)
{
	int fd = open_groups_of("1");

	if (fd < 0)
		fd = open_groups_of("self");
	return fd < 0 ? mount_groups() : fd;
}

static int attach(struct who_programs *p, char *err, size_t size)
{
	int groups = open_groups(), e = 0;

	if (groups < 0) {
		snprintf(err, size,
			 "--who hears of sockets by control groups of version 2, and none are mounted here: mount -t cgroup2 none /sys/fs/cgroup/unified");
		return groups;
	}
	p->bpf->links.who_created = bpf_program__attach_cgroup(p->bpf->progs.who_created, groups);
	if (!p->bpf->links.who_created)
		e = -errno;
	if (!e) {
		p->bpf->links.who_released =
			bpf_program__attach_cgroup(p->bpf->progs.who_released, groups);
		if (!p->bpf->links.who_released)
			e = -errno;
	}
	close(groups);
	return e ? e : who_bpf__attach(p->bpf);
}

static int take_one(void *context, void *data, size_t size)
{
	struct who_programs *p = context;

	if (size >= sizeof(struct who_event))
		p->take(p->to, data);
	return 0;
}

static bool has_tracepoint(const char *name)
{
	return libbpf_find_vmlinux_btf_id(name, BPF_TRACE_RAW_TP) > 0;
}

static const uint64_t *map_position(int map, unsigned page)
{
	long size = sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, map, page * size);

	return at == MAP_FAILED ? NULL : at;
}

static void unmap_position(const uint64_t **at)
{
	if (*at)
		munmap((void *)(uintptr_t)*at, (size_t)sysconf(_SC_PAGESIZE));
	*at = NULL;
}

/* The ring's first two pages say how far it was read and written. */
static int open_ring(struct who_programs *p)
{
	int map = bpf_map__fd(p->bpf->maps.events);

	p->ring = ring_buffer__new(map, take_one, p, NULL);
	if (!p->ring)
		return -errno;
	p->taken = map_position(map, 0);
	p->written = map_position(map, 1);
	return p->taken && p->written ? 0 : -errno;
}

static void unload(struct who_programs *p)
{
	unmap_position(&p->taken);
	unmap_position(&p->written);
	ring_buffer__free(p->ring);
	who_bpf__destroy(p->bpf);
	p->ring = NULL;
	p->bpf = NULL;
}

/* stands: attach to the function by which every process gets its descriptors. */
static int load(struct who_programs *p, bool stands, char *err, size_t size)
{
	int e;

	p->bpf = who_bpf__open();
	if (!p->bpf)
		return -errno;
	bpf_program__set_autoload(p->bpf->progs.who_installed, stands);
	bpf_program__set_autoload(p->bpf->progs.who_replaced, stands);
	bpf_program__set_autoload(p->bpf->progs.who_received, !stands);
	e = who_bpf__load(p->bpf);
	if (!e)
		e = attach(p, err, size);
	return e ? e : open_ring(p);
}

static void note_trial(void *to, const struct who_event *e)
{
	struct trial *t = to;

	t->is_heard |= e->kind == WHO_RECEIVED && e->cookie == t->cookie;
}

/* Returns -ENOENT if a compiler has inlined that function, so that a program there misses calls. */
static int hear_all(struct who_programs *p, char *err, size_t size)
{
	struct trial t = {0};
	int e = trial_run(&t);

	if (e) {
		snprintf(err, size,
			 "--who sends itself a descriptor, to see whether it would hear of those of others, and cannot: %s",
			 strerror(-e));
		return e;
	}
	e = who_programs_read(p, note_trial, &t);
	return e ? e : t.is_heard ? 0 : -ENOENT;
}

/* Does this process lack something, whatever the kernel supports? */
static bool is_want(int e)
{
	return e == -EMFILE || e == -ENFILE || e == -ENOMEM;
}

/* If no program can attach to a function, a tracepoint reports messages only. */
static int load_best(struct who_programs *p, char *err, size_t size)
{
	int e = load(p, true, err, size);

	if (err[0])
		return e;
	if (!e)
		e = hear_all(p, err, size);
	if (!e || is_want(e))
		return e;
	unload(p);
	/* Without BTF, the code below says so. */
	if (has_tracepoint("sock_recv_length") || !has_tracepoint("sched_process_exec")) {
		err[0] = 0;
		return load(p, false, err, size);
	}
	if (e == -EPERM || e == -EACCES || err[0])
		return e;
	snprintf(err, size,
		 "--who needs Linux 6.3 or newer, or one that lets programs stand before functions (CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS): this one does not tell which process gets a socket from another by a message, and wrong ones would be named");
	return -EOPNOTSUPP;
}

#define FIRST_PIDS 0xeffffffc /* inode of that namespace: include/linux/proc_ns.h of the kernel */

/* In another pid namespace, a look sees only the processes of that one. */
static int need_all_processes(char *err, size_t size)
{
	struct stat s;

	if (stat("/proc/self/ns/pid", &s)) {
		int e = -errno;

		snprintf(err, size,
			 "--who, --process and --cgroup need /proc/self/ns/pid: %s; is /proc mounted?",
			 strerror(-e));
		return e;
	}
	if (s.st_ino == FIRST_PIDS)
		return 0;
	snprintf(err, size,
		 "--who, --process and --cgroup have to see all processes, and in a pid namespace of its own this process does not: start it outside, or with the pid namespace of the host");
	return -EPERM;
}

static void explain(int e, char *err, size_t size)
{
	char why[NO_BPF_LIMITS_SIZE];

	if (no_bpf_here(why, sizeof(why))) {
		snprintf(err, size, "--who needs programs in the kernel: %s", why);
		return;
	}
	if (is_want(e)) {
		snprintf(err, size, "--who has no room for its programs: %s", strerror(-e));
		memory_limit_add(err, size);
		return;
	}
	if (no_bpf_types("--who", why, sizeof(why))) {
		snprintf(err, size, "%s", why);
		return;
	}
	if (e == -ESRCH && memory_limit()) { /* from libbpf: none of the files could be read */
		snprintf(err, size, "no memory for the kernel's BTF: raise %s", memory_limit());
		return;
	}
	no_bpf_limits(why, sizeof(why));
	if (e == -EPERM)
		snprintf(err, size,
			 "--who looks at the sockets of all processes, for which this process has no privilege: it takes root, or CAP_BPF, CAP_PERFMON, CAP_NET_ADMIN and CAP_SYS_PTRACE%s",
			 why);
	else
		snprintf(err, size,
			 "the kernel refuses a program that --who needs: %s; PCAP_AFXDP_DEBUG=1 shows its words",
			 strerror(-e));
}

int who_programs_open(struct who_programs **out, char *err, size_t size)
{
	struct who_programs *p = calloc(1, sizeof(*p));
	int e;

	if (!p) {
		snprintf(err, size, "out of memory");
		return -ENOMEM;
	}
	err[0] = 0;
	e = need_all_processes(err, size);
	if (e) {
		free(p);
		return e;
	}
	/* libbpf remembers what the kernel lacks, even if only a descriptor was lacking. */
	e = descriptors_try(DESCRIPTORS_NEEDED);
	log_begin();
	if (!e)
		e = load_best(p, err, size);
	free(log_end());
	if (!e) {
		*out = p;
		return 0;
	}
	if (!err[0] || is_want(e))
		explain(e, err, size);
	who_programs_close(p);
	return e;
}

void who_programs_close(struct who_programs *p)
{
	if (!p)
		return;
	unload(p);
	free(p);
}

struct looks who_programs_looks(const struct who_programs *p)
{
	return (struct looks){
		.holding = bpf_link__fd(p->bpf->links.who_look),
		.walking = bpf_link__fd(p->bpf->links.who_walk),
		.room = &p->bpf->bss->room,
	};
}

/* The first look at the ring pairs with the kernel's smp_store_release() of a reserved event. */
int who_programs_read(struct who_programs *p, who_take *take, void *to)
{
	const struct timespec pause = {.tv_nsec = TRY_NS};
	uint64_t all = __atomic_load_n(p->written, __ATOMIC_ACQUIRE);

	p->take = take;
	p->to = to;
	for (unsigned i = 0; i < TRIES; i++) {
		int n = ring_buffer__consume(p->ring);

		if (n < 0)
			return n;
		if (__atomic_load_n(p->taken, __ATOMIC_RELAXED) >= all) /* only we write it */
			return 0;
		nanosleep(&pause, NULL);
	}
	return -EAGAIN;
}

uint64_t who_programs_lost(const struct who_programs *p)
{
	return p->bpf->bss->lost;
}
