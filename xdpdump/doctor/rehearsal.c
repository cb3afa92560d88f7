/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rehearsal.h"
#include "xdpdump/cli/options.h"
#include "xdpdump/os/complain.h"

#define LOG_MAX	  (256u << 10) /* only the end is kept */
#define WARNING	  "warning: "
#define LENGTH(s) (sizeof(s) - 1)

/* Hide what the capture prints, because it does not belong among the findings. */
static void redirect(int log)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDOUT_FILENO);
	if (log >= 0)
		dup2(log, STDERR_FILENO);
}

/* Runs in the child. */
static void play(struct rehearsal *r, const struct options *given, int log)
{
	struct options o = *given;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	complain_into(r->words, sizeof(r->words));
	o.action = ACTION_CAPTURE;
	o.trial = true;
	if (options_combine(&o))
		_exit(EXIT_FAILURE);
	redirect(log);
	if (log >= 0)
		setenv("PCAP_AFXDP_DEBUG", "1", 1);
	r->works = session_try(&o, &r->trial) == 0;
	fflush(stderr);
	_exit(EXIT_SUCCESS);
}

static void keep_log(struct rehearsal *r, int fd)
{
	struct stat st = {.st_size = 0};
	off_t from;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st))
		return;
	from = st.st_size > LOG_MAX ? st.st_size - LOG_MAX : 0;
	r->log = malloc((size_t)(st.st_size - from) + 1);
	n = r->log ? pread(fd, r->log, (size_t)(st.st_size - from), from) : -1;
	r->log_length = n > 0 ? (size_t)n : 0;
}

static void await(struct rehearsal *r, pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFSIGNALED(status))
		return;
	r->works = false;
	snprintf(r->words, sizeof(r->words), "the trial was ended by signal %d: %s\n",
		 WTERMSIG(status), strsignal(WTERMSIG(status)));
}

struct rehearsal *rehearsal_run(const struct options *o, bool with_log)
{
	struct rehearsal *r =
		mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int log = with_log ? memfd_create("log", MFD_CLOEXEC) : -1;
	pid_t child;

	if (r == MAP_FAILED) {
		complain("out of memory");
		return NULL;
	}
	fflush(NULL);
	child = fork();
	if (child == 0)
		play(r, o, log);
	if (child > 0) {
		await(r, child);
		keep_log(r, log);
	} else {
		complain("cannot start a process: %s", strerror(errno));
		rehearsal_free(r);
		r = NULL;
	}
	if (log >= 0)
		close(log);
	return r;
}

void rehearsal_free(struct rehearsal *r)
{
	if (!r)
		return;
	free(r->log);
	munmap(r, sizeof(*r));
}

/* Returns the next line of *at, whose *length excludes the newline, or NULL if there is none. */
static const char *next_line(const char **at, size_t *length)
{
	const char *line = *at;

	if (!*line)
		return NULL;
	*length = strcspn(line, "\n");
	*at = line + *length + (line[*length] == '\n');
	return line;
}

void rehearsal_reason(const struct rehearsal *r, char *text, size_t size)
{
	const char *at = r->words, *line;
	size_t n;

	snprintf(text, size, "it ends without a reason");
	while ((line = next_line(&at, &n)))
		if (strncmp(line, WARNING, LENGTH(WARNING)) != 0)
			snprintf(text, size, "%.*s", (int)n, line);
}

/* Does the text have this name, and not only one that it is a part of, such as eth1 of eth10? */
static bool names(const char *text, const char *ifname)
{
	size_t n = strlen(ifname);

	for (const char *at = text; (at = strstr(at, ifname)); at++)
		if ((at == text || !isalnum((unsigned char)at[-1])) &&
		    !isalnum((unsigned char)at[n]))
			return true;
	return false;
}

bool rehearsal_warning(const struct rehearsal *r, const char *ifname, char *text, size_t size)
{
	const char *at = r->words, *line;
	size_t n;

	while ((line = next_line(&at, &n))) {
		if (strncmp(line, WARNING, LENGTH(WARNING)) != 0)
			continue;
		snprintf(text, size, "%.*s", (int)(n - LENGTH(WARNING)), line + LENGTH(WARNING));
		if (!ifname || names(text, ifname))
			return true;
	}
	return false;
}
