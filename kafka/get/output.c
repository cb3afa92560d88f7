/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pcap/pcap.h>
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
	uint32_t id; /* of its block in the file */
	bool is_wanted;
	size_t filter;		       /* if there is an expression */
	uint64_t packets, first, last; /* that are written, and their stamps */
	uint64_t missing, unknown;     /* packets; sections, of which it is not known how many */
};

/* The expression, for a link type. */
struct output_filter {
	bool is_unfit; /* it means nothing there: nothing matches */
	struct bpf_program program;
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
	if (o->rest[0]) {
		w->expression = join(o->rest);
		if (!w->expression)
			return -1;
	}
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

	if (w->fd != STDOUT_FILENO && fstat(w->fd, &s) == 0 && S_ISREG(s.st_mode) &&
	    ftruncate(w->fd, 0)) {
		complain("%s: %s", w->name, strerror(errno));
		return -1;
	}
	return begin_file(w) ? -1 : 0;
}

/* -EINVAL: *why tells. */
static int compile_for(struct bpf_program *to, int link, const char *expression,
		       char why[PCAP_ERRBUF_SIZE])
{
	pcap_t *p = pcap_open_dead(link == LINKTYPE_RAW ? DLT_RAW : link, SNAPLEN_MOST);
	int e;

	if (!p)
		return -ENOMEM;
	e = pcap_compile(p, to, expression, 1, PCAP_NETMASK_UNKNOWN);
	if (e)
		snprintf(why, PCAP_ERRBUF_SIZE, "%s", pcap_geterr(p));
	pcap_close(p);
	return e ? -EINVAL : 0;
}

static uint64_t hash_of(const void *p, size_t n)
{
	struct hash h;

	hash_begin(&h);
	hash_add(&h, p, n);
	return hash_end(&h);
}

/* Once for a link type, and of some only: whoever makes up interfaces makes up link types, too. */
static bool is_to_be_told(struct output *w, uint16_t link)
{
	uint64_t hash = hash_of(&link, sizeof(link));

	return table_find(&w->left_out, hash) == TABLE_NONE &&
	       table_put(&w->left_out, hash, 0) == 0 && w->left_out.count <= OUTPUT_LINKS_TOLD;
}

/*
 * What has no sense on a link matches nothing there: a topic has interfaces of many kinds. What has
 * none anywhere is an error. name: of the first such interface.
 */
static int compile(struct output *w, struct output_filter *f, const char *name, int link)
{
	char why[PCAP_ERRBUF_SIZE] = "", unused[PCAP_ERRBUF_SIZE];
	struct bpf_program other;
	int e = compile_for(&f->program, link, w->expression, why);

	if (e != -EINVAL)
		return e;
	if (link == LINKTYPE_ETHERNET ||
	    compile_for(&other, LINKTYPE_ETHERNET, w->expression, unused)) {
		complain("the filter '%s': %s", w->expression, why);
		return e;
	}
	pcap_freecode(&other);
	f->is_unfit = true;
	if (is_to_be_told(w, (uint16_t)link))
		note("interfaces of link type %d, such as %s, are left out: the filter '%s': %s",
		     link, name, w->expression, why);
	return 0;
}

/* Its number, or negative. */
static int find_filter(struct output *w, const char *name, uint16_t link)
{
	uint64_t hash = hash_of(&link, sizeof(link));
	size_t known = table_find(&w->by_link, hash);
	struct output_filter *all;
	int e;

	if (known != TABLE_NONE)
		return (int)known;
	if ((w->filters & (w->filters - 1)) == 0) { /* there is room for the next power of two */
		all = reallocarray(w->filter, w->filters ? 2 * w->filters : 1, sizeof(*all));
		if (!all)
			return -ENOMEM;
		w->filter = all;
	}
	w->filter[w->filters] = (struct output_filter){.is_unfit = false};
	e = compile(w, &w->filter[w->filters], name, link);
	if (!e)
		e = table_put(&w->by_link, hash, w->filters);
	return e ? e : (int)w->filters++;
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

bool output_knows(const struct output *w, uint16_t link_type)
{
	char unused[PCAP_ERRBUF_SIZE];
	struct bpf_program p;

	if (!w->expression)
		return true;
	if (compile_for(&p, link_type, w->expression, unused))
		return false;
	pcap_freecode(&p);
	return true;
}

/* libpcap reads no file with two interfaces of raw IP: docs/upstream.md. */
uint16_t output_link_for(uint16_t link_type)
{
	return link_type == LINKTYPE_RAW ? LINKTYPE_LINUX_SLL2 : link_type;
}

bool output_can_have(const struct output *w, uint16_t link_type)
{
	return w->link == LINK_EACH || w->link == link_type ||
	       (w->link == LINKTYPE_LINUX_SLL2 && cooked_takes(link_type));
}

/* Is it asked for, and of what? */
static int choose(struct output *w, struct output_interface *i, const struct pcapng_block *b)
{
	char name[NAME_ROOM];
	int n;

	read_name(b, name, sizeof(name));
	names_see(&w->o->interfaces, name, &w->seen);
	i->is_wanted = names_have(&w->o->interfaces, name);
	if (i->is_wanted && w->expression) {
		n = find_filter(w, name, i->link_type);
		if (n < 0)
			return n;
		i->filter = (size_t)n;
		i->is_wanted = !w->filter[n].is_unfit;
	}
	if (!i->is_wanted)
		return 0;
	if (w->link == LINK_OPEN)
		w->link = output_link_for(i->link_type);
	if (output_can_have(w, i->link_type))
		return 0;
	i->is_wanted = false;
	if (is_to_be_told(w, i->link_type))
		note("interfaces of link type %u, such as %s, are left out: the file has link type %u, and with --mixed-links both",
		     i->link_type, name, w->link);
	return 0;
}

/* Those that have packets, and no others, as they have links of their own. */
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

/* The host had them in a file that its owner alone may read, perhaps. */
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

static bool matches(const struct output *w, const struct output_interface *i,
		    const struct pcapng_packet *p)
{
	struct pcap_pkthdr h = {.caplen = p->caplen, .len = p->len};

	return i->is_wanted && (!w->expression || pcap_offline_filter(&w->filter[i->filter].program,
								      &h, p->frame) > 0);
}

/* With the header of the file's link, where the interface has another. */
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

/* own: packets that it tells are missing. */
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
	if (!matches(w, i, p)) {
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

/* Who reads may have stopped: after a signal only what is taken at once goes out. */
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
		else if (errno == EAGAIN) /* of a pipe that others have made so */
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
		fchmod(w->fd, w->mode); /* a file system that refuses it has rights of its own */
	if (e && e != -EPIPE)		/* who reads has had enough */
		complain("%s: %s", w->name,
			 e == -EINTR
				 ? "the reader did not take the rest in time after a signal: it is left out"
				 : strerror(-e));
	if (w->fd > STDERR_FILENO && close(w->fd) && !e) {
		e = -errno;
		complain("%s: %s", w->name, strerror(-e));
	}
	for (size_t i = 0; i < w->filters; i++)
		pcap_freecode(&w->filter[i].program);
	free(w->filter);
	free(w->interface);
	table_free(&w->by_block);
	table_free(&w->by_link);
	table_free(&w->left_out);
	table_free(&w->names);
	table_free(&w->processes);
	free(w->expression);
	buffer_free(&w->data);
	return e ? -1 : 0;
}
