/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/label.h"
#include "pcapng/read.h"
#include "util/harmless.h"
#include "kafka/varint.h"

#define NAME	      "pcapng-kafka "
#define MAGIC	      NAME "1\n"
#define SECTION_FIXED 16 /* bytes of a section header's body before its options */

/* size: room of a text; 0: the member is a number. */
static const struct field {
	const char *name;
	size_t at, size;
} fields[] = {
#define TEXT(m)                                                                                    \
	{                                                                                          \
#m, offsetof(struct label, m), sizeof(((struct label *)0)->m)                      \
	}
#define NUMBER(m)                                                                                  \
	{                                                                                          \
#m, offsetof(struct label, m), 0                                                   \
	}
	TEXT(host),	  TEXT(interface), TEXT(session),   TEXT(writer),    NUMBER(stream),
	NUMBER(sequence), NUMBER(first),   NUMBER(last),    NUMBER(packets), NUMBER(bytes),
	NUMBER(lost),	  NUMBER(before),  NUMBER(dropped), NUMBER(behind),
#undef TEXT
#undef NUMBER
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))
#define ALWAYS 11 /* of these fields: older releases have no more */

static const void *member(const struct label *l, const struct field *f)
{
	return (const char *)l + f->at;
}

void label_fields(const struct label *l, label_field *field, void *context)
{
	for (size_t i = 0; i < FIELDS; i++) {
		char text[24];

		if (fields[i].size) {
			field(context, fields[i].name, member(l, &fields[i]));
			continue;
		}
		snprintf(text, sizeof(text), "%" PRIu64, *(const uint64_t *)member(l, &fields[i]));
		field(context, fields[i].name, text);
	}
}

size_t label_format(const struct label *l, char to[LABEL_ROOM])
{
	int used = snprintf(to, LABEL_ROOM, "%s", MAGIC);

	for (size_t i = 0; i < FIELDS; i++) {
		const void *value = member(l, &fields[i]);
		size_t room = LABEL_ROOM - (size_t)used;

		if (fields[i].size)
			used += snprintf(to + used, room, "%s=%s\n", fields[i].name,
					 (const char *)value);
		else
			used += snprintf(to + used, room, "%s=%020" PRIu64 "\n", fields[i].name,
					 *(const uint64_t *)value);
	}
	return (size_t)used;
}

static bool parse_text(char *to, size_t room, const char *value, size_t length)
{
	unsigned char all = 0;

	if (length >= room)
		return false;
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)value[i] < ' ' || value[i] == 0x7f)
			return false;
		all |= (unsigned char)value[i];
	}
	memcpy(to, value, length);
	to[length] = 0;
	if (all &
	    0x80) /* it may be printed to terminals, JSON and files; ASCII is harmless already */
		harmless(to);
	return true;
}

static bool parse_value(struct label *l, const struct field *f, const char *value, size_t length)
{
	void *to = (char *)l + f->at;
	char number[24], *end;

	if (f->size)
		return parse_text(to, f->size, value, length);
	if (length == 0 || length >= sizeof(number) || value[0] < '0' || value[0] > '9')
		return false;
	memcpy(number, value, length);
	number[length] = 0;
	*(uint64_t *)to = strtoull(number, &end, 10);
	return *end == 0;
}

bool label_parse(struct label *l, const char *text, size_t length)
{
	const char *at, *end = text + length;

	if (length < strlen(MAGIC) || memcmp(text, MAGIC, strlen(MAGIC)) != 0)
		return false;
	at = text + strlen(MAGIC);
	l->before = LABEL_NOT_SAID;
	l->dropped = l->behind = 0;
	for (size_t i = 0; i < FIELDS && (i != ALWAYS || at < end); i++) {
		size_t name = strlen(fields[i].name);
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		if (!line_end || (size_t)(line_end - at) <= name || at[name] != '=' ||
		    memcmp(at, fields[i].name, name) != 0 ||
		    !parse_value(l, &fields[i], at + name + 1, (size_t)(line_end - at) - name - 1))
			return false;
		at = line_end + 1;
	}
	return true;
}

/* The last time is stored as its distance from the first, because small numbers take few bytes. */
static uint64_t distance(const struct field *f, const struct label *l)
{
	return f->at == offsetof(struct label, last) ? l->first : 0;
}

size_t label_pack(const struct label *l, uint8_t to[LABEL_ROOM])
{
	size_t used = 0;

	for (size_t i = 0; i < FIELDS; i++) {
		const void *value = member(l, &fields[i]);
		size_t length = fields[i].size ? strlen(value) : 0;
		uint64_t n = fields[i].size ? length
					    : *(const uint64_t *)value - distance(&fields[i], l);

		used += varint_put(to + used, n);
		memcpy(to + used, value, length);
		used += length;
	}
	return used;
}

size_t label_unpack(struct label *l, const uint8_t *from, size_t size)
{
	struct varint_reader r = {from, from + size};

	for (size_t i = 0; i < FIELDS; i++) {
		char *to = (char *)l + fields[i].at;
		uint64_t n;

		if (!varint_take(&r, &n))
			return 0;
		if (!fields[i].size) {
			*(uint64_t *)to = n + distance(&fields[i], l);
			continue;
		}
		if (n > (size_t)(r.end - r.at) ||
		    !parse_text(to, fields[i].size, (const char *)r.at, (size_t)n))
			return 0;
		r.at += n;
	}
	return (size_t)(r.at - from);
}

/* Finds the label's option. Returns false if there is none. */
static bool find_text(struct pcapng_option *o, const uint8_t *section, size_t length)
{
	struct pcapng_reader r = {.at = section, .end = section + length};
	struct pcapng_options options;
	struct pcapng_block b;

	if (!pcapng_next(&r, &b) || b.type != BLOCK_SECTION)
		return false;
	options = pcapng_options(&b, SECTION_FIXED);
	while (pcapng_next_option(&options, o))
		if (o->code == LABEL_OPTION)
			return true;
	return false;
}

bool label_find(struct label *l, const uint8_t *section, size_t length)
{
	struct pcapng_option o;

	return find_text(&o, section, length) && label_parse(l, (const char *)o.value, o.length);
}

bool label_is_later(const uint8_t *section, size_t length)
{
	size_t name = strlen(NAME);
	struct pcapng_option o;

	return find_text(&o, section, length) && o.length > name + 1 &&
	       memcmp(o.value, NAME, name) == 0 && o.value[name] >= '1' && o.value[name] <= '9' &&
	       memcmp(o.value + name, &MAGIC[name], 2) != 0;
}

size_t label_key(const struct label *l, char *to, size_t room)
{
	int n = snprintf(to, room, "%s/%s/%" PRIu64, l->host, l->session, l->stream);

	return (size_t)n < room ? (size_t)n : room - 1;
}

bool label_name(char *to, size_t room, const char *from)
{
	size_t n = 0, length;

	for (; *from; from += length ? length : 1) {
		length = harmless_length(from);
		if (n + length + 1 > room)
			break;
		memcpy(to + n, from, length);
		n += length;
	}
	to[n] = 0;
	return n > 0;
}
