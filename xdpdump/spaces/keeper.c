/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper.h"
#include "links.h"
#include "news.h"
#include "outbox.h"
#include "socket.h"
#include "util/clock.h"
#include "util/buffer.h"
#include "xdpdump/os/netns.h"

#define PROCESSES    "/proc/"
#define PROCESSES_NS NS_PER_SEC /* how often processes are looked at */
#define LOOK_MS	     1000
#define SOON_MS	     10 /* a new name exists before its namespace does */
#define SOON_TIMES   100
#define EVENTS	     16

/* A look finds namespaces by processes that are in them, or by names. */
enum { BY_PROCESS, BY_NAME, KINDS };

struct space {
	ino_t number;
	int socket;
	struct space_links links;
	struct letter *leave; /* to be sent when it is gone; NULL: no NEWS_JOIN was sent */
	char *name;	      /* the name that it was found by; NULL: found by a process */
	ino_t entry;	      /* the inode of the name's directory entry */
	uint64_t seen[KINDS]; /* number of the last look of each kind that found it */
	bool said;	      /* the user knows that not all of its interfaces are known */
};

/* A namespace that is not captured, and that the user has been told of. */
struct complaint {
	ino_t number; /* 0: the look itself failed */
	bool by_name;
	uint64_t seen;
};

struct keeper {
	const struct keeper_orders *orders;
	struct space **space;
	unsigned count;
	size_t room;
	dev_t device; /* of the file system that all namespaces are in */
	ino_t home;
	int links, notices; /* links: an epoll set of the links of all spaces; notices: inotify */
	bool unasked;	    /* some links were not asked again, because the outbox is busy */
	bool refused;	    /* the present look left out namespaces, because the outbox is full */
	bool is_ready;	    /* NEWS_READY was sent */
	bool is_watched;
	bool has_more_names; /* the present look found a second name of a captured namespace */
	unsigned soon;	     /* looks in a row that found a name without a namespace */
	uint64_t looked;     /* when the last look began; CLOCK_MONOTONIC, ns */
	uint64_t processes;  /* when processes were last looked at, likewise */
	uint64_t number; /* of the present look; whole: of the last complete ones, which tell what
			    has gone */
	uint64_t whole[KINDS];
	bool failed; /* the present look is incomplete, and tells of nothing gone */
	bool said_full;
	struct outbox out;
	struct complaint *complaint;
	unsigned complaints;
	size_t complaint_room;
};

static int pass_news_on(void *to, const struct news *n)
{
	struct keeper *k = to;

	return outbox_put(&k->out, n);
}

static void say(struct keeper *k, const char *format, const char *name, int e)
{
	struct news n = {.kind = NEWS_WORDS};

	snprintf(n.name, sizeof(n.name), format, name, strerror(-e));
	pass_news_on(k, &n);
}

static bool is_wanted(const struct keeper *k, const char *name)
{
	for (unsigned i = 0; i < k->orders->count; i++)
		if (fnmatch(k->orders->patterns[i], name, 0) == 0)
			return true;
	return k->orders->all;
}

static struct space *find_space(const struct keeper *k, ino_t number)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->space[i]->number == number)
			return k->space[i];
	return NULL;
}

static int watch(const struct keeper *k, struct space *s)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = s};

	return epoll_ctl(k->links, EPOLL_CTL_ADD, s->links.fd, &event) ? -errno : 0;
}

/*
 * Enters the namespace, opens the sockets and returns home; nothing else is done there. -ENOENT: it
 * is no network namespace.
 */
static int open_there(const struct keeper *k, int namespace, struct space *s)
{
	int e;

	s->socket = -1;
	s->links.fd = -1;
	if (setns(namespace, CLONE_NEWNET))
		return errno == EINVAL ? -ENOENT : -errno;
	e = space_links_open(&s->links, (uint32_t)s->number);
	if (!e && k->orders->sees_frames) {
		s->socket = space_socket_open(k->orders->program);
		e = s->socket < 0 ? s->socket : 0;
	}
	if (setns(k->orders->home, CLONE_NEWNET))
		abort(); /* everything else would be done in the wrong namespace */
	return e;
}

static void close_space(struct space *s)
{
	space_links_close(&s->links);
	if (s->socket >= 0)
		space_socket_close(s->socket);
	s->socket = -1;
}

static void free_space(struct space *s)
{
	close_space(s);
	free(s->leave);
	free(s->name);
	free(s);
}

/*
 * Has the user been told of it? If not, take it as told from now on, until a complete look no
 * longer finds it.
 */
static bool is_told(struct keeper *k, ino_t number, bool by_name)
{
	struct complaint *own = NULL, *more; /* own: its entry, or one to reuse */
	bool is_told = false;

	if (outbox_is_full(&k->out)) /* a later look tells it */
		return true;
	for (struct complaint *c = k->complaint; c < k->complaint + k->complaints; c++) {
		bool is_over = c->seen < k->whole[c->by_name];
		bool is_same = c->number == number && (number || c->by_name == by_name);

		is_told |= is_same && !is_over;
		if (is_over ? !own : is_same && c->by_name == by_name)
			own = c;
	}
	if (!own) {
		more = buffer_one_more(k->complaint, k->complaints, &k->complaint_room,
				       sizeof(*more));
		if (!more)
			return true;
		k->complaint = more;
		own = more + k->complaints++;
	}
	*own = (struct complaint){number, by_name, k->number};
	return is_told;
}

static bool is_gone(int e)
{
	return e == -ENOENT || e == -ESRCH;
}

/* Tell the user why a namespace is not captured, unless it is gone or not there yet. */
static void explain(struct keeper *k, const char *name, ino_t number, bool by_name, int e)
{
	static const char *const words[] = {
		"network namespace %.100s and others are not captured: %s (each needs one descriptor; raise ulimit -Hn)",
		"network namespace %.100s and others are not captured: %s (each needs two descriptors; raise ulimit -Hn)",
	};
	bool full = e == -EMFILE || e == -ENFILE;

	if (is_gone(e) || outbox_is_full(&k->out) ||
	    (full ? k->said_full : is_told(k, number, by_name)))
		return;
	k->said_full |= full;
	say(k,
	    full ? words[k->orders->sees_frames] : "network namespace %.100s is not captured: %s",
	    name, e);
}

/* The look is incomplete, so it says nothing about what is gone. */
static void fail(struct keeper *k, const char *folder, bool by_name, int e)
{
	k->failed = true;
	if (!is_told(k, 0, by_name))
		say(k, "cannot look for network namespaces in %s: %s", folder, e);
}

/* Read what the links report. After an error they are asked again at the next look. */
static void hear(struct keeper *k, struct space *s)
{
	char name[32];
	int e = space_links_hear(&s->links, pass_news_on, k);

	if (!e || e == -EAGAIN || e == -EBUSY || outbox_is_full(&k->out) || s->said)
		return;
	s->said = true;
	snprintf(name, sizeof(name), "net:[%lu]", (unsigned long)s->number);
	say(k, "not all interfaces of network namespace %s are known: %s", name, e);
}

static void ask(struct keeper *k, struct space *s)
{
	space_links_ask(&s->links);
	hear(k, s);
}

static void ask_unknown(struct keeper *k)
{
	k->unasked = false;
	for (unsigned i = 0; i < k->count && !k->unasked && !k->out.is_over; i++) {
		if (!space_links_are_unknown(&k->space[i]->links))
			continue;
		k->unasked = outbox_is_busy(&k->out);
		if (!k->unasked)
			ask(k, k->space[i]);
	}
}

static void tell_leave(struct keeper *k, struct space *s, uint64_t when)
{
	s->leave->news =
		(struct news){.kind = NEWS_LEAVE, .netns = (uint32_t)s->number, .time = when};
	outbox_put_letter(&k->out, s->leave);
	s->leave = NULL;
}

/*
 * NEWS_JOIN is sent before the socket is bound, so that the namespace is known when its first
 * record comes.
 */
static int join(struct keeper *k, struct space *s, const struct news *n)
{
	int e;

	s->leave = malloc(sizeof(*s->leave));
	e = s->leave ? pass_news_on(k, n) : -ENOMEM;
	if (e)
		return e;
	e = s->socket < 0 ? 0 : space_socket_bind(s->socket);
	if (e)
		tell_leave(k, s, clock_wall());
	return e;
}

/* Capture one more namespace. Our own has no name in the news unless it was found by one. */
static int add(struct keeper *k, int namespace, ino_t number, const char *name, bool by_name)
{
	struct news n = {.kind = NEWS_JOIN, .netns = (uint32_t)number};
	struct space *s, **more;
	int e;

	if (outbox_is_full(&k->out)) {
		k->refused = true;
		return -EAGAIN;
	}
	more = buffer_one_more(k->space, k->count, &k->room, sizeof(struct space *));
	k->space = more ? more : k->space;
	s = more ? calloc(1, sizeof(*s)) : NULL;
	if (!s)
		return -ENOMEM;
	s->number = number;
	s->name = by_name ? strdup(name) : NULL;
	e = open_there(k, namespace, s);
	if (!e)
		e = watch(k, s);
	if (number != k->home || by_name)
		snprintf(n.name, sizeof(n.name), "%s", name);
	n.time = clock_wall();
	if (!e)
		e = join(k, s, &n);
	if (e) {
		free_space(s);
		return e;
	}
	k->space[k->count++] = s;
	ask(k, s);
	return 0;
}

/* A process that is ending gives EACCES once, and then ENOENT: so ask twice. */
static int find_out(const char *path, struct stat *st)
{
	int e = stat(path, st) ? -errno : 0;

	if (e == -EACCES)
		e = stat(path, st) ? -errno : 0;
	return e;
}

static int open_space(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), e = -errno;

	if (fd < 0)
		return is_gone(find_out(path, st)) ? -ENOENT : e;
	if (fstat(fd, st) == 0)
		return fd;
	e = -errno;
	close(fd);
	return e;
}

/* A name that cannot be read at present keeps the space that it led to. */
static void keep_entry(struct keeper *k, ino_t entry)
{
	for (unsigned i = 0; i < k->count; i++)
		if (k->space[i]->entry == entry)
			k->space[i]->seen[BY_NAME] = k->number;
}

static void on_refusal(struct keeper *k, const char *folder, const struct dirent *d, bool by_name,
		       int e)
{
	bool is_of_one = e == -EACCES || e == -EPERM || e == -ELOOP || e == -ENOTDIR;

	if (is_gone(e))
		return;
	if (!is_of_one) {
		fail(k, folder, by_name, e);
	} else if (by_name) {
		keep_entry(k, d->d_ino);
		explain(k, d->d_name, d->d_ino, true, e);
	} else if (!is_told(k, 0, false)) {
		say(k, "cannot find the network namespaces of process %.20s and others: %s",
		    d->d_name, e);
	}
}

/* A namespace with several names keeps the one it was found by until that is gone. */
static void mark_seen(struct keeper *k, struct space *s, const struct dirent *d, bool by_name)
{
	if (by_name && s->name && strcmp(s->name, d->d_name) != 0) {
		k->has_more_names = true;
		return;
	}
	s->seen[by_name] = k->number;
	if (by_name)
		s->entry = d->d_ino;
}

/* Mark a known namespace, or open a new one. Returns false if the name leads to none (yet). */
static bool take_entry(struct keeper *k, const char *folder, const struct dirent *d, bool by_name)
{
	char path[sizeof(NETNS_NAMED) + NEWS_NAME_SIZE + sizeof("/ns/net")];
	struct stat st;
	struct space *s;
	int fd, e;

	snprintf(path, sizeof(path), "%s%s%s", folder, d->d_name, by_name ? "" : "/ns/net");
	e = find_out(path, &st);
	if (e) {
		on_refusal(k, folder, d, by_name, e);
		return true;
	}
	if (st.st_dev != k->device)
		return false;
	s = find_space(k, st.st_ino);
	if (!s) {
		fd = open_space(path, &st);
		s = fd < 0 ? NULL : find_space(k, st.st_ino);
		e = fd < 0 ? fd : 0;
		if (fd >= 0 && !s && st.st_dev == k->device)
			e = add(k, fd, st.st_ino, d->d_name, by_name);
		if (fd >= 0)
			close(fd);
		if (e)
			explain(k, d->d_name, st.st_ino, by_name, e);
		s = find_space(k, st.st_ino);
	}
	if (s)
		mark_seen(k, s, d, by_name);
	return true;
}

static bool is_one(const struct keeper *k, const char *name, bool by_name)
{
	return by_name ? name[0] != '.' && is_wanted(k, name) : !name[strspn(name, "0123456789")];
}

/*
 * The kernel lists processes by number, so a namespace is named for its oldest one. Returns false
 * if a name was found without its namespace.
 */
static bool look_into(struct keeper *k, const char *folder, bool by_name)
{
	DIR *all = opendir(folder);
	const struct dirent *d = NULL;
	bool is_complete = true;
	int e = all ? 0 : -errno;

	k->number++;
	k->failed = false;
	while (all && !k->out.is_over) {
		errno = 0;
		d = readdir(all);
		if (!d) {
			e = -errno;
			break;
		}
		if (is_one(k, d->d_name, by_name))
			is_complete &= take_entry(k, folder, d, by_name);
	}
	if (all)
		closedir(all);
	if (e && !(by_name && e == -ENOENT))
		fail(k, folder, by_name, e);
	if (!k->failed) /* a failed look changes nothing that is known */
		k->whole[by_name] = k->number;
	return is_complete;
}

static bool is_there(const struct keeper *k, const struct space *s)
{
	return s->seen[BY_NAME] >= k->whole[BY_NAME] || s->seen[BY_PROCESS] >= k->whole[BY_PROCESS];
}

/* Close sockets before telling of them, because the reader may be slow. */
static void remove_gone(struct keeper *k)
{
	unsigned left = 0;
	uint64_t now; /* taken while they are still held, so that no other has their inodes */

	for (unsigned i = 0; i < k->count; i++) {
		struct space *s = k->space[i];

		if (!is_there(k, s))
			continue;
		k->space[i] = k->space[left];
		k->space[left++] = s;
	}
	now = clock_wall();
	for (unsigned i = left; i < k->count; i++)
		close_space(k->space[i]);
	for (unsigned i = left; i < k->count; i++) {
		tell_leave(k, k->space[i], now);
		free_space(k->space[i]);
		k->said_full = false;
	}
	if (left < k->count && k->has_more_names)
		k->soon = 1; /* look again soon: the namespace is found by its other name */
	k->count = left;
}

static void look(struct keeper *k)
{
	bool is_complete;

	k->looked = clock_monotonic();
	k->refused = k->has_more_names = false;
	is_complete = look_into(k, NETNS_NAMED, true);
	k->soon = is_complete ? 0 : k->soon + 1;
	if (k->orders->all && k->looked - k->processes >= (uint64_t)PROCESSES_NS) {
		k->processes = k->looked;
		look_into(k, PROCESSES, false);
	}
	remove_gone(k);
	ask_unknown(k);
}

/* Was everything reported, except what cannot be known? */
static bool is_all_told(const struct keeper *k)
{
	for (unsigned i = 0; i < k->count; i++) {
		const struct space *s = k->space[i];

		if (s->links.asking || (s->links.again && !s->said))
			return false;
	}
	return !k->refused;
}

static void tell_ready(struct keeper *k)
{
	if (!k->is_ready && is_all_told(k))
		k->is_ready = pass_news_on(k, &(struct news){.kind = NEWS_READY}) == 0;
}

/*
 * Watch the folder of names, which exists once ip-netns(8) has created a name. Returns true if it
 * is watched from now on, but was not before.
 */
static bool watch_names(struct keeper *k)
{
	if (k->is_watched || k->notices < 0)
		return false;
	k->is_watched = inotify_add_watch(k->notices, NETNS_NAMED,
					  IN_CREATE | IN_DELETE | IN_MOVE | IN_ONLYDIR) >= 0;
	return k->is_watched;
}

static void empty_notices(struct keeper *k)
{
	_Alignas(struct inotify_event) char buffer[4096];
	ssize_t n;

	while ((n = read(k->notices, buffer, sizeof(buffer))) > 0)
		for (char *at = buffer; at < buffer + n;) {
			const struct inotify_event *i = (void *)at;

			k->is_watched &= !(i->mask & IN_IGNORED);
			at += sizeof(*i) + i->len;
		}
}

static int ms_until_look(const struct keeper *k)
{
	bool soon = k->soon && k->soon < SOON_TIMES;
	uint64_t now = clock_monotonic();
	uint64_t due = k->looked + (uint64_t)NS_PER_MS * (soon ? SOON_MS : LOOK_MS);

	if (k->orders->all && k->processes + PROCESSES_NS < due)
		due = k->processes + PROCESSES_NS;
	return now >= due ? 0 : (int)((due - now) / NS_PER_MS) + 1;
}

static void hear_links(struct keeper *k)
{
	struct epoll_event event[EVENTS];
	int n = epoll_wait(k->links, event, EVENTS, 0);

	for (int i = 0; i < n && !k->out.is_over; i++)
		hear(k, event[i].data.ptr);
}

/* Called after each wait, because a send that failed without memory is tried again. */
static void send_news(struct keeper *k)
{
	outbox_flush(&k->out);
	if (k->unasked && !outbox_is_busy(&k->out))
		ask_unknown(k);
	tell_ready(k);
}

static int serve(struct keeper *k)
{
	struct pollfd from[] = {
		{.fd = k->orders->socket, .events = POLLIN},
		{.fd = k->notices, .events = POLLIN},
		{.fd = k->links, .events = POLLIN},
	};

	if (k->out.waits)
		from[0].events |= POLLOUT;
	/* While there is no room for answers, the kernel keeps them, or reports a loss. */
	if (outbox_is_busy(&k->out))
		from[2].fd = -1;
	if (poll(from, sizeof(from) / sizeof(from[0]), ms_until_look(k)) < 0)
		return errno == EINTR ? 0 : -errno;
	k->out.is_over |= (from[0].revents & ~POLLOUT) != 0;
	if (from[1].revents) {
		empty_notices(k);
		k->soon = 0;
	}
	if (from[2].revents)
		hear_links(k);
	if (!k->out.is_over && (watch_names(k) || from[1].revents || ms_until_look(k) == 0))
		look(k);
	send_news(k);
	return 0;
}

/* If inotify is not available, regular looks find the names. */
static int begin_keeping(struct keeper *k)
{
	struct stat st;

	k->links = epoll_create1(EPOLL_CLOEXEC);
	if (k->links < 0 || fstat(k->orders->home, &st))
		return -errno;
	k->device = st.st_dev;
	k->home = st.st_ino;
	k->notices = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	watch_names(k);
	look(k);
	tell_ready(k);
	return 0;
}

static void end(struct keeper *k)
{
	char word;

	/* An unread message here would be an error for whoever reads the last news. */
	recv(k->orders->socket, &word, sizeof(word), MSG_DONTWAIT);
	for (unsigned i = 0; i < k->count; i++) {
		free_space(k->space[i]);
		outbox_flush(&k->out);
	}
	space_sockets_wait();
	free(k->space);
	free(k->complaint);
	outbox_finish(&k->out);
}

int keeper_run(const struct keeper_orders *o)
{
	struct keeper k = {.orders = o,
			   .number = 1,
			   .whole = {1, 1},
			   .out = {.socket = o->socket, .kept = o->kept}};
	int e = begin_keeping(&k);

	while (!e && !k.out.is_over)
		e = serve(&k);
	end(&k);
	return e;
}
