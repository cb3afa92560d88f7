/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "label.h"
#include "pcapng/packet_options.h"
#include "util/buffer.h"
#include "util/harmless.h"
#include "util/json.h"
#include "util/table.h"

#define SHORT_ID 12 /* characters of a container's id, as its tools show it */

struct label_book {
	struct label *at;
	size_t count, room;
	struct table numbers; /* by hash_of() */
	bool full;
};

static const char *const class_names[WHO_CLASSES] = {"unknown",	 "exact",  "shared",
						     "listener", "closed", "forwarded"};

/* When the process began to run the program that it ran at this time; UINT64_MAX: not known. */
static uint64_t program_since(const struct process *p, uint64_t time)
{
	if (time >= p->executed)
		return p->executed;
	return process_command(p, time) ? p->executed_before : UINT64_MAX;
}

/* Packets with the same hash get the same label. */
static uint64_t hash_of(const struct who_holders *h, uint64_t time)
{
	const uint64_t class = h->class;
	struct hash hash;

	hash_begin(&hash);
	hash_add(&hash, &class, sizeof(class));
	for (unsigned i = 0; i < h->n; i++) {
		const struct process *p = h->process[i];
		/* The group that it was in before it moved is not known. */
		const uint64_t holder[] = {p->pid, p->start, program_since(p, time),
					   time >= p->moved ? p->moved : UINT64_MAX};

		hash_add(&hash, holder, sizeof(holder));
	}
	return hash_end(&hash);
}

/* Print the processes' names one after the other. Processes of the same command share its name. */
static void put_names(FILE *to, const struct who_holders *h, uint64_t time)
{
	const char *last = NULL;

	for (unsigned i = 0; i < h->n; i++) {
		const char *command = process_command(h->process[i], time);

		if (!command)
			command = "?";
		if (last && strcmp(last, command) == 0)
			fputc(',', to);
		else
			fprintf(to, "%s%s[", last ? "]," : "", command);
		fprintf(to, "%u", h->process[i]->pid);
		last = command;
	}
	if (last)
		fputc(']', to);
}

/* The group at this time. The group that a process was in before it moved is not known. */
static const struct cgroup_names *group_of(const struct process *p, uint64_t time)
{
	static const struct cgroup_names none;

	return time >= p->moved ? &p->group : &none;
}

/* The group of the container that all are in; NULL: none, or not the same. */
static const struct cgroup_names *container_of_all(const struct who_holders *h, uint64_t time)
{
	const struct cgroup_names *first = h->n ? group_of(h->process[0], time) : NULL;

	for (unsigned i = 1; i < h->n; i++)
		if (strcmp(first->container, group_of(h->process[i], time)->container) != 0)
			return NULL;
	return first && first->container[0] ? first : NULL;
}

static const char *mark_of(enum who_class class)
{
	return class == WHO_LISTENER ? " (listener)" : class == WHO_CLOSED ? " (closed)" : "";
}

static void put_text(FILE *to, const struct who_holders *h, uint64_t time)
{
	const struct cgroup_names *container = container_of_all(h, time);

	if (h->class == WHO_FORWARDED)
		fputs("(forwarded)", to);
	put_names(to, h, time);
	fputs(h->n ? mark_of(h->class) : h->class == WHO_CLOSED ? "(closed)" : "", to);
	if (container && container->name[0])
		fprintf(to, " -> container %s", container->name);
	else if (container)
		fprintf(to, " -> container %.*s", SHORT_ID, container->container);
}

/* For Wireshark's column. An answer that is not exact says so. */
static void put_name(FILE *to, const struct who_holders *h, uint64_t time)
{
	const char *command = h->n == 1 ? process_command(h->process[0], time) : NULL;

	if (h->n == 1)
		fprintf(to, "%s%s", command ? command : "?", mark_of(h->class));
	else if (h->n)
		put_text(to, h, time);
}

static void put_comment(FILE *to, const struct who_holders *h, uint64_t time)
{
	const struct cgroup_names *g = h->n == 1 ? group_of(h->process[0], time) : NULL;

	if (h->class == WHO_UNKNOWN)
		return;
	fputs(h->n ? "process " : "no process ", to);
	put_text(to, h, time);
	if (g && g->unit[0])
		fprintf(to, " unit %s", g->unit);
	if (h->n == 1 && h->process[0]->command_line && time >= h->process[0]->executed)
		fprintf(to, ": %.*s", LABEL_COMMENT_MAX / 2, h->process[0]->command_line);
}

static void put_member(FILE *to, const char *name, const char *value)
{
	if (value && value[0])
		json_member(to, name, value);
}

static void put_json(FILE *to, const struct who_holders *h, uint64_t time)
{
	fprintf(to, "{\"class\":\"%s\"", class_names[h->class]);
	for (unsigned i = 0; i < h->n; i++) {
		const struct process *p = h->process[i];
		const struct cgroup_names *g = group_of(p, time);

		fprintf(to, "%s{\"pid\":%" PRIu32, i ? "," : ",\"processes\":[", p->pid);
		put_member(to, "command", process_command(p, time));
		put_member(to, "unit", g->unit);
		put_member(to, "container", g->container);
		put_member(to, "container_name", g->name);
		put_member(to, "cgroup", g->path);
		put_member(to, "command_line", time >= p->executed ? p->command_line : NULL);
		fputc('}', to);
	}
	fprintf(to, "%s}", h->n ? "]" : "");
}

typedef void put_what(FILE *to, const struct who_holders *h, uint64_t time);

/* Makes names that others chose harmless to print. Returns NULL if there is no memory. */
static char *text_by(put_what *put, const struct who_holders *h, uint64_t time, size_t most)
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		return NULL;
	put(to, h, time);
	/* Without memory fclose() may return 0 all the same. */
	if (fclose(to) || !text) {
		free(text);
		return NULL;
	}
	if (most && n >= most)
		text[most - 1] = 0; /* a character that is cut becomes harmless below */
	harmless(text);
	return text;
}

static void label_free(struct label *l)
{
	free(l->text);
	free(l->name);
	free(l->comment);
	free(l->json);
}

static bool write_label(struct label *l, const struct who_holders *h, uint64_t time)
{
	*l = (struct label){.class = h->class,
			    .has_pid = h->class == WHO_EXACT,
			    .pid = h->n == 1 ? h->process[0]->pid : 0};
	l->text = text_by(put_text, h, time, LABEL_NAME_MAX);
	l->name = text_by(put_name, h, time, LABEL_NAME_MAX);
	l->comment = text_by(put_comment, h, time, LABEL_COMMENT_MAX);
	l->json = text_by(put_json, h, time, 0);
	if (l->json && strlen(l->json) >= LABEL_JSON_MAX)
		strcpy(l->json, "{\"class\":\"unknown\"}");
	return l->text && l->name && l->comment && l->json;
}

/* Label 0 is not in the table, because nobody looks it up. */
static uint32_t add(struct label_book *b, const struct who_holders *h, uint64_t time, uint64_t hash)
{
	struct label l, *more = NULL;

	if (b->count < LABELS_MAX)
		more = buffer_one_more(b->at, b->count, &b->room, sizeof(*more));
	b->full |= !more;
	if (!more)
		return 0;
	b->at = more;
	if (!write_label(&l, h, time) || (b->count && table_put(&b->numbers, hash, b->count))) {
		label_free(&l);
		return 0;
	}
	b->at[b->count] = l;
	return (uint32_t)b->count++;
}

int label_book_open(struct label_book **out)
{
	const struct who_holders unknown = {.class = WHO_UNKNOWN};
	struct label_book *b = calloc(1, sizeof(*b));

	if (b)
		add(b, &unknown, 0, 0);
	if (!b || !b->count) {
		label_book_close(b);
		return -ENOMEM;
	}
	*out = b;
	return 0;
}

void label_book_close(struct label_book *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->count; i++)
		label_free(&b->at[i]);
	table_free(&b->numbers);
	free(b->at);
	free(b);
}

uint32_t label_number(struct label_book *b, const struct who_holders *h, uint64_t time,
		      label_ask *ask, void *of)
{
	const uint64_t hash = hash_of(h, time);
	size_t number;

	if (h->class == WHO_UNKNOWN)
		return 0;
	number = table_find(&b->numbers, hash);
	if (number != TABLE_NONE)
		return (uint32_t)number;
	for (unsigned i = 0; i < h->n; i++)
		ask(of, h->process[i]);
	return add(b, h, time, hash);
}

const struct label *label_at(const struct label_book *b, uint32_t number)
{
	return &b->at[number < b->count ? number : 0];
}

unsigned label_index(const struct label_book *b, const struct label *l)
{
	return (unsigned)(l - b->at);
}

unsigned label_count(const struct label_book *b)
{
	return (unsigned)b->count;
}

bool label_book_is_full(const struct label_book *b)
{
	return b->full;
}

void label_put(const struct epb_header *r, const struct epb_lengths *l, uint32_t number)
{
	struct epb_socket *s = packet_option_find(r, l, EPB_OPT_SOCKET_RAW);

	if (!s)
		return;
	s->how = EPB_SOCKET_LABELED;
	s->cookie_low = number;
	s->cookie_high = 0;
}

const struct label *label_of_record(const struct label_book *b, const struct epb_header *r,
				    const struct epb_lengths *l)
{
	struct epb_socket s;

	return b && afxdp_socket_of(r, l, &s) && s.how == EPB_SOCKET_LABELED
		       ? label_at(b, s.cookie_low)
		       : NULL;
}

const struct label *label_of(const struct label_book *b, const struct epb_header *r)
{
	const struct epb_lengths l = {.total = r->total_length, .caplen = r->caplen};

	return label_of_record(b, r, &l);
}
