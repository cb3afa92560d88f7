/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exporter.h"
#include "util/clock.h"
#include "util/put_state.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/os/child.h"
#include "xdpdump/os/complain.h"
#include "util/descriptors.h"

#define PROGRAM	    "pcapng-kafka"
#define SOCKET	    (STDERR_FILENO + 1)
#define STATE	    (STDERR_FILENO + 2)
#define FIRST_MS    100 /* between the end of a run and the next, doubled each time */
#define LONGEST_MS  5000
#define LONG_ENOUGH (10 * NS_PER_SEC) /* after a run this long, the wait is FIRST_MS again */
#define CANNOT_RUN  127
#define WORDS	    20
#define NAME_ROOM   48

extern char **environ;

struct runner {
	const char *program;
	char *argv[WORDS];
	char name[NAME_ROOM];
	const struct put_state *state;
};

/*
 * Each stream has its own folder, and its share of the size. Text that is not DIR:SIZE is passed
 * on, and pcapng-kafka reports it.
 */
static char *spool_of(const struct exporter *x)
{
	const char *spool = x->plan->spool, *colon = strrchr(spool, ':');
	char *own;

	if (!x->of || !colon)
		return strdup(spool);
	if (asprintf(&own, "%.*s/%u%s/%u", (int)(colon - spool), spool, x->stream, colon, x->of) <
	    0)
		return NULL;
	return own;
}

/* Its memory is never freed: it lives as long as this process. */
static int make_argv(struct runner *r, const struct exporter *x)
{
	static char state[8], stream[12];
	const struct feed_plan *p = x->plan;
	char *spool = p->spool ? spool_of(x) : NULL;
	const char *const pairs[][2] = {{"--session", x->session},
					{"--state-fd", state},
					{"--stream", x->of ? stream : NULL},
					{"--spool", spool},
					{"--kafka-conf", p->kafka_conf},
					{"--key", p->key == KEY_FLOW ? "flow" : NULL}};
	unsigned n = 0;

	if (p->spool && !spool)
		return -ENOMEM;
	snprintf(state, sizeof(state), "%d", STATE);
	snprintf(stream, sizeof(stream), "%u", x->stream);
	r->argv[n++] = (char *)PROGRAM;
	r->argv[n++] = (char *)"put";
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (!pairs[i][1])
			continue;
		r->argv[n++] = (char *)pairs[i][0];
		r->argv[n++] = (char *)pairs[i][1];
	}
	if (p->quiet)
		r->argv[n++] = (char *)"--quiet";
	r->argv[n++] = (char *)p->to;
	return 0;
}

/* Runs in the child, with all signals at their defaults. */
static void run_program(const struct runner *r, int input)
{
	child_default_signals();
	if (dup2(input, STDIN_FILENO) >= 0)
		execve(r->program, r->argv, environ);
	complain("--to: %s cannot be run: %s", r->program, strerror(errno));
	_exit(CANNOT_RUN);
}

int exporter_receive(int socket)
{
	char byte;
	int pipe, n = descriptors_receive_all(socket, &byte, sizeof(byte), &pipe, 1, MSG_DONTWAIT);

	return n == 1 ? pipe : n ? n : -EPIPE;
}

/* Run it once. Returns its wait status, or -errno if it could not be started. */
static int run_once(const struct runner *r)
{
	int pipe[2], status = 0, e = 0;
	const char byte = 0;
	pid_t child;

	if (pipe2(pipe, O_CLOEXEC))
		return -errno;
	child = fork();
	if (child < 0)
		e = -errno;
	if (child == 0)
		run_program(r, pipe[0]);
	close(pipe[0]);
	if (child > 0)
		/* If nobody receives the pipe, the input of the child ends here. */
		descriptors_send(SOCKET, &byte, sizeof(byte), &pipe[1], 1);
	close(pipe[1]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return e ? e : status;
}

static void tell_of_end(const struct runner *r, int status)
{
	if (status < 0)
		complain("%s cannot be started: %s: it is tried again", r->name, strerror(-status));
	else if (WIFSIGNALED(status))
		complain("%s was ended by signal %d: it is started again, and what it had not sent or spooled is lost",
			 r->name, WTERMSIG(status));
	else
		complain("%s has ended with status %d: it is started again", r->name,
			 WEXITSTATUS(status));
}

static void cannot_start(const struct runner *r, int error)
{
	complain("--to: %s cannot be started: %s", r->name, strerror(error));
}

/* Has the other end of the socket been closed? */
static bool is_alone(void)
{
	struct pollfd fd = {.fd = SOCKET};

	return poll(&fd, 1, 0) == 1 && fd.revents & POLLHUP;
}

/* Goes on while somebody captures, once the program has begun well. */
static int keep_running(const struct runner *r)
{
	unsigned ms = FIRST_MS;
	bool told[2] = {false}; /* that it has ended, and that it cannot be started */

	for (;;) {
		uint64_t begun = clock_monotonic();
		int status = run_once(r);

		if (is_alone() || r->state->is_over || !r->state->is_ready) {
			if (status < 0)
				cannot_start(r, -status);
			return status == 0 ? 0 : 1;
		}
		if (clock_monotonic() - begun > (uint64_t)LONG_ENOUGH)
			ms = FIRST_MS, told[false] = told[true] = false;
		if (!told[status < 0])
			tell_of_end(r, status);
		told[status < 0] = true;
		clock_sleep(ms);
		ms = ms < LONGEST_MS / 2 ? 2 * ms : LONGEST_MS;
	}
}

static int map_state(struct runner *r)
{
	void *p = mmap(NULL, sizeof(*r->state), PROT_READ, MAP_SHARED, STATE, 0);

	if (p == MAP_FAILED)
		return -errno;
	r->state = p;
	return 0;
}

void exporter_run(const struct exporter *x, int socket, int memory)
{
	const int fds[2] = {socket, memory};
	struct runner r = {.program = x->program, .name = PROGRAM};
	int e = child_keep_descriptors(fds, 2);

	if (x->of)
		snprintf(r.name, sizeof(r.name), PROGRAM " of stream %u", x->stream);
	if (!e && fcntl(SOCKET, F_SETFD, FD_CLOEXEC))
		e = -errno;
	if (!e)
		e = map_state(&r);
	if (!e)
		e = make_argv(&r, x);
	if (e)
		cannot_start(&r, -e);
	_exit(e ? 1 : keep_running(&r));
}
