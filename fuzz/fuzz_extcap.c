/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What Wireshark says to an extcap, a line for each word. A capture would begin, and does not. */
#include <getopt.h>

#include "fuzz.h"
#include "xdpdump/cli/extcap.h"
#include "xdpdump/cli/options.h"

#define WORDS 64

static int begin(const struct options *o)
{
	must(o != NULL, "a capture without options");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool captures = take(&data, &size, 1) & 1;
	char *text = text_of(data, size), *words[WORDS];
	bool opens = strstr(text, "--fi") || strchr(text, '/'); /* files are not for this */
	int n = words_of(text, words, WORDS - 2);

	if (captures) {
		words[n++] = (char *)"--fifo=/dev/null";
		words[n] = NULL;
	}
	optind = 0; /* getopt(3) begins anew */
	if (!opens && extcap_called(n, words))
		extcap_answer(n, words, begin);
	free(text);
	return 0;
}
