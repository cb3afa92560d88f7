/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>

#include "line_parts.h"

/* An attacker's frame can nest thousands of headers. */
#define DEPTH_MAX 12

void line_print(struct line *l, const char *format, ...)
{
	size_t left = l->room - l->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(l->at + l->used, left, format, args);
	va_end(args);
	if (n > 0)
		l->used += (size_t)n < left ? (size_t)n : left;
}

void line_cut(struct line *l, const char *header)
{
	line_print(l, "[|%s]", header);
}

bool line_has(struct line *l, const struct part *p, uint32_t n, const char *header)
{
	if (!part_has(p, n))
		line_cut(l, header);
	return part_has(p, n);
}

void line_address(struct line *l, int family, const uint8_t *address)
{
	char text[INET6_ADDRSTRLEN];

	line_print(l, "%s", inet_ntop(family, address, text, sizeof(text)));
}

void line_ends(struct line *l, const struct ends *e)
{
	if (e->are_told)
		return;
	line_address(l, e->family, e->from);
	line_print(l, " > ");
	line_address(l, e->family, e->to);
	line_print(l, ": ");
}

bool line_deeper(struct line *l)
{
	if (l->depth == DEPTH_MAX) {
		line_print(l, "...");
		return false;
	}
	l->depth++;
	return true;
}

void line_next(struct line *l, uint16_t type, struct part p, uint32_t frame)
{
	l->has_next = true;
	l->type = type;
	l->next = p;
	l->frame = frame;
}
