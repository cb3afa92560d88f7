/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "find/lookup.h"
#include "find/maker.h"
#include "find/section.h"
#include "index/build.h"
#include "util/command/say.h"
#include "util/command/signals.h"

struct maker {
	const struct options *o;
	struct progress *progress;
	struct expression all;
	struct section section;
	uint64_t made, there, growing, left_out, others;
	bool failed;
};

static int take_item(struct maker *m, struct index_builder *b, struct capture *c,
		     struct capture_item *i, uint64_t position)
{
	uint64_t start, skip;
	int e = 0;

	source_place(&c->source, position, &start, &skip);
	index_block(b, position, start, skip, i->is_packet);
	if (i->is_packet) {
		if (!section_has(&m->section, &i->packet))
			return -EBADMSG;
		index_packet(b, section_time(&m->section, &i->packet),
			     section_link(&m->section, &i->packet), i->packet.frame,
			     i->packet.caplen);
		return b->error;
	}
	index_other(b, i->block.type);
	/* Other blocks are not needed here. */
	if (i->block.type == BLOCK_SECTION || i->block.type == BLOCK_INTERFACE)
		e = section_take(&m->section, &i->block, c->swapped);
	return e ? e : b->error;
}

static int read_all(struct maker *m, struct index_builder *b, struct capture *c)
{
	uint64_t before = m->progress->read, position = c->position;
	struct capture_item i;
	int e = 0, more;

	while (!e && (more = capture_next(c, &i)) > 0) {
		e = take_item(m, b, c, &i, position);
		position = c->position;
		m->progress->read = before + c->source.read;
		progress_show(m->progress);
		if (signals_stop)
			return -EINTR;
	}
	m->progress->read = before + c->source.read;
	if (!e && c->fault)
		e = -EBADMSG;
	return e ? e : more;
}

/* Stores the index if the file did not change while it was read. */
static int store(struct maker *m, struct index_builder *b, const struct place *p,
		 const struct capture *c, const struct index_identity *before)
{
	struct index_identity after;
	struct stat st;
	int e = index_identify(&after, c->source.fd, &st);

	if (e)
		return e;
	if (after.size != before->size || after.changed != before->changed) {
		m->growing++;
		return 0;
	}
	e = index_store(b, p->path, &after, &st);
	m->made += !e;
	return e;
}

/* Nobody would trust an index that belongs to another user. */
static bool may_make(int fd)
{
	struct stat st;

	return geteuid() == 0 || (fstat(fd, &st) == 0 && st.st_uid == geteuid());
}

static int make(struct maker *m, const struct place *p, int fd)
{
	struct index_identity before;
	struct index_builder b;
	struct capture c;
	struct stat st;
	int e = index_identify(&before, fd, &st);

	if (e) {
		close(fd);
		return e;
	}
	section_begin(&m->section, p->path);
	index_build(&b);
	e = capture_open(&c, fd);
	c.source.is_once = true;
	if (!e && !may_make(c.source.fd)) {
		m->others++;
	} else if (!e) {
		e = read_all(m, &b, &c);
		if (!e)
			e = store(m, &b, p, &c, &before);
	}
	capture_close(&c);
	index_drop(&b);
	return e;
}

static bool has_index(const struct place *p, int fd)
{
	struct index_identity of;
	struct index x;
	struct stat st;

	if (index_identify(&of, fd, &st) || index_open(&x, p->path, &of, &st))
		return false;
	index_close(&x);
	return true;
}

static void complain_of(struct maker *m, const struct place *p, int e)
{
	if (e == -ENOMSG && !p->is_named) {
		m->left_out++;
		return;
	}
	progress_clear(m->progress);
	complain("%s gets no index: %s", p->path,
		 e == -ENOMSG	 ? "it is neither pcapng nor pcap"
		 : e == -EBADMSG ? "it is damaged"
		 : e == -EEXIST	 ? INDEX_IS_TAKEN
		 : e == -E2BIG	 ? "its interfaces take more than 64 MiB"
		 : e == -ENOTSUP ? "this build has no library for what compressed it"
				 : strerror(-e));
	m->failed = true;
}

static int visit(struct maker *m, const struct place *p)
{
	int fd = place_open(p), e;

	if (fd == -EINTR)
		return fd;
	if (fd < 0) {
		if (fd != -ENOENT || p->is_named)
			complain_of(m, p, fd);
		return 0;
	}
	m->progress->files++;
	if (has_index(p, fd)) {
		m->there++;
		close(fd);
		return 0;
	}
	e = make(m, p, fd);
	if (e == -EINTR)
		return e;
	if (e)
		complain_of(m, p, e);
	return 0;
}

int maker_run(const struct options *o, const struct places *places, struct progress *p)
{
	struct maker m = {.o = o, .progress = p};
	int e = 0;

	m.section.expression = &m.all;
	for (size_t i = 0; !e && i < places->count; i++)
		e = visit(&m, &places->place[i]);
	progress_clear(p);
	if (e)
		complain("it was interrupted: run it again for the rest");
	if (m.others)
		complain("%" PRIu64
			 " files get no index: run it as root or as their owner, because an index of others is not used",
			 m.others);
	if (m.left_out)
		note("%" PRIu64 " files in folders are left out: they are neither pcapng nor pcap",
		     m.left_out);
	if (m.growing)
		note("%" PRIu64 " files are being written, and get no index yet", m.growing);
	note("%" PRIu64 " indexes were written, %" PRIu64 " were there", m.made, m.there);
	section_free(&m.section);
	expression_close(&m.all);
	return e || m.failed || m.others ? -1 : 0;
}
