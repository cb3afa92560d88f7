/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kafka/put/claim.h"
#include "util/command/say.h"

#define RECORD ".pcapng-kafka-topic"
#define FRESH  RECORD ".new"
#define ROOM   512

/* The file has two lines. */
struct claim {
	char topic[ROOM], cluster[ROOM]; /* "": not known */
};

static void take_line(char to[ROOM], char **text)
{
	const char *line = strsep(text, "\n");

	snprintf(to, ROOM, "%s", line ? line : "");
}

/* If there is no claim or it cannot be read, as in a spool of an older release, anybody may send
 * the sections. */
static void read_claim(const struct spool *s, struct claim *c)
{
	int fd = openat(s->folder, RECORD, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char text[2 * ROOM] = "", *rest = text;

	if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
		*text = 0;
	if (fd >= 0)
		close(fd);
	take_line(c->topic, &rest);
	take_line(c->cluster, &rest);
}

static int write_fresh(int fd, const struct claim *c)
{
	char text[2 * ROOM + 2];
	int n = snprintf(text, sizeof(text), "%s\n%s\n", c->topic, c->cluster);

	return spool_write(fd, (const uint8_t *)text, (size_t)n, 0);
}

/* Call this before the first section is spooled. */
static int write_claim(const struct spool *s, const struct claim *c)
{
	int e, fd;

	unlinkat(s->folder, FRESH, 0);
	fd = openat(s->folder, FRESH, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	e = write_fresh(fd, c);
	close(fd);
	if (!e && renameat(s->folder, FRESH, s->folder, RECORD))
		e = -errno;
	if (e)
		unlinkat(s->folder, FRESH, 0);
	return e ? e : fsync(s->folder) ? -errno : 0;
}

static bool differ(const char *a, const char *b)
{
	return *a && *b && strcmp(a, b) != 0;
}

int claim_spool(struct spool *s, const char *topic, const char *cluster, bool anyway)
{
	struct claim was, now;
	bool is_same;
	int e;

	read_claim(s, &was);
	snprintf(now.topic, ROOM, "%s", topic);
	snprintf(now.cluster, ROOM, "%s", cluster ? cluster : "");
	is_same = !differ(was.topic, now.topic) && !differ(was.cluster, now.cluster);
	if (!is_same && !anyway && s->used) {
		complain("--spool %s: it has %" PRIu64
			 " packets for topic %s%s%s: send them there with pcapng-kafka put, "
			 "name another folder, or --spool-anyway sends them to this one",
			 s->name, s->earlier, was.topic, *was.cluster ? " of cluster " : "",
			 was.cluster);
		return -1;
	}
	if (is_same && !*now.cluster && s->used)
		memcpy(now.cluster, was.cluster, ROOM);
	s->is_unclaimed = !cluster && *now.cluster && !anyway;
	if (strcmp(was.topic, now.topic) == 0 && strcmp(was.cluster, now.cluster) == 0)
		return 0;
	e = write_claim(s, &now);
	if (e)
		complain("--spool %s: %s: for which topic it is cannot be written there", s->name,
			 strerror(-e));
	return 0;
}

void claim_release(const struct spool *s)
{
	if (s->folder >= 0 && !s->used)
		unlinkat(s->folder, RECORD, 0);
}
