/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "xdpdump/feed/feeds.h"
#include "xdpdump/os/complain.h"
#include "labels.h"
#include "reader.h"
#include "reader_blocks.h"
#include "reader_heed.h"
#include "supervisor.h"
#include "xdpdump/files/keylog.h"
#include "reader_file.h"
#include "util/shared.h"
#include "xdpdump/files/sink.h"
#include "xdpdump/files/trial.h"

#define TAKE_MAX   8 /* pieces that are copied at a time */
#define FOR_OTHERS "the packets for others"

bool reader_is_left(int e)
{
	return e == -EPIPE || e == -ECONNRESET;
}

static void explain_write(const char *name, int e)
{
	if (e == -EINTR)
		complain("%s: given up at the second signal", name);
	else if (e == -ETIMEDOUT)
		complain("%s: given up, because nobody reads it", name);
	else if (e == -EBADMSG)
		complain("ring corrupted: something in this process has written into the memory that packets are in, so %s ends here; check the machine's memory, and report it",
			 name);
	else
		complain("%s: %s", name, strerror(-e));
}

int reader_explain_write(struct reader *r, int e)
{
	if (!e || reader_is_left(e) || e == LABELS_FAILED || e == r->told)
		return e;
	r->told = e;
	explain_write(r->output->name, e);
	return e;
}

/* End the present file, and pass it to the threads that rename it. */
int reader_end_file(struct reader *r, uint64_t now)
{
	struct afxdp_stats each[SOURCES_MAX], sum;
	struct output_end end = {.stats = each, .start_time = r->begin_time, .end_time = now};
	struct sink s;
	int e, closed = 0;

	sources_stats(r->sources, each, &sum);
	for (unsigned i = 0; i < r->sources->count; i++) {
		struct afxdp_stats so_far = each[i];

		stats_subtract(&each[i], &r->before[i]);
		r->before[i] = so_far;
	}
	e = r->output->ops->end(r->output, &end, &s);
	reader_forget_blocks(r);
	if (r->files)
		files_end(r->files, &s, r->output->packets - r->begin_packets);
	else
		closed = sink_close(&s);
	return e ? e : closed;
}

int reader_end_source(struct reader *r, unsigned which)
{
	struct afxdp_stats each[SOURCES_MAX] = {0};
	struct output_end end = {.stats = each,
				 .start_time = r->begin_time,
				 .end_time = clock_wall()};

	if (r->closed || !r->output->ops->end_source)
		return 0;
	source_stats(&r->sources->source[which], &each[which]);
	stats_subtract(&each[which], &r->before[which]);
	return reader_explain_write(r, r->output->ops->end_source(r->output, which, &end));
}

void reader_note_beginning(struct reader *r, uint64_t time)
{
	r->begin_time = time;
	r->begin_packets = r->output->packets;
	r->begin_bytes = r->output->bytes;
	rotation_begin(&r->rotation, &r->options->files.each, time);
}

void reader_tell_disk_limit(void)
{
	complain("ending because --disk-limit is reached and there is no older file to remove");
}

/* bytes: the size of the present file, or the size that it will have. */
void reader_watch_disk(struct reader *r, uint64_t bytes)
{
	bool limited = r->options->files.disk_bytes || r->options->files.disk_percent;
	int e = 0;

	if (!limited)
		return;
	do
		e = files_fit_disk(r->files, bytes);
	while (e == -EBUSY && reader_wait_for_room(r));
	if (e == -ENOSPC)
		reader_tell_disk_limit();
	r->done |= e != 0;
}

static void explain_open(const char *path, int e)
{
	if (e == -EBUSY)
		complain("%s: another xdpdump has this file", path);
	else if (e == -ELOOP)
		complain("%s: a symbolic link is in the way: remove it", path);
	else if (e == -EKEYREJECTED)
		complain("%s: it belongs to another user, who could read the TLS keys in it: remove it",
			 path);
	else if (e == -EINTR)
		complain("%s: a signal ended the capture before anybody read it", path);
	else
		complain("%s: %s", path, shared_why(path, e));
}

/* -EBUSY: try again later. Other errors were told. */
static int open_next(struct reader *r, uint64_t time, uint64_t bytes, struct sink *s)
{
	const char *path;
	int e = files_begin(r->files, time, bytes, &path);

	if (e)
		return e;
	e = r->options->trial
		    ? file_try(s, path, r->options->files.rotates)
		    : sink_open(s, path, r->options->files.rotates,
				r->options->tls_keylog ? &r->supervisor->keylog.limit : NULL);
	s->patience = r->patience;
	if (!e && r->options->trial && (e = files_fit_disk(r->files, 0)) != 0) {
		sink_close(s);
		reader_tell_disk_limit();
		return e;
	}
	if (!e)
		return 0;
	explain_open(path, e);
	files_drop(r->files, false);
	return e == -EBUSY ? -EEXIST : e;
}

/* Wait while there is no room for another file. The present one has ended, so that its command can
 * begin. */
static int wait_and_open(struct reader *r, uint64_t time, struct sink *next)
{
	int e;

	do {
		if (!reader_wait_for_room(r)) {
			r->done = true;
			return 0;
		}
		e = open_next(r, time, 0, next);
	} while (e == -EBUSY);
	return e;
}

static int end_before(struct reader *r, uint64_t time)
{
	int e = reader_end_file(r, time);

	r->closed = true;
	return reader_explain_write(r, e);
}

/* Open the next file before the present one is given up, so that nothing is lost in between. */
static int change_file(struct reader *r, uint64_t time, struct sink *next)
{
	int e = open_next(r, time, reader_present_bytes(r), next);
	bool opened = !e;

	if (e && e != -EBUSY)
		return e;
	e = end_before(r, time);
	if (!e && !opened)
		return wait_and_open(r, time, next);
	if (e && opened) {
		sink_close(next);
		files_drop(r->files, !r->options->trial);
	}
	return e;
}

int reader_rotate(struct reader *r, uint64_t time)
{
	struct files_stats s;
	struct sink next;
	int e;

	files_stats(r->files, &s);
	if (r->options->stop.files && s.begun >= r->options->stop.files) {
		r->done = true;
		return 0;
	}
	e = change_file(r, time, &next);
	if (e || r->done)
		return e;
	r->closed = false;
	e = reader_explain_write(r, r->output->ops->begin(r->output, &next, files_name(r->files)));
	reader_note_beginning(r, time);
	reader_watch_disk(r, files_with_index(&r->options->files, r->options->files.each.bytes,
					      r->options->files.each.bytes));
	return e;
}

/* The time of the file is over. The next one begins where this one was to end, or now if a whole
 * file would have ended since. */
int reader_rotate_by_time(struct reader *r, uint64_t now)
{
	struct rotation next;

	rotation_begin(&next, &r->options->files.each, r->rotation.end);
	return reader_rotate(r, next.end > now ? r->rotation.end : now);
}

/* Write to the program of --decode. Its failures are not reported as the file's. */
static int decode_take(void *arg, const struct iovec *iov, int n)
{
	struct reader *r = arg;
	struct iovec consumed[TAKE_MAX];
	int e = 0;

	for (int i = 0; i < n && !e; i += TAKE_MAX) {
		int some = n - i < TAKE_MAX ? n - i : TAKE_MAX;

		memcpy(consumed, iov + i, (size_t)some * sizeof(*iov));
		e = sink_write(&r->decoded, consumed, some);
	}
	if (e && !reader_is_left(e) && e != r->told)
		explain_write(r->supervisor->decode.name, e);
	if (e)
		r->told = e;
	return e;
}

/* decode_end() closes the pipe when it ends the program. */
static int open_decode_beside(struct reader *r, const struct output_context *c)
{
	int e = sink_open_pipe(&r->decoded, r->supervisor->decode.pipe);

	r->decoded.patience = r->patience;
	r->sources->pipe = r->supervisor->decode.pipe;
	if (e)
		return e;
	return output_beside_open(&r->output, &(struct sink_taker){.take = decode_take, .arg = r},
				  c);
}

/* Put around an output: the feeds from number first on, TLS keys, and lines of text. */
static int open_around(struct reader *r, const struct output_context *c, unsigned first)
{
	struct feed *feed[FEEDS_MAX + 1] = {NULL};
	int e = 0;

	if (r->feeds)
		feeds_list(r->feeds, feed);
	for (unsigned i = first; feed[i] && !e; i++) {
		const struct sink_taker taker = feed_taker(feed[i]);

		e = output_beside_open(&r->output, &taker, c);
	}
	if (!e && r->options->files.write && r->supervisor->decode.child)
		e = open_decode_beside(r, c);
	if (!e && r->options->tls_keylog)
		e = output_secrets_open(&r->output, &r->supervisor->keylog);
	if (!e && r->options->print && !r->options->decode)
		e = output_beside_open(&r->output, NULL, c);
	return e;
}

static int open_output(struct reader *r, struct sink *s, const char *name,
		       const struct output_context *c)
{
	int e = r->options->use_pcap ? output_pcap_open(&r->output, s, name, c)
				     : output_file_open(&r->output, s, name, c);

	return e ? e : open_around(r, c, 0);
}

/* Watch for the reader of the pipe that packets go to, or that lines of --print go to, if the
 * target stays the same for the whole capture. */
static void watch_pipe(struct reader *r, int fd)
{
	bool printed = r->options->print && !r->options->decode && sink_is_pipe(STDOUT_FILENO);

	if (printed)
		r->sources->pipe = STDOUT_FILENO;
	else if (!r->options->files.rotates && r->alone && sink_is_pipe(fd))
		r->sources->pipe = fd;
}

static int take_nothing(void *arg, const struct iovec *iov, int n)
{
	(void)arg;
	(void)iov;
	(void)n;
	return 0;
}

/* There is no file, only feeds: the first feed takes the place of the file. In a trial there is no
 * feed. */
static int open_feeds(struct reader *r, const struct output_context *c)
{
	struct sink_taker taker = {.take = take_nothing};
	struct feed *feed[FEEDS_MAX + 1] = {NULL};
	int e;

	feeds_list(r->feeds, feed);
	if (feed[0])
		taker = feed_taker(feed[0]);
	e = output_taker_open(&r->output, taker, FOR_OTHERS, c);
	return e ? e : open_around(r, c, feed[0] ? 1 : 0);
}

/* Open *s, unless the output is text. Errors of files were told: then *name is NULL. */
static int open_target(struct reader *r, uint64_t now, struct sink *s, const char **name)
{
	const char *write = r->options->files.write;
	struct decode *d = &r->supervisor->decode;
	int e;

	*name = "standard output";
	*s = (struct sink){.fd = STDOUT_FILENO};
	if (write && strcmp(write, "-") != 0) {
		e = files_open(&r->files, &r->options->files);
		if (!e)
			e = open_next(r, now, 0, s);
		*name = e ? NULL : files_name(r->files);
	} else if (!write && d->child) {
		e = sink_open_pipe(s, d->pipe);
		d->pipe = -1;
		*name = d->name;
	} else {
		e = write ? sink_open_stdout(s) : 0;
	}
	s->patience = r->patience;
	if (!e)
		watch_pipe(r, s->fd);
	return e;
}

static int open_on_target(struct reader *r, struct sink *s, const char *name,
			  const struct output_context *c)
{
	if (r->options->files.write || r->supervisor->decode.child)
		return open_output(r, s, name, c);
	return c->drops_summary ? output_summary_open(&r->output, c)
				: output_text_open(&r->output, c);
}

int reader_open_output(struct reader *r, const struct output_context *c, uint64_t now)
{
	bool fed = !r->options->files.write && !r->supervisor->decode.child && r->feeds;
	const char *name = FOR_OTHERS;
	struct sink s;
	int e = fed ? open_feeds(r, c) : open_target(r, now, &s, &name);
	bool opened = !e;

	if (opened && !fed)
		e = open_on_target(r, &s, name, c);
	if (e && name && !reader_is_left(e))
		explain_write(name, e);
	if (e && opened && r->files)
		files_drop(r->files, !r->options->trial);
	return e;
}
