/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/capability.h>
#include <limits.h>
#include <poll.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/sets/sets.h"
#include "keeper.h"
#include "loader_protocol.h"
#include "util/clock.h"

/* A file that was written, or renamed into place; more of the same moment are one change. */
#define CHANGES	  (IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR)
#define SETTLE_MS 20
/* Times of files are those of the last tick. */
#define TICK_NS (20 * NS_PER_MS)

/* One file that was given. */
struct kept_file {
	const char *path;
	char *name; /* without its folder */
	struct stat known;
	bool changed;
};

struct keeper {
	struct afxdp_options options;
	struct sets sets;
	struct kept_file file[SETS_FILES];
	unsigned count;
	int inotify;
	char told[AFXDP_ERROR_SIZE]; /* "": all is well */
};

/* What root may do with files that are not his goes, too: an application that has dropped its
 * privileges would have it still. */
static int drop_all(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0}};
	uid_t user = getuid();
	gid_t group = getgid();

	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (setresgid(group, group, group) || setresuid(user, user, user) ||
	    syscall(SYS_capset, &head, none))
		return -errno;
	return 0;
}

static const int allowed[] = {
	SCMP_SYS(read),
	SCMP_SYS(close),
	SCMP_SYS(fstat),
	SCMP_SYS(fstat64),
	SCMP_SYS(stat),
	SCMP_SYS(stat64),
	SCMP_SYS(newfstatat),
	SCMP_SYS(fstatat64),
	SCMP_SYS(statx),
	SCMP_SYS(access),
	SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2),
	SCMP_SYS(readlink),
	SCMP_SYS(readlinkat),
	SCMP_SYS(getcwd),
	SCMP_SYS(setfsuid),
	SCMP_SYS(setfsuid32),
	SCMP_SYS(setfsgid),
	SCMP_SYS(setfsgid32),
	SCMP_SYS(getuid),
	SCMP_SYS(getuid32),
	SCMP_SYS(getgid),
	SCMP_SYS(getgid32),
	SCMP_SYS(inotify_add_watch),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(recv),
	SCMP_SYS(recvfrom),
	SCMP_SYS(send),
	SCMP_SYS(sendto),
	SCMP_SYS(brk),
	SCMP_SYS(mmap),
	SCMP_SYS(mmap2),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	SCMP_SYS(futex),
	SCMP_SYS(getrandom),
	SCMP_SYS(membarrier),
	SCMP_SYS(nanosleep),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_gettime64),
	SCMP_SYS(getpid),
	SCMP_SYS(sysinfo),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigreturn),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

/* Files are opened to be read, and nothing is executed, connected or written but to fd. */
static int confine(void)
{
	const scmp_datum_t writes = O_ACCMODE | O_CREAT | O_TRUNC;
	scmp_filter_ctx s = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	int e = s ? seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
				     SCMP_A2(SCMP_CMP_MASKED_EQ, writes, O_RDONLY))
		  : -ENOMEM;

	if (!e)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
				     SCMP_A1(SCMP_CMP_MASKED_EQ, writes, O_RDONLY));
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]) && !e; i++)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, allowed[i], 0);
	if (!e)
		e = seccomp_load(s);
	seccomp_release(s);
	return e;
}

/* Whoever writes into the folder, names it in the change. */
static int watch_folder(const struct keeper *k, const char *path)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	return inotify_add_watch(k->inotify, dirname(copy), CHANGES) < 0 ? -errno : 0;
}

/* A link leads to a file in another folder, where it may be exchanged as well. What is watched
 * already is so once. */
static int watch_both(const struct keeper *k, const struct kept_file *f)
{
	char there[PATH_MAX];
	int e = watch_folder(k, f->path);

	return !e && realpath(f->path, there) ? watch_folder(k, there) : e;
}

static void watch(struct keeper *k, const struct kept_file *f)
{
	char text[AFXDP_ERROR_SIZE];
	int e = k->inotify < 0 ? -EMFILE : watch_both(k, f);

	if (!e)
		return;
	snprintf(text, sizeof(text),
		 "nobody sees when %s changes: %s: have the file read again by SIGHUP to xdpdump, or by afxdp_addresses_reload()",
		 f->path, strerror(-e));
	sets_say(&k->sets, text);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* Before they are read: what is written meanwhile is another change. */
static void look_at_files(struct keeper *k)
{
	for (unsigned i = 0; i < k->count; i++) {
		struct kept_file *f = &k->file[i];

		f->changed = false;
		watch_both(k, f);
		if (stat(f->path, &f->known))
			memset(&f->known, 0, sizeof(f->known));
	}
}

static void prepare(struct keeper *k, uint64_t read_at)
{
	char *slash;

	for (unsigned i = 0; i < SETS_FILES; i++) {
		struct kept_file *f = &k->file[k->count];

		if (!k->options.sets[i][0])
			continue;
		f->path = k->options.sets[i];
		slash = strrchr(f->path, '/');
		f->name = slash ? slash + 1 : (char *)f->path;
		k->count++;
		watch(k, f);
	}
	look_at_files(k);
	for (unsigned i = 0; i < k->count; i++) {
		const struct timespec *t = &k->file[i].known.st_ctim;

		k->file[i].changed =
			(uint64_t)t->tv_sec * NS_PER_SEC + (uint64_t)t->tv_nsec + TICK_NS > read_at;
	}
}

static int renew(struct keeper *k, char *err, size_t size)
{
	look_at_files(k);
	return sets_renew(&k->sets, &k->options, err, size);
}

/* What is wrong is said once. */
static void renew_and_tell(struct keeper *k)
{
	char why[AFXDP_ERROR_SIZE] = "", text[AFXDP_ERROR_SIZE];
	int e = renew(k, why, sizeof(why));

	if (e)
		snprintf(text, sizeof(text), "the old addresses and ports stay: %s", why);
	else
		sets_describe_empty(&k->sets, &k->options, text, sizeof(text));
	if (text[0] && strcmp(text, k->told) != 0)
		sets_say(&k->sets, text);
	memcpy(k->told, text, sizeof(k->told));
}

/* By its name; or a link on its way, of another name, leads elsewhere now. */
static void note_change(struct keeper *k, const struct inotify_event *event)
{
	for (unsigned i = 0; i < k->count; i++) {
		struct kept_file *f = &k->file[i];
		bool named = event->mask & IN_Q_OVERFLOW ||
			     (event->len && strcmp(event->name, f->name) == 0);
		struct stat now;

		if (stat(f->path, &now))
			f->changed |= named && f->known.st_ino;
		else if (named ? !is_same(&now, &f->known)
			       : now.st_ino != f->known.st_ino || now.st_dev != f->known.st_dev)
			f->changed = true;
	}
}

static void hear(struct keeper *k)
{
	_Alignas(struct inotify_event) char bytes[4096];
	ssize_t n = read(k->inotify, bytes, sizeof(bytes));
	size_t at = 0;

	while (n > 0 && at + sizeof(struct inotify_event) <= (size_t)n) {
		const struct inotify_event *event = (const void *)(bytes + at);

		note_change(k, event);
		at += sizeof(*event) + event->len;
	}
}

static bool has_changed(const struct keeper *k)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->file[i].changed)
			return true;
	return false;
}

/* Somebody asks for it. False: the application is gone. */
static bool serve(struct keeper *k, int fd)
{
	char text[AFXDP_ERROR_SIZE] = "";
	struct loader_reply r = {.level = AFXDP_LEVEL_USER, .pid = getpid()};
	struct loader_request request;

	if (!loader_receive(fd, &request, sizeof(request), 0))
		return false;
	if (request.early) {
		k->told[0] = 0; /* who asks hears it again */
		renew_and_tell(k);
		return true;
	}
	r.error = renew(k, text, sizeof(text));
	if (!r.error)
		sets_describe_empty(&k->sets, &k->options, text, sizeof(text));
	r.log_length = (uint32_t)strlen(text);
	return loader_send(fd, &r, sizeof(r), 0) && loader_send(fd, text, r.log_length, 0);
}

static void keep(struct keeper *k, int fd)
{
	struct pollfd p[] = {{.fd = fd, .events = POLLIN}, {.fd = k->inotify, .events = POLLIN}};

	uint64_t now = clock_monotonic(), due = now + SETTLE_MS * NS_PER_MS;

	do {
		bool changed = has_changed(k);

		if (poll(p, 2, changed ? clock_ms_until(due, now) : -1) > 0 && p[1].revents)
			hear(k);
		now = clock_monotonic();
		if (!changed)
			due = now + SETTLE_MS * NS_PER_MS;
		else if (now >= due) /* however much goes on in the folder */
			renew_and_tell(k);
	} while (!p[0].revents || serve(k, fd));
}

static bool is_valid(const struct afxdp_options *o)
{
	for (unsigned i = 0; i < SETS_FILES; i++)
		if (!memchr(o->sets[i], 0, sizeof(o->sets[i])))
			return false;
	return o->sets_asked && o->sets_lines > SETS_FIRST &&
	       o->sets_lines <= CAPTURE_SETS_LINES_MAX;
}

int keeper_run(int fd)
{
	struct loader_reply r = {.level = AFXDP_LEVEL_USER, .pid = getpid()};
	struct keeper k = {.count = 0};
	struct loader_sets s;

	if (!loader_receive(fd, &s, sizeof(s), 0))
		return -EPIPE;
	k.options = s.options;
	r.error = drop_all();
	if (!r.error && !is_valid(&k.options))
		r.error = -EINVAL;
	if (!r.error)
		r.error = sets_map(&k.sets, &k.options, s.map);
	if (!r.error) {
		close(s.map);
		k.inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		r.error = confine();
	}
	if (!r.error)
		prepare(&k, s.read_at);
	if (!loader_send(fd, &r, sizeof(r), 0) || r.error)
		return r.error ? r.error : -EPIPE;
	keep(&k, fd);
	sets_close(&k.sets);
	return 0;
}
