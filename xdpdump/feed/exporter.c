/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exporter.h"
#include "util/clock.h"
#include "util/put_state.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/confine.h"

#define SOCKET	    (EXPORTER_STATE_FD - 1)
#define FIRST_MS    100 /* between the end of one and the next, doubled each time */
#define LONGEST_MS  5000
#define LONG_ENOUGH (10 * NS_PER_SEC) /* after that it begins with the first again */
#define CANNOT_RUN  127

extern char **environ;

/* In its own turn with all signals as they are by default. */
static void run_program(const struct exporter *x, int input)
{
	child_default_signals();
	if (dup2(input, STDIN_FILENO) >= 0)
		execve(x->program, x->argv, environ);
	complain("--to: %s cannot be run: %s", x->program, strerror(errno));
	_exit(CANNOT_RUN);
}

static int hand_over(int pipe)
{
	char control[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
	struct iovec iov = {&byte, 1};
	struct msghdr m = {.msg_iov = &iov,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof(control)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &pipe, sizeof(pipe));
	return sendmsg(SOCKET, &m, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}

int exporter_receive(int socket)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec iov = {&byte, 1};
	struct msghdr m = {.msg_iov = &iov,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof(control)};
	ssize_t n = recvmsg(socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = n == 1 ? CMSG_FIRSTHDR(&m) : NULL;
	int fd;

	if (n < 0)
		return -errno;
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(int)))
		return -EPIPE;
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

/* Its status, once it has ended. -errno: it could not be started. */
static int run_once(const struct exporter *x)
{
	int pipe[2], status = 0, e = 0;
	pid_t child;

	if (pipe2(pipe, O_CLOEXEC))
		return -errno;
	child = fork();
	if (child < 0)
		e = -errno;
	if (child == 0)
		run_program(x, pipe[0]);
	close(pipe[0]);
	if (child > 0)
		hand_over(pipe[1]); /* if there is nobody, its input ends here */
	close(pipe[1]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return e ? e : status;
}

static void wait_ms(unsigned ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * NS_PER_MS};

	nanosleep(&t, NULL);
}

static void tell(int status)
{
	if (status < 0)
		complain("pcapng-kafka cannot be started: %s: it is tried again",
			 strerror(-status));
	else if (WIFSIGNALED(status))
		complain("pcapng-kafka was ended by signal %d: it is started again, and what it had not sent or spooled is lost",
			 WTERMSIG(status));
	else
		complain("pcapng-kafka has ended with status %d: it is started again",
			 WEXITSTATUS(status));
}

/* As long as there is who captures, and it has once begun well. */
static int keep_running(const struct exporter *x)
{
	unsigned ms = FIRST_MS;
	bool told = false;

	for (;;) {
		uint64_t begun = clock_monotonic();
		int status = run_once(x);

		if (getppid() != x->parent || x->state->is_over || !x->state->is_ready)
			return status == 0 ? 0 : 1;
		if (clock_monotonic() - begun > (uint64_t)LONG_ENOUGH)
			ms = FIRST_MS, told = false;
		if (!told)
			tell(status);
		told = true;
		wait_ms(ms);
		ms = ms < LONGEST_MS / 2 ? 2 * ms : LONGEST_MS;
	}
}

void exporter_run(const struct exporter *x)
{
	const int fds[2] = {x->socket, x->memory};
	int e;

	child_ignore_signals();
	if (x->user.changes)
		setenv("HOME", x->user.home, 1);
	e = child_keep_descriptors(fds, 2);
	if (!e)
		e = child_give_up_privilege(&x->user);
	if (!e)
		e = confine_with_commands();
	if (!e && fcntl(SOCKET, F_SETFD, FD_CLOEXEC))
		e = -errno;
	if (e)
		complain("--to: the process for it cannot give up its privileges: %s",
			 strerror(-e));
	_exit(e ? 1 : keep_running(x));
}
