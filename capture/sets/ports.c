/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "util/harmless.h"

#define BLANKS	 " \t\r\v\f,"
#define WORD_MAX 64

#define PORTS 65536u

/* The state while one file is read. */
struct parser {
	struct set_ports *to;
	uint32_t bits, line;
	unsigned kind; /* as in struct sets_port_lines; SETS_TOLD_KINDS: none */
	/* For each port and protocol, a port at or after it, up to the first that no line has
	 * named: the port itself if it is that one, else a port nearer to it. */
	uint32_t next[PORTS + 1][SETS_PROTOCOLS];
};

static const char *const protocols[SETS_PROTOCOLS] = {"tcp", "udp", "sctp", "dccp", "udplite"};

/* Bits by protocol: of the one that is named, and moves *text behind it, or of all. 0: there is no
 * such protocol. */
static unsigned read_protocol(const char **text)
{
	const char *slash = strchr(*text, '/');

	if (!slash)
		return (1u << SETS_PROTOCOLS) - 1;
	for (unsigned i = 0; i < SETS_PROTOCOLS; i++)
		if (strlen(protocols[i]) == (size_t)(slash - *text) &&
		    strncmp(*text, protocols[i], strlen(protocols[i])) == 0) {
			*text = slash + 1;
			return 1u << i;
		}
	return 0;
}

static bool read_port(const char **text, unsigned *port)
{
	unsigned digits = 0;

	for (*port = 0; isdigit((unsigned char)**text) && digits < 6; digits++)
		*port = *port * 10 + (unsigned)(*(*text)++ - '0');
	return digits && *port <= 65535;
}

/* Shortens the path with each look. */
static uint32_t next_free(struct parser *p, uint32_t port, unsigned protocol)
{
	while (p->next[port][protocol] != port) {
		p->next[port][protocol] = p->next[p->next[port][protocol]][protocol];
		port = p->next[port][protocol];
	}
	return port;
}

/* If several lines name a port, the first one counts. */
static void take_range(struct parser *p, unsigned protocol, uint32_t from, uint32_t to)
{
	for (uint32_t port = next_free(p, from, protocol); port <= to;
	     port = next_free(p, port, protocol)) {
		p->to->of[port][protocol] |= (uint8_t)p->bits;
		if (p->kind < SETS_TOLD_KINDS)
			p->to->lines[port].line[protocol][p->kind] = p->line;
		p->next[port][protocol] = port + 1;
	}
}

static bool take_entry(struct parser *p, const char *text)
{
	unsigned named = read_protocol(&text), from, to;

	if (!named || !read_port(&text, &from))
		return false;
	to = from;
	if (*text == '-') {
		text++;
		if (!read_port(&text, &to))
			return false;
	}
	if (*text || to < from)
		return false;
	for (unsigned i = 0; i < SETS_PROTOCOLS; i++)
		if (named & 1u << i)
			take_range(p, i, from, to);
	return true;
}

/* Copy the word that begins here, cut if it is too long. Returns where it ends. */
static const char *copy_word(char word[WORD_MAX + 1], const char *at, const char *end)
{
	size_t n = 0;

	for (; at < end && (!*at || !strchr(BLANKS "#;", *at)); at++)
		if (n < WORD_MAX)
			word[n++] = *at ? *at : '?';
	word[n] = 0;
	return at;
}

/* Returns the number of entries in a line; -1: word is not one. */
static int take_line(struct parser *p, const char *at, const char *end, char word[WORD_MAX + 1])
{
	int taken = 0;

	while (at < end) {
		at = copy_word(word, at, end);
		if (*word && !take_entry(p, word))
			return -1;
		taken += *word != 0;
		if (at < end && (*at == '#' || *at == ';'))
			break;
		at++;
	}
	return taken;
}

static void refuse(const struct set_entries *e, const char *name, unsigned line, const char *word,
		   char *err, size_t size)
{
	if (e->unquoted)
		snprintf(err, size, "%s, line %u: %s", name, line, set_wrong_line);
	else
		snprintf(err, size,
			 "%s, line %u: %s: give ports from 0 to 65535, as in 53, 8000-8100 or tcp/443",
			 name, line, word);
	harmless(err);
}

static int take_lines(struct set_entries *e, struct parser *p, const char *name, const char *text,
		      size_t length, char *err, size_t size)
{
	const char *end = text + length;
	char word[WORD_MAX + 1];

	for (p->line = 1; text < end; p->line++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		int taken = take_line(p, text, stop ? stop : end, word);

		if (taken < 0) {
			refuse(e, name, p->line, word, err, size);
			return -EINVAL;
		}
		e->ports_listed += (size_t)taken;
		text = stop ? stop + 1 : end;
	}
	return 0;
}

static void begin_ports(struct parser *p, const struct set_entries *e, uint32_t bits)
{
	uint32_t told = e->told ? bits & SETS_TOLD : 0;

	p->to = e->ports;
	p->bits = bits;
	p->kind = told ? (unsigned)__builtin_ctz(told) : SETS_TOLD_KINDS;
	for (uint32_t port = 0; port <= PORTS; port++)
		for (unsigned i = 0; i < SETS_PROTOCOLS; i++)
			p->next[port][i] = port;
}

int set_ports_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		    size_t length, char *err, size_t size)
{
	struct parser *p = malloc(sizeof(*p));
	int error = -ENOMEM;

	if (!e->ports)
		e->ports = calloc(1, sizeof(*e->ports));
	if (p && e->ports) {
		begin_ports(p, e, bits);
		error = take_lines(e, p, name, text, length, err, size);
	} else {
		snprintf(err, size, "no memory for the ports in %s", name);
	}
	free(p);
	return error;
}
