/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apart.h"
#include "confine.h"
#include "loader_protocol.h"
#include "util/clock.h"

/* Or as long as the limit allows. It takes some ms. Whoever can stop that process cannot stop the
 * loader. */
#define ANSWER_WITHIN_NS (4 * (uint64_t)NS_PER_SEC)
#define TEXT_MAX	 1024
#define ERRNO_MAX	 4095

struct built { /* n instructions follow */
	int32_t error;
	uint32_t n;
	char text[TEXT_MAX];
};

/* --- In the separate process. --- */

static bool has_nothing(int fd, pid_t loader)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0}};
	scmp_filter_ctx s;
	int e;

	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* as closed to its user as the loader */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != loader || syscall(SYS_capset, &head, none))
		return false;
	s = confine_to(fd);
	e = s ? seccomp_load(s) : -ENOMEM; /* also sets no_new_privs */
	seccomp_release(s);
	return e == 0;
}

static void build_and_send(int fd, const struct image *i, const struct sock_filter *f, unsigned n,
			   uint32_t generation, enum filter_level level,
			   const struct load_limit *limit)
{
	struct built b = {.n = 0};
	struct bpf_insn *insns = NULL;
	unsigned count = 0;

	b.error = image_build(i, f, n, generation, level, limit, &insns, &count, b.text,
			      sizeof(b.text));
	b.n = b.error ? 0 : count;
	if (loader_send(fd, &b, sizeof(b), 0))
		loader_send(fd, insns, b.n * sizeof(*insns), 0);
}

/* --- In the loader. --- */

static int receive_built(int fd, uint64_t until, struct bpf_insn **insns, unsigned *count,
			 char *err, size_t size)
{
	uint64_t deadline = clock_monotonic() + ANSWER_WITHIN_NS;
	struct built b;

	if (deadline > until)
		deadline = until;
	if (!loader_receive(fd, &b, sizeof(b), deadline) || b.error > 0 || b.error < -ERRNO_MAX ||
	    b.n > FILTER_PROGRAM_MAX || (!b.error && !b.n)) {
		snprintf(err, size, "the process that translates it did not answer");
		return -ETIMEDOUT;
	}
	b.text[sizeof(b.text) - 1] = 0;
	snprintf(err, size, "%s", b.text);
	if (b.error)
		return b.error;
	*insns = calloc(b.n, sizeof(**insns));
	if (!*insns) {
		snprintf(err, size, "out of memory");
		return -ENOMEM;
	}
	*count = b.n;
	if (loader_receive(fd, *insns, b.n * sizeof(**insns), deadline))
		return 0;
	free(*insns);
	*insns = NULL;
	snprintf(err, size, "the process that translates it did not answer");
	return -ETIMEDOUT;
}

int apart_build(const struct image *i, const struct sock_filter *f, unsigned n, uint32_t generation,
		enum filter_level level, const struct load_limit *limit, struct bpf_insn **insns,
		unsigned *count, char *err, size_t size)
{
	pid_t loader = getpid(), pid = -1;
	int pair[2] = {-1, -1}, e;

	*insns = NULL;
	if (limit_is_over(limit)) {
		snprintf(err, size, "there was no time left to translate it");
		return -ETIMEDOUT;
	}
	/* The application may ignore SIGCHLD; this way the pid stays ours until waitpid(). */
	signal(SIGCHLD, SIG_DFL);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0)
		pid = fork();
	if (pid == 0) {
		close(pair[0]);
		if (has_nothing(pair[1], loader))
			build_and_send(pair[1], i, f, n, generation, level, limit);
		_exit(0);
	}
	if (pid < 0) {
		snprintf(err, size, "there is no process to translate it in: %s", strerror(errno));
		e = -ETIMEDOUT;
	}
	close(pair[1]);
	if (pid > 0) {
		e = receive_built(pair[0], limit->until, insns, count, err, size);
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(pair[0]);
	return e;
}
