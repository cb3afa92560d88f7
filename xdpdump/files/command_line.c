/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xdpdump/os/complain.h"
#include "command_line.h"

#define BLANKS	     " \t\n"
#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"

/*
 * Put one word of *text, without its quotes, into *word. -EINVAL: a quote is not closed, or the
 * text ends with a backslash.
 */
static int take_word(const char **text, char **word)
{
	const char *at = *text;
	char *to = *word = malloc(strlen(at) + 1);
	char quote = 0;

	if (!to)
		return -ENOMEM;
	for (; *at && (quote || !strchr(BLANKS, *at)); at++) {
		if (*at == quote)
			quote = 0;
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else if (*at != '\\' || quote == '\'')
			*to++ = *at;
		else if (at[1])
			*to++ = *++at;
		else
			return -EINVAL;
	}
	*to = 0;
	*text = at;
	return quote ? -EINVAL : 0;
}

static int split(struct command_line *c, const char *text)
{
	int e = 0;

	/* Each word but the last takes at least two characters of the text. */
	c->words = calloc(strlen(text) / 2 + 3, sizeof(*c->words));
	if (!c->words)
		return -ENOMEM;
	for (text += strspn(text, BLANKS); *text && !e; text += strspn(text, BLANKS))
		e = take_word(&text, &c->words[c->count++]);
	return e;
}

static int try_program(const char *path)
{
	struct stat st;

	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) || stat(path, &st))
		return -errno;
	return S_ISREG(st.st_mode) ? 0 : -EACCES;
}

/*
 * Search as execvp() does. Returns 0 and the path of the first file that can be run; or else why
 * one that exists cannot be, or -ENOENT.
 */
static int search(const char *name, char *path, size_t size)
{
	const char *dirs = getenv("PATH");
	int e = -ENOENT;

	for (dirs = dirs ? dirs : PATH_DEFAULT; dirs; dirs = *dirs ? dirs + 1 : NULL) {
		size_t n = strcspn(dirs, ":");
		int one;

		snprintf(path, size, "%.*s%s%s", (int)n, dirs, n ? "/" : "", name);
		one = try_program(path);
		if (!one)
			return 0;
		if (one != -ENOENT && one != -ENOTDIR)
			e = one;
		dirs += n;
	}
	return e;
}

static int find_program(struct command_line *c)
{
	char path[PATH_MAX];
	const char *name = c->words[0];
	int e;

	if (strchr(name, '/')) {
		snprintf(path, sizeof(path), "%s", name);
		e = try_program(path);
	} else {
		e = *name ? search(name, path, sizeof(path)) : -ENOENT;
	}
	if (!e)
		c->program = strdup(path);
	return !e && !c->program ? -ENOMEM : e;
}

int command_line_parse(struct command_line *c, const char *option, const char *text)
{
	int e;

	*c = (struct command_line){0};
	e = split(c, text);
	if (e == -EINVAL)
		return refuse(e, "%s %s: a quote is not closed, or nothing follows a backslash",
			      option, text);
	if (!e && !c->count)
		return refuse(-EINVAL, "%s needs the name of a program", option);
	if (!e)
		e = find_program(c);
	if (e == -ENOENT && !strchr(c->words[0], '/'))
		complain("%s %s: there is no program \"%s\" in PATH", option, text, c->words[0]);
	else if (e)
		complain("%s %s: %s cannot be run: %s", option, text,
			 c->count && c->words[0] ? c->words[0] : "it", strerror(-e));
	return e;
}

void command_line_clear(struct command_line *c)
{
	for (unsigned i = 0; i < c->count; i++)
		free(c->words[i]);
	free(c->words);
	free(c->program);
	*c = (struct command_line){0};
}
