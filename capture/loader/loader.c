/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/attach/carrier.h"
#include "capture/attach/hold_signals.h"
#include "util/clock.h"
#include "config.h"
#include "loader.h"
#include "loader_protocol.h"

/* Filters of thousands of terms take seconds; a loader that is silent for this long is not
 * alive. */
#define ANSWER_WITHIN_NS (20 * NS_PER_SEC)
#define END_WITHIN_MS	 200
#define KEEP_MAX	 64

/* Descriptors that the child keeps: those in the instructions of images, those of their types, and
 * those of the places where they are put. */
struct keep {
	int fd[KEEP_MAX];
	unsigned n;
};

static bool keep_add(struct keep *k, int fd)
{
	for (unsigned i = 0; i < k->n; i++)
		if (k->fd[i] == fd)
			return true;
	if (fd < 0)
		return true;
	if (k->n == KEEP_MAX)
		return false;
	k->fd[k->n++] = fd;
	return true;
}

static bool keep_image(struct keep *k, const struct image *i)
{
	bool fits = keep_add(k, i->fd) && keep_add(k, i->function ? i->btf : -1);

	for (uint32_t n = 0; n + 1 < i->n && fits; n++) {
		const struct bpf_insn *in = &i->insns[n];

		if (in->code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    (in->src_reg == BPF_PSEUDO_MAP_FD || in->src_reg == BPF_PSEUDO_MAP_VALUE))
			fits = keep_add(k, in->imm);
	}
	return fits;
}

/* --- In the child: only what is safe after the fork of a program with threads. --- */

static void close_others(const struct keep *k)
{
	struct rlimit limit = {1024, 1024};
	int null;

	close(0); /* so that at least one descriptor is free */
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		if (fd != null)
			dup2(null >= 0 ? null : k->fd[0], fd);
	if (syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC)) { /* before 5.11 */
		getrlimit(RLIMIT_NOFILE, &limit);
		for (int fd = 3; fd < (int)limit.rlim_cur && fd < 1 << 20; fd++)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	for (unsigned i = 0; i < k->n; i++)
		fcntl(k->fd[i], F_SETFD, 0);
}

/* If a file has no capabilities, only ambient capabilities survive its execution. */
static void pass_capabilities(void)
{
	static const int wanted[] = {CAP_BPF, CAP_NET_ADMIN, CAP_NET_RAW, CAP_PERFMON};
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return;
	for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		data[wanted[i] / 32].inheritable |=
			data[wanted[i] / 32].permitted & 1u << wanted[i] % 32;
	if (syscall(SYS_capset, &head, data))
		return;
	for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, wanted[i], 0, 0);
}

static void become_loader(const char *path, int socket, const struct keep *k)
{
	char number[16];
	char *argv[] = {"pcap-afxdp-loader", number, NULL}, *envp[] = {NULL};
	struct loader_reply reply = {0};
	char *digit = number + sizeof(number) - 1;

	*digit = 0; /* by hand, because snprintf() is not safe here */
	do
		*--digit = (char)('0' + socket % 10);
	while (socket /= 10);
	argv[1] = digit;
	setsid(); /* the terminal's signals are for the application */
	close_others(k);
	pass_capabilities();
	execve(path, argv, envp);
	reply.error = -errno;
	loader_send(k->fd[0], &reply, sizeof(reply), 0);
	_exit(1);
}

/* --- In the application. --- */

/*
 * Starts a grandchild, so that it is no child of this process. Exit signal 0 instead of SIGCHLD:
 * the application's handler does not run, and its wait() does not see the child in between.
 */
static int spawn(const char *path, int socket, const struct keep *k)
{
	sigset_t before;
	int status = 0;
	long pid;

	hold_signals(&before); /* so that no handler of the application runs in its copy */
	pid = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
	if (pid == 0) {
		pid = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
		if (pid == 0)
			become_loader(path, socket, k);
		_exit(pid < 0 ? errno : 0);
	}
	release_signals(&before);
	if (pid < 0)
		return -errno;
	while (waitpid((pid_t)pid, &status, __WCLONE) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : 0;
}

/* Does this process lack descriptors, whatever privilege the loader has? */
static bool lacks_descriptors(int e)
{
	return e == -EMFILE || e == -ENFILE;
}

/* Write what the loader said, or what there is to say in its place. */
static void explain(int e, const char *said, char *err, size_t size)
{
	if (said && said[0])
		snprintf(err, size, "%s", said);
	else if (e == -EPROTO)
		snprintf(err, size,
			 "%s is of another version than this library (" PACKAGE_VERSION
			 "): install both from one build",
			 loader_path());
	else if (lacks_descriptors(e))
		snprintf(err, size, "there are too few descriptors for %s: %s (raise ulimit -n)",
			 loader_path(), strerror(-e));
	else
		snprintf(err, size, "cannot start %s: %s", loader_path(), strerror(-e));
}

/* The kernel has no larger error number. */
#define ERRNO_MAX 4095

static int receive_all(struct loader *l, struct loader_reply *r, char **log, uint64_t deadline)
{
	*log = NULL;
	if (!loader_receive(l->socket, r, sizeof(*r), deadline) || r->log_length > LOADER_LOG_MAX ||
	    r->level > AFXDP_LEVEL_USER || r->error > 0 || r->error < -ERRNO_MAX ||
	    r->filter > LOADER_HAS_FILTER || r->filter < -ERRNO_MAX)
		return -EPIPE;
	l->pid = r->pid;
	l->helpless = r->pid <= 0 || r->unprivileged;
	l->unfinished = r->unfinished;
	*log = r->log_length ? calloc(1, r->log_length + 1) : NULL;
	if (r->log_length && (!*log || !loader_receive(l->socket, *log, r->log_length, deadline)))
		return -EPIPE;
	return r->error;
}

static int receive_reply(struct loader *l, enum afxdp_level *level, char **log, uint64_t deadline)
{
	struct loader_reply r = {.level = AFXDP_LEVEL_USER};
	int e = receive_all(l, &r, log, deadline);

	*level = (enum afxdp_level)r.level;
	return e;
}

static bool send_image(int fd, const struct image *i, uint64_t deadline)
{
	struct loader_image m = {.n = i->n,
				 .type = i->type,
				 .flags = i->flags,
				 .ifindex = i->ifindex,
				 .no_link_header = i->no_link_header,
				 .cooked = i->cooked,
				 .tag_beside = i->tag_beside,
				 .function = i->function,
				 .btf = i->btf,
				 .place = i->place,
				 .fd = i->fd};

	memcpy(m.called, i->called, sizeof(m.called));
	memcpy(m.name, i->name, sizeof(m.name));
	return loader_send(fd, &m, sizeof(m), deadline) &&
	       loader_send(fd, i->insns, i->n * sizeof(*i->insns), deadline);
}

/* Receive the loader's answer; with an attachment, that follows, and p gets what became of the
 * filter. */
static int hear(struct loader *l, struct attachment *a, struct program *p, uint64_t deadline,
		char *err, size_t size)
{
	struct loader_reply r;
	char *text = NULL;
	int e = receive_all(l, &r, &text, deadline);

	if (!e && a)
		e = loader_receive_attachment(l->socket, a, deadline);
	if (e) {
		explain(e, text, err, size);
	} else if (p) {
		p->has_filter = r.filter == LOADER_HAS_FILTER;
		p->filter_error = p->has_filter ? 0 : r.filter;
		p->level = (enum afxdp_level)r.level;
		p->filter_log = text;
		return 0;
	}
	free(text);
	return e;
}

/*
 * Not everything was sent. Either the loader did not start, and its answer, why, is there all the
 * same. Or this process had no room for it: then the loader sees that no more comes, and ends.
 */
static void all_sent(const struct loader *l, bool sent)
{
	if (!sent)
		shutdown(l->socket, SHUT_WR);
}

/* The links that the loader watches. */
static void choose_links(int32_t *links, const struct attachment *a)
{
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		links[i] = attachment_link(a, i);
}

static void set_up(struct loader *l, const struct attachment *a, const struct program *p)
{
	struct loader_setup s = {.task = LOADER_SWAP,
				 .count = p->image_count,
				 .proof = loader_proof_of(a),
				 .stamps = a->stamps,
				 .socket = a->packet,
				 .alive = l->alive_there};
	uint64_t deadline = clock_monotonic() + ANSWER_WITHIN_NS;
	bool sent;

	loader_version(s.version);
	choose_links(s.links, a);
	sent = loader_send(l->socket, &s, sizeof(s), deadline);
	for (unsigned i = 0; i < p->image_count && sent; i++)
		sent = send_image(l->socket, &p->images[i], deadline);
	if (sent && a->plan.proof == PLAN_CHANGES)
		sent = send_image(l->socket, &p->spare, deadline);
	all_sent(l, sent);
}

/* The loader waits for a link without a word (attachment.c). Waits until it answers, or until the
 * link is seen down. */
static void tell_of_wait(const struct loader *l, const char *ifname, uint64_t deadline)
{
	struct pollfd p = {.fd = l->socket, .events = POLLIN};
	bool down = false;
	int n = 0;

	while (!down && (n == 0 || (n < 0 && errno == EINTR)) && clock_monotonic() < deadline) {
		n = poll(&p, 1, CARRIER_SAID_AFTER_MS);
		down = n == 0 && !carrier_is_up(ifname);
	}
	if (down)
		carrier_tell(ifname);
}

static int ask_to_open(struct loader *l, const struct afxdp_options *o, bool was_up,
		       struct attachment *a, struct program *p, char *err, size_t size)
{
	struct loader_setup s = {.task = LOADER_OPEN, .alive = l->alive_there};
	struct afxdp_options there = *o;
	uint64_t deadline = clock_monotonic() + ANSWER_WITHIN_NS;

	there.filter = NULL;
	loader_version(s.version);
	all_sent(l, loader_send(l->socket, &s, sizeof(s), deadline) &&
			    loader_send(l->socket, &there, sizeof(there), deadline) &&
			    loader_send(l->socket, o->filter, o->filter_n * sizeof(*o->filter),
					deadline));
	if (was_up)
		tell_of_wait(l, o->ifname, deadline);
	return hear(l, a, p, deadline, err, size);
}

const char *loader_path(void)
{
	const char *path = secure_getenv("PCAP_AFXDP_LOADER"); /* not if privileged by its file */

	return path && *path ? path : LOADER_PATH;
}

/* Not below 3, because the child needs 0 to 2. */
static int move_up(int fd)
{
	int up = fd < 3 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : fd;

	if (fd < 3)
		close(fd);
	return up;
}

/* Keep what the loader needs of an attachment that this process has opened. */
static int keep_attachment(struct keep *k, const struct attachment *a, const struct program *p)
{
	bool fits = true;

	if (a->stamps.ifindex)
		keep_add(k, a->packet);
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		keep_add(k, attachment_link(a, i));
	for (unsigned i = 0; i < RING_MAPS_MAX && a->plan.proof; i++)
		keep_add(k, a->rings[i]);
	if (a->plan.proof || attachment_is_at_tc(a))
		keep_add(k, a->counters);
	for (unsigned i = 0; i < p->image_count && fits; i++)
		fits = keep_image(k, &p->images[i]);
	if (a->plan.proof == PLAN_CHANGES && fits)
		fits = keep_image(k, &p->spare);
	return fits ? 0 : -E2BIG;
}

/* Start the process with what it needs of a and p; NULL: nothing. map: another descriptor to keep,
 * or -1. */
static int start(struct loader *l, const struct attachment *a, const struct program *p, int map)
{
	struct keep k = {.n = 0};
	int pair[2], alive[2], e = 0;

	*l = (struct loader){.socket = -1, .alive = -1};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -errno;
	l->socket = pair[0];
	pair[1] = move_up(pair[1]);
	if (pipe2(alive, O_CLOEXEC | O_NONBLOCK)) {
		e = -errno;
		close(pair[1]);
		return e;
	}
	l->alive = alive[0];
	l->alive_there = alive[1] = move_up(alive[1]);
	keep_add(&k, pair[1]); /* first: become_loader() relies on that */
	keep_add(&k, alive[1]);
	keep_add(&k, map);
	if (a)
		e = keep_attachment(&k, a, p);
	if (!e)
		e = pair[1] < 0 || alive[1] < 0 ? -EMFILE : spawn(loader_path(), pair[1], &k);
	close(pair[1]);
	close(alive[1]);
	return e;
}

int loader_start(struct loader *l, const struct attachment *a, const struct program *p, char *err,
		 size_t size)
{
	int e = start(l, a, p, -1);

	if (!e) {
		set_up(l, a, p);
		return 0;
	}
	explain(e, NULL, err, size);
	loader_stop(l);
	return e;
}

int loader_started(struct loader *l, char *err, size_t size)
{
	int e = hear(l, NULL, NULL, clock_monotonic() + ANSWER_WITHIN_NS, err, size);

	if (e)
		loader_stop(l);
	return e;
}

int loader_open(struct loader *l, const struct afxdp_options *o, struct attachment *a,
		struct program *p, char *err, size_t size)
{
	bool may_reset = o->hook == CAPTURE_HOOK_AUTO || o->hook == CAPTURE_HOOK_XDP;
	bool was_up = may_reset && carrier_is_up(o->ifname);
	int e = start(l, NULL, NULL, -1);

	l->helpless = !lacks_descriptors(e); /* until it answers */
	if (e)
		explain(e, NULL, err, size);
	else
		e = ask_to_open(l, o, was_up, a, p, err, size);
	if (e)
		loader_stop(l);
	return e;
}

int loader_start_sets(struct loader *l, struct loader_sets *s, char *err, size_t size)
{
	struct loader_setup setup = {.task = LOADER_SETS};
	uint64_t deadline = clock_monotonic() + ANSWER_WITHIN_NS;
	int e = start(l, NULL, NULL, s->map);

	if (e) {
		explain(e, NULL, err, size);
		loader_stop(l);
		return e;
	}
	setup.alive = l->alive_there;
	loader_version(setup.version);
	s->options.filter = NULL;
	s->options.filter_n = 0;
	all_sent(l, loader_send(l->socket, &setup, sizeof(setup), deadline) &&
			    loader_send(l->socket, s, sizeof(*s), deadline));
	return 0;
}

/*
 * An application that is its namespace's init, or a subreaper, has inherited the loader. It ends as
 * soon as it sees the socket closed; no zombie may be left.
 */
static void reap(pid_t pid)
{
	struct timespec ms = {.tv_nsec = NS_PER_MS};

	for (int i = 0; i < 1000 && waitpid(pid, NULL, __WALL | WNOHANG) == 0; i++)
		nanosleep(&ms, NULL);
}

/* Waits this long however many signals come. */
static void await_end(int alive)
{
	struct pollfd p = {.fd = alive};
	uint64_t now = clock_monotonic(), end = now + END_WITHIN_MS * NS_PER_MS;

	while (poll(&p, 1, clock_ms_until(end, now)) < 0 && errno == EINTR)
		now = clock_monotonic();
}

void loader_stop(struct loader *l)
{
	if (l->socket >= 0)
		close(l->socket);
	l->socket = -1;
	l->unfinished = false;
	/*
	 * It also holds the links: wait until it has let go. Not for long, because a process that
	 * the application has forked may have a copy of the socket, for which the loader stays.
	 */
	if (l->alive >= 0) {
		await_end(l->alive);
		close(l->alive);
	}
	l->alive = -1;
	if (l->pid > 0)
		reap(l->pid);
	l->pid = 0;
}

/*
 * The loader is gone, or does not answer. Its pipe will say when it has ended, and the reader still
 * waits for that, so the pipe stays until loader_stop(): its number could become another file.
 */
static void lose(struct loader *l)
{
	close(l->socket);
	l->socket = -1;
	l->unfinished = false;
}

int loader_settle(struct loader *l, bool wait, enum afxdp_level *level)
{
	struct loader_reply r;
	ssize_t n;
	bool came;

	if (!l->unfinished)
		return 0;
	if (wait) {
		came = loader_receive(l->socket, &r, sizeof(r),
				      clock_monotonic() + ANSWER_WITHIN_NS);
	} else {
		n = recv(l->socket, &r, sizeof(r), MSG_DONTWAIT); /* sent in one piece */
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return -EAGAIN;
		came = n == sizeof(r);
	}
	l->unfinished = false;
	if (came && r.error <= 0 && r.level <= AFXDP_LEVEL_USER) {
		*level = r.error ? AFXDP_LEVEL_USER : r.level;
		return r.error;
	}
	lose(l);
	return -EPIPE;
}

static int ask(struct loader *l, const struct loader_request *r, const struct sock_filter *f,
	       enum afxdp_level *level, char **log)
{
	uint64_t deadline = clock_monotonic() + ANSWER_WITHIN_NS;
	int e = -EPIPE;

	*level = AFXDP_LEVEL_USER;
	*log = NULL;
	if (l->socket < 0) /* poll() would ignore it, and wait for 20 s */
		return -EPIPE;
	if (loader_send(l->socket, r, sizeof(*r), deadline) &&
	    loader_send(l->socket, f, r->n * sizeof(*f), deadline))
		e = receive_reply(l, level, log, deadline);
	if (e == -EPIPE) {
		*level = AFXDP_LEVEL_USER;
		lose(l);
	}
	return e;
}

void loader_remember(struct loader *l, const struct sock_filter *f, unsigned n, uint32_t generation)
{
	struct loader_request r = {.n = n, .generation = generation, .known = true};
	enum afxdp_level level;
	char *log;

	ask(l, &r, f, &level, &log);
	free(log);
}

int loader_swap(struct loader *l, const struct sock_filter *f, unsigned n, uint32_t generation,
		bool early, enum afxdp_level *level, char **log)
{
	struct loader_request r = {.n = n, .generation = generation, .early = early};

	return ask(l, &r, f, level, log);
}

/* Does not wait: if there is no room, the process has been asked before and has not looked yet. */
static int ask_to_renew(struct loader *l)
{
	struct loader_request r = {.early = true};
	ssize_t n = send(l->socket, &r, sizeof(r), MSG_DONTWAIT | MSG_NOSIGNAL);

	return n == sizeof(r) || (n < 0 && (errno == EAGAIN || errno == EINTR)) ? 0 : -EPIPE;
}

/* Waits however many signals come. */
static bool answers(const struct loader *l, uint64_t deadline)
{
	struct pollfd p = {.fd = l->socket, .events = POLLIN};
	uint64_t now = clock_monotonic();
	int n = 0;

	while (now < deadline && (n = poll(&p, 1, clock_ms_until(deadline, now))) < 0 &&
	       errno == EINTR)
		now = clock_monotonic();
	return n > 0;
}

/* Skips replies to earlier requests, for which nobody waits any more. */
static int await_renewal(struct loader *l, uint64_t deadline, char **text)
{
	struct loader_request r = {.n = 0};
	enum afxdp_level level;
	int e;

	if (!loader_send(l->socket, &r, sizeof(r), deadline))
		return -EPIPE;
	l->asked++;
	do {
		free(*text);
		*text = NULL;
		if (!answers(l, deadline))
			return -ETIMEDOUT;
		e = receive_reply(l, &level, text, clock_monotonic() + ANSWER_WITHIN_NS);
	} while (e != -EPIPE && ++l->answered != l->asked);
	return e;
}

int loader_renew(struct loader *l, bool wait, char *err, size_t size)
{
	char *text = NULL;
	int e = -EPIPE;

	if (l->socket >= 0)
		e = wait ? await_renewal(l, clock_monotonic() + ANSWER_WITHIN_NS, &text)
			 : ask_to_renew(l);
	if (e == -EPIPE && l->socket >= 0)
		lose(l);
	if (e == -ETIMEDOUT)
		snprintf(err, size,
			 "files of addresses were not read within 20 s: the new ones count once they are");
	else
		snprintf(err, size, "%s", text ? text : "");
	free(text);
	return e;
}
