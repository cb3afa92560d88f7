/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define BLANKS	 " \t\r\v\f,"
#define LINE_MAX 256

static const char *const protocols[SETS_PROTOCOLS] = {"tcp", "udp", "sctp", "dccp", "udplite"};

/* Bits by protocol: of the one that is named, and *text goes on behind it, or of all. 0: there is
 * none of this name. */
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

static bool take_entry(struct set_ports *ports, uint32_t bits, const char *text)
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
	for (unsigned port = from; port <= to; port++)
		for (unsigned i = 0; i < SETS_PROTOCOLS; i++)
			if (named & 1u << i)
				ports->of[port][i] |= (uint8_t)bits;
	return true;
}

/* line is taken apart. Returns what is wrong; NULL: nothing. */
static const char *take_line(struct set_ports *ports, uint32_t bits, char *line)
{
	char *save, *word;

	line[strcspn(line, "#;")] = 0;
	for (word = strtok_r(line, BLANKS, &save); word; word = strtok_r(NULL, BLANKS, &save))
		if (!take_entry(ports, bits, word))
			return word;
	return NULL;
}

static void make_printable(char *text)
{
	for (; *text; text++)
		if (!isprint((unsigned char)*text))
			*text = '?';
}

int set_ports_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		    size_t length, char *err, size_t size)
{
	const char *end = text + length;
	char line[LINE_MAX];

	if (!e->ports)
		e->ports = calloc(1, sizeof(*e->ports));
	if (!e->ports) {
		snprintf(err, size, "no memory for the ports in %s", name);
		return -ENOMEM;
	}
	for (unsigned n = 1; text < end; n++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text)), *wrong = line;
		size_t each = (size_t)((stop ? stop : end) - text);

		snprintf(line, sizeof(line), "%.*s", (int)(each < LINE_MAX ? each : LINE_MAX - 1),
			 text);
		if (each < LINE_MAX && !memchr(text, 0, each))
			wrong = take_line(e->ports, bits, line);
		if (wrong) {
			make_printable(line + (wrong - line));
			snprintf(err, size,
				 "%s, line %u: %.64s: give ports from 0 to 65535, as in 53, 8000-8100 or tcp/443",
				 name, n, wrong);
			return -EINVAL;
		}
		text = stop ? stop + 1 : end;
	}
	return 0;
}
