/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exporter.h"
#include "starter.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/confine.h"
#include "util/descriptors.h"

#define CONTROL (STDERR_FILENO + 1)

enum { SOCKET, MEMORY, FDS };

struct request {
	uint32_t stream, of;
};

int starter_ask(int control, unsigned stream, unsigned of, int socket, int memory)
{
	const int fds[FDS] = {[SOCKET] = socket, [MEMORY] = memory};
	const struct request r = {stream, of};

	return descriptors_send(control, &r, sizeof(r), fds, FDS);
}

/* If it cannot be started, its socket is closed, which whoever waits for it sees. */
static void start(const struct exporter *x, const int fds[FDS])
{
	pid_t child = x->of ? fork() : 0;

	if (child == 0)
		exporter_run(x, fds[SOCKET], fds[MEMORY]);
	if (child < 0)
		complain("--to: cannot start a process for stream %u: %s", x->stream,
			 strerror(errno));
	close(fds[SOCKET]);
	close(fds[MEMORY]);
}

int starter_run(void *starter, int control, const struct child_user *u)
{
	const struct starter *s = starter;
	struct exporter x = {.plan = s->plan, .program = s->program, .session = s->session};
	struct request r;
	int fds[FDS], e;

	child_ignore_signals();
	if (u->changes)
		setenv("HOME", u->home, 1);
	e = child_keep_descriptors(&control, 1);
	if (!e)
		e = child_keep_capabilities(u, 0);
	if (!e)
		e = confine_with_commands();
	if (e)
		complain("--to: the process for it cannot give up its privileges: %s",
			 strerror(-e));
	/* Until the capturing process closes its end. */
	while (!e && descriptors_receive_all(CONTROL, &r, sizeof(r), fds, FDS, 0) == FDS) {
		x.stream = r.stream;
		x.of = r.of;
		start(&x, fds);
	}
	while (!e && (wait(NULL) > 0 || errno == EINTR))
		;
	return e ? 1 : 0;
}
