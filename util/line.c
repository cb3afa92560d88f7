/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <string.h>

#include "line.h"

bool line_of(const char *path, const char *word, char *line, size_t size)
{
	size_t n = word ? strlen(word) : 0;
	FILE *f = fopen(path, "re");
	bool found = false;

	while (f && !found && fgets(line, (int)size, f))
		found = n == 0 || strncmp(line, word, n) == 0;
	if (f)
		fclose(f);
	if (!found)
		line[0] = 0;
	else if (word)
		n += strspn(line + n, " \t");
	line[strcspn(line, "\n")] = 0;
	if (found)
		memmove(line, line + n, strlen(line + n) + 1);
	return found;
}
