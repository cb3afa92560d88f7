/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decode.h"
#include "xdpdump/os/child.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"

#define WORDS_MORE 8 /* ours, and the end */

/* tshark's own columns, and behind them the comment that a dropped packet has. */
#define COLUMNS                                                                                      \
	"gui.column.format:\"No.\",\"%m\",\"Time\",\"%t\",\"Source\",\"%s\",\"Destination\",\"%d\"," \
	"\"Protocol\",\"%p\",\"Length\",\"%L\",\"Info\",\"%i\",\"Drop\",\"%Cus:frame.comment:0:R\""

/* What they need to read a pipe and to print at once. Names are looked up only if asked for. */
static void put_words(struct decode *d, bool is_tcpdump, bool drops)
{
	static char *const live[] = {(char *)"-l", (char *)"-r", (char *)"-"};
	static char *const columns[] = {(char *)"-o", (char *)COLUMNS};
	unsigned n = 0;

	d->argv[n++] = d->line.words[0];
	for (unsigned i = 0; i < sizeof(live) / sizeof(live[0]); i++)
		d->argv[n++] = live[i];
	for (unsigned i = 0; !is_tcpdump && drops && i < 2; i++)
		d->argv[n++] = columns[i];
	if (d->line.count == 1)
		d->argv[n++] = is_tcpdump ? (char *)"-nn" : (char *)"-n";
	for (unsigned i = 1; i < d->line.count; i++)
		d->argv[n++] = d->line.words[i];
}

static int make_argv(struct decode *d, bool drops)
{
	bool is_tcpdump = strcmp(basename(d->line.words[0]), "tcpdump") == 0;

	if (!is_tcpdump && strcmp(basename(d->line.words[0]), "tshark") != 0) {
		complain("--decode runs tcpdump or tshark, not \"%s\"", d->line.words[0]);
		return -EINVAL;
	}
	if (is_tcpdump && drops) {
		complain(
			"tcpdump does not show which packets were dropped, and why: give --decode=tshark, or leave --decode out");
		return -EINVAL;
	}
	d->argv = calloc(d->line.count + WORDS_MORE, sizeof(*d->argv));
	if (!d->argv)
		return -ENOMEM;
	put_words(d, is_tcpdump, drops);
	return 0;
}

/* The key log that tshark is to read by itself; NULL: none. */
static const char *own_keylog(const struct decode *d)
{
	static const char *const names[] = {"tls.keylog_file:", "ssl.keylog_file:"};

	for (unsigned i = 1; i < d->line.count; i++)
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
			const char *word = d->line.words[i];

			if (strncmp(word, "-o", 2) == 0)
				word += 2;
			if (strncmp(word, names[k], strlen(names[k])) == 0)
				return word + strlen(names[k]);
		}
	return NULL;
}

static int try_to_read(void *path, int socket, const struct child_user *u)
{
	int e = child_keep_capabilities(u, 0);
	int fd = e ? -1 : open(path, O_RDONLY | O_NONBLOCK); /* a FIFO has no writer yet */

	(void)socket;
	return fd < 0 ? (e ? -e : errno) : 0;
}

/* Try to read the file as tshark will: in a process that gives up the same privileges. Returns 0,
 * or the -errno of opening it. */
static int may_read(const struct decode *d, const char *path)
{
	pid_t child;
	int status = 0,
	    socket = child_start(&child, SOCK_STREAM, d->user, try_to_read, (void *)path);

	if (socket < 0)
		return socket;
	close(socket);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

/* tshark does not complain about a key log that it cannot read, and decrypts nothing: so we do. */
static int check_keylog(const struct decode *d)
{
	const char *path = own_keylog(d);
	int e = path ? may_read(d, path) : 0;

	if (e)
		complain("--decode: tshark runs without privilege, and cannot read the keys in %s: %s: give --tls-keylog %s in place of its option",
			 path, strerror(-e), path);
	return e ? -EINVAL : 0;
}

int decode_open(struct decode *d, const char *command, bool drops, const char *user)
{
	int e;

	*d = (struct decode){.pipe = -1, .user = user};
	if (!command)
		return 0;
	e = command_line_parse(&d->line, "--decode", command);
	if (e)
		return e;
	e = make_argv(d, drops);
	if (!e)
		e = check_keylog(d);
	if (e == -EINVAL)
		return e;
	if (e)
		complain("--decode: %s", strerror(-e));
	snprintf(d->name, sizeof(d->name), "the pipe to %s", basename(d->line.words[0]));
	return e;
}

struct program {
	const struct decode *d;
	int input;
	pid_t parent;
};

/*
 * The program runs in a process group of its own, so that Ctrl-C ends only the capture, and the
 * program still prints what was captured. It does not outlive us. The socket reports only the
 * -errno of a failure.
 */
static int run_program(void *of, int report, const struct child_user *u)
{
	const struct program *p = of;
	const struct decode *d = p->d;
	sigset_t none;
	int e;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	setpgid(0, 0);
	e = child_keep_capabilities(u, 0);
	if (!e && dup2(p->input, STDIN_FILENO) < 0)
		e = -errno;
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	/* Another user has another home: ours may not be read. */
	if (!e && u->changes && setenv("HOME", u->home, 1))
		e = -errno;
	if (!e && getppid() == p->parent) {
		execv(d->line.program, d->argv);
		e = -errno;
	}
	if (write(report, &e, sizeof(e)) < 0)
		e = -EIO;
	return 127;
}

static int start(struct decode *d)
{
	struct program p = {.d = d, .parent = getpid()};
	int input[2], report, e = 0;

	if (pipe2(input, O_CLOEXEC))
		return -errno;
	p.input = input[0];
	report = child_start(&d->child, SOCK_STREAM, d->user, run_program, &p);
	close(input[0]);
	if (report < 0) {
		close(input[1]);
		return report;
	}
	d->pipe = input[1];
	/* If the program starts, its exec closes the socket, and nothing arrives. */
	while (read(report, &e, sizeof(e)) < 0 && errno == EINTR)
		;
	close(report);
	return e;
}

int decode_start(struct decode *d)
{
	int e = d->argv ? start(d) : 0;

	if (e)
		complain("--decode: %s cannot be run: %s", d->line.program, strerror(-e));
	return e;
}

/* Has standard output lost its reader? The reader then had all it wanted. */
static bool is_left(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO};

	return poll(&out, 1, 0) > 0 && out.revents & POLLERR;
}

int decode_end(struct decode *d)
{
	const char *name = d->line.words ? d->line.words[0] : NULL;
	int status = 0;
	pid_t ended;

	if (!d->child)
		return 0;
	if (d->pipe >= 0)
		close(d->pipe);
	d->pipe = -1;
	do
		ended = waitpid(d->child, &status, signals_stop > 1 ? WNOHANG : 0);
	while (ended < 0 && errno == EINTR);
	d->child = 0;
	if (ended == 0) /* the kernel ends it with us */
		return -1;
	if (status && is_left())
		return 0;
	if (WIFSIGNALED(status))
		complain("%s was ended by signal %d", name, WTERMSIG(status));
	else if (WEXITSTATUS(status))
		complain("%s has ended with status %d", name, WEXITSTATUS(status));
	return status ? -1 : 0;
}

int decode_close(struct decode *d)
{
	int e = decode_end(d);

	command_line_clear(&d->line);
	free(d->argv);
	*d = (struct decode){.pipe = -1};
	return e;
}
