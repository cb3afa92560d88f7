/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --drops=summary: how many packets were dropped and why, each second. A terminal gets a table that
 * is redrawn in place; anything else gets a line for each second in which something was dropped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "drop_table.h"
#include "output.h"
#include "util/clock.h"
#include "xdpdump/files/sink.h"
#include "xdpdump/os/complain.h"

#define INTERVAL   ((uint64_t)NS_PER_SEC)
#define LINES_MOST 24 /* if the terminal does not say how many it has */

struct summary_output {
	struct output o;
	struct sink sink;
	bool json, is_live, failed;
	struct drop_table table;
	_Alignas(4) uint8_t record[RECORD_MAX]; /* one at a time, where nobody else writes */
};

static unsigned terminal_lines(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row ? w.ws_row : LINES_MOST;
}

/* Draw the table, then, unless it is the last, move the cursor back to its first line, where
 * messages and the next table go. */
static void put_screen(struct summary_output *s, FILE *to, uint64_t time, bool last)
{
	unsigned lines = drop_table_screen(&s->table, to, time, terminal_lines() - 1);

	if (!last)
		fprintf(to, "\033[%uA", lines);
}

static void put(struct summary_output *s, FILE *to, bool last)
{
	uint64_t time = clock_wall();

	if (s->is_live)
		put_screen(s, to, time, last);
	else if (s->json)
		drop_table_json(&s->table, to, time);
	else
		drop_table_line(&s->table, to, time);
}

static int print_summary(struct summary_output *s, bool last)
{
	struct iovec all = {.iov_base = NULL};
	FILE *to;
	int e;

	if (!s->is_live && s->table.packets == s->table.told)
		return 0;
	to = open_memstream((char **)&all.iov_base, &all.iov_len);
	if (!to) {
		s->failed = true;
		return -ENOMEM;
	}
	put(s, to, last);
	drop_table_next(&s->table);
	/* Without memory fclose() may return 0 all the same. */
	e = fclose(to) || !all.iov_base ? -ENOMEM : 0;
	to = all.iov_base;
	if (!e)
		e = sink_write(&s->sink, &all, 1);
	free(to);
	s->failed |= e != 0;
	s->o.bytes = s->sink.written;
	if (s->is_live && !last && isatty(STDERR_FILENO))
		live_line_stands();
	return e;
}

static int summary_put(struct output *o, const struct source *from, const struct epb_header *r,
		       uint32_t caplen)
{
	struct summary_output *s = (struct summary_output *)o;

	(void)from;
	(void)caplen;
	drop_table_count(&s->table, r, false);
	o->packets++;
	return 0;
}

static int summary_records(struct output *o, const struct batch *b)
{
	return output_each(o, b, ((struct summary_output *)o)->record, summary_put);
}

static int summary_flush(struct output *o, bool asked)
{
	uint64_t now = clock_monotonic();

	if (!asked && now < o->due)
		return 0;
	o->due = now + INTERVAL;
	return print_summary((struct summary_output *)o, false);
}

static int summary_end(struct output *o, const struct output_end *end, struct sink *to)
{
	struct summary_output *s = (struct summary_output *)o;
	int e;

	(void)end;
	e = s->failed ? 0 : print_summary(s, true);
	*to = s->sink;
	return e;
}

static void summary_free(struct output *o)
{
	free(o);
}

static const struct output_ops summary_ops = {
	.records = summary_records,
	.flush = summary_flush,
	.end = summary_end,
	.free = summary_free,
};

static bool is_terminal(void)
{
	const char *kind = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(kind && strcmp(kind, "dumb") == 0);
}

int output_summary_open(struct output **out, const struct output_context *c)
{
	struct summary_output *s = calloc(1, sizeof(*s));
	int e = s ? sink_open_stdout(&s->sink) : -ENOMEM;

	if (e) {
		free(s);
		return e;
	}
	s->o = (struct output){.ops = &summary_ops, .name = "standard output"};
	s->o.due = clock_monotonic() + INTERVAL;
	s->json = c->style.json;
	s->is_live = !c->style.json && is_terminal();
	s->sink.patience = c->patience;
	*out = &s->o;
	return 0;
}
