/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/capability.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/sets/sets.h"
#include "reloader.h"
#include "loader_protocol.h"
#include "util/calls.h"
#include "util/clock.h"

/* A file that was written, or renamed into place. Several changes at about the same time count as
 * one. */
#define CHANGES (IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | GONE | IN_ONLYDIR)
/* For the file of flows; IN_ATTRIB comes if it is removed while somebody has it open. */
#define APPENDED  (IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
#define GONE	  (IN_DELETE_SELF | IN_MOVE_SELF) /* the folder; IN_UNMOUNT comes unasked */
#define SETTLE_MS 20
#define LOOK_MS	  1000 /* how often to look for what is missing */
/* File times are those of the last tick. */
#define TICK_NS (20 * NS_PER_MS)

/* One of the files that were given. */
struct kept_file {
	const char *path;
	const char *name;	  /* the file name alone */
	char there[NAME_MAX + 1]; /* the same, for the file that a symbolic link leads to */
	int watch[2];		  /* of the folders of both; -1: none */
	struct stat known;
	bool changed;
};

/* The file of flows. Others append to it, which the watch of its folder does not show. */
struct kept_flows {
	struct kept_file *file; /* NULL: none was given */
	int watch;		/* watches the file; -1: none */
	char told[AFXDP_ERROR_SIZE];
};

struct reloader {
	struct afxdp_options options;
	struct sets sets;
	struct kept_file file[SETS_FILES + 1];
	struct kept_flows flows;
	unsigned count;
	int inotify;
	char told[AFXDP_ERROR_SIZE]; /* "": all is well */
};

/* Also drops root's rights over the files of others, which an application that has dropped its
 * privileges would still have here. */
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
	CALLS_OF_ALL,
	SCMP_SYS(read),
	SCMP_SYS(pread64),
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
	SCMP_SYS(inotify_rm_watch),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(recv),
	SCMP_SYS(recvfrom),
	SCMP_SYS(send),
	SCMP_SYS(sendto),
	SCMP_SYS(membarrier),
	SCMP_SYS(nanosleep),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(getpid),
	SCMP_SYS(sysinfo),
};

/* Allows only opening files for reading, and writing to fd; not executing or connecting. */
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
	if (!e)
		e = calls_add(s, SCMP_ACT_ALLOW, allowed, sizeof(allowed) / sizeof(allowed[0]));
	if (!e)
		e = seccomp_load(s);
	seccomp_release(s);
	return e;
}

/* A process that writes into the folder is reported with the name of the file. */
static int watch_folder(const struct reloader *k, const char *path, int *watch)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	*watch = inotify_add_watch(k->inotify, dirname(copy), CHANGES);
	return *watch < 0 ? -errno : 0;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A link leads to a file in another folder, which may be replaced there as well. Watching a folder
 * twice has no further effect. */
static int watch_both(const struct reloader *k, struct kept_file *f)
{
	char there[PATH_MAX];
	int e;

	f->watch[0] = f->watch[1] = -1;
	f->there[0] = 0;
	e = k->inotify < 0 ? -EMFILE : watch_folder(k, f->path, &f->watch[0]);
	if (e || !realpath(f->path, there))
		return e;
	snprintf(f->there, sizeof(f->there), "%.*s", NAME_MAX, name_of(there));
	return watch_folder(k, there, &f->watch[1]);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* If the file does not exist, reading it reports that. */
static int look_at_file(const struct reloader *k, struct kept_file *f)
{
	int e = watch_both(k, f);

	f->changed = false;
	if (e == -ENOENT || stat(f->path, &f->known)) { /* it may appear in between */
		memset(&f->known, 0, sizeof(f->known));
		e = e || errno == ENOENT ? e : -errno;
	}
	return e;
}

static bool is_watched(const struct reloader *k, int watch)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->file[i].watch[0] == watch || k->file[i].watch[1] == watch)
			return true;
	return false;
}

/* Stop watching folders that contained a file before, and no longer do. */
static void leave_folders(const struct reloader *k, const struct kept_file *before)
{
	for (unsigned i = 0; i < k->count; i++)
		for (unsigned j = 0; j < 2; j++)
			if (before[i].watch[j] >= 0 && !is_watched(k, before[i].watch[j]))
				inotify_rm_watch(k->inotify, before[i].watch[j]);
}

/* Called before the files are read: what is written meanwhile is another change. flows: the file
 * of flows, or the others. text: names the first file whose changes cannot be seen from now on, or
 * "". */
static void look_at_files(struct reloader *k, bool flows, char *text, size_t size)
{
	struct kept_file before[SETS_FILES + 1];

	memcpy(before, k->file, sizeof(before));
	text[0] = 0;
	for (unsigned i = 0; i < k->count; i++) {
		bool asked = (&k->file[i] == k->flows.file) == flows;
		int e = asked ? look_at_file(k, &k->file[i]) : 0;

		if (e && !text[0])
			snprintf(text, size,
				 "nobody sees when %s changes: %s: have the file read again by SIGHUP to xdpdump, or by afxdp_addresses_reload()",
				 k->file[i].path, strerror(-e));
	}
	leave_folders(k, before);
}

/* Leave the application's folder, which could otherwise not be unmounted, unless a file name is
 * relative to it. */
static int leave_folder(const struct afxdp_options *o)
{
	for (unsigned i = 0; i < SETS_FILES; i++)
		if (o->sets[i][0] && o->sets[i][0] != '/')
			return 0;
	if (o->not_flows[0] && o->not_flows[0] != '/')
		return 0;
	return chdir("/") ? -errno : 0;
}

/* Say what is wrong, once, or again if somebody asks; and say when it is all right again. */
static void say_fault(struct reloader *k, const char *text, bool again)
{
	if (!text[0] && k->told[0])
		sets_say(&k->sets,
			 "the files of addresses and ports were read again, and nothing is wrong with them any more");
	else if (text[0] && (again || strcmp(text, k->told) != 0))
		sets_say(&k->sets, text);
	snprintf(k->told, sizeof(k->told), "%s", text);
}

static bool is_after(const struct stat *st, uint64_t read_at)
{
	return (uint64_t)st->st_ctim.tv_sec * NS_PER_SEC + (uint64_t)st->st_ctim.tv_nsec + TICK_NS >
	       read_at;
}

/* Has it changed since the application read it: the file, or the link that leads to it? */
static bool has_changed_since(const struct kept_file *f, uint64_t read_at)
{
	struct stat link;

	return is_after(&f->known, read_at) ||
	       (!fstatat(AT_FDCWD, f->path, &link, AT_SYMLINK_NOFOLLOW) &&
		is_after(&link, read_at));
}

/* NULL: none was given. */
static struct kept_file *add_file(struct reloader *k, const char *path)
{
	struct kept_file *f = &k->file[k->count];

	if (!path[0])
		return NULL;
	f->path = path;
	f->name = name_of(path);
	f->watch[0] = f->watch[1] = -1;
	k->count++;
	return f;
}

/* If another file has the name now, watch that one. */
static void watch_flows(struct reloader *k)
{
	int before = k->flows.watch;

	if (!k->flows.file || k->inotify < 0)
		return;
	k->flows.watch = inotify_add_watch(k->inotify, k->flows.file->path, APPENDED);
	if (before >= 0 && before != k->flows.watch)
		inotify_rm_watch(k->inotify, before);
}

static void prepare(struct reloader *k, uint64_t read_at)
{
	char text[AFXDP_ERROR_SIZE];

	for (unsigned i = 0; i < SETS_FILES; i++)
		add_file(k, k->options.sets[i]);
	k->flows.watch = -1;
	k->flows.file = add_file(k, k->options.not_flows);
	look_at_files(k, false, text, sizeof(text));
	say_fault(k, text, false);
	for (unsigned i = 0; i < k->count; i++) /* of flows, only what is new */
		k->file[i].changed =
			&k->file[i] == k->flows.file || has_changed_since(&k->file[i], read_at);
}

/* Length of the text before the reason in a message, so that the reason is not cut. */
#define TOLD_BEFORE 40

/* Faults of the files are reported before those of their folders. */
static void renew_and_tell(struct reloader *k, bool again)
{
	char why[AFXDP_ERROR_SIZE - TOLD_BEFORE] = "", text[AFXDP_ERROR_SIZE],
				    blind[AFXDP_ERROR_SIZE];
	size_t used;
	int e;

	look_at_files(k, false, blind, sizeof(blind));
	e = sets_renew(&k->sets, &k->options, why, sizeof(why));
	if (e)
		snprintf(text, sizeof(text), "the old addresses and ports stay: %s", why);
	else
		sets_describe_empty(&k->sets, &k->options, text, sizeof(text));
	used = strlen(text);
	if (blind[0])
		snprintf(text + used, sizeof(text) - used, "%s%.*s", used ? "; " : "",
			 (int)(sizeof(text) - used), blind);
	say_fault(k, text, again);
}

/* Process what was appended, or with anew the whole file. Faults are reported once, or again if
 * somebody asks. */
static int take_flows(struct reloader *k, bool anew, char *text, size_t size)
{
	char blind[AFXDP_ERROR_SIZE];
	int e;

	text[0] = 0;
	if (!k->flows.file)
		return 0;
	look_at_files(k, true, blind, sizeof(blind));
	watch_flows(k);
	e = sets_read_flows(&k->sets, &k->options, anew, text, size);
	if (!e && !text[0])
		snprintf(text, size, "%s", blind);
	return e;
}

static void take_flows_and_tell(struct reloader *k, bool anew)
{
	char why[AFXDP_ERROR_SIZE - TOLD_BEFORE], text[AFXDP_ERROR_SIZE];
	int e = take_flows(k, anew, why, sizeof(why));

	if (e)
		snprintf(text, sizeof(text), "the flows that were left out stay so: %s", why);
	else
		snprintf(text, sizeof(text), "%s", why);
	if (text[0] && (anew || strcmp(text, k->flows.told) != 0))
		sets_say(&k->sets, text);
	snprintf(k->flows.told, sizeof(k->flows.told), "%s", text);
}

static bool names(const struct inotify_event *event, const struct kept_file *f)
{
	return event->len &&
	       (strcmp(event->name, f->name) == 0 || strcmp(event->name, f->there) == 0);
}

/* Finds the file by its name. Other names do not matter, unless they are links on the way to it,
 * which may lead elsewhere now. If a folder is replaced, what is there now is read and watched. The
 * same is done if there were more changes than the kernel keeps, because such a replacement may be
 * among those that were lost. */
static void note_change(struct reloader *k, const struct inotify_event *event)
{
	if (k->flows.watch >= 0 && event->wd == k->flows.watch) {
		k->flows.file->changed = true;
		return;
	}
	for (unsigned i = 0; i < k->count; i++) {
		struct kept_file *f = &k->file[i];
		bool named = names(event, f);
		struct stat now;

		if (event->mask & IN_CREATE && f != k->flows.file)
			continue; /* it is not written yet */
		if (event->mask & (GONE | IN_UNMOUNT | IN_Q_OVERFLOW)) {
			f->changed = true;
			continue;
		}
		if (stat(f->path, &now))
			f->changed |= named && f->known.st_ino;
		else if (named ? !is_same(&now, &f->known)
			       : now.st_ino != f->known.st_ino || now.st_dev != f->known.st_dev)
			f->changed = true;
	}
}

static void hear(struct reloader *k)
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

static bool has_changed(const struct reloader *k)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->file[i].changed)
			return true;
	return false;
}

/* Flows first, because they take the least time. */
static void take_changes(struct reloader *k)
{
	if (k->flows.file && k->flows.file->changed)
		take_flows_and_tell(k, false);
	if (has_changed(k))
		renew_and_tell(k, false);
}

/* Was it asked again before it began? Then one reading serves both. */
static bool is_asked_again(int fd)
{
	struct loader_request next;

	return recv(fd, &next, sizeof(next), MSG_PEEK | MSG_DONTWAIT) == sizeof(next) && next.early;
}

/* Somebody asks for the files to be read. False: the application is gone. */
static bool serve(struct reloader *k, int fd)
{
	char text[AFXDP_ERROR_SIZE] = "", blind[AFXDP_ERROR_SIZE];
	struct loader_reply r = {.level = AFXDP_LEVEL_USER, .pid = getpid()};
	struct loader_request request;

	if (!loader_receive(fd, &request, sizeof(request), 0))
		return false;
	while (request.early && is_asked_again(fd))
		if (!loader_receive(fd, &request, sizeof(request), 0))
			return false;
	if (request.early) {
		take_flows_and_tell(k, true);
		renew_and_tell(k, true);
		return true;
	}
	look_at_files(k, false, blind, sizeof(blind));
	r.error = sets_renew(&k->sets, &k->options, text, sizeof(text));
	if (!r.error)
		sets_describe_empty(&k->sets, &k->options, text, sizeof(text));
	if (blind[0] || (!r.error && !text[0]))
		say_fault(k, blind, false);
	if (!r.error && !text[0])
		r.error = take_flows(k, true, text, sizeof(text));
	r.log_length = (uint32_t)strlen(text);
	return loader_send(fd, &r, sizeof(r), 0) && loader_send(fd, text, r.log_length, 0);
}

/* Did the file not exist at the last look? Its folder may then have no watch. */
static bool is_missing(const struct kept_file *f)
{
	return !f->known.st_ino;
}

/* Milliseconds until there is something to do. */
static int rest_ms(const struct reloader *k)
{
	for (unsigned i = 0; i < k->count; i++)
		if (is_missing(&k->file[i]))
			return LOOK_MS;
	return -1;
}

static void look_for_missing(struct reloader *k)
{
	struct stat now;

	for (unsigned i = 0; i < k->count; i++)
		k->file[i].changed |= is_missing(&k->file[i]) && stat(k->file[i].path, &now) == 0;
}

static void keep(struct reloader *k, int fd)
{
	struct pollfd p[] = {{.fd = fd, .events = POLLIN}, {.fd = k->inotify, .events = POLLIN}};

	uint64_t now = clock_monotonic(), due = now + SETTLE_MS * NS_PER_MS;

	do {
		bool changed = has_changed(k);
		int n = poll(p, 2, changed ? clock_ms_until(due, now) : rest_ms(k));

		if (n > 0 && p[1].revents)
			hear(k);
		else if (n == 0 && !changed)
			look_for_missing(k);
		now = clock_monotonic();
		if (!changed)
			due = now + SETTLE_MS * NS_PER_MS;
		else if (now >= due) /* even if changes in the folder go on */
			take_changes(k);
	} while (!p[0].revents || serve(k, fd));
}

static bool is_valid(const struct afxdp_options *o, const struct flow_file *f)
{
	if (f->tail_length > FLOW_TAIL || f->tail_length > f->at)
		return false;
	for (unsigned i = 0; i < SETS_FILES; i++)
		if (!memchr(o->sets[i], 0, sizeof(o->sets[i])))
			return false;
	return memchr(o->not_flows, 0, sizeof(o->not_flows)) && o->sets_asked &&
	       o->sets_lines > SETS_FIRST && o->sets_lines <= CAPTURE_SETS_LINES_MAX &&
	       o->flows_max <= CAPTURE_NOT_FLOWS_MAX && o->flows_lines == sets_flows_lines(o) &&
	       o->flows_lines <= o->sets_lines - SETS_FIRST;
}

/* Give up a real-time priority, and the application's choice of CPUs for its readers, because
 * reading takes a second. */
static void be_ordinary(void)
{
	const struct sched_param none = {.sched_priority = 0};
	cpu_set_t all;

	memset(&all, 255, sizeof(all)); /* the kernel ignores CPUs that we may not use */
	sched_setaffinity(0, sizeof(all), &all);
	if (sched_getscheduler(0) != SCHED_OTHER)
		sched_setscheduler(0, SCHED_OTHER, &none);
}

int reloader_run(int fd)
{
	struct loader_reply r = {.level = AFXDP_LEVEL_USER, .pid = getpid()};
	struct reloader k = {.count = 0};
	struct loader_sets s;

	if (!loader_receive(fd, &s, sizeof(s), 0))
		return -EPIPE;
	k.options = s.options;
	be_ordinary();
	r.error = drop_all();
	if (!r.error && !is_valid(&k.options, &s.flow_file))
		r.error = -EINVAL;
	if (!r.error)
		r.error = leave_folder(&k.options);
	if (!r.error)
		r.error = sets_map(&k.sets, &k.options, s.map);
	if (!r.error) {
		close(s.map);
		k.inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		r.error = confine();
	}
	if (!r.error) {
		k.sets.flow_file = s.flow_file;
		/* The application reports these. */
		k.sets.flow_file.told_bad = s.flow_file.bad != 0;
		k.sets.flow_file.told_full = s.flow_file.full != 0;
		prepare(&k, s.read_at);
	}
	if (!loader_send(fd, &r, sizeof(r), 0) || r.error)
		return r.error ? r.error : -EPIPE;
	keep(&k, fd);
	sets_close(&k.sets);
	return 0;
}
