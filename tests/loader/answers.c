/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The application waits for what the loader says: signals that come meanwhile change nothing, one
 * that says nothing is given up in time, and what there are no descriptors for is told.
 */
#include <errno.h>
#include <linux/filter.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/loader/loader.h"
#include "capture/loader/loader_protocol.h"
#include "tests/capture/own_net.h"
#include "util/clock.h"
#include "result.h"

#define SENT_WITHIN_MS 5000
#define SWAP_WITHIN_MS 20000
#define ALARM_MS       50
#define ROOM_ENOUGH    100

static volatile sig_atomic_t alarms;

static void on_alarm(int number)
{
	static const char said[] = "FAILED: a silent loader is waited for without end\n";

	(void)number;
	if (++alarms < 2 * SWAP_WITHIN_MS / ALARM_MS)
		return;
	(void)!write(STDOUT_FILENO, said, sizeof(said) - 1);
	_exit(1);
}

static void set_alarms(long ms)
{
	const struct itimerval each = {{0, ms * 1000}, {0, ms * 1000}};
	const struct sigaction heed = {.sa_handler = on_alarm};

	sigaction(SIGALRM, &heed, NULL);
	setitimer(ITIMER_REAL, &each, NULL);
}

/* In a process of its own: who reads files again does not answer, and the other end stays open. */
static pid_t begin_renewal(void)
{
	struct loader l = {.alive = -1};
	pid_t pid = fork();
	char err[512];
	int pair[2];

	if (pid)
		return pid;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		_exit(1);
	l.socket = pair[0];
	set_alarms(ALARM_MS);
	_exit(loader_renew(&l, true, err, sizeof(err)) != -ETIMEDOUT || l.socket < 0);
}

/* It has answered early, and says nothing more. */
static void is_waited_for_in_spite_of_signals(void)
{
	const struct sock_filter all = {.code = BPF_RET | BPF_K, .k = UINT32_MAX};
	struct loader l = {.alive = -1, .unfinished = true};
	enum afxdp_level level;
	char *log = NULL;
	int pair[2], e, status = -1;
	pid_t renewal;
	long begun;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		result(false, "no pair of sockets");
		return;
	}
	l.socket = pair[0];
	fflush(stdout);
	renewal = begin_renewal();
	set_alarms(ALARM_MS);
	begun = now_ms();
	e = loader_settle(&l, true, &level);
	set_alarms(0);
	begun = now_ms() - begun;
	waitpid(renewal, &status, 0);
	result(status == 0, "files that take longer than that: it still reads");
	result(e == -EPIPE && l.socket < 0 && begun > SWAP_WITHIN_MS / 2 &&
		       begun < SWAP_WITHIN_MS * 5 / 4,
	       "a silent loader, and a signal each %d ms: given up after %ld ms", ALARM_MS, begun);
	close(pair[1]);
	begun = now_ms();
	e = loader_swap(&l, &all, 1, 1, false, &level, &log);
	result(e == -EPIPE && now_ms() - begun < 1000, "and is not asked again");
}

/* What a loader sends is on its way for so long. */
static pid_t send_later(int socket, long ms)
{
	struct attachment a;
	pid_t pid = fork();

	if (pid)
		return pid;
	attachment_init(&a);
	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		a.fd[i] = STDOUT_FILENO;
	usleep((unsigned)ms * 1000);
	_exit(!loader_send_attachment(socket, &a));
}

/* Receive one; room: for so many descriptors. Returns what loader_receive_attachment() does. */
static int receive_with(unsigned room, unsigned *kept)
{
	const uint64_t deadline = (uint64_t)(now_ms() + SENT_WITHIN_MS) * NS_PER_MS;
	struct rlimit limit, less;
	struct attachment a;
	unsigned before;
	int pair[2], e;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) ||
	    getrlimit(RLIMIT_NOFILE, &limit))
		return 1;
	before = count_descriptors();
	pid = send_later(pair[1], 4 * ALARM_MS);
	less = limit;
	less.rlim_cur = (rlim_t)pair[1] + 1 + room;
	setrlimit(RLIMIT_NOFILE, &less);
	e = loader_receive_attachment(pair[0], &a, deadline);
	setrlimit(RLIMIT_NOFILE, &limit);
	waitpid(pid, NULL, 0);
	for (unsigned i = 0; i < ATTACHMENT_FDS && !e; i++)
		close(a.fd[i]);
	*kept = count_descriptors() - before;
	close(pair[0]);
	close(pair[1]);
	return e;
}

static void sends_an_attachment(void)
{
	unsigned kept = 1;
	int e;

	fflush(stdout);
	set_alarms(ALARM_MS);
	e = receive_with(ROOM_ENOUGH, &kept);
	set_alarms(0);
	result(e == 0 && !kept, "an attachment, and a signal each %d ms: %d", ALARM_MS, e);
	for (unsigned room = 0; room < ATTACHMENT_FDS; room += 7) {
		e = receive_with(room, &kept);
		result(e == -EMFILE && !kept, "an attachment, and room for %u descriptors: %d",
		       room, e);
	}
}

int main(void)
{
	sends_an_attachment();
	is_waited_for_in_spite_of_signals();
	return result_sum(0);
}
