/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flow_file.h"
#include "flow_text.h"
#include "text.h"

#define PIECE 16384u

int flow_file_check(const char *path, char *err, size_t size)
{
	struct stat st;
	int fd = set_file_open(path, &st, err, size);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static ssize_t read_at(int fd, char *to, size_t length, uint64_t at)
{
	ssize_t n;

	do
		n = pread(fd, to, length, (off_t)at);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* Does the file still have what was read from it? */
static bool goes_on(const struct flow_file *file, int fd, const struct stat *st)
{
	char tail[FLOW_TAIL];

	return file->device == st->st_dev && file->inode == st->st_ino &&
	       (uint64_t)st->st_size >= file->at &&
	       read_at(fd, tail, file->tail_length, file->at - file->tail_length) ==
		       (ssize_t)file->tail_length &&
	       memcmp(tail, file->tail, file->tail_length) == 0;
}

static void note_bad(struct flow_file *file)
{
	if (!file->bad++)
		file->bad_line = file->lines + 1;
	file->all_bad++;
}

static void note_full(struct flow_file *file)
{
	if (!file->full++)
		file->full_line = file->lines + 1;
	file->all_full++;
}

/* The rest of a line that was too long is not a line. */
static void take_line(struct flow_file *file, struct flows *to, const char *line, size_t length)
{
	struct flows_key k;
	int e = file->skips ? 0 : flow_line_parse(line, length, &k);

	if (e == -EINVAL)
		note_bad(file);
	if (e == 1 && flows_put(to, &k) == -ENOSPC)
		note_full(file);
	file->lines++;
	file->skips = 0;
}

/* Remember the last bytes that were processed. */
static void keep_tail(struct flow_file *file, const char *end, size_t length)
{
	file->tail_length = length < FLOW_TAIL ? (uint32_t)length : FLOW_TAIL;
	memcpy(file->tail, end - file->tail_length, file->tail_length);
}

/* Returns how many bytes were processed: whole lines, or the whole piece if it has no newline. */
static size_t take_lines(struct flow_file *file, struct flows *to, const char *text, size_t length)
{
	const char *at = text, *end = text + length, *stop;

	while (at < end && (stop = memchr(at, '\n', (size_t)(end - at)))) {
		take_line(file, to, at, (size_t)(stop - at));
		at = stop + 1;
	}
	if (at == text && length == PIECE) {
		if (!file->skips)
			note_bad(file);
		file->skips = 1;
		at = end;
	}
	if (at > text)
		keep_tail(file, at, (size_t)(at - text));
	file->at += (uint64_t)(at - text);
	return (size_t)(at - text);
}

/* Read up to the end as it was found: whoever appends may be as fast as we are. */
static int read_on(struct flow_file *file, struct flows *to, int fd, uint64_t end)
{
	char text[PIECE];
	ssize_t n = 0;

	while (file->at < end) {
		size_t most = end - file->at < PIECE ? (size_t)(end - file->at) : PIECE;

		n = read_at(fd, text, most, file->at);
		if (n <= 0 || !take_lines(file, to, text, (size_t)n))
			break;
	}
	return n < 0 ? (int)n : 0;
}

/* Read all into the half that is not in use. On failure the old half stays, and so does the
 * position in the file. */
static int read_anew(struct flow_file *file, struct flows *to, int fd, const struct stat *st)
{
	struct flow_file now = {.device = st->st_dev,
				.inode = st->st_ino,
				.all_bad = file->all_bad,
				.all_full = file->all_full};
	struct flows old = *to;
	int e;

	flows_begin(to);
	e = read_on(&now, to, fd, (uint64_t)st->st_size);
	if (e) {
		*to = old;
		return e;
	}
	flows_exchange(to);
	*file = now;
	return 0;
}

int flow_file_read(struct flow_file *file, struct flows *to, const char *path, bool anew, char *err,
		   size_t size)
{
	struct stat st;
	int fd = set_file_open(path, &st, err, size), e;

	if (fd < 0)
		return fd;
	if (anew || !goes_on(file, fd, &st))
		e = read_anew(file, to, fd, &st);
	else
		e = read_on(file, to, fd, (uint64_t)st.st_size);
	if (e)
		snprintf(err, size, "cannot read %s: %s", path, strerror(-e));
	close(fd);
	return e;
}

void flow_file_describe(struct flow_file *file, const char *path, char *text, size_t size)
{
	size_t used = 0;

	text[0] = 0;
	if (file->bad && !file->told_bad)
		used = (size_t)
			snprintf(text, size,
				 "%s, line %llu: this is no flow: give protocol, address, port, address and port, as in tcp 192.0.2.1 40000 198.51.100.1 443",
				 path, (unsigned long long)file->bad_line);
	if (file->full && !file->told_full && used < size)
		snprintf(text + used, size - used,
			 "%s%s, line %llu: there is no room for this flow, whose packets are captured: give a larger flows-max=, or begin the file anew",
			 used ? "; " : "", path, (unsigned long long)file->full_line);
	file->told_bad |= file->bad != 0;
	file->told_full |= file->full != 0;
}
