/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "table.h"
#include "text.h"
#include "util/harmless.h"

#define BLANKS		" \t\r\v\f"
#define WORD_MAX	96 /* two addresses of IPv6 */
#define LINE_MAX_NUMBER ((1u << SETS_LINE_BITS) - 1)

const char set_wrong_line[] = "mend this line, as pcap-afxdp(7) says under hosts= and ports=";

struct parser {
	struct set_entries *to;
	uint32_t bits, line;
	const char *name;
	char *err;
	size_t size;
};

/* A part of the text. */
struct piece {
	const char *at, *end;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct parser *p, const char *format,
							...)
{
	int n = snprintf(p->err, p->size, "%s, line %u: ", p->name, p->line);
	va_list args;

	va_start(args, format);
	if (n >= 0 && (size_t)n < p->size) {
		if (p->to->unquoted)
			snprintf(p->err + n, p->size - (size_t)n, "%s", set_wrong_line);
		else
			vsnprintf(p->err + n, p->size - (size_t)n, format, args);
	}
	va_end(args);
	harmless(p->err);
	return -EINVAL;
}

static bool is_of(char c, const char *these)
{
	for (; *these; these++)
		if (c == *these)
			return true;
	return false;
}

static struct piece trim(struct piece s)
{
	while (s.at < s.end && is_of(*s.at, BLANKS))
		s.at++;
	while (s.end > s.at && is_of(s.end[-1], BLANKS))
		s.end--;
	return s;
}

/* The first of these characters outside of "quotes"; s.end: there is none. */
static const char *first_of(struct piece s, const char *these)
{
	bool quoted = false;

	for (; s.at < s.end && (quoted || !is_of(*s.at, these)); s.at++)
		quoted ^= *s.at == '"';
	return s.at;
}

/* Take the first word, and move *s behind it. */
static struct piece take_word(struct piece *s)
{
	struct piece word;

	*s = trim(*s);
	word = (struct piece){s->at, first_of(*s, BLANKS)};
	s->at = word.end;
	return word;
}

static bool is_word(struct piece s, const char *word)
{
	return (size_t)(s.end - s.at) == strlen(word) && memcmp(s.at, word, strlen(word)) == 0;
}

/* Read 0.0.0.0 to 255.255.255.255, which must be the whole text, without leading zeros. */
static bool read_ipv4(const char *text, uint32_t *address)
{
	uint32_t a = 0;

	for (int i = 0; i < 4; i++) {
		unsigned octet = 0, digits = 0;

		if (i && *text++ != '.')
			return false;
		for (; *text >= '0' && *text <= '9'; digits++)
			octet = octet * 10 + (unsigned)(*text++ - '0');
		if (!digits || digits > 3 || octet > 255 ||
		    (digits > 1 && text[-(int)digits] == '0'))
			return false;
		a = a << 8 | octet;
	}
	*address = a;
	return !*text;
}

static uint64_t read_be64(const uint8_t *p)
{
	uint64_t n = 0;

	for (int i = 0; i < 8; i++)
		n = n << 8 | p[i];
	return n;
}

bool set_address_read(const char *text, struct set_address *a)
{
	struct in6_addr in6;
	uint32_t ipv4;

	if (!strchr(text, ':')) {
		if (!read_ipv4(text, &ipv4))
			return false;
		*a = (struct set_address){{0, SETS_IPV4 | ipv4}};
		return true;
	}
	if (inet_pton(AF_INET6, text, &in6) != 1)
		return false;
	*a = (struct set_address){{read_be64(in6.s6_addr), read_be64(in6.s6_addr + 8)}};
	return true;
}

static int refuse_entry(const struct parser *p, const char *text)
{
	if (strchr(text, '%'))
		return refuse(p, "%s: frames have no scope: leave %% and what follows it out",
			      text);
	return refuse(p, "%s: give an address, a prefix as in 192.0.2.0/24, or FIRST-LAST", text);
}

/* The bits of an address that follow a prefix of this length. */
static struct set_address host_bits(unsigned length)
{
	struct set_address a = {{0, 0}};

	if (length < 64)
		a.half[0] = UINT64_MAX >> length;
	if (length < 128)
		a.half[1] = length <= 64 ? UINT64_MAX : UINT64_MAX >> (length - 64);
	return a;
}

/* Digits only; -1: not a length up to most. */
static int read_length(const char *text, int most)
{
	int n = 0;

	if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 3)
		return -1;
	for (; *text; text++)
		n = n * 10 + *text - '0';
	return n <= most ? n : -1;
}

static int add(const struct parser *p, const struct set_address *from, const struct set_address *to)
{
	struct set_entries *e = p->to;
	int error = set_entries_add(e, from, to, SETS_INFO(p->bits, p->line));

	if (!error && set_table_lines(e->singles, e->ranges, e) > SET_LINES_MAX)
		error = -E2BIG;
	return error;
}

static int take_prefix(const struct parser *p, char *text, char *slash)
{
	struct set_address from, to, host;
	int length, most;
	bool ipv4;

	*slash = 0;
	if (!set_address_read(text, &from)) {
		*slash = '/';
		return refuse_entry(p, text);
	}
	ipv4 = !strchr(text, ':');
	most = ipv4 ? 32 : 128;
	length = read_length(slash + 1, most);
	if (length < 0)
		return refuse(p, "%s/%s: give a length from 0 to %d behind the /", text, slash + 1,
			      most);
	host = host_bits((unsigned)length + (ipv4 ? 96 : 0));
	if ((from.half[0] & host.half[0]) || (from.half[1] & host.half[1]))
		return refuse(p,
			      "%s/%d: the address has bits behind its first %d: give the prefix alone, or a longer one",
			      text, length, length);
	to.half[0] = from.half[0] | host.half[0];
	to.half[1] = from.half[1] | host.half[1];
	return add(p, &from, &to);
}

static int take_range(const struct parser *p, char *text, char *dash)
{
	struct set_address from, to;
	bool good;

	*dash = 0;
	good = set_address_read(text, &from) && set_address_read(dash + 1, &to);
	good = good && !strchr(text, ':') == !strchr(dash + 1, ':');
	*dash = '-';
	if (!good)
		return refuse_entry(p, text);
	if (set_address_compare(&from, &to) > 0)
		return refuse(p, "%s: the first address is above the last: exchange them", text);
	return add(p, &from, &to);
}

/* False: the word is longer, and was cut. */
static bool copy_word(char text[WORD_MAX + 1], struct piece word)
{
	size_t length = (size_t)(word.end - word.at);

	snprintf(text, WORD_MAX + 1, "%.*s", (int)(length > WORD_MAX ? WORD_MAX : length), word.at);
	return length <= WORD_MAX;
}

static int take_entry(const struct parser *p, struct piece word)
{
	char text[WORD_MAX + 1], *sign;
	struct set_address a;

	if (!copy_word(text, word) || strchr(text, '%'))
		return refuse_entry(p, text);
	sign = strchr(text, '/');
	if (sign)
		return take_prefix(p, text, sign);
	sign = strchr(text, '-');
	if (sign)
		return take_range(p, text, sign);
	if (!set_address_read(text, &a))
		return refuse_entry(p, text);
	return add(p, &a, &a);
}

/* Is it an address, or does it begin with one, as prefixes and ranges do? */
static bool is_address(const char *word)
{
	char text[WORD_MAX + 1], *sign;
	struct set_address a;

	snprintf(text, sizeof(text), "%s", word);
	sign = strpbrk(text, "/-");
	/* A name may contain that sign, too: in a range, an address follows it. */
	if (sign && (*sign == '/' || strchr(text, ':') || set_address_read(sign + 1, &a)))
		*sign = 0;
	return set_address_read(text, &a);
}

/*
 * An address may be followed by names (in a hosts file), or by what ipset and nft print about it.
 * Another address means a list with columns, which is an error.
 */
static int check_rest(const struct parser *p, struct piece entry, struct piece rest)
{
	struct piece first = take_word(&rest), word = first;
	char text[WORD_MAX + 1];

	for (; word.at < word.end; word = take_word(&rest)) {
		if (is_word(word, "nomatch"))
			return refuse(p,
				      "nomatch: exceptions are for a file of their own: not-hosts=");
		copy_word(text, word);
		if (is_address(text) || (word.at == first.at && !isalpha((unsigned char)*text) &&
					 *text != '_' && *text != '"'))
			return refuse(p, "%s: one address, prefix or range to a line is enough",
				      text);
	}
	if (first.at < first.end && is_word(entry, "0.0.0.0"))
		return refuse(p,
			      "this is a list of names, for which 0.0.0.0 stands, and names are not looked up: give a list of addresses");
	return 0;
}

/* Read entries, separated by commas. */
static int take_entries(const struct parser *p, struct piece line)
{
	int e = 0;

	while (line.at < line.end && !e) {
		struct piece part = {line.at, first_of(line, ",")}, word;

		line.at = part.end < line.end ? part.end + 1 : line.end;
		word = take_word(&part);
		if (word.at == word.end || is_word(word, "}"))
			continue;
		e = check_rest(p, word, part);
		if (!e)
			e = take_entry(p, word);
	}
	return e;
}

/* Does the line begin as those of ipset and nft do that have no entries? */
static bool is_heading(struct piece word)
{
	static const char *const words[] = {"create",	   "table",	 "set",	   "type",
					    "typeof",	   "flags",	 "size",   "timeout",
					    "gc-interval", "auto-merge", "policy", "comment",
					    "counter"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is_word(word, words[i]))
			return true;
	return is_word(word, "}");
}

/* The text between { and }, or all if there are none. */
static struct piece inside_braces(struct piece s)
{
	const char *open = first_of(s, "{");

	if (open < s.end)
		s.at = open + 1;
	s.end = first_of(s, "}");
	return s;
}

/* Such a line must not have entries, because they would be overlooked. */
static int take_heading(const struct parser *p, struct piece line)
{
	struct piece rest = {first_of(line, "{"), line.end};

	if (rest.at == rest.end)
		return 0;
	rest.at++;
	rest = trim(rest);
	return rest.at < rest.end ? refuse(p, "begin a new line behind each {") : 0;
}

/* Nor after the braces. */
static bool ends_with_braces(struct piece s)
{
	s.at = first_of(s, "}");
	while (s.at < s.end && is_of(*s.at, BLANKS "}"))
		s.at++;
	return s.at == s.end;
}

static bool has_all_quotes(struct piece s)
{
	bool quoted = false;

	for (; s.at < s.end; s.at++)
		quoted ^= *s.at == '"';
	return !quoted;
}

/* The caller has cut off a comment that begins with #. One that begins with ; is cut off here,
 * except in a heading, which may contain ;. */
static int take_line(const struct parser *p, struct piece line)
{
	struct piece rest = {line.at, first_of(line, ";")}, all, word;

	if (!has_all_quotes(rest))
		return refuse(p, "a \" has no other one behind it: add that, or leave it out");
	if (!ends_with_braces(rest))
		return refuse(p, "begin a new line behind each }");
	all = rest;
	word = take_word(&rest);
	if (is_heading(word))
		return take_heading(p, line);
	if (is_word(word, "add")) { /* from ipset: the name of the set follows */
		take_word(&rest);
		return take_entries(p, rest);
	}
	return take_entries(p, inside_braces(all));
}

int set_text_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		   size_t length, char *err, size_t size)
{
	struct parser p = {.to = e, .bits = bits, .name = name, .err = err, .size = size};
	const char *end = text + length;
	int error = 0;

	while (text < end && !error) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		struct piece line = {text, stop ? stop : end};

		if (++p.line > LINE_MAX_NUMBER)
			return refuse(&p, "the file has more lines than can be counted");
		if (memchr(line.at, 0, (size_t)(line.end - line.at)))
			return refuse(&p, "this is no text, or one in UTF-16: give it in UTF-8");
		line.end = first_of(line, "#");
		error = take_line(&p, line);
		text = stop ? stop + 1 : end;
	}
	if (error == -ENOMEM)
		snprintf(err, size, "no memory for the addresses in %s", name);
	return error;
}
