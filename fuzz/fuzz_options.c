/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* xdpdump's command line, a line for each word; nothing is opened. */
#include <getopt.h>

#include "fuzz.h"
#include "xdpdump/cli/options.h"

#define WORDS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size), *words[WORDS];
	struct options *o = calloc(1, sizeof(*o));

	must(o != NULL, "no memory");
	if (!strchr(text, '/')) { /* files that some options read are not for this */
		optind = 0;	  /* getopt(3) begins anew */
		options_parse(o, words_of(text, words, WORDS), words);
		options_free(o);
	}
	free(o);
	free(text);
	return 0;
}
