/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "export.h"
#include "exporter.h"
#include "util/clock.h"
#include "util/put_state.h"
#include "util/unique.h"
#include "xdpdump/cli/options.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"

#define PROGRAM	  "pcapng-kafka"
#define WORDS	  20
#define MOMENT_NS (10 * NS_PER_MS)
#define QUIET_NS  (NS_PER_SEC) /* what takes no longer is not worth a word */
#define PUSH_NS	  (10 * NS_PER_SEC)
#define HUNG_NS	  (45 * NS_PER_SEC) /* longer than pcapng-kafka waits for an answer */

static int make_argv(struct export *x, const struct options *o)
{
	static char session[UNIQUE_ROOM], state[8]; /* one session for all runs of it */
	const char *const pairs[][2] = {{"--session", session},
					{"--state-fd", state},
					{"--spool", o->spool},
					{"--kafka-conf", o->kafka_conf},
					{"--key", o->key == KEY_FLOW ? "flow" : NULL}};
	unsigned n = 0;

	unique_name(session);
	snprintf(state, sizeof(state), "%d", EXPORTER_STATE_FD);
	x->argv = calloc(WORDS, sizeof(*x->argv));
	if (!x->argv)
		return -ENOMEM;
	x->argv[n++] = (char *)PROGRAM;
	x->argv[n++] = (char *)"put";
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (!pairs[i][1])
			continue;
		x->argv[n++] = (char *)pairs[i][0];
		x->argv[n++] = (char *)pairs[i][1];
	}
	if (o->quiet)
		x->argv[n++] = (char *)"--quiet";
	x->argv[n++] = (char *)o->to;
	return 0;
}

/* A descriptor of memory that both sides map, and that neither can take away, or -errno. */
static int make_state(struct export *x)
{
	int fd = memfd_create(PROGRAM, MFD_CLOEXEC | MFD_ALLOW_SEALING), e = 0;
	void *p;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, sizeof(*x->state)) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		e = -errno;
	p = e ? MAP_FAILED
	      : mmap(NULL, sizeof(*x->state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED) {
		x->state = p;
		return fd;
	}
	e = e ? e : -errno;
	close(fd);
	return e;
}

static int start(struct export *x, const struct options *o)
{
	int sockets[2], memory = make_state(x), e = 0;
	struct exporter child = {.program = x->line.program, .argv = x->argv, .memory = memory};

	if (memory < 0)
		return memory;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets)) {
		e = -errno;
		close(memory);
		return e;
	}
	x->socket = sockets[0];
	child.socket = sockets[1];
	child.state = x->state;
	child.parent = getpid();
	child_find_user(&child.user, o->user);
	x->child = fork();
	if (x->child == 0)
		exporter_run(&child);
	if (x->child < 0) {
		e = -errno;
		x->child = 0;
	}
	close(sockets[1]);
	close(memory);
	return e;
}

static bool has_ended(struct export *x)
{
	if (x->child && waitpid(x->child, NULL, WNOHANG))
		x->child = 0;
	return !x->child;
}

static void pause_a_moment(void)
{
	const struct timespec moment = {.tv_nsec = MOMENT_NS};

	nanosleep(&moment, NULL);
}

/* Its topic is found, or it has said what is wrong. */
static int wait_until_ready(struct export *x)
{
	while (!x->state->is_ready) {
		if (has_ended(x))
			return x->state->is_ready ? 0 : -ECHILD;
		pause_a_moment();
	}
	return 0;
}

int export_open(struct export *x, const struct options *o)
{
	int e;

	*x = (struct export){.socket = -1};
	if (!o->to)
		return 0;
	x->place = o->to;
	e = command_line_parse(&x->line, "--to", PROGRAM);
	if (e || o->trial)
		return e;
	e = make_argv(x, o);
	if (!e)
		e = feed_open(&x->feed, PROGRAM " was behind");
	if (!e)
		e = start(x, o);
	if (e)
		complain("--to: %s", strerror(-e));
	else
		e = wait_until_ready(x);
	if (!e)
		export_attend(x);
	return e;
}

/* With the pipes that lie there: who has one of them for its input sees the end of it. */
static void close_socket(struct export *x)
{
	if (x->socket >= 0)
		close(x->socket);
	x->socket = -1;
}

int export_attend(struct export *x)
{
	int fd;

	if (!x->feed || x->socket < 0)
		return 0;
	if (!feed_is_broken(x->feed)) {
		feed_push(x->feed);
		return 0;
	}
	fd = exporter_receive(x->socket);
	if (fd >= 0) {
		feed_set_pipe(x->feed, fd);
		feed_push(x->feed);
		return 0;
	}
	if (fd == -EAGAIN || fd == -EINTR)
		return 0;
	complain("the process that starts " PROGRAM " has ended: nothing goes to %s any more",
		 x->place);
	close_socket(x);
	return -ECHILD;
}

static void tell_waiting(struct export *x)
{
	struct export_status st;

	if (x->waits_told)
		return;
	x->waits_told = true;
	export_status(x, &st);
	complain("the capture has ended, waiting for %" PRIu64
		 " packets under way to %s; a second signal ends at once",
		 st.left, x->place);
}

/* All that waits, as long as there is who takes it. */
static void push_all(struct export *x)
{
	uint64_t until = clock_monotonic() + PUSH_NS;

	feed_finish(x->feed);
	while (signals_stop < 2 && clock_monotonic() < until && x->socket >= 0 &&
	       (feed_waits(x->feed) || feed_is_broken(x->feed))) {
		pause_a_moment();
		export_attend(x);
	}
}

static uint64_t done(const struct put_state *s)
{
	return s->acknowledged + s->earlier + s->spooled + s->lost;
}

/* It ends by itself, unless it hangs. */
static void wait_for_child(struct export *x)
{
	uint64_t begun = clock_monotonic(), moved = begun, now = begun, before = done(x->state);

	while (!has_ended(x) && signals_stop < 2 && now - moved < (uint64_t)HUNG_NS) {
		if (now - begun > (uint64_t)QUIET_NS)
			tell_waiting(x);
		pause_a_moment();
		now = clock_monotonic();
		if (done(x->state) != before)
			moved = now;
		before = done(x->state);
	}
	if (x->child && signals_stop < 2)
		complain(PROGRAM " does not end: left alone");
}

void export_end(struct export *x)
{
	if (!x->child)
		return;
	push_all(x);
	x->state->is_over = 1;
	feed_end(x->feed);
	close_socket(x);
	wait_for_child(x);
	x->child = 0;
}

static uint64_t less(uint64_t from, uint64_t n)
{
	return from > n ? from - n : 0;
}

/* What the spool had before goes first. */
void export_status(const struct export *x, struct export_status *st)
{
	const struct put_state *s = x->state;
	uint64_t before, sent_before;
	int64_t acknowledged;

	*st = (struct export_status){.place = NULL};
	if (!x->feed || !s)
		return;
	before = s->spool_begun;
	sent_before = s->earlier < before ? s->earlier : before;
	st->place = x->place;
	st->packets = feed_packets(x->feed);
	st->behind = feed_lost(x->feed);
	st->runs = s->runs;
	acknowledged = (int64_t)(s->acknowledged + s->earlier - sent_before - s->repeated);
	st->acknowledged = acknowledged > 0 ? (uint64_t)acknowledged : 0;
	st->spooled = less(s->spooled, before - sent_before);
	st->left = less(st->packets, st->acknowledged + st->spooled);
}

void export_close(struct export *x)
{
	if (x->feed)
		feed_end(x->feed);
	close_socket(x);
	if (x->state) {
		x->state->is_over = 1;
		munmap(x->state, sizeof(*x->state));
	}
	feed_close(x->feed);
	free(x->argv);
	command_line_clear(&x->line);
	*x = (struct export){.socket = -1};
}
