/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "pcapng/convert.h"
#include "kafka/get/output.h"
#include "kafka/processes.h"
#include "util/command/say.h"
#include "util/command/signals.h"
#include "pcapng/cooked.h"
#include "pcapng/write.h"
#include "util/less.h"
#include "util/shared.h"

#define FLUSH_SIZE	(1u << 20)
#define INTERFACE_FIXED 8
#define NAME_ROOM	256
#define LOOK_MS		50
#define MARK		"missing in front of this packet: "

struct output_interface {
	struct pcapng_clock clock;
	uint16_t link_type;
	uint32_t id; /* number of its block in the file */
	bool is_wanted;
	int filter;		       /* number of the expression for its link type */
	uint64_t packets, first, last; /* packets written, and their first and last stamps */
	uint64_t missing,
		unknown; /* missing packets; missing sections with an unknown number of packets */
};

static char *join(char *const *words)
{
	size_t n = 1;
	char *text, *at;

	for (char *const *w = words; *w; w++)
		n += strlen(*w) + 1;
	at = text = malloc(n);
	if (!text)
		return NULL;
	*at = 0;
	for (; *words; words++)
		at += sprintf(at, "%s%s", at == text ? "" : " ", *words);
	return text;
}

static int open_expression(struct output *w, char *const *words)
{
	int e = 0;

	w->words = words[0] ? join(words) : NULL;
	if (words[0] && !w->words)
		e = -ENOMEM;
	if (!e)
		e = expression_open(&w->expression, w->words);
	if (e == -EINVAL)
		complain("the filter '%s': %s", w->words, expression_unfit(&w->expression, 0));
	else if (e)
		complain("%s", strerror(-e));
	return e;
}

static int begin_file(struct output *w)
{
	const struct pcapng_section s = {.application = PACKAGE_VERSION_TEXT};
	uint8_t memory[256];
	struct bytes b = {.at = memory, .room = sizeof(memory)};

	pcapng_put_section(&b, &s);
	return buffer_append(&w->data, memory, b.used);
}

int output_open(struct output *w, const struct options *o)
{
	*w = (struct output){.o = o,
			     .fd = STDOUT_FILENO,
			     .name = "standard output",
			     .link = o->mixed_links ? LINK_EACH : LINK_OPEN};
	if (open_expression(w, o->rest))
		return -1;
	if (o->write && strcmp(o->write, "-") != 0) {
		w->name = o->write;
		w->fd = shared_create(o->write, &w->mode);
	}
	if (w->fd < 0) {
		complain("%s: %s", w->name, shared_why(w->name, w->fd));
		return -1;
	}
	if (isatty(w->fd)) {
		complain("standard output is a terminal: -w FILE, or | tshark -r -");
		return -1;
	}
	return 0;
}

int output_begin(struct output *w)
{
	struct stat s;
	int e = 0;

	if (w->fd != STDOUT_FILENO && fstat(w->fd, &s) == 0 && S_ISREG(s.st_mode) &&
	    ftruncate(w->fd, 0))
		e = -errno;
	if (!e)
		e = begin_file(w);
	if (e)
		complain("%s: %s", w->name, strerror(-e));
	return e ? -1 : 0;
}

static uint64_t hash_of(const void *p, size_t n)
{
	struct hash h;

	hash_begin(&h);
	hash_add(&h, p, n);
	return hash_end(&h);
}

static void read_name(const struct pcapng_block *b, char *name, size_t room)
{
	struct pcapng_options options = pcapng_options(b, INTERFACE_FIXED);
	struct pcapng_option o;

	*name = 0;
	while (pcapng_next_option(&options, &o))
		if (o.code == IF_NAME)
			snprintf(name, room, "%.*s", (int)o.length, (const char *)o.value);
}

bool output_wants(const struct output *w, const struct pcapng_block *b)
{
	char name[NAME_ROOM];

	read_name(b, name, sizeof(name));
	return names_have(&w->o->interfaces, name);
}

bool output_knows(struct output *w, uint16_t link_type)
{
	int n = expression_for(&w->expression, link_type);

	return n < 0 || !expression_unfit(&w->expression, n);
}

/* libpcap cannot read a file with two interfaces of raw IP: docs/upstream.md. */
uint16_t output_link_for(uint16_t link_type)
{
	return link_type == LINKTYPE_RAW ? LINKTYPE_LINUX_SLL2 : link_type;
}

bool output_can_have(const struct output *w, uint16_t link_type)
{
	return w->link == LINK_EACH || w->link == link_type ||
	       (w->link == LINKTYPE_LINUX_SLL2 && cooked_takes(link_type));
}

/* Why are packets of that interface not written? NULL: they are. */
static const char *why_not(const struct output *w, const struct output_interface *i, char *to,
			   size_t room)
{
	const char *unfit = expression_unfit(&w->expression, i->filter);

	if (unfit)
		snprintf(to, room, "the filter '%s': %s", w->words, unfit);
	else if (!output_can_have(w, i->link_type))
		snprintf(to, room, "the file has link type %u, and with --mixed-links both",
			 w->link);
	else
		return NULL;
	return to;
}

/*
 * Is the interface asked for, and which expression applies? One that makes no sense for its link
 * type matches nothing there, because a topic has interfaces of many kinds.
 */
static int choose(struct output *w, struct output_interface *i, const struct pcapng_block *b)
{
	char name[NAME_ROOM], why[2048];

	read_name(b, name, sizeof(name));
	names_see(&w->o->interfaces, name, &w->seen);
	i->is_wanted = names_have(&w->o->interfaces, name);
	i->filter = i->is_wanted ? expression_for(&w->expression, i->link_type) : 0;
	if (i->filter < 0 || !i->is_wanted)
		return i->filter;
	if (w->link == LINK_OPEN && !expression_unfit(&w->expression, i->filter))
		w->link = output_link_for(i->link_type);
	if (!why_not(w, i, why, sizeof(why)))
		return 0;
	i->is_wanted = false;
	if (expression_leaves_out(&w->expression, i->link_type))
		note("interfaces of link type %u, such as %s, are left out: %s", i->link_type, name,
		     why);
	return 0;
}

/* Writes the interface if it is wanted. Others are left out, because their link types can
 * differ. */
static int write_interface(struct output *w, struct output_interface *i, const struct buffer *made)
{
	size_t at = w->data.used;
	int e = i->is_wanted ? buffer_append(&w->data, made->at, made->used) : 0;

	if (e || !i->is_wanted)
		return e;
	if (w->link != LINK_EACH)
		convert_set_link(&w->data, at, (uint16_t)w->link);
	i->id = w->written++;
	return 0;
}

static int make_room(struct output *w)
{
	struct output_interface *all;

	if (w->count == OUTPUT_INTERFACES_MAX)
		return -EMLINK;
	all = buffer_one_more(w->interface, w->count, &w->room, sizeof(*all));
	w->interface = all ? all : w->interface;
	return all ? 0 : -ENOMEM;
}

static int add_interface(struct output *w, const struct pcapng_block *b, const struct buffer *made,
			 uint64_t hash)
{
	struct output_interface *i;
	int e = make_room(w);

	if (e)
		return e;
	i = &w->interface[w->count];
	*i = (struct output_interface){.link_type = pcapng_u16(b->body, b->swapped)};
	pcapng_clock_read(&i->clock, b);
	e = choose(w, i, b);
	if (!e)
		e = write_interface(w, i, made);
	if (!e)
		e = table_put(&w->by_block, hash, w->count);
	return e ? e : (int)w->count++;
}

uint16_t output_link(const struct output *w, int interface)
{
	return w->interface[interface].link_type;
}

bool output_has(const struct output *w, int interface)
{
	return w->interface[interface].is_wanted;
}

static int flush_if_full(struct output *w)
{
	return w->data.used < FLUSH_SIZE ? 0 : output_flush(w);
}

int output_interface(struct output *w, const struct pcapng_block *b, const char *host,
		     const char *comment)
{
	struct buffer made = {.at = NULL};
	uint64_t hash;
	size_t known;
	int id, e;

	if (b->length < INTERFACE_FIXED)
		return -EBADMSG;
	e = convert_interface(&made, b, host, comment);
	if (e) {
		buffer_free(&made);
		return e;
	}
	hash = hash_of(made.at, made.used);
	known = table_find(&w->by_block, hash);
	id = known == TABLE_NONE ? add_interface(w, b, &made, hash) : (int)known;
	buffer_free(&made);
	e = flush_if_full(w);
	return e ? e : id;
}

uint64_t output_time(const struct output *w, int interface, uint64_t stamp)
{
	return pcapng_clock_ns(&w->interface[interface].clock, stamp);
}

uint64_t output_stamp(const struct output *w, int interface, uint64_t time)
{
	return pcapng_clock_stamp(&w->interface[interface].clock, time);
}

/* Makes the file private before secrets are written. On the host perhaps only their owner could
 * read them. */
static int keep_secret(struct output *w)
{
	struct stat s;
	int e;

	if (w->fd == STDOUT_FILENO)
		return 0;
	w->mode = 0;
	e = fstat(w->fd, &s) ? -errno : 0;
	if (!e && S_ISREG(s.st_mode) && s.st_uid != geteuid()) {
		complain("%s is another user's, who could read the TLS keys that come: give the name of a new file",
			 w->name);
		return -EPERM;
	}
	if (!e)
		e = shared_narrow(w->fd, 0600);
	if (e)
		complain("%s could not be made private, and has secrets: %s", w->name,
			 strerror(-e));
	return e;
}

int output_names(struct output *w, const struct pcapng_block *b)
{
	uint64_t hash = hash_of(b->body, b->length);
	int e;

	if (table_find(&w->names, hash) != TABLE_NONE)
		return 0;
	if (w->names.count == OUTPUT_NAMES_MAX) {
		w->names_beyond++;
		return 0;
	}
	e = b->type == BLOCK_SECRETS ? keep_secret(w) : 0;
	if (!e)
		e = table_put(&w->names, hash, 0);
	if (!e)
		e = convert_names(&w->data, b);
	return e ? e : flush_if_full(w);
}

int output_process(struct output *w, const struct pcapng_block *b, uint32_t *number)
{
	uint64_t hash = hash_of(b->body, b->length);
	size_t known = table_find(&w->processes, hash);
	int e;

	*number = known == TABLE_NONE ? PROCESSES_NOBODY : (uint32_t)known;
	if (known != TABLE_NONE)
		return 0;
	if (w->processes.count == OUTPUT_NAMES_MAX) {
		w->names_beyond++;
		return 0;
	}
	e = convert_process(&w->data, b);
	if (e)
		return e;
	*number = (uint32_t)w->processes.count;
	e = table_put(&w->processes, hash, w->processes.count);
	return e ? e : flush_if_full(w);
}

struct numbers {
	const uint32_t *at;
	size_t count;
};

static uint32_t number_in_file(const void *context, uint32_t number)
{
	const struct numbers *n = context;

	return number < n->count ? n->at[number] : PROCESSES_NOBODY;
}

/* Writes the packet, with the header of the file's link type if the interface has another. */
static int put_packet(struct output *w, const struct output_interface *i,
		      const struct pcapng_block *b, const struct pcapng_packet *p,
		      const struct convert_mark *mark)
{
	const struct cooked_link link = {.link_type = i->link_type};
	struct convert_head head = {.length = sizeof(struct epb_cooked)};
	struct epb_cooked cooked;

	if (w->link == LINK_EACH || w->link == i->link_type) {
		w->shortened += convert_cuts(p, NULL);
		return convert_packet(&w->data, b, p, i->id, NULL, mark);
	}
	head.replaced = cooked_header(&cooked, &link, p->frame, p->caplen, convert_flags(b, p));
	head.at = &cooked;
	w->shortened += convert_cuts(p, &head);
	return convert_packet(&w->data, b, p, i->id, &head, mark);
}

void output_lacks(struct output *w, int interface, const struct gap *gap)
{
	add_capped(&w->interface[interface].missing, gap_packets(gap));
	add_capped(&w->interface[interface].unknown, gap->unknown);
}

/* own: how many packets the packet itself says are missing. */
static int put_marked(struct output *w, const struct output_interface *i,
		      const struct pcapng_block *b, const struct pcapng_packet *p,
		      const struct gap *gap, uint64_t own)
{
	char text[GAP_ROOM + sizeof(MARK)], what[GAP_ROOM];
	struct convert_mark mark = {.dropcount = gap_packets(gap), .comment = text};

	add_capped(&mark.dropcount, own);
	if (gap_is_none(gap))
		mark.comment = NULL;
	else
		snprintf(text, sizeof(text), MARK "%s", gap_text(gap, what));
	return put_packet(w, i, b, p, mark.dropcount || mark.comment ? &mark : NULL);
}

static void note_packet(struct output_interface *i, uint64_t stamp)
{
	i->first = i->packets && i->first < stamp ? i->first : stamp;
	i->last = i->packets && i->last > stamp ? i->last : stamp;
	i->packets++;
}

int output_packet(struct output *w, const struct pcapng_block *b, const struct pcapng_packet *p,
		  int interface, uint64_t time, const uint32_t *processes, size_t count,
		  struct gap *gap)
{
	struct output_interface *i = &w->interface[interface];
	const struct gap own = {.dropped = pcapng_packet_dropcount(b, p)};
	size_t from = w->data.used;
	int e;

	if (!options_have_time(w->o, time, time))
		return 0;
	if (!i->is_wanted || !expression_takes(&w->expression, i->filter, p)) {
		gap_add(gap, &own);
		return 0;
	}
	e = put_marked(w, i, b, p, gap, own.dropped);
	if (e)
		return e;
	processes_renumber(&w->data, from, false, number_in_file,
			   &(struct numbers){processes, count});
	output_lacks(w, interface, gap);
	output_lacks(w, interface, &own);
	*gap = (struct gap){.lost = 0};
	note_packet(i, p->stamp);
	w->packets++;
	w->disordered += time < w->last;
	w->last = time > w->last ? time : w->last;
	return flush_if_full(w);
}

static bool has_room(const struct output *w)
{
	struct pollfd room = {.fd = w->fd, .events = POLLOUT};

	return poll(&room, 1, LOOK_MS) > 0;
}

/* The reader may have stopped: after a signal only what is taken at once is written. */
int output_flush(struct output *w)
{
	size_t done = 0;

	while (done < w->data.used && !w->error) {
		size_t left = w->data.used - done;
		ssize_t n;

		if (signals_stop && !has_room(w)) {
			w->error = -EINTR;
			break;
		}
		n = write(w->fd, w->data.at + done,
			  signals_stop && left > PIPE_BUF ? PIPE_BUF : left);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			w->error = -errno;
		else if (errno == EAGAIN) /* somebody has made the pipe non-blocking */
			has_room(w);
	}
	w->data.used = 0;
	return w->error;
}

static int put_statistics(struct output *w, const struct output_interface *i)
{
	char text[128];
	const struct convert_statistics s = {.interface_id = i->id,
					     .first = i->first,
					     .last = i->last,
					     .dropped = i->missing,
					     .delivered = i->packets,
					     .comment = i->unknown ? text : NULL};

	snprintf(text, sizeof(text),
		 "%" PRIu64 " sections are missing, too: nobody says how many packets they had",
		 i->unknown);
	return convert_statistics(&w->data, &s);
}

int output_end(struct output *w)
{
	int e = 0;

	for (size_t n = 0; !e && n < w->count; n++) {
		const struct output_interface *i = &w->interface[n];

		if (!i->packets && !i->missing && !i->unknown)
			continue;
		if (i->is_wanted)
			e = put_statistics(w, i);
		if (!e)
			e = flush_if_full(w);
	}
	return e;
}

int output_close(struct output *w)
{
	int e = output_flush(w);

	if (w->mode)
		fchmod(w->fd,
		       w->mode); /* a file system may refuse this, and have its own access rules */
	if (e && e != -EPIPE)	 /* the reader has closed the pipe */
		complain("%s: %s", w->name,
			 e == -EINTR
				 ? "the reader did not take the rest in time after a signal: it is left out"
				 : strerror(-e));
	if (w->fd > STDERR_FILENO && close(w->fd) && !e) {
		e = -errno;
		complain("%s: %s", w->name, strerror(-e));
	}
	expression_close(&w->expression);
	free(w->interface);
	table_free(&w->by_block);
	table_free(&w->names);
	table_free(&w->processes);
	free(w->words);
	buffer_free(&w->data);
	return e && e != -EPIPE ? -1 : 0;
}
