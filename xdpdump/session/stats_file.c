/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report_json.h"
#include "stats_file.h"
#include "util/shared.h"

int stats_file_open(const char *name)
{
	return shared_open(name, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
			   0666);
}

/* A line that is cut would spoil the next one, too. */
static int write_line(int fd, const char *line, size_t length)
{
	struct stat before;
	bool is_file = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
	ssize_t n = write(fd, line, length);
	int e = n < 0 ? -errno : -ENOSPC;

	if (n == (ssize_t)length)
		return 0;
	if (n > 0 && is_file && ftruncate(fd, before.st_size))
		e = -errno;
	return e;
}

int stats_file_add(int fd, const struct status *st, bool final)
{
	size_t length;
	char *line;
	FILE *to = open_memstream(&line, &length);
	int e;

	if (!to)
		return -ENOMEM;
	report_json(to, st, final);
	/* Without memory fclose() may return 0 all the same. */
	e = fclose(to) || !line ? -ENOMEM : write_line(fd, line, length);
	free(line);
	return e;
}
