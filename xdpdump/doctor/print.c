/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "print.h"
#include "util/harmless.h"
#include "util/json.h"

#define NAME_WIDTH 16
#define TEXT_WIDTH 74

static const char *word(enum result r)
{
	static const char *const words[] =
		{[RESULT_OK] = "ok", [RESULT_WARNING] = "note", [RESULT_FAILURE] = "bad"};

	return words[r];
}

/* Print lines of at most TEXT_WIDTH, broken at blanks and aligned; a longer word is not broken. */
static void print_wrapped(FILE *to, const char *text)
{
	while (strlen(text) > TEXT_WIDTH) {
		int n = TEXT_WIDTH;

		while (n > 0 && text[n] != ' ')
			n--;
		if (!n)
			n = (int)strcspn(text, " ");
		if (!text[n])
			break;
		harmless_print(to, "%.*s\n%*s", n, text, NAME_WIDTH + 6, "");
		text += n + 1;
	}
	harmless_print(to, "%s\n", text);
}

/* The command to type stays on one line, so that it can be copied. */
static void print_finding(FILE *to, const struct finding *f)
{
	fprintf(to, "%-*s%-6s", NAME_WIDTH, f->name, word(f->result));
	print_wrapped(to, f->text);
	if (f->fix[0])
		harmless_print(to, "%*s# %s\n", NAME_WIDTH + 6, "", f->fix);
}

void print_text(FILE *to, const struct findings *f, const struct patient *p, bool works)
{
	for (unsigned i = 0; i < f->count; i++)
		print_finding(to, &f->list[i]);
	harmless_print(to, "\nCapture on %s%s%s %s.\n", p->name,
		       p->netns ? " in network namespace " : "", p->netns ? p->netns : "",
		       works ? "works" : "does not work");
}

static void print_object(FILE *to, const struct finding *f)
{
	fprintf(to, "{\"name\":\"%s\",\"verdict\":\"%s\"", f->name, word(f->result));
	json_member(to, "text", f->text);
	if (f->fix[0])
		json_member(to, "fix", f->fix);
	putc('}', to);
}

void print_json(FILE *to, const struct findings *f, const struct patient *p, bool works)
{
	fputs("{\"interface\":", to);
	json_string(to, p->name);
	if (p->netns)
		json_member(to, "netns", p->netns);
	fprintf(to, ",\"schema\":" JSON_SCHEMA ",\"works\":%s,\"checks\":[",
		works ? "true" : "false");
	for (unsigned i = 0; i < f->count; i++) {
		if (i)
			putc(',', to);
		print_object(to, &f->list[i]);
	}
	fputs("]}\n", to);
}
