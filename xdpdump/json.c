/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

void json_string(FILE *to, const char *s)
{
	fputc('"', to);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < ' ')
			fprintf(to, "\\u%04x", c);
		else
			fprintf(to, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	fputc('"', to);
}
