/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proc.h"
#include "util/clock.h"

uint64_t proc_tick(void)
{
	return (uint64_t)(NS_PER_SEC / sysconf(_SC_CLK_TCK));
}

size_t proc_read(uint32_t pid, const char *name, char *to, size_t size)
{
	char path[64];
	size_t used = 0;
	ssize_t n = 1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && used < size - 1 && n > 0) {
		n = read(fd, to + used, size - 1 - used);
		used += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		close(fd);
	to[used] = 0;
	return used;
}

/* Numbers of words after the name, which may contain any bytes. */
#define STAT_PARENT 2
#define STAT_START  20

static uint64_t word(const char *at, unsigned n)
{
	for (; at && n; n--)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

bool proc_stat_of(uint32_t pid, struct proc_stat *to)
{
	char text[1024];
	char *name, *end;

	proc_read(pid, "stat", text, sizeof(text));
	name = strchr(text, '(');
	end = strrchr(text, ')');
	if (!name || !end || end < name)
		return false;
	*to = (struct proc_stat){.pid = pid,
				 .parent = (uint32_t)word(end, STAT_PARENT),
				 .start = word(end, STAT_START)};
	*end = 0;
	snprintf(to->command, sizeof(to->command), "%s", name + 1);
	return true;
}

int proc_each(proc_take *take, void *to)
{
	DIR *all = opendir("/proc");
	const struct dirent *d;
	struct proc_stat p;

	if (!all)
		return -errno;
	while ((d = readdir(all)))
		if (isdigit((unsigned char)d->d_name[0]) &&
		    proc_stat_of((uint32_t)strtoul(d->d_name, NULL, 10), &p))
			take(to, &p);
	closedir(all);
	return 0;
}
