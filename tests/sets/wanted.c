/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "tests/sets/wanted.h"

bool exchanging;

static bool is_port_in_set(unsigned protocol, unsigned port)
{
	return (protocol == 6 && port / 100 == 10) || (protocol == 17 && port / 100 == 20) ||
	       port / 100 == 30 || (protocol == 132 && port == 7);
}

static bool is_wanted_by_port(const struct frame *f, const char *option)
{
	bool negated = strncmp(option, "not-", 4) == 0, in = false;

	option += negated ? 4 : 0;
	if (f->has_ports && strncmp(option, "dst", 3) != 0)
		in = is_port_in_set(f->protocol, f->source_port);
	if (f->has_ports && strncmp(option, "src", 3) != 0)
		in = in || is_port_in_set(f->protocol, f->destination_port);
	return in != negated;
}

/* By the name of the option. */
static bool is_wanted(const struct frame *f, const char *option)
{
	bool negated = strncmp(option, "not-", 4) == 0, in = false;

	if (strstr(option, "ports"))
		return is_wanted_by_port(f, option);
	option += negated ? 4 : 0;
	if (f->has_addresses && strncmp(option, "dst", 3) != 0)
		in = is_in_set(&f->source);
	if (f->has_addresses && strncmp(option, "src", 3) != 0)
		in = in || is_in_set(&f->destination);
	return in != negated;
}

static bool has(const struct entry *e, const struct address *a)
{
	return e->from.ipv6 == a->ipv6 && compare(&e->from, a) <= 0 && compare(a, &e->to) <= 0;
}

/* Of a set that may be in use: is this the line that has the address, or is there none? */
static bool is_line_of(const struct address *a, uint32_t line)
{
	return line ? line <= set->count && has(&set->entries[line - 1], a) : !is_in_set(a);
}

static bool are_lines_of(const struct frame *f, const char *option, const struct epb_entries *e)
{
	const uint32_t *line = e->line[0];

	if (!f->has_addresses)
		return !line[0] && !line[1] && !line[2] && !line[3];
	if (strcmp(option, "hosts") == 0)
		return is_line_of(&f->source, line[EPB_ENTRY_BOTH_SOURCE]) &&
		       is_line_of(&f->destination, line[EPB_ENTRY_BOTH_DESTINATION]);
	return strcmp(option, "src-hosts") == 0
		       ? is_line_of(&f->source, line[EPB_ENTRY_SOURCE])
		       : is_line_of(&f->destination, line[EPB_ENTRY_DESTINATION]);
}

/* Of PORTS. */
static uint32_t line_of_port(const struct frame *f, unsigned port)
{
	if (!is_port_in_set(f->protocol, port))
		return 0;
	return port == 7 ? 4 : port / 100 == 10 ? 1 : 2;
}

static bool are_lines_of_ports(const struct frame *f, const char *option,
			       const struct epb_entries *e)
{
	uint32_t source = f->has_ports ? line_of_port(f, f->source_port) : 0;
	uint32_t destination = f->has_ports ? line_of_port(f, f->destination_port) : 0;
	const uint32_t *line = e->line[1];

	if (strcmp(option, "ports") == 0)
		return line[EPB_ENTRY_BOTH_SOURCE] == source &&
		       line[EPB_ENTRY_BOTH_DESTINATION] == destination;
	return strcmp(option, "src-ports") == 0 ? line[EPB_ENTRY_SOURCE] == source
						: line[EPB_ENTRY_DESTINATION] == destination;
}

bool are_lines_right(const struct frame *f, const char *option, const struct epb_entries *e)
{
	bool right;

	if (strstr(option, "ports"))
		return are_lines_of_ports(f, option, e);
	if (!exchanging)
		return are_lines_of(f, option, e);
	set = &sets[0];
	right = are_lines_of(f, option, e);
	set = &sets[1];
	return right || are_lines_of(f, option, e);
}

/* While the file is read again, either set may be in use. */
uint8_t wants(const struct frame *f, const char *option)
{
	uint8_t one;

	if (!exchanging)
		return is_wanted(f, option);
	set = &sets[0];
	one = is_wanted(f, option);
	set = &sets[1];
	return is_wanted(f, option) == one ? one : EITHER;
}
