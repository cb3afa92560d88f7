/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "xdpdump/os/complain.h"
#include "xdpdump/session/reader.h"
#include "reader_file.h"
#include "sink.h"

bool reader_is_left(const struct reader *r, int e)
{
	return r->options->extcap && e == -EPIPE;
}

/* Once: what is written last may fail again in the same way. */
void reader_explain_write(struct reader *r, int e)
{
	if (reader_is_left(r, e) || e == r->told)
		return;
	r->told = e;
	if (e == -EINTR)
		complain("%s: given up at the second signal", r->output->name);
	else
		complain("%s: %s", r->output->name, strerror(-e));
}

/* The present file gets its last words and goes to those who bring it to its name. */
int reader_end_file(struct reader *r, uint64_t now)
{
	struct afxdp_stats each[SOURCES_MAX], sum;
	struct output_end end = {.stats = each, .start_time = r->begin_time, .end_time = now};
	struct sink s;
	int e, closed = 0;

	sources_stats(&r->sources, each, &sum);
	for (unsigned i = 0; i < r->sources.count; i++) {
		struct afxdp_stats so_far = each[i];

		stats_subtract(&each[i], &r->before[i]);
		r->before[i] = so_far;
	}
	e = r->output->ops->end(r->output, &end, &s);
	if (r->files)
		files_end(r->files, &s, r->output->packets - r->begin_packets);
	else
		closed = sink_close(&s);
	return e ? e : closed;
}

void reader_note_beginning(struct reader *r, uint64_t time)
{
	r->begin_time = time;
	r->begin_packets = r->output->packets;
	r->begin_bytes = r->output->bytes;
	rotation_begin(&r->rotation, &r->options->file, time);
}

void reader_tell_disk_limit(void)
{
	complain("ending, as --disk-limit is reached and there is no older file to remove");
}

/* bytes: of the present file, as long as it is or is to become. */
void reader_watch_disk(struct reader *r, uint64_t bytes)
{
	bool limited = r->options->disk_bytes || r->options->disk_percent;

	if (!limited || files_fit_disk(r->files, bytes))
		return;
	reader_tell_disk_limit();
	r->done = true;
}

static int open_next(struct reader *r, uint64_t time, struct sink *s)
{
	const char *path;
	int e = files_begin(r->files, time, &path);

	if (e)
		return e;
	e = r->options->trial ? sink_try(s, path) : sink_open(s, path);
	if (!e)
		return 0;
	complain("%s: %s", path, strerror(-e));
	files_drop(r->files);
	return e;
}

/* The file that begins is there before the other is given up: nothing is lost in between. */
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
	e = open_next(r, time, &next);
	if (e)
		return e;
	e = reader_end_file(r, time);
	if (e) {
		reader_explain_write(r, e);
		sink_close(&next);
		files_drop(r->files);
		r->closed = true;
		return e;
	}
	e = r->output->ops->begin(r->output, &next, files_name(r->files));
	if (e)
		reader_explain_write(r, e);
	reader_note_beginning(r, time);
	reader_watch_disk(r, r->options->file.bytes);
	return e;
}

/* A time has come: the next file begins where this one was to end, unless that is long ago. */
int reader_rotate_by_time(struct reader *r, uint64_t now)
{
	struct rotation next;

	rotation_begin(&next, &r->options->file, r->rotation.end);
	return reader_rotate(r, next.end > now ? r->rotation.end : now);
}

static int open_output(struct reader *r, struct sink *s, const char *name,
		       const struct output_context *c)
{
	if (r->options->use_pcap)
		return output_pcap_open(&r->output, s, name, c);
	return output_file_open(&r->output, s, name, c);
}

/* Its reader is looked after where the target stays the same. */
static void watch_pipe(struct reader *r, int fd)
{
	if (!r->options->rotates && !r->stopped && sink_is_pipe(fd))
		r->sources.pipe = fd;
}

int reader_open_file(struct reader *r, const struct output_context *c, uint64_t now)
{
	struct sink s;
	int e = files_open(&r->files, r->options);

	if (e)
		complain("cannot start a thread: %s", strerror(-e));
	if (!e)
		e = open_next(r, now, &s);
	if (e)
		return e;
	watch_pipe(r, s.fd);
	e = open_output(r, &s, files_name(r->files), c);
	if (e)
		complain("%s: %s", files_name(r->files), strerror(-e));
	if (e)
		files_drop(r->files);
	return e;
}

int reader_open_stdout(struct reader *r, const struct output_context *c)
{
	struct sink s;
	int e = r->options->write ? sink_open_stdout(&s) : 0;

	watch_pipe(r, STDOUT_FILENO);
	if (!e)
		e = r->options->write ? open_output(r, &s, "standard output", c)
				      : output_text_open(&r->output, c);
	if (e && !reader_is_left(r, e))
		complain("standard output: %s", strerror(-e));
	return e;
}

int reader_try_list(const struct reader *r)
{
	const char *list = r->options->print_name;
	struct sink s = {.fd = -1};
	int e;

	if (!list || strcmp(list, "-") == 0 || strcmp(list, "stdout") == 0 ||
	    strcmp(list, "stderr") == 0)
		return 0;
	e = sink_try(&s, list);
	if (e)
		complain("%s: %s", list, strerror(-e));
	sink_close(&s);
	return e;
}
