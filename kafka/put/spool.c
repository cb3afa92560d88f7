/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kafka/put/spool.h"
#include "util/command/say.h"
#include "pcapng/packet.h"
#include "util/clock.h"
#include "util/shared.h"

#define NAME_FORMAT "pcapng-kafka-%020" PRIu64 ".pcapng"
#define NAME_ROOM   64
#define SECTION_MAX (1u << 20) /* larger than any section */
#define SIZE_MIN    1000000u
#define SHARES_MAX  4096
#define LOOK_MS	    100
#define PATIENCE_MS 10000 /* while another pcapng-kafka uses the folder */

struct spool_file {
	struct spool_file *next;
	uint64_t number;
	uint64_t size, sent; /* bytes of whole sections; bytes handed out */
	uint64_t rest;	     /* bytes after them that cannot be sent, and count as one section */
	uint64_t sections, done, packets;
	uint64_t first_order, last_order;
	bool is_earlier; /* of an earlier run */
	uint64_t since;	 /* when it was begun, or in an earlier run last written, monotonic */
};

static const char *file_name(const struct spool_file *f, char to[NAME_ROOM])
{
	snprintf(to, NAME_ROOM, NAME_FORMAT, f->number);
	return to;
}

static struct spool_file *append_file(struct spool *s, uint64_t number)
{
	struct spool_file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->number = number;
	if (s->last)
		s->last->next = f;
	else
		s->first = f;
	return s->last = f;
}

static void forget_file(struct spool *s, struct spool_file *f)
{
	struct spool_file **at = &s->first, *before = NULL;

	for (; *at != f; at = &(*at)->next)
		before = *at;
	*at = f->next;
	if (s->last == f)
		s->last = before;
	s->used -= f->size;
	s->kept -= f->packets;
	free(f);
}

static void remove_file(struct spool *s, struct spool_file *f)
{
	char name[NAME_ROOM];

	unlinkat(s->folder, file_name(f, name), 0);
	forget_file(s, f);
}

/* Length of the section that these bytes begin with; 0 if it is not whole. */
static size_t whole_section(const uint8_t *p, size_t n, struct label *l)
{
	struct pcapng_reader r = {.at = p, .end = p + n};
	const uint8_t *end = p;
	struct pcapng_block b;
	uint64_t packets = 0;

	if (!label_find(l, p, n))
		return 0;
	while (pcapng_next(&r, &b) && (b.type != BLOCK_SECTION || end == p)) {
		packets += pcapng_is_packet(b.type);
		end = r.at;
	}
	return packets == l->packets ? (size_t)(end - p) : 0;
}

static int read_file(const struct spool *s, const struct spool_file *f, struct buffer *to,
		     size_t most)
{
	char name[NAME_ROOM];
	int e, fd = openat(s->folder, file_name(f, name),
			   O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return -errno;
	e = buffer_reserve(to, most);
	n = e ? e : pread(fd, to->at, most, (off_t)f->sent);
	e = n < 0 && !e ? -errno : e;
	to->used = n > 0 ? (size_t)n : 0;
	close(fd);
	return e;
}

/* When the file was last written, on the monotonic clock; 1 if that was before the boot. */
static uint64_t written_at(const struct stat *st)
{
	uint64_t at = (uint64_t)st->st_mtim.tv_sec * NS_PER_SEC, now = clock_wall(),
		 age = now > at ? now - at : 0, up = clock_monotonic();

	return age < up ? up - age : 1;
}

/* Are these bytes what a run was writing when it was killed? That is at most one section. */
static bool is_torn(const uint8_t *p, size_t n)
{
	struct label l;

	if (n > SECTION_MAX || label_is_later(p, n))
		return false;
	for (size_t i = 4; i < n; i += 4)
		if (whole_section(p + i, n - i, &l))
			return false;
	return true;
}

/* Notes bytes after the file's whole sections. The file stays, as if they were a section that
 * nobody acknowledges. */
static void keep_rest(struct spool *s, struct spool_file *f, const uint8_t *p, size_t n)
{
	char name[NAME_ROOM];

	complain("--spool %s: %s stays: what follows byte %" PRIu64 " is %s", s->name,
		 file_name(f, name), f->size,
		 label_is_later(p, n)
			 ? "of a later version of pcapng-kafka: let that one send it"
			 : "damaged, and is not sent: move the file elsewhere, or it is told at each start");
	s->is_damaged = true;
	s->used += n;
	f->rest = n;
	f->sections++;
}

/* Takes over the whole sections of an earlier run's file. Returns 0, -errno, or 1 after a message
 * that it is not a regular file. */
static int take_over(struct spool *s, uint64_t number)
{
	struct spool_file *f = append_file(s, number);
	struct buffer all = {.at = NULL};
	struct label l;
	struct stat st;
	char name[NAME_ROOM];
	size_t n;
	int e;

	if (!f)
		return -ENOMEM;
	f->is_earlier = true;
	if (fstatat(s->folder, file_name(f, name), &st, AT_SYMLINK_NOFOLLOW))
		return -errno;
	if (!S_ISREG(st.st_mode)) {
		complain("--spool %s: %s is not a regular file", s->name, name);
		return 1;
	}
	f->since = written_at(&st);
	e = read_file(s, f, &all, (size_t)st.st_size);
	while (!e && (n = whole_section(all.at + f->size, all.used - f->size, &l))) {
		f->size += n;
		f->sections++;
		f->packets += l.packets;
		s->kept += l.packets;
		s->earlier += l.packets;
	}
	s->used += f->size;
	if (!e && !is_torn(all.at + f->size, all.used - f->size))
		keep_rest(s, f, all.at + f->size, all.used - f->size);
	buffer_free(&all);
	if (!e && !f->sections)
		remove_file(s, f);
	return e;
}

static bool parse_name(const char *name, uint64_t *number)
{
	struct spool_file found = {.number = 0};
	char same[NAME_ROOM];

	if (sscanf(name, "pcapng-kafka-%" SCNu64, &found.number) != 1)
		return false;
	*number = found.number;
	return strcmp(name, file_name(&found, same)) == 0;
}

static int is_ours(const struct dirent *d)
{
	uint64_t number;

	return parse_name(d->d_name, &number);
}

static int look_around(struct spool *s)
{
	struct dirent **list;
	int e = 0, n = scandirat(s->folder, ".", &list, is_ours, alphasort);

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		uint64_t number = 0;

		if (parse_name(list[i]->d_name, &number) && !e)
			e = take_over(s, number);
		s->first_number = number + 1;
		free(list[i]);
	}
	free(list);
	return e;
}

/* Reads /N: so many share the size. Returns false if it is something else. */
static bool parse_share(const char *text, unsigned *of)
{
	unsigned long n;
	char *end;

	if (text[0] != '/' || text[1] < '1' || text[1] > '9')
		return false;
	n = strtoul(text + 1, &end, 10);
	*of = (unsigned)n;
	return !*end && n <= SHARES_MAX;
}

static bool parse_size(const char *text, uint64_t *to, unsigned *of)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	*to = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit)
		end++;
	if (*end && !parse_share(end, of))
		return false;
	for (int times = unit ? (int)(unit - units) + 1 : 0; times; times--)
		if (__builtin_mul_overflow(*to, (uint64_t)1000, to))
			return false;
	return *to <= INT64_MAX;
}

/* *of: how many share the size; 0: nobody does. */
static bool parse(struct spool *s, const char *dir_size, const char *colon, unsigned *of)
{
	*of = 0;
	if (!colon || colon == dir_size || !parse_size(colon + 1, &s->most, of) ||
	    (!*of && s->most < SIZE_MIN)) {
		complain("--spool %s: it has to be DIR:SIZE, of 1M at least", dir_size);
		return false;
	}
	if (!*of)
		return true;
	s->most /= *of;
	if (s->most < SIZE_MIN)
		complain("--spool %s: %u streams share the size, and each needs 1M: give %uM or more",
			 dir_size, *of, *of);
	return s->most >= SIZE_MIN;
}

/* Waits for one whose capture was killed: it still sends or stores what it has, and sender.c gives
 * up after 5 s. */
static int lock(int spool, const char *folder)
{
	int e = flock(spool, LOCK_EX | LOCK_NB);

	if (e)
		note("--spool %s: waiting for at most %d s until another pcapng-kafka leaves this folder",
		     folder, PATIENCE_MS / 1000);
	for (int waited = 0; e && waited < PATIENCE_MS; waited += LOOK_MS) {
		clock_sleep(LOOK_MS);
		e = flock(spool, LOCK_EX | LOCK_NB);
	}
	return e;
}

static int open_spool(struct spool *s, const char *dir_size)
{
	const char *colon = strrchr(dir_size, ':');
	char folder[4096];
	unsigned of;
	int e;

	if (!parse(s, dir_size, colon, &of))
		return -1;
	if (colon - dir_size >= (ptrdiff_t)sizeof(folder)) {
		complain("--spool: %s", strerror(ENAMETOOLONG));
		return -1;
	}
	snprintf(folder, sizeof(folder), "%.*s", (int)(colon - dir_size), dir_size);
	s->name = dir_size;
	if (of && mkdir(folder, 0700) && errno != EEXIST) {
		complain("--spool %s: %s", folder, strerror(errno));
		return -1;
	}
	s->folder = shared_open_folder(folder);
	e = s->folder < 0 ? s->folder : faccessat(s->folder, ".", W_OK, 0) ? -errno : 0;
	if (e) {
		complain("--spool %s: %s", folder, shared_why(folder, e));
		return -1;
	}
	if (lock(s->folder, folder)) {
		complain("--spool %s: another pcapng-kafka uses this folder", folder);
		return -1;
	}
	e = look_around(s);
	if (e < 0)
		complain("--spool %s: %s", folder, strerror(-e));
	else if (!e && s->earlier)
		note("%s has %" PRIu64 " packets of an earlier run, which are sent first", folder,
		     s->earlier);
	return e ? -1 : 0;
}

int spool_open(struct spool *s, const char *dir_size)
{
	int e = open_spool(s, dir_size);

	/* Somebody else has the folder, or part of it could not be read: we must remove nothing
	 * there. */
	if (e)
		spool_close(s);
	return e;
}

bool spool_has_unsent(const struct spool *s)
{
	for (const struct spool_file *f = s->first; f; f = f->next)
		if (f->sent < f->size)
			return true;
	return false;
}

static void end_file(struct spool *s)
{
	if (s->written >= 0)
		close(s->written);
	s->written = -1;
	s->writing = NULL;
}

/* Is the section older than that file? What the queue gives back at the end is older than what came
 * into the spool meanwhile. */
static bool is_older(const struct spool_file *than, uint64_t order)
{
	return than && !than->is_earlier && order < than->first_order;
}

/* May the section go into that file? Only the next one may: sections in between may be in the
 * queue, which gives them back at the end, and then they need a place. */
static bool belongs(const struct spool_file *f, uint64_t order)
{
	return f->size < SPOOL_FILE_SIZE && order == f->last_order + 1;
}

/*
 * Inserts a new file before those that are younger than the section. The file gets the section's
 * unique number, and the next run sorts by it.
 */
static struct spool_file *insert_file(struct spool *s, uint64_t order)
{
	struct spool_file **at = &s->first, *f;

	while (*at && !is_older(*at, order))
		at = &(*at)->next;
	if (!*at)
		return append_file(s, s->first_number + order);
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->number = s->first_number + order;
	f->next = *at;
	return *at = f;
}

/* Makes sure that there is a file to write to, with its name synchronised to disk. */
static int begin_file(struct spool *s, uint64_t order)
{
	struct spool_file *f;
	char name[NAME_ROOM];
	int e;

	if (s->writing && belongs(s->writing, order))
		return 0;
	end_file(s);
	f = insert_file(s, order);
	if (!f)
		return -ENOMEM;
	f->first_order = order;
	f->since = clock_monotonic();
	s->written = openat(s->folder, file_name(f, name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    0600);
	if (s->written < 0) {
		e = -errno;
		forget_file(s, f); /* a file of that name is not ours to remove */
		return e;
	}
	s->writing = f;
	e = fsync(s->folder) ? -errno : 0;
	if (e) {
		end_file(s);
		remove_file(s, f);
	}
	return e;
}

int spool_write(int fd, const uint8_t *p, size_t n, off_t at)
{
	while (n) {
		ssize_t done = pwrite(fd, p, n, at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? -errno : -ENOSPC;
		p += done;
		n -= (size_t)done;
		at += done;
	}
	return fdatasync(fd) ? -errno : 0;
}

static int write_section(struct spool *s, const uint8_t *p, size_t n)
{
	return spool_write(s->written, p, n, (off_t)s->writing->size);
}

/* Removes what was written of a section, so that it can be added again. */
static void undo(struct spool *s)
{
	struct spool_file *f = s->writing;

	if (!f->size || ftruncate(s->written, (off_t)f->size))
		end_file(s);
	if (!f->size)
		remove_file(s, f);
}

static int refuse(struct spool *s, int e, const char *why)
{
	if (!s->complained)
		complain("--spool %s: %s: what does not fit into the queue is lost until the brokers are back",
			 s->name, why);
	s->complained = true;
	return e;
}

int spool_add(struct spool *s, const uint8_t *section, size_t length, uint64_t packets,
	      uint64_t order)
{
	int e;

	if (!spool_has_room(s, length))
		return refuse(s, -ENOSPC, "it is full");
	e = begin_file(s, order);
	if (e)
		return refuse(s, e, strerror(-e));
	e = write_section(s, section, length);
	if (e) {
		undo(s);
		return refuse(s, e, strerror(-e));
	}
	s->complained = false;
	s->writing->last_order = order;
	s->writing->size += length;
	s->writing->sections++;
	s->writing->packets += packets;
	s->kept += packets;
	s->used += length;
	s->packets += packets;
	return 0;
}

bool spool_has_room(const struct spool *s, size_t length)
{
	return s->used + length <= s->most;
}

struct spool_file *spool_taken(struct spool *s, size_t length)
{
	s->writing->sent += length;
	return s->writing;
}

/* This run cannot send the rest of the file, which stays. */
static void give_up(struct spool *s, struct spool_file *f, int e)
{
	char name[NAME_ROOM];

	complain("--spool %s: %s: %s: what follows in it is not sent", s->name, file_name(f, name),
		 e ? strerror(-e) : "somebody has changed it");
	s->is_damaged = true;
	f->sent = f->size;
}

struct spool_file *spool_next(struct spool *s, struct buffer *section, struct label *l)
{
	struct spool_file *f = s->first;
	uint64_t left;
	int e;

	while (f && f->sent == f->size)
		f = f->next;
	if (!f)
		return NULL;
	left = f->size - f->sent;
	e = read_file(s, f, section, left < SECTION_MAX ? (size_t)left : SECTION_MAX);
	section->used = e ? 0 : whole_section(section->at, section->used, l);
	if (!section->used) {
		give_up(s, f, e);
		return NULL;
	}
	buffer_shrink(section); /* librdkafka keeps it for long: until it is acknowledged */
	f->sent += section->used;
	return f;
}

uint64_t spool_since(const struct spool *s)
{
	for (const struct spool_file *f = s->first; f; f = f->next)
		if (f->size)
			return f->since;
	return 0;
}

bool spool_is_earlier(const struct spool_file *f)
{
	return f->is_earlier;
}

void spool_back(struct spool_file *f, size_t length)
{
	f->sent -= length;
}

static int write_file(const struct spool *s, const char *name, const struct buffer *all)
{
	int fd = openat(s->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int e = fd < 0 ? -errno : spool_write(fd, all->at, all->used, 0);

	if (fd >= 0)
		close(fd);
	return e;
}

/*
 * All of the file that could be sent is acknowledged: only the rest stays, so that the next run
 * does not send the other sections again. If the disk refuses that, it does, and get drops the
 * duplicates.
 */
static void leave_rest(struct spool *s, struct spool_file *f)
{
	char name[NAME_ROOM], part[NAME_ROOM + sizeof(".part")];
	struct buffer rest = {.at = NULL};
	int e = read_file(s, f, &rest, (size_t)f->rest);

	snprintf(part, sizeof(part), "%s.part", file_name(f, name));
	unlinkat(s->folder, part, 0); /* left by a run that was killed */
	if (!e)
		e = rest.used < f->rest ? -EBADMSG : write_file(s, part, &rest);
	if (!e && renameat(s->folder, part, s->folder, name))
		e = -errno;
	if (e)
		unlinkat(s->folder, part, 0);
	buffer_free(&rest);
	if (e)
		return;
	s->used -= f->size;
	s->kept -= f->packets;
	f->size = f->sent = f->packets = f->done = 0;
	f->sections = 1;
}

void spool_done(struct spool *s, struct spool_file *f, uint64_t packets)
{
	if (f->is_earlier)
		s->earlier -= packets;
	else
		s->packets -= packets;
	f->done++;
	if (f->rest && f->done + 1 == f->sections)
		leave_rest(s, f);
	if (f->done < f->sections)
		return;
	if (f == s->writing)
		end_file(s);
	remove_file(s, f);
}

void spool_close(struct spool *s)
{
	end_file(s);
	while (s->first) {
		struct spool_file *f = s->first;

		s->first = f->next;
		free(f);
	}
	s->last = NULL;
	if (s->folder >= 0)
		close(s->folder);
	s->folder = -1;
}
