/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "command.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"

#define AT_ONCE 4

extern char **environ;

struct waiting {
	struct waiting *next;
	char file[];
};

struct commands {
	const char *program;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct waiting *first, **last;
	pthread_t threads[AT_ONCE];
	unsigned started, idle;
	bool closing, failed;
};

static void fail(struct commands *c)
{
	pthread_mutex_lock(&c->lock);
	c->failed = true;
	pthread_mutex_unlock(&c->lock);
}

/*
 * In a process group of its own: Ctrl-C, which ends the capture, leaves it alone. What we ignore or
 * block it gets as it came to us.
 */
static int start(pid_t *child, const char *program, char *file)
{
	char *const argv[] = {(char *)program, file, NULL};
	posix_spawnattr_t a;
	sigset_t none, pipe;
	int e = posix_spawnattr_init(&a);

	if (e)
		return e;
	sigemptyset(&none);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	posix_spawnattr_setflags(&a, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
					     POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&a, 0);
	posix_spawnattr_setsigmask(&a, &none);
	posix_spawnattr_setsigdefault(&a, &pipe);
	e = posix_spawnp(child, program, NULL, &a, argv, environ);
	posix_spawnattr_destroy(&a);
	return e;
}

static void run_one(struct commands *c, char *file)
{
	pid_t child;
	int status = 0, e = start(&child, c->program, file);

	if (e) {
		complain("%s: cannot be started: %s", c->program, strerror(e));
		fail(c);
		return;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (WIFSIGNALED(status))
		complain("%s %s: ended by signal %d", c->program, file, WTERMSIG(status));
	else
		complain("%s %s: status %d", c->program, file, WEXITSTATUS(status));
	fail(c);
}

/* NULL: there will be none. */
static struct waiting *take(struct commands *c)
{
	struct waiting *w;

	pthread_mutex_lock(&c->lock);
	c->idle++;
	while (!c->first && !c->closing)
		pthread_cond_wait(&c->changed, &c->lock);
	c->idle--;
	w = c->first;
	if (w) {
		c->first = w->next;
		if (!c->first)
			c->last = &c->first;
	}
	pthread_mutex_unlock(&c->lock);
	return w;
}

static void *run(void *arg)
{
	struct commands *c = arg;
	struct waiting *w;

	while ((w = take(c))) {
		run_one(c, w->file);
		free(w);
	}
	return NULL;
}

int commands_open(struct commands **out, const char *program)
{
	struct commands *c = calloc(1, sizeof(*c));
	int e;

	if (!c)
		return -ENOMEM;
	c->program = program;
	c->last = &c->first;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	e = signals_start_thread(&c->threads[0], run, c);
	c->started = !e;
	if (e)
		commands_close(c);
	else
		*out = c;
	return e;
}

/* One more thread where all are at work; without it, the file waits for the others. */
static void add_thread(struct commands *c)
{
	if (c->idle || c->started == AT_ONCE)
		return;
	if (signals_start_thread(&c->threads[c->started], run, c) == 0)
		c->started++;
}

void commands_add(struct commands *c, const char *file)
{
	size_t n = strlen(file) + 1;
	struct waiting *w = malloc(sizeof(*w) + n);

	if (!w) {
		complain("%s %s: out of memory", c->program, file);
		fail(c);
		return;
	}
	w->next = NULL;
	memcpy(w->file, file, n);
	pthread_mutex_lock(&c->lock);
	*c->last = w;
	c->last = &w->next;
	add_thread(c);
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

bool commands_failed(struct commands *c)
{
	bool failed;

	pthread_mutex_lock(&c->lock);
	failed = c->failed;
	pthread_mutex_unlock(&c->lock);
	return failed;
}

int commands_close(struct commands *c)
{
	bool failed;

	if (!c)
		return 0;
	pthread_mutex_lock(&c->lock);
	c->closing = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	for (unsigned i = 0; i < c->started; i++)
		pthread_join(c->threads[i], NULL);
	failed = c->failed;
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c);
	return failed ? -1 : 0;
}
