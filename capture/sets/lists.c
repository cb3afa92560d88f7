/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lists.h"
#include "text.h"

/* In the order of their bits. */
static const char *const options[SETS_FILES] = {
	"hosts", "src-hosts", "dst-hosts", "not-hosts", "not-src-hosts", "not-dst-hosts",
	"ports", "src-ports", "dst-ports", "not-ports", "not-src-ports", "not-dst-ports",
};

/* Returns SETS_FILES if it is not one of them. */
static unsigned find_option(const char *name, size_t length)
{
	unsigned i = 0;

	while (i < SETS_FILES &&
	       (strlen(options[i]) != length || memcmp(options[i], name, length) != 0))
		i++;
	return i;
}

int lists_name(const char *names, uint32_t *bits, char *err, size_t size)
{
	*bits = 0;
	while (names) {
		size_t length = strcspn(names, ",");
		unsigned i = find_option(names, length);

		if (i == SETS_FILES) {
			snprintf(err, size,
				 "lists= has `%.*s': give hosts, ports, or their src-, dst- and not-forms, with commas between",
				 (int)length, names);
			return -EINVAL;
		}
		*bits |= 1u << i;
		names = names[length] ? names + length + 1 : NULL;
	}
	return 0;
}

int lists_parse(struct set_entries *e, uint32_t asked, const struct afxdp_addresses *lists,
		unsigned n, char *err, size_t size)
{
	uint32_t given = 0;
	int error = 0;

	for (unsigned i = 0; i < n && !error; i++) {
		unsigned k = find_option(lists[i].option, strlen(lists[i].option));
		const char *text = lists[i].text ? lists[i].text : "";

		if (k == SETS_FILES || !(asked & 1u << k) || given & 1u << k) {
			snprintf(err, size,
				 "%s is not in lists=, or was given twice: name it there, and give it once",
				 lists[i].option);
			return -EINVAL;
		}
		given |= 1u << k;
		error = (k < SETS_PORTS_SHIFT ? set_text_parse
					      : set_ports_parse)(e, 1u << k % SETS_KINDS,
								 lists[i].option, text,
								 lists[i].length, err, size);
	}
	return error;
}
