/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "labels.h"
#include "report.h"
#include "who/looker.h"
#include "who/who.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/source/source.h"
#include "xdpdump/source/sources.h"
#include "xdpdump/os/child.h"
#include "xdpdump/os/confine.h"

struct labels {
	struct who *who;
	struct label_book *book;
	pid_t looker;
	const struct choice *wanted; /* belongs to who; NULL: all are wanted */
	const char *choice;	     /* the option that chooses processes; NULL: all are wanted */
	uint64_t counts[WHO_CLASSES], left_out[CHOSEN_UNKNOWN + 1];
	bool said, said_full, said_lost, said_book;
};

/* Tell the user which processes do not run yet: the capture waits for them. In a container a
 * process has other pids than on the host, so the note says which ones count. */
static void note_missing(const struct choice *c, const char *option)
{
	char all[LABEL_NAME_MAX] = "";
	const char *name;
	size_t used = 0;
	bool numbers = false;

	for (unsigned i = 0; (name = choice_missing(c, &i)) && used < sizeof(all);) {
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s\"%s\"",
					 used ? ", " : "", name);
		numbers |= !name[strspn(name, "0123456789")];
	}
	if (used)
		note("%s: there is no %s yet%s: this waits", option, all,
		     numbers ? ", by the numbers that the host has for processes" : "");
}

#define FIRST_GROUPS 0xeffffffb /* PROC_CGROUP_INIT_INO of the kernel's proc_ns.h */

/* Is this the first cgroup namespace? In others paths begin elsewhere, with /.. in front. If there
 * is no /proc, who_open() reports it. */
static bool sees_paths(void)
{
	struct stat s;

	return stat("/proc/self/ns/cgroup", &s) || s.st_ino == FIRST_GROUPS;
}

static int check_group(const struct options *o)
{
	if (!o->cgroup || o->cgroup[0] != '/' || sees_paths())
		return 0;
	return refuse(-EOPNOTSUPP,
		      "--cgroup: in a cgroup namespace of its own this process sees other paths than the host: give a unit or a container's id, or start it in the host's (docker run --cgroupns=host)");
}

static const char *choice_of(const struct options *o)
{
	return o->processes ? "--process" : o->cgroup ? "--cgroup" : NULL;
}

static int choose(struct labels *l, const struct options *o)
{
	char err[AFXDP_ERROR_SIZE];
	struct choice *c;
	int e;

	l->choice = choice_of(o);
	if (!l->choice)
		return 0;
	e = o->processes ? choice_of_processes(&c, o->processes, o->children, err, sizeof(err))
			 : choice_of_group(&c, o->cgroup, err, sizeof(err));
	if (e)
		return refuse(e, "%s: %s", l->choice, err);
	l->wanted = c;
	e = who_choose(l->who, c);
	if (e)
		complain("%s: cannot make room for sockets: %s", l->choice, strerror(-e));
	return e;
}

/* To read about processes if /proc hides those of other users, and to read names of containers. */
#define WANTED (1ull << CAP_SYS_PTRACE | 1ull << CAP_DAC_READ_SEARCH)

/* Runs in the child process, which keeps the privileges to look until its socket is closed. */
static int serve_looking(void *looks, int socket, const struct child_user *u)
{
	struct looks *l = looks;
	const int fds[] = {socket, l->holding, l->walking};
	int e;

	child_ignore_signals();
	e = child_keep_descriptors(fds, sizeof(fds) / sizeof(fds[0]));
	l->holding = STDERR_FILENO + 2;
	l->walking = STDERR_FILENO + 3;
	if (!e)
		e = child_keep_capabilities(u, child_capabilities() & WANTED);
	if (e)
		return refuse(EXIT_FAILURE, "--who: cannot prepare the process that looks: %s",
			      strerror(-e));
	e = confine_looking();
	if (e)
		complain("warning: cannot set a seccomp filter: %s", strerror(-e));
	looker_serve(STDERR_FILENO + 1, l);
	return EXIT_SUCCESS;
}

static int begin_labels(struct labels *l, const struct options *o)
{
	char err[AFXDP_ERROR_SIZE];
	struct looks looks;
	int e = who_open(&l->who, o->who == WHO_COMMAND_LINES, err, sizeof(err));

	if (e)
		return refuse(e, "%s", err);
	e = choose(l, o);
	if (e)
		return e;
	looks = who_looks(l->who);
	e = label_book_open(&l->book);
	if (!e)
		e = child_start(&l->looker, SOCK_STREAM, NULL, serve_looking, &looks);
	if (e >= 0)
		e = who_connect(l->who, e);
	if (e)
		complain("--who: cannot look at the sockets of processes: %s", strerror(-e));
	return e;
}

static int check_blind(const struct options *o, const struct sources *all)
{
	const char *choice = choice_of(o);
	char name[SOURCE_NAME_SIZE];

	for (unsigned i = 0; i < all->count; i++) {
		const struct source *s = &all->source[i];

		if (!strstr(afxdp_hooks(s->capture), "packet"))
			continue;
		source_name(s, name, sizeof(name));
		if (choice)
			return refuse(-EOPNOTSUPP,
				      "%s is captured by a packet socket, which does not know whose a frame is: %s takes --hook xdp or tc, and interfaces by their names",
				      name, choice);
		note("a packet socket does not know whose a frame is: what it sees of %s has no process",
		     name);
	}
	return 0;
}

int labels_begin(struct labels *l, const struct options *o, const struct sources *all)
{
	int e = o->who == WHO_NOT ? 0 : check_blind(o, all);

	if (!l || e)
		return e;
	e = who_begin(l->who);
	if (e)
		complain("--who: cannot look at the sockets of processes: %s", strerror(-e));
	else if (l->wanted)
		note_missing(l->wanted, l->choice);
	return e;
}

int labels_open(struct labels **out, const struct options *o)
{
	struct labels *l = NULL;
	int e;

	*out = NULL;
	if (o->who == WHO_NOT)
		return 0;
	e = check_group(o);
	if (e || o->trial)
		return e;
	if (o->use_pcap && o->files.write)
		note("a file of --use-pcap has no place for processes: lines and statistics show them");
	if (o->feed.listen && o->feed.listen_format != LISTEN_PCAPNG)
		note("--listen-format pcap has no place for processes: leave it out for readers that shall hear of them");
	l = calloc(1, sizeof(*l));
	e = l ? begin_labels(l, o) : complain_memory();
	if (e)
		labels_close(l);
	else
		*out = l;
	return e;
}

void labels_close(struct labels *l)
{
	if (!l)
		return;
	who_close(l->who); /* the child ends when its socket closes */
	if (l->looker > 0)
		waitpid(l->looker, NULL, 0);
	label_book_close(l->book);
	free(l);
}

const struct label_book *labels_book(const struct labels *l)
{
	return l ? l->book : NULL;
}

const uint64_t *labels_counts(const struct labels *l)
{
	return l ? l->counts : NULL;
}

static void ask(void *of, struct process *p)
{
	who_ask(of, p);
}

static int tell_end(struct labels *l, int e)
{
	if (!e)
		return 0;
	if (!l->said && e == -EPIPE)
		complain(
			"--who: the process that looks at sockets has ended, and with it the capture: begin again (the kernel's log says if memory ran out)");
	else if (!l->said)
		complain("--who: the process that looks at sockets cannot go on: %s", strerror(-e));
	l->said = true;
	return LABELS_FAILED;
}

static bool is_new(bool *said, bool is)
{
	bool now = is && !*said;

	*said |= is;
	return now;
}

static void warn(struct labels *l)
{
	struct who_figures f;

	who_figures(l->who, &f);
	if (is_new(&l->said_full, f.refused != 0))
		complain(
			"warning: --who: more sockets or processes than there is room for: packets of the others have no process");
	if (is_new(&l->said_lost, f.events_lost != 0))
		complain("warning: --who: events were lost: packets of that time have no process");
	if (is_new(&l->said_book, label_book_is_full(l->book)))
		complain(
			"warning: --who: more different labels than there is room for: packets that need another one have no process");
}

/* Label a record. Returns NULL, without a label, if the record is not wanted. */
static const struct label *put(struct labels *l, const struct epb_header *r,
			       const struct epb_lengths *lengths, uint64_t time)
{
	struct epb_socket s = {.how = EPB_SOCKET_UNASKED};
	struct who_holders h;
	enum chosen is;
	uint32_t number;

	afxdp_socket_of(r, lengths, &s);
	who_label(l->who, &s, time, &h);
	is = who_wants(l->who, &s, time, &h);
	if (is != CHOSEN_YES) {
		l->left_out[is]++;
		return NULL;
	}
	number = label_number(l->book, &h, who_time(l->who, time), ask, l->who);
	label_put(r, lengths, number);
	return label_at(l->book, number);
}

/* A record without room for a label counts as unknown. */
static enum who_class class_of(const struct labels *l, const struct epb_header *r,
			       const struct epb_lengths *lengths)
{
	const struct label *has = label_of_record(l->book, r, lengths);

	return has ? has->class : WHO_UNKNOWN;
}

/* Count records that labels_want() has already labeled. */
static void count_chosen(struct labels *l, const struct batch *b)
{
	struct epb_lengths n;

	for (const struct epb_header *at = b->first; batch_has(b, at, &n); at = batch_next(at, &n))
		l->counts[class_of(l, at, &n)]++;
}

static int label_all(struct labels *l, const struct batch *b)
{
	const struct epb_header *at = b->first;
	struct epb_lengths n;
	uint64_t last = 0;
	int e;

	for (; batch_has(b, at, &n); at = batch_next(at, &n))
		last = epb_time(at) > last ? epb_time(at) : last;
	e = tell_end(l, who_read(l->who, last));
	for (at = b->first; !e && batch_has(b, at, &n); at = batch_next(at, &n))
		l->counts[put(l, at, &n, epb_time(at))->class]++;
	return e;
}

int labels_put(struct labels *l, const struct batch *b)
{
	if (labels_choose(l))
		count_chosen(l, b);
	return l && !l->choice ? label_all(l, b) : 0;
}

bool labels_choose(const struct labels *l)
{
	return l && l->choice;
}

bool labels_want(struct labels *l, const struct epb_header *r, const struct epb_lengths *lengths)
{
	uint64_t time = epb_time(r);

	if (label_of_record(l->book, r, lengths)) /* it pulled the trigger, and was labeled then */
		return true;
	/* An error is told here, and labels_beat() ends the capture. */
	return !tell_end(l, who_read(l->who, time)) && put(l, r, lengths, time);
}

int labels_others(const struct labels *l)
{
	return labels_choose(l) ? who_others(l->who) : -1;
}

uint64_t labels_due(const struct labels *l)
{
	return l ? who_due(l->who) : UINT64_MAX;
}

void labels_left_out(const struct labels *l, struct left_out *to)
{
	*to = (struct left_out){.chooses = false};
	if (!labels_choose(l))
		return;
	*to = (struct left_out){.chooses = true,
				.others = l->left_out[CHOSEN_NOT],
				.unknown = l->left_out[CHOSEN_UNKNOWN]};
	who_left_out(l->who, &to->in_kernel, &to->missed);
}

int labels_beat(struct labels *l)
{
	if (!l)
		return 0;
	warn(l);
	return l->said ? LABELS_FAILED : tell_end(l, who_beat(l->who));
}
