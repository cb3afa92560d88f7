/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "container.h"

/* A component of a path. */
struct part {
	const char *at;
	size_t n;
};

static bool begins(struct part p, const char *with)
{
	size_t n = strlen(with);

	return p.n > n && memcmp(p.at, with, n) == 0;
}

static bool ends(struct part p, const char *with)
{
	size_t n = strlen(with);

	return p.n > n && memcmp(p.at + p.n - n, with, n) == 0;
}

static struct part without(struct part p, const char *beginning)
{
	size_t n = strlen(beginning);

	return (struct part){p.at + n, p.n - n};
}

static bool is_id(struct part p)
{
	for (size_t i = 0; i < p.n; i++)
		if (!isxdigit((unsigned char)p.at[i]) || isupper((unsigned char)p.at[i]))
			return false;
	return p.n == CONTAINER_ID_LENGTH;
}

static void copy(char *to, size_t size, struct part p)
{
	snprintf(to, size, "%.*s", (int)p.n, p.at);
}

/* systemd escapes characters that have a meaning of their own, such as -, as in \x2d. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *at = text; *at; to++) {
		unsigned c;

		if (at[0] == '\\' && at[1] == 'x' && isxdigit((unsigned char)at[2]) &&
		    isxdigit((unsigned char)at[3]) && sscanf(at + 2, "%2x", &c) == 1 && c) {
			*to = (char)c;
			at += 4;
		} else {
			*to = *at++;
		}
	}
	*to = 0;
}

/* Docker, containerd, CRI-O and podman use 64 hexadecimal digits, with or without words around
 * them. */
static bool find_id(struct part p, struct part *id)
{
	static const char *const before[] = {"docker-", "cri-containerd-", "crio-", "libpod-",
					     "nerdctl-"};

	if (ends(p, ".scope"))
		p.n -= strlen(".scope");
	/* With systemd's groups, some write slice:runtime:id. */
	for (size_t i = p.n; i; i--)
		if (p.at[i - 1] == ':') {
			p = (struct part){p.at + i, p.n - i};
			break;
		}
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if (begins(p, before[i])) {
			p = without(p, before[i]);
			break;
		}
	*id = p;
	return is_id(p);
}

/* systemd-nspawn and LXC use names. */
static bool find_name(struct part p, struct part *name)
{
	static const struct {
		const char *before, *behind;
	} forms[] = {{"lxc.payload.", ""}, {"machine-", ".scope"}, {"systemd-nspawn@", ".service"}};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (begins(p, forms[i].before) && ends(p, forms[i].behind)) {
			*name = without(p, forms[i].before);
			name->n -= strlen(forms[i].behind);
			return true;
		}
	return false;
}

static void take_part(struct cgroup_names *n, struct part p)
{
	struct part found;

	if (find_id(p, &found) || find_name(p, &found)) {
		copy(n->container, sizeof(n->container), found);
		unescape(n->container);
	}
	if (ends(p, ".service") || ends(p, ".scope"))
		copy(n->unit, sizeof(n->unit), p);
}

void cgroup_names_of_path(struct cgroup_names *n, const char *path)
{
	*n = (struct cgroup_names){.path = ""};
	snprintf(n->path, sizeof(n->path), "%s", path);
	while (*path) {
		struct part p = {path, strcspn(path, "/")};

		take_part(n, p); /* the innermost one is the last */
		path += p.n;
		path += *path == '/';
	}
}

/* The path in a line such as "4:memory:/a/b"; *what: which groups it is about. */
static const char *path_of(char *line, const char **what)
{
	char *first = strchr(line, ':'), *second = first ? strchr(first + 1, ':') : NULL;

	if (!second)
		return NULL;
	*second = 0;
	*what = first + 1;
	return second + 1;
}

/* How much a line tells the reader. */
static int rank(const struct cgroup_names *n, const char *what)
{
	if (n->container[0])
		return 4;
	if (strcmp(n->path, "/") == 0)
		return 0;
	if (!*what)
		return 3;
	return strcmp(what, "name=systemd") == 0 ? 2 : 1;
}

void cgroup_names_read(struct cgroup_names *n, const char *text)
{
	char line[CGROUP_PATH_SIZE + 64];
	struct cgroup_names one;
	const char *what, *path;
	int best = -1;

	*n = (struct cgroup_names){.path = ""};
	while (*text) {
		size_t length = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		text += length;
		text += *text == '\n';
		path = path_of(line, &what);
		if (!path)
			continue;
		cgroup_names_of_path(&one, path);
		if (rank(&one, what) > best) {
			best = rank(&one, what);
			*n = one;
		}
	}
}
