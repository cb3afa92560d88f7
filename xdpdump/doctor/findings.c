/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "findings.h"
#include "xdpdump/output/json.h"

#define NAME_WIDTH 16
#define TEXT_WIDTH 74

void finding_add(struct findings *f, enum verdict v, const char *name, const char *format, ...)
{
	struct finding *new = &f->list[f->count];
	va_list args;

	if (f->count == FINDINGS_MAX)
		return;
	*new = (struct finding){.verdict = v, .name = name};
	va_start(args, format);
	vsnprintf(new->text, sizeof(new->text), format, args);
	va_end(args);
	f->count++;
}

/* Behind what is there already. None is better than one that was cut. */
static void append_fix(struct finding *last, const char *format, va_list args)
{
	size_t used = strlen(last->fix), room = sizeof(last->fix) - used;

	if ((size_t)vsnprintf(last->fix + used, room, format, args) >= room)
		last->fix[0] = 0;
}

void finding_fix(struct findings *f, const char *format, ...)
{
	struct finding *last = &f->list[f->count - 1];
	const char *enter = f->netns && strchr(f->netns, '/') ? "nsenter --net=" : "ip netns exec ";
	va_list args;

	if (f->netns)
		snprintf(last->fix, sizeof(last->fix), "%s%s ", enter, f->netns);
	va_start(args, format);
	append_fix(last, format, args);
	va_end(args);
}

void finding_fix_here(struct findings *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append_fix(&f->list[f->count - 1], format, args);
	va_end(args);
}

bool findings_are_bad(const struct findings *f)
{
	for (unsigned i = 0; i < f->count; i++)
		if (f->list[i].verdict == VERDICT_BAD)
			return true;
	return false;
}

static const char *word(enum verdict v)
{
	static const char *const words[] =
		{[VERDICT_OK] = "ok", [VERDICT_NOTE] = "note", [VERDICT_BAD] = "bad"};

	return words[v];
}

/* Lines of TEXT_WIDTH at most where there are blanks to break at, below each other. */
static void print_wrapped(const char *text)
{
	while (strlen(text) > TEXT_WIDTH) {
		int n = TEXT_WIDTH;

		while (n > 0 && text[n] != ' ')
			n--;
		if (!n)
			n = (int)strcspn(text, " ");
		if (!text[n])
			break;
		printf("%.*s\n%*s", n, text, NAME_WIDTH + 6, "");
		text += n + 1;
	}
	puts(text);
}

/* What is to be typed stays in one line, to be copied. */
static void print_text(const struct finding *f)
{
	printf("%-*s%-6s", NAME_WIDTH, f->name, word(f->verdict));
	print_wrapped(f->text);
	if (f->fix[0])
		printf("%*s# %s\n", NAME_WIDTH + 6, "", f->fix);
}

static void print_json(const struct finding *f)
{
	printf("{\"name\":\"%s\",\"verdict\":\"%s\",\"text\":", f->name, word(f->verdict));
	json_string(stdout, f->text);
	if (f->fix[0]) {
		fputs(",\"fix\":", stdout);
		json_string(stdout, f->fix);
	}
	putchar('}');
}

void findings_print(const struct findings *f, const char *ifname, bool json)
{
	bool works = !findings_are_bad(f);

	if (json) {
		fputs("{\"interface\":", stdout);
		json_string(stdout, ifname);
		if (f->netns) {
			fputs(",\"netns\":", stdout);
			json_string(stdout, f->netns);
		}
		printf(",\"works\":%s,\"checks\":[", works ? "true" : "false");
	}
	for (unsigned i = 0; i < f->count; i++) {
		if (json && i)
			putchar(',');
		if (json)
			print_json(&f->list[i]);
		else
			print_text(&f->list[i]);
	}
	if (json)
		puts("]}");
	else
		printf("\nCapture on %s%s%s %s.\n", ifname,
		       f->netns ? " in network namespace " : "", f->netns ? f->netns : "",
		       works ? "works" : "does not work");
}
