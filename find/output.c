/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "find/output.h"
#include "pcapng/convert.h"
#include "pcapng/write.h"
#include "util/command/say.h"
#include "util/shared.h"
#include "util/command/signals.h"

#define FLUSH_SIZE	(1u << 20)
#define INTERFACE_FIXED 8
#define LOOK_MS		50

int output_open(struct output *w, const char *write)
{
	*w = (struct output){.fd = STDOUT_FILENO, .name = "standard output"};
	if (write && strcmp(write, "-") != 0) {
		w->name = write;
		w->fd = shared_create(write, &w->mode);
	}
	if (w->fd < 0) {
		complain("%s: %s", w->name, shared_why(w->name, w->fd));
		return -1;
	}
	if (isatty(w->fd)) {
		complain("standard output is a terminal: -w FILE, or | tcpdump -r -");
		return -1;
	}
	return 0;
}

bool output_is(const struct output *w, dev_t device, ino_t inode)
{
	struct stat s;

	return fstat(w->fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_dev == device &&
	       s.st_ino == inode;
}

int output_keep_private(struct output *w, int from)
{
	struct stat out, in;
	mode_t most;

	if (w->fd == STDOUT_FILENO || fstat(from, &in) || fstat(w->fd, &out) ||
	    !S_ISREG(in.st_mode))
		return 0;
	if (S_ISREG(out.st_mode) && out.st_uid != geteuid() && out.st_uid != in.st_uid &&
	    !(in.st_mode & 0004))
		return -EPERM; /* the owner of the output could always read it */
	most = 0600 | (in.st_mode & 0066);
	if (out.st_gid != in.st_gid) /* to the input, that group are others */
		most &= 0606 | (in.st_mode & 0006) << 3;
	w->mode &= most;
	return shared_narrow(w->fd, most);
}

static bool has_room(const struct output *w)
{
	struct pollfd room = {.fd = w->fd, .events = POLLOUT};

	return poll(&room, 1, LOOK_MS) > 0;
}

/* The reader may have stopped: after a signal only what is taken at once is written. */
static int write_all(struct output *w)
{
	for (size_t done = 0; done < w->data.used;) {
		size_t left = w->data.used - done;
		ssize_t n;

		if (signals_stop && !has_room(w))
			return -EINTR;
		n = write(w->fd, w->data.at + done,
			  signals_stop && left > PIPE_BUF ? PIPE_BUF : left);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			return -errno;
		else if (errno == EAGAIN) /* somebody has made the pipe non-blocking */
			has_room(w);
	}
	w->data.used = 0;
	return pages_written(&w->pages, w->fd);
}

/* After an error nothing is written again, because part of it may be in the file. */
static int flush(struct output *w)
{
	if (!w->error)
		w->error = write_all(w);
	return w->error;
}

/* Empties the file only now, when there is something to write. */
static int begin_section(struct output *w)
{
	const struct pcapng_section s = {.application = PACKAGE_VERSION_TEXT};
	uint8_t memory[256];
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	struct stat st;

	if (w->has_begun)
		return 0;
	w->has_begun = true;
	if (w->fd != STDOUT_FILENO && fstat(w->fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    ftruncate(w->fd, 0))
		return -errno;
	pcapng_put_section(&b, &s);
	return buffer_append(&w->data, memory, b.used);
}

static uint64_t hash_of(uint32_t type, const void *p, size_t n)
{
	struct hash h;

	hash_begin(&h);
	hash_add(&h, &type, sizeof(type));
	hash_add(&h, p, n);
	return hash_end(&h);
}

int output_block(struct output *w, const uint8_t *block, size_t length)
{
	int e = begin_section(w);

	if (!e)
		e = buffer_append(&w->data, block, length);
	return e || w->data.used < FLUSH_SIZE ? e : flush(w);
}

/* Writes the block `made`, unless it is there already. Returns its number among those of its kind,
 * of which there are *count, or -errno. */
static int put_once(struct output *w, uint32_t type, const struct buffer *made, uint32_t *count)
{
	uint64_t hash = hash_of(type, made->at, made->used);
	size_t known = table_find(&w->known, hash);
	int e;

	if (known != TABLE_NONE)
		return (int)known;
	if (*count == INT32_MAX)
		return -EOVERFLOW;
	e = output_block(w, made->at, made->used);
	if (!e)
		e = table_put(&w->known, hash, *count);
	return e ? e : (int)(*count)++;
}

static void note_link(struct output *w, uint16_t link)
{
	w->links_differ |= w->interfaces && w->link != link;
	w->link = link;
}

int output_interface(struct output *w, const struct pcapng_block *b, const char *comment)
{
	struct buffer made = {.at = NULL};
	int e = b->length < INTERFACE_FIXED ? -EBADMSG : convert_interface(&made, b, NULL, comment);

	if (!e) {
		note_link(w, pcapng_u16(b->body, b->swapped));
		e = put_once(w, BLOCK_INTERFACE, &made, &w->interfaces);
	}
	buffer_free(&made);
	return e;
}

int output_names(struct output *w, const struct pcapng_block *b)
{
	struct buffer made = {.at = NULL};
	uint32_t unused = 0;
	int e = convert_names(&made, b);

	if (!e)
		e = put_once(w, b->type, &made, &unused);
	buffer_free(&made);
	return e < 0 ? e : 0;
}

int output_process(struct output *w, const struct pcapng_block *b)
{
	struct buffer made = {.at = NULL};
	int e = convert_process(&made, b);

	if (!e)
		e = put_once(w, b->type, &made, &w->processes);
	buffer_free(&made);
	return e;
}

int output_close(struct output *w)
{
	int e = begin_section(w);

	if (!e)
		e = flush(w);
	if (w->mode)
		fchmod(w->fd,
		       w->mode); /* a file system may refuse this, and have its own access rules */
	if (e && e != -EPIPE)
		complain("%s: %s", w->name,
			 e == -EINTR
				 ? "the reader did not take the rest in time after a signal: it is left out"
				 : strerror(-e));
	if (w->fd > STDERR_FILENO && close(w->fd) && !e) {
		e = -errno;
		complain("%s: %s", w->name, strerror(-e));
	}
	table_free(&w->known);
	buffer_free(&w->data);
	return e && e != -EPIPE ? -1 : 0;
}
