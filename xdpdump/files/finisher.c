/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "crew.h"
#include "index/build.h"
#include "xdpdump/os/complain.h"
#include "finisher.h"
#include "indexer.h"
#include "lock.h"
#include "util/shared.h"
#include "xdpdump/os/signals.h"

#define LOOK_MS 1000

struct finisher {
	struct crew crew;	   /* with one thread */
	struct commands *commands; /* NULL: no command */
	const char *print_name;
	bool failed;	    /* this and unread belong to the thread */
	bool unread;	    /* nobody reads the names, so no more are written */
	atomic_bool prints; /* is a name being written now? */
};

static bool is_stdout(const struct finisher *f)
{
	return strcmp(f->print_name, "-") == 0 || strcmp(f->print_name, "stdout") == 0;
}

static const char *target_of_names(const struct finisher *f)
{
	return is_stdout(f) ? "standard output" : f->print_name;
}

/*
 * A file may take only part of the line before the disk is full. Signals interrupt this thread only
 * at the end: again and again, once the user has asked twice.
 */
static bool write_line(int fd, const char *line, size_t n)
{
	while (n) {
		ssize_t done = write(fd, line, n);

		if (done > 0) {
			line += done;
			n -= (size_t)done;
		} else if (errno != EINTR || signals_stop > 1) {
			return false;
		}
	}
	return true;
}

/*
 * The list is opened for each name, so that its reader can empty it. EPIPE is no failure: the
 * reader has had enough.
 */
static void print_name(struct finisher *f, const char *name)
{
	char line[PATH_MAX + 2];
	int fd = STDOUT_FILENO, n = snprintf(line, sizeof(line), "%s\n", name);

	if (strcmp(f->print_name, "stderr") == 0)
		fd = STDERR_FILENO;
	else if (!is_stdout(f))
		fd = shared_open(f->print_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		errno = -fd;
	if ((fd < 0 || !write_line(fd, line, (size_t)n)) && errno != EPIPE) {
		f->unread = errno == EINTR;
		complain("%s: %s", target_of_names(f),
			 f->unread ? "given up at the second signal" : strerror(errno));
		f->failed = true;
	}
	if (fd > STDERR_FILENO)
		close(fd);
}

/* Checks for a folder, because the error of renaming over one under Landlock would not tell why. */
static int give_name(const struct finish *j)
{
	struct stat st;

	if (lock_is_held(j->name))
		return -EBUSY;
	if (shared_stat(j->name, &st) == 0 && S_ISDIR(st.st_mode))
		return -EISDIR;
	return shared_rename(j->temporary, j->name);
}

/* If no index is stored, that of an older file of this name is removed. */
static void store_index(struct finisher *f, const struct finish *j)
{
	int e = indexer_store(j->sink.index, j->name, j->sink.fd);

	if (!e)
		return;
	indexer_remove(j->name);
	if (e == -ECANCELED) /* the cause was already reported */
		return;
	complain("%s gets no index: %s", j->name, e == -EEXIST ? INDEX_IS_TAKEN : strerror(-e));
	f->failed = true;
}

/* The file stays locked until it has its name. Returns whether a command has the job now. */
static bool finish_file(struct finisher *f, struct finish *j)
{
	int e = sink_sync(&j->sink), named = j->temporary ? give_name(j) : 0, closed;

	if (e)
		complain("%s: %s", j->name, strerror(-e));
	if (named) {
		e = named;
		complain("%s: cannot get its name, %s: %s", j->temporary, j->name,
			 e == -EBUSY ? "another xdpdump has that file" : strerror(-e));
	} else {
		j->temporary = NULL;
	}
	if (!e && j->sink.index)
		store_index(f, j);
	closed = sink_close(&j->sink);
	if (!e && closed)
		complain("%s: %s", j->name, strerror(-closed));
	e = e ? e : closed;
	if (!e && f->print_name && !f->unread) {
		atomic_store(&f->prints, true);
		print_name(f, j->name);
		atomic_store(&f->prints, false);
	}
	f->failed |= e != 0;
	if (e || !f->commands)
		return false;
	commands_add(f->commands, j);
	return true;
}

/*
 * The file may be gone already, because the user's command may have renamed it. If it did not get
 * its name, the file of that name is somebody else's, and stays.
 */
static void remove_file(struct finisher *f, const struct finish *j)
{
	const char *path = j->temporary ? j->temporary : j->name;
	int e = shared_unlink(path);

	if (!j->temporary)
		indexer_remove(j->name);
	if (e && e != -ENOENT) {
		complain("%s: cannot be removed: %s", path, strerror(-e));
		f->failed = true;
	}
}

static void work(void *finisher, unsigned which, struct finish *j)
{
	struct finisher *f = finisher;
	sigset_t nudge;
	bool goes;

	(void)which;
	sigemptyset(&nudge);
	sigaddset(&nudge, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &nudge, NULL);
	if (j->sink.fd >= 0 && finish_file(f, j))
		return;
	pthread_mutex_lock(&f->crew.lock);
	atomic_store(&j->done, true);
	goes = j->goes;
	pthread_mutex_unlock(&f->crew.lock);
	if (goes)
		remove_file(f, j);
	finish_leave(j);
}

int finisher_open(struct finisher **out, const char *name, struct commands *commands)
{
	struct finisher *f = calloc(1, sizeof(*f));
	int e;

	if (!f)
		return complain_memory();
	f->print_name = name;
	f->commands = commands;
	e = crew_open(&f->crew, 1, work, f);
	if (e)
		finisher_close(f);
	else
		*out = f;
	return e;
}

struct finish *finish_new(const char *name, const char *temporary)
{
	size_t n = strlen(name) + 1, more = temporary ? strlen(temporary) + 1 : 0;
	struct finish *j = calloc(1, sizeof(*j) + n + more);

	if (!j)
		return NULL;
	j->sink.fd = -1;
	j->users = 1;
	memcpy(j->name, name, n);
	if (temporary)
		j->temporary = memcpy(j->name + n, temporary, more);
	return j;
}

void finisher_add(struct finisher *f, struct finish *j)
{
	crew_add(&f->crew, j);
}

void finisher_remove(struct finisher *f, struct finish *j)
{
	bool done;

	pthread_mutex_lock(&f->crew.lock);
	j->goes = true; /* the thread checks it when the job is done */
	done = j->done;
	pthread_mutex_unlock(&f->crew.lock);
	if (!done)
		return;
	j->users++;
	crew_add(&f->crew, j);
}

bool finisher_is_idle(struct finisher *f)
{
	bool idle;

	pthread_mutex_lock(&f->crew.lock);
	idle = !f->crew.open;
	pthread_mutex_unlock(&f->crew.lock);
	return idle;
}

/*
 * The thread may be writing a name to a pipe that nobody empties: after the second signal, SIGALRM
 * interrupts it there.
 */
static void wait_for_all(struct finisher *f)
{
	bool said = false;

	pthread_mutex_lock(&f->crew.lock);
	while (f->crew.open) {
		bool one_ended = crew_wait(&f->crew, LOOK_MS);

		if (!f->crew.open)
			break;
		if (signals_stop > 1) {
			pthread_kill(f->crew.member->thread, SIGALRM);
		} else if (!said && !one_ended && atomic_load(&f->prints)) {
			said = true;
			complain("the capture has ended, but nobody reads the names of files from %s; a second signal ends at once",
				 target_of_names(f));
		}
	}
	pthread_mutex_unlock(&f->crew.lock);
}

int finisher_close(struct finisher *f)
{
	bool failed;

	if (!f)
		return 0;
	wait_for_all(f);
	crew_close(&f->crew);
	failed = f->failed;
	free(f);
	return failed ? -1 : 0;
}
