/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
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
#include "kafka/get/convert.h"
#include "kafka/get/output.h"
#include "kafka/say.h"
#include "kafka/signals.h"
#include "pcapng/write.h"
#include "util/shared.h"

#define FLUSH_SIZE	(1u << 20)
#define INTERFACE_FIXED 8
#define SNAPLEN		262144
#define LOOK_MS		100

struct output_interface {
	uint64_t hash;	/* of its block */
	uint8_t *block; /* as written */
	size_t length;
	struct pcapng_clock clock;
	bool is_wanted;
	struct bpf_program filter; /* bf_insns NULL: none */
	uint64_t packets;
};

static uint64_t hash_of(const uint8_t *p, size_t n)
{
	uint64_t h = 0xcbf29ce484222325;

	while (n--)
		h = (h ^ *p++) * 0x100000001b3;
	return h;
}

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
	*w = (struct output){.o = o, .fd = STDOUT_FILENO, .name = "standard output"};
	if (o->rest[0]) {
		w->expression = join(o->rest);
		if (!w->expression)
			return -1;
	}
	if (o->write && strcmp(o->write, "-") != 0) {
		w->name = o->write;
		w->fd = shared_open(o->write, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
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
	pcap_t *p = pcap_open_dead(link == LINKTYPE_RAW ? DLT_RAW : link, SNAPLEN);
	int e;

	if (!p)
		return -ENOMEM;
	e = pcap_compile(p, to, expression, 1, PCAP_NETMASK_UNKNOWN);
	if (e)
		snprintf(why, PCAP_ERRBUF_SIZE, "%s", pcap_geterr(p));
	pcap_close(p);
	return e ? -EINVAL : 0;
}

/*
 * What has no sense on a link matches nothing there: a topic has interfaces of many kinds. What has
 * none anywhere is an error.
 */
static int compile(struct output *w, struct output_interface *i, const char *name, int link)
{
	char why[PCAP_ERRBUF_SIZE] = "", unused[PCAP_ERRBUF_SIZE];
	struct bpf_program other;
	int e = compile_for(&i->filter, link, w->expression, why);

	if (e != -EINVAL)
		return e;
	if (link == LINKTYPE_ETHERNET ||
	    compile_for(&other, LINKTYPE_ETHERNET, w->expression, unused)) {
		complain("the filter '%s': %s", w->expression, why);
		return e;
	}
	pcap_freecode(&other);
	i->is_wanted = false;
	note("interface %s, of link type %d, is left out: the filter '%s': %s", name, link,
	     w->expression, why);
	return 0;
}

/* Is it asked for, and of what? */
static int choose(struct output *w, struct output_interface *i, const struct pcapng_block *b)
{
	struct pcapng_options options = pcapng_options(b, INTERFACE_FIXED);
	struct pcapng_option o;
	char name[256] = "";

	while (pcapng_next_option(&options, &o))
		if (o.code == IF_NAME)
			snprintf(name, sizeof(name), "%.*s", (int)o.length, (const char *)o.value);
	i->is_wanted = names_have(&w->o->interfaces, name);
	if (!i->is_wanted || !w->expression)
		return 0;
	return compile(w, i, name, pcapng_u16(b->body, b->swapped));
}

static int add_interface(struct output *w, const struct pcapng_block *b, struct buffer *made,
			 uint64_t hash)
{
	struct output_interface *table = reallocarray(w->table, w->count + 1, sizeof(*table)), *i;
	int e;

	if (!table)
		return -ENOMEM;
	w->table = table;
	i = &table[w->count];
	*i = (struct output_interface){.hash = hash, .block = made->at, .length = made->used};
	pcapng_clock_read(&i->clock, b);
	e = choose(w, i, b);
	if (!e)
		e = buffer_append(&w->data, made->at, made->used);
	return e ? e : (int)w->count++;
}

int output_interface(struct output *w, const struct pcapng_block *b, const char *host,
		     const char *comment)
{
	struct buffer made = {.at = NULL};
	uint64_t hash;
	int id;

	if (b->length < INTERFACE_FIXED)
		return -EBADMSG;
	id = convert_interface(&made, b, host, comment);
	if (id) {
		buffer_free(&made);
		return id;
	}
	hash = hash_of(made.at, made.used);
	for (size_t i = 0; i < w->count; i++) {
		const struct output_interface *t = &w->table[i];

		if (t->hash == hash && t->length == made.used &&
		    memcmp(t->block, made.at, made.used) == 0) {
			buffer_free(&made);
			return (int)i;
		}
	}
	id = add_interface(w, b, &made, hash);
	if (id < 0)
		buffer_free(&made);
	return id;
}

uint64_t output_time(const struct output *w, int interface, uint64_t stamp)
{
	return pcapng_clock_ns(&w->table[interface].clock, stamp);
}

uint64_t output_stamp(const struct output *w, int interface, uint64_t time)
{
	return pcapng_clock_stamp(&w->table[interface].clock, time);
}

int output_names(struct output *w, const struct pcapng_block *b)
{
	uint64_t hash = hash_of(b->body, b->length), *names;

	for (size_t i = 0; i < w->name_count; i++)
		if (w->names[i] == hash)
			return 0;
	names = reallocarray(w->names, w->name_count + 1, sizeof(*names));
	if (!names)
		return -ENOMEM;
	w->names = names;
	names[w->name_count++] = hash;
	return convert_names(&w->data, b);
}

static bool matches(struct output_interface *i, const struct pcapng_packet *p)
{
	struct pcap_pkthdr h = {.caplen = p->caplen, .len = p->len};

	return i->is_wanted &&
	       (!i->filter.bf_insns || pcap_offline_filter(&i->filter, &h, p->frame) > 0);
}

int output_packet(struct output *w, const struct pcapng_block *b, const struct pcapng_packet *p,
		  int interface, uint64_t time)
{
	struct output_interface *i = &w->table[interface];
	int e;

	if (!options_have_time(w->o, time, time) || !matches(i, p))
		return 0;
	e = convert_packet(&w->data, b, p, (uint32_t)interface, p->stamp);
	if (e)
		return e;
	i->packets++;
	w->packets++;
	w->disordered += time < w->last;
	w->last = time > w->last ? time : w->last;
	return w->data.used < FLUSH_SIZE ? 0 : output_flush(w);
}

/* A pipe may be one that others have made so that it does not wait. */
static void wait_for_room(const struct output *w)
{
	struct pollfd room = {.fd = w->fd, .events = POLLOUT};

	poll(&room, 1, LOOK_MS);
}

/* Who reads may have stopped: the second signal ends that. */
int output_flush(struct output *w)
{
	size_t done = 0;

	while (done < w->data.used && !w->error) {
		ssize_t n = write(w->fd, w->data.at + done, w->data.used - done);

		if (n >= 0)
			done += (size_t)n;
		else if (signals_stop > 1 || (errno != EINTR && errno != EAGAIN))
			w->error = -errno;
		else if (errno == EAGAIN)
			wait_for_room(w);
	}
	w->data.used = 0;
	return w->error;
}

int output_close(struct output *w)
{
	int e = output_flush(w);

	if (e && e != -EPIPE) /* who reads has had enough */
		complain("%s: %s", w->name, strerror(-e));
	if (w->fd > STDERR_FILENO && close(w->fd) && !e) {
		e = -errno;
		complain("%s: %s", w->name, strerror(-e));
	}
	for (size_t i = 0; i < w->count; i++) {
		free(w->table[i].block);
		pcap_freecode(&w->table[i].filter);
	}
	free(w->table);
	free(w->names);
	free(w->expression);
	buffer_free(&w->data);
	return e ? -1 : 0;
}
