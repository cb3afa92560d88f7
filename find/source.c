/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "find/pages.h"
#include "find/source.h"
#include "find/unpack.h"
#include "util/clock.h"
#include "util/command/signals.h"

#define IN_SIZE	    (1u << 18)
#define FRAMES_MOST (1u << 20) /* in bytes: a file may consist of tiny frames */

static uint64_t limit, begun, taken;

void source_limit(uint64_t bytes_a_second)
{
	limit = bytes_a_second;
	begun = clock_monotonic();
	taken = 0;
}

/* Sleeps until n more bytes are due. A signal ends the sleep early, which does no harm. */
static void wait_for_turn(size_t n)
{
	uint64_t due, now;

	if (!limit)
		return;
	taken += n;
	due = begun + (uint64_t)((double)taken / (double)limit * (double)NS_PER_SEC);
	now = clock_monotonic();
	if (due > now) {
		struct timespec t = {.tv_sec = (time_t)((due - now) / (uint64_t)NS_PER_SEC),
				     .tv_nsec = (long)((due - now) % (uint64_t)NS_PER_SEC)};

		nanosleep(&t, NULL);
	}
}

struct frame {
	uint64_t start, made;
};

static void give_back(const struct source *s, size_t n)
{
	if (s->is_once && s->read / PAGES_STEP != (s->read - n) / PAGES_STEP)
		pages_read(s->fd);
}

static ssize_t read_file(struct source *s, void *to, size_t n)
{
	ssize_t got;

	do
		got = read(s->fd, to, n);
	while (got < 0 && errno == EINTR && !signals_stop);
	if (got < 0)
		return -errno;
	s->read += (size_t)got;
	give_back(s, (size_t)got);
	wait_for_turn((size_t)got);
	return got;
}

const char *source_name(enum source_form form)
{
	static const char *const names[SOURCE_FORMS] = {"plain", "gzip", "zstd", "LZ4"};

	return names[form];
}

static enum source_form form_of(const uint8_t *p, size_t n)
{
	static const struct {
		uint8_t magic[4], length;
		enum source_form form;
	} forms[] = {{{0x1f, 0x8b}, 2, SOURCE_GZIP},
		     {{0x28, 0xb5, 0x2f, 0xfd}, 4, SOURCE_ZSTD},
		     {{0x04, 0x22, 0x4d, 0x18}, 4, SOURCE_LZ4}};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (n >= forms[i].length && memcmp(p, forms[i].magic, forms[i].length) == 0)
			return forms[i].form;
	/* A zstd file may begin with a skippable frame. */
	if (n >= 4 && (p[0] & 0xf0) == 0x50 && memcmp(p + 1, "\x2a\x4d\x18", 3) == 0)
		return SOURCE_ZSTD;
	return SOURCE_PLAIN;
}

int source_open(struct source *s, int fd)
{
	ssize_t got;
	int e;

	*s = (struct source){.fd = fd, .is_between = true};
	s->in = malloc(IN_SIZE);
	if (!s->in)
		return -ENOMEM;
	do { /* a pipe may return less than asked for */
		got = read_file(s, s->in + s->end, IN_SIZE - s->end);
		s->end += got > 0 ? (size_t)got : 0;
	} while (got > 0 && s->end < 4);
	if (got < 0)
		return (int)got;
	s->head_size = s->end < SOURCE_HEAD ? s->end : SOURCE_HEAD;
	memcpy(s->head, s->in, s->head_size);
	s->form = form_of(s->in, s->end);
	e = unpack_open(s);
	return e;
}

static ssize_t read_plain(struct source *s, void *to, size_t n)
{
	size_t left = s->end - s->at;

	if (left == 0)
		return read_file(s, to, n);
	n = n < left ? n : left;
	memcpy(to, s->in + s->at, n);
	s->at += n;
	return (ssize_t)n;
}

/* Forgets the older half of the frames: places in those are found from the beginning of the
 * file. */
static void forget_frames(struct source *s)
{
	size_t half = s->frames.used / sizeof(struct frame) / 2;

	buffer_drop(&s->frames, half * sizeof(struct frame));
	s->frame = s->frame > half ? s->frame - half : 0;
}

/* Notes that a frame begins here, which can be read without what is before it. */
static int note_frame(struct source *s)
{
	struct frame f = {lseek(s->fd, 0, SEEK_CUR) - (off_t)(s->end - s->at), s->made};

	if (!s->is_between || s->at == s->end)
		return 0;
	if (s->frames.used >= FRAMES_MOST)
		forget_frames(s);
	return buffer_append(&s->frames, &f, sizeof(f));
}

static ssize_t read_packed(struct source *s, void *to, size_t n)
{
	for (;;) {
		ssize_t got = note_frame(s);

		if (!got)
			got = unpack(s, to, n);
		if (got || s->at < s->end)
			return got;
		s->at = s->end = 0;
		got = read_file(s, s->in, IN_SIZE);
		if (got <= 0) {
			s->is_cut = got == 0 && !s->is_between;
			return got;
		}
		s->end = (size_t)got;
	}
}

ssize_t source_read(struct source *s, void *to, size_t n)
{
	ssize_t got = s->form == SOURCE_PLAIN ? read_plain(s, to, n) : read_packed(s, to, n);

	s->made += got > 0 ? (size_t)got : 0;
	return got;
}

void source_place(struct source *s, uint64_t made, uint64_t *start, uint64_t *skip)
{
	const struct frame *f = (const struct frame *)s->frames.at;
	size_t count = s->frames.used / sizeof(*f);

	*start = made;
	*skip = 0;
	if (s->form == SOURCE_PLAIN || !count)
		return;
	while (s->frame + 1 < count && f[s->frame + 1].made <= made)
		s->frame++;
	if (f[s->frame].made > made) {
		*start = 0;
		*skip = made;
		return;
	}
	*start = f[s->frame].start;
	*skip = made - f[s->frame].made;
}

/* How many bytes of the frame that begins there have been read; UINT64_MAX: we are in another
 * frame. */
static uint64_t made_of(const struct source *s, uint64_t start)
{
	size_t count = s->frames.used / sizeof(struct frame);
	const struct frame *all = (const struct frame *)s->frames.at;

	return count && all[count - 1].start == start ? s->made - all[count - 1].made : UINT64_MAX;
}

static int begin_at(struct source *s, uint64_t start)
{
	if (lseek(s->fd, (off_t)start, SEEK_SET) < 0)
		return -errno;
	s->at = s->end = s->frames.used = s->frame = 0;
	s->is_between = true;
	unpack_close(s);
	return unpack_open(s);
}

int source_seek(struct source *s, uint64_t start, uint64_t skip)
{
	uint64_t made = made_of(s, start);
	uint8_t unused[4096];
	ssize_t got = 1;
	int e = 0;

	if (made <= skip)
		skip -= made;
	else
		e = begin_at(s, start);
	while (!e && skip && got > 0) {
		got = source_read(s, unused, skip < sizeof(unused) ? (size_t)skip : sizeof(unused));
		skip -= got > 0 ? (size_t)got : 0;
		e = signals_stop ? -EINTR : got < 0 ? (int)got : 0;
	}
	return e;
}

/* For a pipe this is false, because nothing can be read again. */
bool source_is_another(const struct source *s)
{
	uint8_t head[SOURCE_HEAD];
	ssize_t n = pread(s->fd, head, s->head_size, 0);

	return n >= 0 && ((size_t)n < s->head_size || memcmp(head, s->head, s->head_size) != 0);
}

void source_close(struct source *s)
{
	unpack_close(s);
	buffer_free(&s->frames);
	free(s->in);
	if (s->is_once) /* the rest: the last part, and what was read ahead */
		posix_fadvise(s->fd, 0, 0, POSIX_FADV_DONTNEED);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct source){.fd = -1};
}
