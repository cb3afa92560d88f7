/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * libFuzzer target: any bytes as a frame, of any length, cut anywhere. The line is one line of
 * printable characters that ends where its length says, and reads no byte that is not there. Build
 * with clang -fsanitize=fuzzer,address,undefined.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/output/line.h"

enum { HEAD = 3, SMALL = 50 };

static void must(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "%s\n", what);
		abort();
	}
}

static void check(const char *text, size_t n, size_t room)
{
	must(n < room, "longer than its room");
	must(strlen(text) == n, "another length");
	for (size_t i = 0; i < n; i++)
		must(text[i] >= ' ' && text[i] <= '~', "not printable");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[LINE_MAX], small[SMALL];
	uint8_t *frame;
	uint32_t len;
	size_t n;

	if (size < HEAD)
		return 0;
	size -= HEAD;
	len = (uint32_t)size + (data[1] << 8 | data[2]) % 2000;
	frame = malloc(size ? size : 1);
	must(frame != NULL, "no memory");
	memcpy(frame, data + HEAD, size);
	n = line_of_frame(text, sizeof(text), data[0] % 3, data[0] >> 6, frame, (uint32_t)size,
			  len);
	check(text, n, sizeof(text));
	must(n > 0, "no word");
	n = line_of_frame(small, sizeof(small), data[0] % 3, data[0] >> 6, frame, (uint32_t)size,
			  len);
	check(small, n, sizeof(small));
	must(strncmp(small, text, n < SMALL - 4 ? n : SMALL - 4) == 0, "others in less room");
	free(frame);
	return 0;
}
