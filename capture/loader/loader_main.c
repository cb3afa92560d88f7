/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp-loader: receives classic BPF filters over the socket whose number is its only
 * argument, completes the capture programs with them, and swaps them in. Holds CAP_BPF,
 * CAP_NET_ADMIN and CAP_PERFMON, and a seccomp filter that allows it some commands of bpf(2),
 * memory, that socket and a pipe. Started by libpcap (loader.c); of no use by hand.
 *
 * For an application without the privilege it also opens the attachment, with the capabilities of
 * its file or of root, and only then confines itself. Then nothing that it loads comes from the
 * application: with capabilities of its own file it accepts interface, options and filters, but no
 * instructions. A filter that comes with them is translated by a process without privilege:
 * apart.c. Users other than root get what captures, and nothing else: policy.h, without_sockets().
 * As another process it reads changed files, and keeps no privilege: reloader.c.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/sockios.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/attach/facts/caps.h"
#include "config.h"
#include "filter/filter.h"
#include "util/clock.h"
#include "capture/attach/program/image.h"
#include "capture/attach/program/join.h"
#include "capture/attach/program/limit.h"
#include "apart.h"
#include "beside.h"
#include "change.h"
#include "confine.h"
#include "reloader.h"
#include "loader_protocol.h"
#include "policy.h"
#include "capture/attach/attachment.h"

#define NOBODY 65534
/* Whoever detaches a capture wants it to end: it is noticed at most this much later. */
#define LOOK_EVERY_NS NS_PER_SEC
/* The application waits 20 s for a capture to open; an attach may wait 10 s for the carrier. */
#define FILTER_WITHIN_NS (8 * (uint64_t)NS_PER_SEC)
#define IMAGE_MAX	 65536 /* instructions without a filter; ours have some hundreds */

#if defined(__SANITIZE_ADDRESS__)
/* The leak check at exit needs system calls that seccomp refuses. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

struct capture_images {
	struct image image[IMAGES_MAX];
	unsigned count;
	struct stamp_change stamps; /* put these back at the end, through socket */
	int socket;
	bool joined;	       /* a dispatcher, which must be left at the end */
	int links[IMAGES_MAX]; /* -1: none */
	uint64_t look_due;     /* CLOCK_MONOTONIC ns */
	int news; /* the pipe for what we have to say; -1: there is none, or nothing more to say */
	struct change change;
	struct loader_beside beside;
	/* For a user's capture: what holds promiscuity, and hooks that are sockets. -1: none. */
	int kept[1 + IMAGES_MAX];
};

static bool send_reply(int fd, struct loader_reply r, const char *log)
{
	r.pid = getpid();
	if (log)
		r.log_length = (uint32_t)strnlen(log, LOADER_LOG_MAX);
	return loader_send(fd, &r, sizeof(r), 0) && (!log || loader_send(fd, log, r.log_length, 0));
}

static bool reply(int fd, int error, enum afxdp_level level, const char *log)
{
	return send_reply(fd, (struct loader_reply){.error = error, .level = level}, log);
}

/*
 * Keep only the three capabilities, as whatever user we were started; they survive the change of
 * uid. After joining a dispatcher, this process must later find its programs (CAP_SYS_ADMIN) and
 * their pins, which belong to root.
 */
static int drop_privileges(bool joined)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct had[2], want[2] = {{0}};
	static const int wanted[] = {CAP_BPF, CAP_NET_ADMIN, CAP_PERFMON, CAP_SYS_ADMIN};
	size_t count = sizeof(wanted) / sizeof(wanted[0]) - (joined ? 0 : 1);

	if (syscall(SYS_capget, &head, had))
		return -errno;
	for (size_t i = 0; i < count; i++)
		want[wanted[i] / 32].permitted |=
			had[wanted[i] / 32].permitted & 1u << wanted[i] % 32;
	want[0].effective = want[0].permitted;
	want[1].effective = want[1].permitted;
	prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
	/*
	 * This may fail in a user namespace that has no nobody; what matters are the capabilities
	 * below.
	 */
	if (!joined && geteuid() == 0 && setgroups(0, NULL) == 0 &&
	    setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return syscall(SYS_capset, &head, want) ? -errno : 0;
}

static int allow_bpf(scmp_filter_ctx s)
{
	static const int commands[] = {BPF_PROG_LOAD, BPF_MAP_UPDATE_ELEM, BPF_LINK_UPDATE,
				       BPF_OBJ_GET_INFO_BY_FD};
	int e = 0;

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]) && !e; i++)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(bpf), 1,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)commands[i]));
	return e;
}

/* Allowed until change.c has found out whether frames come to the XDP program. */
static int allow_change(scmp_filter_ctx s, const struct change *c)
{
	static const int commands[] = {BPF_LINK_CREATE, BPF_LINK_DETACH};
	const int counters[] = {c->proof.received, c->proof.multicast};
	int e = 0;

	for (size_t i = 0; i < 2 && c->plan && !e; i++)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(pread64), 1,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)counters[i]));
	for (size_t i = 0; i < 2 && c->plan == PLAN_CHANGES && !e; i++)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(bpf), 1,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)commands[i]));
	if (!e && c->plan == PLAN_CHANGES)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(seccomp), 0);
	return e;
}

static int allow_beside(scmp_filter_ctx s, const struct loader_beside *b)
{
	static const int reads[] = {SCMP_SYS(recvfrom), SCMP_SYS(recv)};
	int e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(bpf), 1,
				 SCMP_A0(SCMP_CMP_EQ, BPF_PROG_QUERY));

	for (size_t i = 0; i < 2 && b->filters >= 0 && !e; i++)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, reads[i], 1,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)b->filters));
	return e;
}

static int allow_stamps(scmp_filter_ctx s)
{
	static const unsigned long requests[] = {SIOCGIFNAME, SIOCGHWTSTAMP, SIOCSHWTSTAMP};
	int e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(getsockname), 0);

	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]) && !e; i++)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
				     SCMP_A1(SCMP_CMP_EQ, requests[i]));
	return e;
}

static int confine(int fd, const struct capture_images *c, const struct stamp_change *stamps)
{
	scmp_filter_ctx s = confine_to(fd);
	int e = s ? allow_bpf(s) : -ENOMEM;

	if (!e && stamps->ifindex)
		e = allow_stamps(s);
	if (!e)
		e = allow_change(s, &c->change);
	if (!e && c->beside.told)
		e = allow_beside(s, &c->beside);
	if (!e && c->news >= 0)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(write), 1,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)c->news));
	if (!e)
		e = seccomp_load(s); /* also sets no_new_privs */
	seccomp_release(s);
	return e;
}

static int receive_image(int fd, struct image *i)
{
	struct loader_image m;

	if (!loader_receive(fd, &m, sizeof(m), 0))
		return -EPIPE;
	if (m.n > IMAGE_MAX)
		return -E2BIG;
	*i = (struct image){.n = m.n,
			    .type = m.type,
			    .flags = m.flags,
			    .ifindex = m.ifindex,
			    .no_link_header = m.no_link_header,
			    .cooked = m.cooked,
			    .tag_beside = m.tag_beside,
			    .function = m.function,
			    .btf = m.btf,
			    .place = (enum image_place)m.place,
			    .fd = m.fd,
			    .insns = calloc(m.n, sizeof(struct bpf_insn))};
	if (!i->insns)
		return -ENOMEM;
	memcpy(i->called, m.called, sizeof(i->called));
	memcpy(i->name, m.name, sizeof(i->name) - 1);
	return loader_receive(fd, i->insns, m.n * sizeof(*i->insns), 0) ? 0 : -EPIPE;
}

static int receive_images(int fd, struct capture_images *c, unsigned count)
{
	int e = 0;

	if (count > IMAGES_MAX)
		return -E2BIG;
	for (; c->count < count && !e; c->count++)
		e = receive_image(fd, &c->image[c->count]);
	return e;
}

static void prepare_looks(struct capture_images *c, const struct loader_proof *p)
{
	change_prepare(&c->change, p);
	beside_prepare(&c->beside, p);
}

/* The application has started us with the descriptors that it holds: confine this process, then
 * look at what it sends. */
static int begin_swapping(int fd, struct capture_images *c, const struct loader_setup *s)
{
	int e = drop_privileges(false);

	if (getauxval(AT_SECURE)) { /* an application with less privilege than we have */
		reply(fd, -EACCES, AFXDP_LEVEL_USER,
		      "the loader's file has capabilities: it runs no programs of others");
		return -EACCES;
	}
	if (!e && c->news >= 0)
		prepare_looks(c, &s->proof);
	if (!e)
		e = confine(fd, c, &s->stamps);
	if (!e) { /* before the images, because it may be killed while it sends them */
		for (unsigned i = 0; i < IMAGES_MAX; i++)
			c->links[i] = s->links[i];
		c->stamps = s->stamps;
		c->socket = s->socket;
		beside_look(&c->beside, c->links);
	}
	if (!e)
		e = receive_images(fd, c, s->count);
	if (!e && s->proof.plan == PLAN_CHANGES)
		e = receive_image(fd, &c->change.spare);
	if (!reply(fd, e, AFXDP_LEVEL_USER, NULL))
		return -EPIPE;
	if (e)
		c->stamps.ifindex = 0; /* the application goes on without us */
	return e;
}

static void use_images_of(struct capture_images *c, const struct program *p)
{
	memcpy(c->image, p->images, sizeof(c->image));
	c->count = p->image_count;
	c->change.spare = p->spare;
}

/*
 * Users get the maps and the links. A packet socket can send anything to any interface, and can be
 * bound to another one: so it stays here, with its promiscuity, and ends with this process.
 */
static struct attachment without_sockets(const struct attachment *a, struct capture_images *c)
{
	struct attachment copy = *a;

	copy.capture_only = true;
	copy.stamps.ifindex = 0; /* this process puts them back */
	c->kept[0] = a->packet;
	copy.packet = -1;
	for (unsigned i = 0; i < IMAGES_MAX; i++) {
		if (a->is_link[i])
			continue;
		c->kept[1 + i] = a->holders[i];
		copy.holders[i] = -1;
	}
	return copy;
}

/* Close what belongs to the application; only the links and what is kept are needed here. */
static void let_go(const struct attachment *a, const struct capture_images *c)
{
	if (!a->stamps.ifindex && c->kept[0] < 0)
		close(a->packet);
	if (a->clock >= 0)
		close(a->clock);
	if (a->left_out >= 0)
		close(a->left_out);
	if (a->sets >= 0)
		close(a->sets);
	if (a->timers >= 0)
		close(a->timers);
	for (unsigned i = 0; i < a->place.maps.count; i++)
		close(a->rings[i]);
	close(a->doorbell);
	close(a->counters);
}

/* If nothing may be opened for the user, nothing is tried. */
static int check(struct afxdp_options *o, bool for_user, const char *missing, char *err,
		 size_t size)
{
	if (!options_are_valid(o)) {
		snprintf(err, size,
			 "the loader process does not open a capture with these options");
		return -EINVAL;
	}
	if (!for_user)
		return 0;
	if (!missing)
		return policy_check(o, err, size);
	snprintf(err, size, "%s", missing);
	return -EPERM;
}

/* Only the separate process looks at the filter. */
static bool receive_filter(int fd, struct afxdp_options *o)
{
	struct sock_filter *f = NULL; /* the member that came is a pointer of another process */

	if (o->filter_n > FILTER_MAX_INSNS)
		return false;
	if (o->filter_n) {
		f = calloc(o->filter_n, sizeof(*f));
		if (!f || !loader_receive(fd, f, o->filter_n * sizeof(*f), 0)) {
			free(f);
			return false;
		}
	}
	o->filter = f;
	return true;
}

static bool reply_opened(int fd, const struct program *p)
{
	struct loader_reply r = {.level = AFXDP_LEVEL_USER, .filter = p->filter_error};

	if (p->has_filter) {
		r.level = p->level;
		r.filter = LOADER_HAS_FILTER;
	}
	return send_reply(fd, r, p->filter_log);
}

static int begin_opening(int fd, struct capture_images *c)
{
	/* Its images are used until the end. */
	static struct program program = {.join = join_attach, .builder = apart_build};
	struct afxdp_options o;
	struct attachment attachment, sent;
	char err[AFXDP_ERROR_SIZE] = "", missing[AFXDP_ERROR_SIZE];
	struct loader_proof proof;
	struct loader_reply r;
	bool lacks = caps_missing(missing, sizeof(missing)) > 0;
	bool for_user = policy_applies(); /* later, root's own process would not look like one */
	int e;

	if (!loader_receive(fd, &o, sizeof(o), 0) || !receive_filter(fd, &o))
		return -EPIPE;
	program.builder_until = clock_monotonic() + FILTER_WITHIN_NS;
	o.by_ring = true; /* only the application itself can have sockets */
	e = check(&o, for_user, lacks ? missing : NULL, err, sizeof(err));
	if (!e)
		e = attachment_open(&attachment, &program, &o, err, sizeof(err));
	if (!e) {
		c->stamps = attachment.stamps;
		c->socket = attachment.packet;
		c->joined = attachment.plan.join;
		e = for_user ? policy_check_opened(attachment.facts.ifindex, err, sizeof(err)) : 0;
	}
	if (!e)
		e = drop_privileges(c->joined);
	if (!e && c->joined) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	} else if (!e) {
		proof = loader_proof_of(&attachment);
		if (c->news >= 0)
			prepare_looks(c, &proof);
		e = confine(fd, c, &attachment.stamps);
	}
	free((void *)o.filter);
	if (e) {
		r = (struct loader_reply){.error = e, .level = AFXDP_LEVEL_USER};
		r.unprivileged = lacks && (e == -EPERM || e == -EACCES);
		send_reply(fd, r, err);
		return e;
	}
	if (!reply_opened(fd, &program))
		return -EPIPE;
	use_images_of(c, &program);
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		c->links[i] = attachment_link(&attachment, i);
	beside_look(&c->beside, c->links);
	sent = for_user ? without_sockets(&attachment, c) : attachment;
	if (!loader_send_attachment(fd, &sent))
		return -EPIPE;
	let_go(&attachment, c);
	return 0;
}

/*
 * If the application ends while somebody has stopped this process, the kernel continues it
 * (SIGCONT), because it holds an interface. What users send wakes it as well.
 */
static void wake_at_end(int fd)
{
	fcntl(fd, F_SETSIG, SIGCONT);
	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
}

/* The application names this descriptor; make sure that nothing else is written to. */
static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

static int receive_setup(int fd, struct capture_images *c)
{
	struct loader_setup s;
	size_t rest = sizeof(s) - sizeof(s.version);
	char version[LOADER_VERSION_SIZE];

	loader_version(version);
	if (!loader_receive(fd, s.version, sizeof(s.version), 0))
		return -EPIPE;
	/* Of another version nothing else is known, not even the size of the message. */
	if (memcmp(s.version, version, sizeof(version)) != 0) {
		reply(fd, -EPROTO, AFXDP_LEVEL_USER, NULL);
		return -EPROTO;
	}
	if (!loader_receive(fd, (char *)&s + sizeof(s.version), rest, 0))
		return -EPIPE;
	wake_at_end(policy_applies() ? fd : s.alive); /* that number may not be a pipe */
	c->news = is_pipe(s.alive) ? s.alive : -1;
	if (s.task == LOADER_SETS) /* its files may have names relative to this folder */
		exit(reloader_run(fd) != 0);
	if (chdir("/"))
		return -errno;
	return s.task == LOADER_OPEN ? begin_opening(fd, c) : begin_swapping(fd, c, &s);
}

/* Finish a filter for which the application already has an answer: everything but loading the first
 * program. */
static bool finish_early(int fd, const struct capture_images *c, const struct sock_filter *f,
			 const struct loader_request *r, enum afxdp_level level, int program)
{
	enum afxdp_level others;
	char *log = NULL;
	int e = image_swap_all(c->image + 1, c->count - 1, f, r->n, r->generation, true, &others,
			       &log, NULL);

	free(log);
	if (!e)
		e = image_put(&c->image[0], program);
	return reply(fd, e, others > level ? others : level, NULL);
}

/* Handle one filter. False: the application is gone. */
static bool serve(int fd, struct capture_images *c)
{
	struct loader_request r;
	struct sock_filter *f;
	enum afxdp_level level = AFXDP_LEVEL_USER;
	char *log = NULL;
	bool ok, early;
	int e = 0, late = -1;

	if (!loader_receive(fd, &r, sizeof(r), 0) || r.n == 0 || r.n > FILTER_MAX_INSNS)
		return false;
	f = calloc(r.n, sizeof(*f));
	if (!f || !loader_receive(fd, f, r.n * sizeof(*f), 0)) {
		free(f);
		return false;
	}
	if (r.known) {
		ok = reply(fd, 0, level, NULL);
	} else if (c->joined) {
		ok = reply(fd, -EOPNOTSUPP, level, "a dispatcher's programs are not exchanged");
	} else {
		early = r.early && c->count && image_waits(&c->image[0]);
		e = image_swap_all(c->image, early ? 1 : c->count, f, r.n, r.generation, true,
				   &level, &log, early ? &late : NULL);
		ok = send_reply(fd,
				(struct loader_reply){.error = e,
						      .level = level,
						      .unfinished = late >= 0},
				log);
	}
	if (!e && !c->joined)
		change_remember(&c->change, f, r.n, r.generation);
	if (late >= 0) {
		ok = finish_early(fd, c, f, &r, level, late) && ok;
		close(late);
	}
	free(log);
	free(f);
	return ok;
}

static void look(struct capture_images *c)
{
	static const struct loader_news detached = {.events = LOADER_DETACHED};

	if (attachment_is_detached(c->links[0]) || attachment_is_detached(c->links[1])) {
		change_tell(c->news, &detached);
		c->news = -1;
		return;
	}
	change_look(&c->change, &c->image[0], &c->links[0], c->news);
	beside_look(&c->beside, c->links);
}

/*
 * Watch until something comes over the socket: whether the links are still attached, whether frames
 * come, and who else comes to tc. The kernel does not notify anybody of that, and locks all network
 * interfaces to answer, for which the application must not wait.
 */
static void look_after(int fd, struct capture_images *c)
{
	struct pollfd p[] = {{.fd = fd, .events = POLLIN}, {.events = POLLIN}};
	bool has = c->links[0] >= 0 || c->links[1] >= 0;
	uint64_t now = clock_monotonic();

	do {
		bool looks = has && c->news >= 0;

		p[1].fd = c->beside.filters;
		if (poll(p, 2, looks ? clock_ms_until(c->look_due, now) : -1) > 0 && p[1].revents)
			beside_hear(&c->beside);
		now = clock_monotonic();
		if (looks && now >= c->look_due) {
			look(c);
			c->look_due = now + LOOK_EVERY_NS;
		}
	} while (!p[0].revents);
}

static int no_words(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/* It lives as long as its socket: ignore signals to the group, or to all of a service. */
static void ignore_signals(void)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGPIPE};
	sigset_t none;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Is it the application's socket? Another descriptor would get what this process sends. */
static bool is_stream(int fd)
{
	int domain = 0, type = 0;
	socklen_t size = sizeof(int);

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX &&
	       getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

int main(int argc, char **argv)
{
	struct capture_images images = {.count = 0,
					.kept = {-1, -1, -1},
					.links = {-1, -1},
					.beside = {.filters = -1},
					.news = -1};
	int fd = argc == 2 ? atoi(argv[1]) : -1, e;

	if (fd < 3 || !is_stream(fd)) {
		fprintf(stderr, "pcap-afxdp-loader is started by libpcap, not by hand\n");
		return 2;
	}
	ignore_signals();
	if (limit_use_alarm())
		return 1;
	libbpf_set_print(no_words);
	e = receive_setup(fd, &images);
	images.look_due = clock_monotonic() + LOOK_EVERY_NS;
	while (!e) {
		look_after(fd, &images);
		if (!serve(fd, &images))
			break;
	}
	join_detach();
	stamp_restore(images.socket, &images.stamps);
	/* The application waits for this process to end, so let go of the interface first. */
	for (unsigned i = 0; i < images.count; i++)
		close(images.image[i].fd);
	for (unsigned i = 0; i < 1 + IMAGES_MAX; i++)
		if (images.kept[i] >= 0)
			close(images.kept[i]);
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		if (images.links[i] >= 0)
			close(images.links[i]);
	return e != 0;
}
