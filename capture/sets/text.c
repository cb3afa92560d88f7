/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#define WORD_MAX	96 /* two addresses of IPv6 */
#define LINE_MAX_NUMBER ((1u << SETS_LINE_BITS) - 1)

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
	if (n >= 0 && (size_t)n < p->size)
		vsnprintf(p->err + n, p->size - (size_t)n, format, args);
	va_end(args);
	return -EINVAL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static struct piece trim(struct piece s)
{
	while (s.at < s.end && is_blank(*s.at))
		s.at++;
	while (s.end > s.at && is_blank(s.end[-1]))
		s.end--;
	return s;
}

/* The first word, which *s then goes on behind. */
static struct piece take_word(struct piece *s)
{
	struct piece word;

	*s = trim(*s);
	word = *s;
	while (s->at < s->end && !is_blank(*s->at))
		s->at++;
	word.end = s->at;
	return word;
}

static bool is_word(struct piece s, const char *word)
{
	return (size_t)(s.end - s.at) == strlen(word) && memcmp(s.at, word, strlen(word)) == 0;
}

/* 0.0.0.0 to 255.255.255.255, all of the text, and no zeros in front. */
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

static bool read_address(const char *text, struct set_address *a)
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

/* The address's bits behind the prefix. */
static struct set_address host_bits(unsigned length)
{
	struct set_address a = {{0, 0}};

	if (length < 64)
		a.half[0] = UINT64_MAX >> length;
	if (length < 128)
		a.half[1] = length <= 64 ? UINT64_MAX : UINT64_MAX >> (length - 64);
	return a;
}

/* Digits only; -1: it is no length up to most. */
static int read_length(const char *text, int most)
{
	int n = 0;

	if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 3)
		return -1;
	for (; *text; text++)
		n = n * 10 + *text - '0';
	return n <= most ? n : -1;
}

static int take_prefix(const struct parser *p, char *text, char *slash)
{
	struct set_address from, to, host;
	int length, most;
	bool ipv4;

	*slash = 0;
	if (!read_address(text, &from)) {
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
	return set_entries_add(p->to, &from, &to, SETS_INFO(p->bits, p->line));
}

static int take_range(const struct parser *p, char *text, char *dash)
{
	struct set_address from, to;
	bool good;

	*dash = 0;
	good = read_address(text, &from) && read_address(dash + 1, &to);
	good = good && !strchr(text, ':') == !strchr(dash + 1, ':');
	*dash = '-';
	if (!good)
		return refuse_entry(p, text);
	if (set_address_compare(&from, &to) > 0)
		return refuse(p, "%s: the first address is above the last: exchange them", text);
	return set_entries_add(p->to, &from, &to, SETS_INFO(p->bits, p->line));
}

static int take_entry(const struct parser *p, struct piece word)
{
	size_t length = (size_t)(word.end - word.at);
	char text[WORD_MAX + 1], *sign;
	struct set_address a;

	snprintf(text, sizeof(text), "%.*s", (int)(length > WORD_MAX ? WORD_MAX : length), word.at);
	for (char *c = text; *c; c++) /* it may come into a message */
		if (!isprint((unsigned char)*c))
			*c = '?';
	if (length > WORD_MAX || strchr(text, '%'))
		return refuse_entry(p, text);
	sign = strchr(text, '/');
	if (sign)
		return take_prefix(p, text, sign);
	sign = strchr(text, '-');
	if (sign)
		return take_range(p, text, sign);
	if (!read_address(text, &a))
		return refuse_entry(p, text);
	return set_entries_add(p->to, &a, &a, SETS_INFO(p->bits, p->line));
}

/*
 * Behind an address are names, of a hosts file, or what ipset and nft know of it. Another address
 * is of a list with columns.
 */
static int check_rest(const struct parser *p, struct piece entry, struct piece rest)
{
	struct piece word = take_word(&rest);

	if (word.at == word.end)
		return 0;
	if (is_word(word, "nomatch"))
		return refuse(p, "nomatch: exceptions are for a file of their own: not-hosts=");
	if (!isalpha((unsigned char)*word.at) && *word.at != '_')
		return refuse(p, "%.*s: one address, prefix or range to a line is enough",
			      (int)(word.end - word.at < WORD_MAX ? word.end - word.at : WORD_MAX),
			      word.at);
	if (is_word(entry, "0.0.0.0"))
		return refuse(p,
			      "this is a list of names, for which 0.0.0.0 stands, and names are not looked up: give a list of addresses");
	return 0;
}

/* Entries with commas in between. */
static int take_entries(const struct parser *p, struct piece line)
{
	int e = 0;

	while (line.at < line.end && !e) {
		struct piece part = {line.at, memchr(line.at, ',', (size_t)(line.end - line.at))};
		struct piece word;

		if (!part.end)
			part.end = line.end;
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

/* What begins a line of ipset and nft that has no entries. */
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

/* Behind the {, and before the }. */
static struct piece inside_braces(struct piece s)
{
	const char *open = memchr(s.at, '{', (size_t)(s.end - s.at));
	const char *close;

	if (open)
		s.at = open + 1;
	close = s.at < s.end ? memchr(s.at, '}', (size_t)(s.end - s.at)) : NULL;
	if (close)
		s.end = close;
	return s;
}

static int take_line(const struct parser *p, struct piece line)
{
	struct piece rest = trim(line), word;

	line = rest;
	word = take_word(&rest);
	if (word.at == word.end || is_heading(word))
		return 0;
	if (is_word(word, "add")) { /* of ipset: the name of the set follows */
		take_word(&rest);
		return take_entries(p, rest);
	}
	return take_entries(p, inside_braces(line));
}

/* Up to where a comment begins. */
static struct piece without_comment(struct piece line)
{
	for (const char *c = line.at; c < line.end; c++)
		if (*c == '#' || *c == ';')
			line.end = c;
	return line;
}

int set_text_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		   size_t length, char *err, size_t size)
{
	struct parser p = {.to = e, .bits = bits, .name = name, .err = err, .size = size};
	const char *end = text + length;
	int error = 0;

	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		text += 3;
	while (text < end && !error) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		struct piece line = {text, stop ? stop : end};

		if (++p.line > LINE_MAX_NUMBER)
			return refuse(&p, "the file has more lines than can be counted");
		if (memchr(line.at, 0, (size_t)(line.end - line.at)))
			return refuse(&p, "this is no text, or one in UTF-16: give it in UTF-8");
		error = take_line(&p, without_comment(line));
		text = stop ? stop + 1 : end;
	}
	if (error == -ENOMEM)
		snprintf(err, size, "no memory for the addresses in %s", name);
	return error;
}
