/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Patterns of file names, at any times: a name fits where it is put, or there is a reason. */
#include <errno.h>

#include "fuzz.h"
#include "xdpdump/files/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned style = (unsigned)take(&data, &size, 1) % 3;
	uint64_t wrap = 1 + take(&data, &size, 2), time = take(&data, &size, 8);
	char *pattern = text_of(data, size), name[PATH_MAX], before[PATH_MAX] = "";
	struct names n = {.pattern = pattern, .style = (enum names_style)style, .wrap = wrap};

	for (unsigned i = 0; i < 8; i++) {
		int e = names_next(&n, time + i * (wrap << 24), name, sizeof(name));

		must(e == 0 || e == -ENAMETOOLONG || e == -EINVAL, "another error");
		if (e)
			break;
		must(name[0] && strnlen(name, sizeof(name)) < sizeof(name), "no name");
		must(style == NAMES_NUMBERED || strcmp(name, before) != 0, "the same name again");
		must(names_suffix(name) >= name && names_suffix(name) <= name + strlen(name),
		     "a suffix that is elsewhere");
		strcpy(before, name);
	}
	free(pattern);
	return 0;
}
