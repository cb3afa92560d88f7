/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "expression.h"

#define FILE_SIZE_MAX (1u << 20) /* nobody writes that much; /dev/zero has more */

/* Remove white space at both ends. If nothing is left, there is no expression. */
static void trim(char **text)
{
	char *first = *text, *last = first + strlen(first);

	while (last > first && isspace((unsigned char)last[-1]))
		*--last = 0;
	while (isspace((unsigned char)*first))
		first++;
	memmove(*text, first, (size_t)(last - first) + 1);
	if (!**text) {
		free(*text);
		*text = NULL;
	}
}

int expression_join(char **text, char **words)
{
	size_t size = 1;
	char *at;

	for (char **w = words; *w; w++)
		size += strlen(*w) + 1;
	at = *text = calloc(1, size);
	if (!at)
		return complain_memory();
	for (char **w = words; *w; w++) {
		at = stpcpy(at, *w);
		*at++ = ' ';
	}
	trim(text);
	return 0;
}

static int read_all(char **text, FILE *f, const char *name)
{
	size_t n;

	*text = calloc(1, FILE_SIZE_MAX + 1);
	if (!*text)
		return complain_memory();
	n = fread(*text, 1, FILE_SIZE_MAX, f);
	if (ferror(f))
		complain("%s: %s", name, strerror(errno));
	else if (n == FILE_SIZE_MAX)
		complain("%s: too large for a filter expression", name);
	else if (memchr(*text, 0, n))
		complain("%s: not a text file", name);
	else
		return 0;
	return -1;
}

static void blank_comments(char *text)
{
	for (char *hash = text; (hash = strchr(hash, '#'));)
		while (*hash && *hash != '\n')
			*hash++ = ' ';
}

int expression_read(char **text, const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	int e;

	if (!f)
		return refuse(-1, "%s: %s", path, strerror(errno));
	e = read_all(text, f, f == stdin ? "standard input" : path);
	if (f != stdin)
		fclose(f);
	if (e)
		return e;
	blank_comments(*text);
	trim(text);
	return 0;
}
