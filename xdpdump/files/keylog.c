/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keylog.h"
#include "xdpdump/os/complain.h"

int keylog_open(struct keylog *k, const char *path)
{
	struct stat st;

	*k = (struct keylog){.fd = -1, .path = path};
	if (!path)
		return 0;
	k->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (k->fd < 0 || fstat(k->fd, &st)) {
		int e = errno;

		return refuse(-e, "--tls-keylog %s: %s%s", path, strerror(e),
			      e == ENOENT ? "; make it first, for programs to append their keys to"
					  : "");
	}
	k->limit = (struct lock_limit){.mode = st.st_mode, .owner = st.st_uid};
	if (S_ISREG(st.st_mode))
		return 0;
	return refuse(-EINVAL,
		      "--tls-keylog %s: not a regular file; name the file that programs append their keys to",
		      path);
}

void keylog_tell(const struct keylog *k)
{
	if (k->fd >= 0 && !atomic_load(&k->has_keys))
		complain("warning: no TLS key has come in %s, so nothing of the capture can be decrypted",
			 k->path);
}

void keylog_close(struct keylog *k)
{
	if (k->fd >= 0)
		close(k->fd);
	k->fd = -1;
}

/* Is it "LABEL HEX HEX"? No other line goes into a capture, whatever file the user names. */
static bool is_key(const char *line, size_t n)
{
	int end = -1;

	sscanf(line, "%*[A-Z0-9_]%*1[ ]%*[0-9a-fA-F]%*1[ ]%*[0-9a-fA-F]%n", &end);
	return end > 0 && (size_t)end + (line[end] == '\r') == n;
}

static bool is_comment(const char *line, size_t n)
{
	return n == 0 || line[0] == '#' || (n == 1 && line[0] == '\r');
}

static void note_others(struct keylog *k)
{
	if (!atomic_exchange(&k->has_others, true))
		complain("warning: %s has lines that are not TLS keys: they are left out", k->path);
}

static size_t whole_lines(const char *text, size_t n)
{
	const char *end = memrchr(text, '\n', n);

	return end ? (size_t)(end + 1 - text) : 0;
}

/* Move the lines that are keys to the front of n bytes. Returns their length. */
static size_t keep_keys(struct keylog *k, char *text, size_t n)
{
	size_t kept = 0, length;

	for (size_t at = 0; at < n; at += length + 1) {
		char *end = memchr(text + at, '\n', n - at);

		length = end ? (size_t)(end - text) - at : n - at;
		if (end)
			*end = 0;
		if (end && is_key(text + at, length)) {
			memmove(text + kept, text + at, length + 1);
			kept += length + 1;
			text[kept - 1] = '\n';
		} else if (!end || !is_comment(text + at, length)) {
			note_others(k);
		}
	}
	return kept;
}

/* Start over if somebody has emptied or rewritten the file, which may be longer now than before. */
static void look_whether_it_is_new(struct keylog *k, struct keylog_place *p)
{
	char now[sizeof(p->before)];

	if (!p->known ||
	    (pread(k->fd, now, p->known, (off_t)(p->at - p->known)) == (ssize_t)p->known &&
	     memcmp(now, p->before, p->known) == 0))
		return;
	*p = (struct keylog_place){0};
	if (!atomic_exchange(&k->is_new, true))
		complain("warning: %s was emptied: it is read from its beginning again", k->path);
}

static void go_on(struct keylog_place *p, const char *read, size_t n)
{
	if (!n)
		return;
	p->at += n;
	p->known = n < sizeof(p->before) ? n : sizeof(p->before);
	memcpy(p->before, read + n - p->known, p->known);
}

size_t keylog_read(struct keylog *k, struct keylog_place *p, char to[KEYLOG_READ_MAX])
{
	size_t used, kept = 0;
	ssize_t n;

	look_whether_it_is_new(k, p);
	do {
		n = pread(k->fd, to, KEYLOG_READ_MAX, (off_t)p->at);
		if (n <= 0)
			break;
		used = whole_lines(to, (size_t)n);
		if (!used && n == KEYLOG_READ_MAX) /* no key is this long: skip it */
			used = (size_t)n;
		go_on(p, to, used);
		kept = keep_keys(k, to, used);
	} while (!kept && used);
	if (kept)
		atomic_store(&k->has_keys, true);
	return kept;
}
