/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container.h"
#include "member.h"
#include "runtime.h"

#define FILE_MAX (1u << 20) /* longer files are not read */

/* Reads a whole file, or returns "". Its folders are root's, so nobody else chooses what is
 * read. */
static const char *read_whole(const char *root, const char *path)
{
	static char *text; /* allocated only when it is first needed */
	char whole[PATH_MAX];
	struct stat s;
	size_t used = 0;
	ssize_t n = 1;
	int fd;

	if (!text)
		text = malloc(FILE_MAX + 1);
	if (!text)
		return "";
	snprintf(whole, sizeof(whole), "%s%s", root, path);
	fd = open(whole, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size <= FILE_MAX)
		while (used < FILE_MAX && n > 0) {
			n = read(fd, text + used, FILE_MAX - used);
			used += n > 0 ? (size_t)n : 0;
		}
	if (fd >= 0)
		close(fd);
	text[used] = 0;
	return text + strspn(text, " \t\r\n");
}

/* Kubernetes: POD_NAMESPACE_CONTAINER-ID.log, in a folder that everybody may list. */
static bool name_of_log(const char *root, const char *id, char *name, size_t size)
{
	char path[PATH_MAX], end[CONTAINER_ID_LENGTH + 8];
	const struct dirent *d;
	bool is = false;
	DIR *all;

	snprintf(path, sizeof(path), "%s/var/log/containers", root);
	snprintf(end, sizeof(end), "-%s.log", id);
	all = opendir(path);
	while (all && !is && (d = readdir(all))) {
		const char *pod = d->d_name;
		size_t n = strlen(pod), m = strlen(end);
		const char *last = n > m ? pod + n - m : pod;
		const char *space = strchr(pod, '_'), *its = space ? strchr(space + 1, '_') : NULL;

		is = its && last > its && strcmp(last, end) == 0;
		if (is)
			snprintf(name, size, "%.*s/%.*s/%.*s", (int)(its - space - 1), space + 1,
				 (int)(space - pod), pod, (int)(last - its - 1), its + 1);
	}
	if (all)
		closedir(all);
	return is;
}

static bool name_of_docker(const char *root, const char *id, char *name, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), "/var/lib/docker/containers/%s/config.v2.json", id);
	if (!member_text(member_of(read_whole(root, path), "Name"), name, size))
		return false;
	if (name[0] == '/')
		memmove(name, name + 1, strlen(name));
	return name[0];
}

/* podman and CRI-O, which store containers in the same way: those that do not survive a restart are
 * stored separately. */
static bool name_of_storage(const char *root, const char *file, const char *id, char *name,
			    size_t size)
{
	char one[CONTAINER_ID_LENGTH + 2], path[128];
	const char *at;

	snprintf(path, sizeof(path), "/var/lib/containers/storage/overlay-containers/%s", file);
	at = list_first(read_whole(root, path));
	while (at && !(member_text(member_of(at, "id"), one, sizeof(one)) && strcmp(one, id) == 0))
		at = list_next(at);
	return at && member_text(list_first(member_of(at, "names")), name, size) && name[0];
}

/* NAMESPACE/POD/CONTAINER as in the name of a log: each part that is there; a pause container has
 * no third one. */
static bool name_in_pod(const char *notes, char *name, size_t size)
{
	static const char *const parts[] = {"sandbox-namespace", "sandbox-name", "container-name"};
	char note[64], part[256];
	size_t used = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && used < size; i++) {
		snprintf(note, sizeof(note), "io.kubernetes.cri.%s", parts[i]);
		if (member_text(member_of(notes, note), part, sizeof(part)) && part[0])
			used += (size_t)snprintf(name + used, size - used, "%s%s", used ? "/" : "",
						 part);
	}
	return used;
}

static bool name_of_containerd(const char *root, const char *space, const char *id, char *name,
			       size_t size)
{
	const char *notes;
	char path[192];

	snprintf(path, sizeof(path),
		 "/run/containerd/io.containerd.runtime.v2.task/%s/%s/config.json", space, id);
	notes = member_of(read_whole(root, path), "annotations");
	return (member_text(member_of(notes, "nerdctl/name"), name, size) && name[0]) ||
	       name_in_pod(notes, name, size);
}

bool runtime_name(const char *root, const char *id, char *name, size_t size)
{
	name[0] = 0;
	if (strlen(id) != CONTAINER_ID_LENGTH ||
	    strspn(id, "0123456789abcdef") != CONTAINER_ID_LENGTH)
		return false;
	if (name_of_log(root, id, name, size) || name_of_docker(root, id, name, size) ||
	    name_of_storage(root, "containers.json", id, name, size) ||
	    name_of_storage(root, "volatile-containers.json", id, name, size) ||
	    name_of_containerd(root, "default", id, name, size) ||
	    name_of_containerd(root, "k8s.io", id, name, size))
		return true;
	name[0] = 0;
	return false;
}
