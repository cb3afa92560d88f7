/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * refuse all ERRNO COMMAND...: runs the command, and bpf(2) is refused to it and its children, as
 * by the filter of a container. refuse TYPE ERRNO COMMAND...: runs the command, and to it and its
 * children BPF programs of this type are refused with this errno, both as numbers, as a security
 * module would. All else that they ask of bpf(2) the kernel answers.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <poll.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int install(void)
{
	scmp_filter_ctx s = seccomp_init(SCMP_ACT_ALLOW);
	int e = s ? seccomp_attr_set(s, SCMP_FLTATR_CTL_NNP, geteuid() != 0) : -ENOMEM;

	if (!e)
		e = seccomp_rule_add(s, SCMP_ACT_NOTIFY, SCMP_SYS(bpf), 0);
	if (!e)
		e = seccomp_load(s);
	return e ? e : seccomp_notify_fd(s);
}

/* The first member of union bpf_attr, for BPF_PROG_LOAD. */
static uint32_t type_of(const struct seccomp_notif *n)
{
	uint32_t type = UINT32_MAX;
	struct iovec to = {&type, sizeof(type)};
	struct iovec from = {(void *)(uintptr_t)n->data.args[1], sizeof(type)};

	if (n->data.args[0] == BPF_PROG_LOAD)
		process_vm_readv((pid_t)n->pid, &to, 1, &from, 1, 0);
	return type;
}

static void answer(int fd, uint32_t type, int error)
{
	struct seccomp_notif *n;
	struct seccomp_notif_resp *r;

	if (seccomp_notify_alloc(&n, &r))
		return;
	if (seccomp_notify_receive(fd, n) == 0) {
		bool refused = type_of(n) == type;

		r->id = n->id;
		r->error = refused ? -error : 0;
		r->flags = refused ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		seccomp_notify_respond(fd, r);
	}
	seccomp_notify_free(n, r);
}

static int refuse_all(int error, char **command)
{
	scmp_filter_ctx s = seccomp_init(SCMP_ACT_ALLOW);
	int e = s ? seccomp_rule_add(s, SCMP_ACT_ERRNO((uint16_t)error), SCMP_SYS(bpf), 0)
		  : -ENOMEM;

	if (!e)
		e = seccomp_load(s);
	if (e) {
		fprintf(stderr, "refuse: seccomp: %s\n", strerror(-e));
		return 77;
	}
	execvp(command[0], command);
	return 127;
}

int main(int argc, char **argv)
{
	struct pollfd p[2] = {{.events = POLLIN}, {.events = POLLIN}};
	int status = 0;
	pid_t child;

	if (argc < 4)
		return 2;
	if (strcmp(argv[1], "all") == 0)
		return refuse_all(atoi(argv[2]), argv + 3);
	p[0].fd = install();
	if (p[0].fd < 0) {
		fprintf(stderr, "refuse: seccomp: %s\n", strerror(-p[0].fd));
		return 77;
	}
	child = fork();
	if (child == 0) {
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	p[1].fd = (int)syscall(SYS_pidfd_open, child, 0);
	while (child > 0 && poll(p, 2, -1) > 0 && !p[1].revents)
		if (p[0].revents & POLLIN)
			answer(p[0].fd, (uint32_t)atoi(argv[1]), atoi(argv[2]));
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status);
}
