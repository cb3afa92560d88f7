/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOADER "pcap-afxdp-load" /* as far as the kernel keeps names */

void status_line(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64], line[256];
	FILE *f;

	*text = 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		size_t length = strlen(name);

		if (strncmp(line, name, length) || line[length] != ':')
			continue;
		snprintf(text, size, "%s", line + length + 1 + strspn(line + length + 1, " \t"));
		text[strcspn(text, "\n")] = 0;
		break;
	}
	if (f)
		fclose(f);
}

static bool link_of(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	n = readlink(path, text, size - 1);
	text[n < 0 ? 0 : n] = 0;
	return n > 0;
}

bool descriptor_of(pid_t pid, int fd, char *text, size_t size)
{
	char name[32];

	snprintf(name, sizeof(name), "fd/%d", fd);
	return link_of(pid, name, text, size);
}

ssize_t environment_size(pid_t pid)
{
	char path[64], text[4096];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text));
		close(fd);
	}
	return n;
}

static bool is_loader_here(pid_t pid)
{
	char name[64], state[64], here[64], there[64];

	status_line(pid, "Name", name, sizeof(name));
	status_line(pid, "State", state, sizeof(state));
	return strcmp(name, LOADER) == 0 && *state != 'Z' && *state != 'X' &&
	       link_of(getpid(), "ns/net", here, sizeof(here)) &&
	       link_of(pid, "ns/net", there, sizeof(there)) && strcmp(here, there) == 0;
}

static bool is_child(pid_t pid)
{
	char parent[64];

	status_line(pid, "PPid", parent, sizeof(parent));
	return atoi(parent) == getpid();
}

static int count(bool (*counts)(pid_t), pid_t *last)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d))) {
		pid_t pid = atoi(e->d_name);

		if (pid <= 0 || !counts(pid))
			continue;
		n++;
		if (last)
			*last = pid;
	}
	if (d)
		closedir(d);
	return n;
}

int loaders(pid_t *pid)
{
	return count(is_loader_here, pid);
}

bool loaders_become(int n)
{
	for (int i = 0; i < 100; i++) {
		if (loaders(NULL) == n)
			return true;
		usleep(10000);
	}
	return false;
}

int children(void)
{
	return count(is_child, NULL);
}
