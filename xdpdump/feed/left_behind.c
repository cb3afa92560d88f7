/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "left_behind.h"
#include "xdpdump/os/complain.h"

#define FILES "pcapng-kafka-" /* what their names begin with */

static bool has_files(const char *folder)
{
	DIR *all = opendir(folder);
	const struct dirent *d;
	bool found = false;

	while (all && !found && (d = readdir(all)))
		found = strncmp(d->d_name, FILES, strlen(FILES)) == 0;
	if (all)
		closedir(all);
	return found;
}

static void warn(const char *folder, const char *place)
{
	if (has_files(folder))
		complain("warning: %s has packets of an earlier capture, which this one does not send: pcapng-kafka put --spool %s:SIZE %s < /dev/null",
			 folder, folder, place);
}

static bool is_number(const char *name)
{
	return name[0] && !name[strspn(name, "0123456789")];
}

void left_behind_warn(const char *spool, unsigned streams, const char *place)
{
	const char *colon = strrchr(spool, ':');
	char folder[PATH_MAX], inner[PATH_MAX + NAME_MAX + 2];
	const struct dirent *d;
	DIR *all;

	if (!colon || (size_t)(colon - spool) >= sizeof(folder))
		return;
	snprintf(folder, sizeof(folder), "%.*s", (int)(colon - spool), spool);
	if (streams)
		warn(folder, place);
	all = opendir(folder);
	while (all && (d = readdir(all))) {
		if (!is_number(d->d_name) || strtoul(d->d_name, NULL, 10) < streams)
			continue;
		snprintf(inner, sizeof(inner), "%s/%s", folder, d->d_name);
		warn(inner, place);
	}
	if (all)
		closedir(all);
}
