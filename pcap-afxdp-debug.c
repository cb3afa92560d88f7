/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp-debug.c: Writes debugging output to where PCAP_AFXDP_DEBUG says.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv, vasprintf, O_PATH */
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "pcap-afxdp-debug.h"

#define VARIABLE "PCAP_AFXDP_DEBUG"

/*
 * The file stays open, because applications may give up the right to open it.
 * Some applications close all descriptors that they did not open: known says
 * whether the descriptor is still that file.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static struct stat known;

/* Above 2, because an application may have closed its standard error. */
static int
beyond_standard(int fd)
{
	int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), e = errno;

	close(fd);
	errno = e;
	return higher;
}

/*
 * Nobody must be able to redirect what is written: no component of the path is
 * a symbolic link, and the file is a regular one of this user's, with one name.
 * Returns why it is refused, or NULL. Fills in known.
 */
static const char *
why_not(int fd)
{
	if (fstat(fd, &known))
		return strerror(errno);
	if (!S_ISREG(known.st_mode))
		return "it is not a regular file";
	if (known.st_uid != geteuid())
		return "it is another user's";
	return known.st_nlink > 1 ? "it has another name" : NULL;
}

static int
open_below(int dir, const char *name, bool is_last)
{
	return openat(dir, name,
		      O_NOFOLLOW | O_CLOEXEC |
			  (is_last ? O_WRONLY | O_APPEND | O_CREAT |
					 O_NONBLOCK | O_NOCTTY
				   : O_PATH | O_DIRECTORY),
		      0600);
}

static int
open_path(const char *path)
{
	char *copy = strdup(path), *rest = copy, *name;
	int dir = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), next;

	while (dir >= 0 && (name = strtok_r(rest, "/", &rest))) {
		next = open_below(dir, name, rest[strspn(rest, "/")] == '\0');
		close(dir);
		dir = next;
	}
	free(copy);
	return dir < 0 ? -1 : beyond_standard(dir);
}

/* Returns NULL if the file is open, else why it is not. */
static const char *
open_file(const char *path)
{
	const char *why;
	struct stat now;

	if (file >= 0 && fstat(file, &now) == 0 && now.st_dev == known.st_dev &&
	    now.st_ino == known.st_ino)
		return NULL;
	file = -1;
	if (!secure_getenv(VARIABLE))
		return "not in a program that has privileges of its own";
	file = open_path(path);
	if (file < 0)
		return errno == ELOOP || errno == ENOTDIR
			   ? "a component of it is a symbolic link, or no folder"
			   : strerror(errno);
	why = why_not(file);
	if (why) {
		close(file);
		file = -1;
	}
	return why;
}

/* The system's log takes short lines, and the kernel's verifier writes many, so
 * each line becomes an entry. */
static void
to_log(const char *lines)
{
	size_t n;

	for (; *lines; lines += n + (lines[n] == '\n')) {
		n = strcspn(lines, "\n");
		if (n)
			syslog(LOG_USER | LOG_INFO, "%.*s",
			       n < 1024 ? (int)n : 1024, lines);
	}
}

static void
to_file(const char *path, const char *lines)
{
	const char *why;

	pthread_mutex_lock(&lock);
	why = open_file(path);
	if (!why && write(file, lines, strlen(lines)) < 0)
		why = strerror(errno);
	pthread_mutex_unlock(&lock);
	if (!why)
		return;
	syslog(LOG_USER | LOG_INFO,
	       "pcap-afxdp: PCAP_AFXDP_DEBUG=%.256s: not written there: %s",
	       path, why);
	to_log(lines);
}

/* To Wireshark and tshark, the standard error of their dumpcap is a
 * protocol. */
static bool
stderr_is_protocol(void)
{
	struct stat s;

	return strcmp(program_invocation_short_name, "dumpcap") == 0 &&
	       fstat(STDERR_FILENO, &s) == 0 && S_ISFIFO(s.st_mode);
}

bool
pcap_is_debugging_afxdp(void)
{
	const char *wanted = getenv(VARIABLE);

	return wanted && *wanted && strcmp(wanted, "0") != 0;
}

void
pcap_debug_lines_afxdp(const char *lines)
{
	const char *wanted = getenv(VARIABLE);

	if (!pcap_is_debugging_afxdp())
		return;
	if (*wanted == '/')
		to_file(wanted, lines);
	else if (strcmp(wanted, "syslog:") == 0 || stderr_is_protocol())
		to_log(lines);
	else
		fputs(lines, stderr);
}

void
pcap_debug_afxdp(const char *format, ...)
{
	char *text, *line;
	va_list args;
	int n;

	if (!pcap_is_debugging_afxdp())
		return;
	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		return;
	if (asprintf(&line, "pcap-afxdp: %s\n", text) >= 0) {
		pcap_debug_lines_afxdp(line);
		free(line);
	}
	free(text);
}
