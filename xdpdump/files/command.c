/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/clock.h"
#include "command.h"
#include "command_line.h"
#include "crew.h"
#include "finisher.h"
#include "indexer.h"
#include "lock.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"

#define LOOK_MS	 50			/* how often signals are checked at the end */
#define QUIET_NS (NS_PER_SEC / 2)	/* a shorter wait is not worth a message */
#define GRACE_NS ((uint64_t)NS_PER_SEC) /* between SIGTERM and SIGKILL */

extern char **environ;

struct commands {
	struct crew crew;
	struct command_line line;
	/*
	 * The child of each thread; 0: none. It is reaped only after this is 0 again, so that the
	 * number cannot belong to another process.
	 */
	pid_t child[CREW_MOST];
	int ended_by; /* the signal that was sent to all; 0: none */
	bool told;
	atomic_bool failed;
};

/*
 * The command gets its own process group, so that Ctrl-C, which ends the capture, does not reach
 * it. Its input is /dev/null, and no signal is ignored or blocked.
 */
static int start(pid_t *child, const struct command_line *line)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t a;
	sigset_t none, all;
	int e = posix_spawnattr_init(&a);

	if (e)
		return e;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setflags(&a, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
					     POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&a, 0);
	posix_spawnattr_setsigmask(&a, &none);
	posix_spawnattr_setsigdefault(&a, &all);
	e = posix_spawn_file_actions_init(&files);
	if (!e) {
		e = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY,
						     0);
		if (!e)
			e = posix_spawn(child, line->program, &files, &a, line->words, environ);
		posix_spawn_file_actions_destroy(&files);
	}
	posix_spawnattr_destroy(&a);
	return e;
}

/*
 * Wait for the child to end. Nobody may signal it once it is reaped, because another process can
 * get its number: *own is 0 before.
 */
static int reap(struct commands *c, pid_t *own, bool *given_up)
{
	pid_t child = *own;
	siginfo_t info;
	int status = 0;

	while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) && errno == EINTR)
		;
	pthread_mutex_lock(&c->crew.lock);
	*own = 0;
	*given_up = c->ended_by;
	pthread_mutex_unlock(&c->crew.lock);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static void wait_for_end(struct commands *c, pid_t *own, const char *file)
{
	const char *program = c->line.words[0];
	bool given_up;
	int status = reap(c, own, &given_up);

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (WIFSIGNALED(status))
		complain("%s %s: ended by signal %d%s", program, file, WTERMSIG(status),
			 given_up ? ", for the second signal to xdpdump" : "");
	else
		complain("%s %s: status %d", program, file, WEXITSTATUS(status));
	c->failed = true;
}

/*
 * Under the lock, so that whoever gives up sees all children that run, and no other thread changes
 * the words. Returns 0, an errno, or -1 if commands are not run any more.
 */
static int start_locked(struct commands *c, pid_t *own, char *file)
{
	int e = -1;

	pthread_mutex_lock(&c->crew.lock);
	c->line.words[c->line.count] = file;
	if (!c->ended_by)
		e = start(own, &c->line);
	if (e)
		*own = 0;
	pthread_mutex_unlock(&c->crew.lock);
	return e;
}

static void run_one(void *commands, unsigned which, struct finish *job)
{
	struct commands *c = commands;
	pid_t *own = &c->child[which];
	int lock = lock_share(job->name), e = start_locked(c, own, job->name);

	if (e > 0)
		complain("%s: cannot be started: %s", c->line.program, strerror(e));
	else if (e)
		complain("%s %s: not run, for the second signal to xdpdump", c->line.words[0],
			 job->name);
	else
		wait_for_end(c, own, job->name);
	indexer_remove_orphan(job->name);
	if (e)
		c->failed = true;
	if (lock >= 0)
		close(lock);
	finish_end(job);
}

int commands_open(struct commands **out, const char *text)
{
	struct commands *c = calloc(1, sizeof(*c));
	int e;

	if (!c)
		return complain_memory();
	e = crew_open(&c->crew, CREW_MOST, run_one, c);
	if (!e)
		e = command_line_parse(&c->line, "-z", text);
	if (e)
		commands_close(c);
	else
		*out = c;
	return e;
}

void commands_add(struct commands *c, struct finish *job)
{
	crew_add(&c->crew, job);
}

void commands_wait(struct commands *c, unsigned ms)
{
	pthread_mutex_lock(&c->crew.lock);
	crew_wait(&c->crew, ms);
	pthread_mutex_unlock(&c->crew.lock);
}

static void tell_locked(struct commands *c)
{
	unsigned n = c->crew.open;

	if (!c->told && n)
		complain("the capture has ended, waiting for %u command%s (-z); a second signal ends %s",
			 n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
	c->told = true;
}

void commands_tell(struct commands *c)
{
	pthread_mutex_lock(&c->crew.lock);
	tell_locked(c);
	pthread_mutex_unlock(&c->crew.lock);
}

static void end_locked(struct commands *c, int signal)
{
	if (c->ended_by == signal)
		return;
	c->ended_by = signal;
	for (unsigned i = 0; i < CREW_MOST; i++)
		if (c->child[i])
			kill(-c->child[i], signal);
}

/* The caller holds the lock: wait until all commands have ended. */
static void wait_for_all(struct commands *c)
{
	uint64_t begun = clock_monotonic(), asked = 0, now;
	int signals_before = signals_stop;

	for (; c->crew.open; crew_wait(&c->crew, LOOK_MS)) {
		now = clock_monotonic();
		if (now - begun > QUIET_NS || signals_stop != signals_before)
			tell_locked(c);
		if (signals_stop < 2)
			continue;
		if (!asked)
			asked = now;
		end_locked(c, now - asked < GRACE_NS ? SIGTERM : SIGKILL);
	}
}

int commands_close(struct commands *c)
{
	int e;

	if (!c)
		return 0;
	pthread_mutex_lock(&c->crew.lock);
	wait_for_all(c);
	pthread_mutex_unlock(&c->crew.lock);
	crew_close(&c->crew);
	e = c->failed ? -1 : 0;
	command_line_clear(&c->line);
	free(c);
	return e;
}
