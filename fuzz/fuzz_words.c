/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Commands of -z and --decode, and text of --doctor --report, in which no address stays. */
#include <ctype.h>

#include "fuzz.h"
#include "xdpdump/doctor/redact.h"
#include "xdpdump/files/command_line.h"

static void split(const char *text)
{
	struct command_line c;

	if (command_line_parse(&c, "-z", text) == 0) {
		must(c.count && c.program && c.words[0] && !c.words[c.count], "no command");
		for (unsigned i = 0; i < c.count; i++)
			must(strlen(c.words[i]) <= strlen(text), "a word that nobody typed");
	}
	command_line_clear(&c);
}

/* Four numbers below 256, by themselves. */
static bool is_quad(const char *at)
{
	for (unsigned i = 0; i < 4; i++, at++) {
		size_t n = strspn(at, "0123456789");

		if (!n || n > 3 || (n > 1 && *at == '0') || atoi(at) > 255)
			return false;
		at += n;
		if (i < 3 && *at != '.')
			return false;
	}
	return !isalnum((unsigned char)at[-1]) && at[-1] != '.';
}

static void must_have_no_address(const char *text)
{
	bool begins = true;

	for (; *text; text++) {
		must(!begins || !is_quad(text), "an address is left");
		begins = !isalnum((unsigned char)*text) && *text != '_';
	}
}

static void conceal(const char *text)
{
	char *concealed = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&concealed, &n);

	must(out != NULL, "no memory");
	redact(out, text);
	fclose(out);
	if (!strstr(text, "version") && !strstr(text, "driver")) /* lines that stay as they are */
		must_have_no_address(concealed);
	free(concealed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size);

	split(text);
	conceal(text);
	free(text);
	return 0;
}
