/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* JSON of those who start containers: what is found lies in it, and no text is too long. */
#include "fuzz.h"
#include "who/member.h"

static void look(const char *text, const char *value)
{
	char to[16];

	if (!value)
		return;
	must(value >= text && value <= text + strlen(text), "a value that is elsewhere");
	member_text(value, to, sizeof(to));
	must(strnlen(to, sizeof(to)) < sizeof(to), "a text without an end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size);

	look(text, member_of(text, "Name"));
	look(text, member_of(member_of(text, "annotations"), "nerdctl/name"));
	for (const char *at = list_first(text); at; at = list_next(at)) {
		look(text, member_of(at, "id"));
		look(text, list_first(member_of(at, "names")));
	}
	free(text);
	return 0;
}
