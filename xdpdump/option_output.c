/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "compress.h"
#include "option_output.h"
#include "option_values.h"
#include "options.h"
#include "report.h"

/* LEVEL, seekable, or both with a comma in between. */
int option_zstd(struct options *o, const char *name, const char *value)
{
	static const char word[] = "seekable";
	uint64_t level = COMPRESS_LEVEL_DEFAULT;
	char number[32];
	const char *comma = value ? strchr(value, ',') : NULL;

	if (!compressor_is_built()) {
		complain("%s: this xdpdump was built without libzstd", name);
		return -1;
	}
	o->zstd_seekable = value && strcmp(comma ? comma + 1 : value, word) == 0;
	if (o->zstd_seekable && comma) {
		snprintf(number, sizeof(number), "%.*s", (int)(comma - value), value);
		value = number;
	}
	if (value && (comma || !o->zstd_seekable) &&
	    value_number(&level, name, value, 1, COMPRESS_LEVEL_MAX))
		return -1;
	o->zstd_level = (int)level;
	return 0;
}
