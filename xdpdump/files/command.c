/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"
#include "command.h"
#include "command_line.h"
#include "finisher.h"
#include "indexer.h"
#include "lock.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"

#define AT_ONCE	 4
#define LOOK_MS	 50			/* signals are looked at so often at the end */
#define QUIET_NS (NS_PER_SEC / 2)	/* what ends sooner is not worth a word */
#define GRACE_NS ((uint64_t)NS_PER_SEC) /* between SIGTERM and SIGKILL */

extern char **environ;

/* A thread, and what it runs: 0: nothing. Not reaped before it is 0 again, so that it is nobody
 * else's. */
struct runner {
	struct commands *all;
	pthread_t thread;
	pid_t child;
};

struct commands {
	struct command_line line;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* for runners: there is something to do */
	pthread_cond_t ended;	/* for who waits: a command has ended */
	struct finish *first, **last;
	struct runner runner[AT_ONCE];
	unsigned started, idle, queued;
	unsigned open; /* files whose command has not ended */
	int ended_by;  /* the signal sent to all; 0: none */
	bool closing, told;
	atomic_bool failed;
};

/*
 * In a process group of its own: Ctrl-C, which ends the capture, leaves it alone. It reads nothing,
 * and no signal is ignored or blocked.
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

/* Whose end others may not bring about any more, as its number may come to be another's. */
static int reap(struct runner *r, bool *given_up)
{
	pid_t child = r->child;
	siginfo_t info;
	int status = 0;

	while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) && errno == EINTR)
		;
	pthread_mutex_lock(&r->all->lock);
	r->child = 0;
	*given_up = r->all->ended_by;
	pthread_mutex_unlock(&r->all->lock);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static void wait_for_end(struct runner *r, const char *file)
{
	struct commands *c = r->all;
	const char *program = c->line.words[0];
	bool given_up;
	int status = reap(r, &given_up);

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (WIFSIGNALED(status))
		complain("%s %s: ended by signal %d%s", program, file, WTERMSIG(status),
			 given_up ? ", for the second signal to xdpdump" : "");
	else
		complain("%s %s: status %d", program, file, WEXITSTATUS(status));
	c->failed = true;
}

/* Under the lock, so that who gives up sees all that run, and no other has the words. */
static int start_locked(struct runner *r, char *file)
{
	struct commands *c = r->all;
	int e = -1;

	pthread_mutex_lock(&c->lock);
	c->line.words[c->line.count] = file;
	if (!c->ended_by)
		e = start(&r->child, &c->line);
	if (e)
		r->child = 0;
	pthread_mutex_unlock(&c->lock);
	return e;
}

static void run_one(struct runner *r, char *file)
{
	struct commands *c = r->all;
	int lock = lock_share(file), e = start_locked(r, file);

	if (e > 0)
		complain("%s: cannot be started: %s", c->line.program, strerror(e));
	else if (e)
		complain("%s %s: not run, for the second signal to xdpdump", c->line.words[0],
			 file);
	else
		wait_for_end(r, file);
	indexer_remove_orphan(file);
	if (e)
		c->failed = true;
	if (lock >= 0)
		close(lock);
}

/* NULL: there will be none. */
static struct finish *next_command(struct commands *c)
{
	struct finish *job;

	pthread_mutex_lock(&c->lock);
	c->idle++;
	while (!c->first && !c->closing)
		pthread_cond_wait(&c->changed, &c->lock);
	c->idle--;
	job = c->first;
	if (job) {
		c->first = job->next;
		c->queued--;
		if (!c->first)
			c->last = &c->first;
	}
	pthread_mutex_unlock(&c->lock);
	return job;
}

static void *run_in_thread(void *arg)
{
	struct runner *r = arg;
	struct commands *c = r->all;
	struct finish *job;

	while ((job = next_command(c))) {
		run_one(r, job->name);
		finish_end(job);
		pthread_mutex_lock(&c->lock);
		c->open--;
		pthread_cond_broadcast(&c->ended);
		pthread_mutex_unlock(&c->lock);
	}
	return NULL;
}

static int add_runner(struct commands *c)
{
	struct runner *r = &c->runner[c->started];
	int e;

	r->all = c;
	e = signals_start_thread(&r->thread, run_in_thread, r);
	if (!e)
		c->started++;
	return e;
}

int commands_open(struct commands **out, const char *text)
{
	struct commands *c = calloc(1, sizeof(*c));
	int e;

	if (!c)
		return complain_memory();
	c->last = &c->first;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	pthread_cond_init(&c->ended, NULL);
	e = command_line_parse(&c->line, "-z", text);
	if (!e) {
		e = add_runner(c);
		if (e)
			complain("cannot start a thread: %s", strerror(-e));
	}
	if (e)
		commands_close(c);
	else
		*out = c;
	return e;
}

void commands_add(struct commands *c, struct finish *job)
{
	job->next = NULL;
	pthread_mutex_lock(&c->lock);
	*c->last = job;
	c->last = &job->next;
	c->open++;
	c->queued++;
	/* Without one more, the file waits for the others. */
	if (c->queued > c->idle && c->started < AT_ONCE)
		add_runner(c);
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* Under the lock. */
static void wait_locked(struct commands *c, unsigned ms)
{
	const struct timespec until = clock_in(ms * (uint64_t)NS_PER_MS);

	pthread_cond_clockwait(&c->ended, &c->lock, CLOCK_MONOTONIC, &until);
}

void commands_wait(struct commands *c, unsigned ms)
{
	pthread_mutex_lock(&c->lock);
	wait_locked(c, ms);
	pthread_mutex_unlock(&c->lock);
}

static void tell_locked(struct commands *c)
{
	if (!c->told && c->open)
		complain("the capture has ended, waiting for %u command%s (-z); a second signal ends %s",
			 c->open, c->open == 1 ? "" : "s", c->open == 1 ? "it" : "them");
	c->told = true;
}

void commands_tell(struct commands *c)
{
	pthread_mutex_lock(&c->lock);
	tell_locked(c);
	pthread_mutex_unlock(&c->lock);
}

static void end_locked(struct commands *c, int signal)
{
	if (c->ended_by == signal)
		return;
	c->ended_by = signal;
	for (unsigned i = 0; i < c->started; i++)
		if (c->runner[i].child)
			kill(-c->runner[i].child, signal);
}

/* Until all have ended. */
static void wait_for_all(struct commands *c)
{
	uint64_t begun = clock_monotonic(), asked = 0, now;
	int signals_before = signals_stop;

	for (; c->open; wait_locked(c, LOOK_MS)) {
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
	pthread_mutex_lock(&c->lock);
	c->closing = true;
	pthread_cond_broadcast(&c->changed);
	wait_for_all(c);
	pthread_mutex_unlock(&c->lock);
	for (unsigned i = 0; i < c->started; i++)
		pthread_join(c->runner[i].thread, NULL);
	e = c->failed ? -1 : 0;
	command_line_clear(&c->line);
	pthread_cond_destroy(&c->changed);
	pthread_cond_destroy(&c->ended);
	pthread_mutex_destroy(&c->lock);
	free(c);
	return e;
}
