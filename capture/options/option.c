/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "capture/options/options.h"
#include "capture/options/option.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

unsigned option_words(const struct option_row *row)
{
	unsigned n = 1;

	for (const char *at = row->takes; *at; at++)
		n += *at == '|';
	return n;
}

/* The number of value among the words; -1: it is not one of them. */
static int find_word(const char *words, const char *value, size_t length)
{
	for (int i = 0;; i++) {
		size_t n = strcspn(words, "|[");

		if (n == length && strncmp(words, value, n) == 0)
			return i;
		if (words[n] != '|')
			return -1;
		words += n + 1;
	}
}

int option_word(const struct option_row *row, void *to, const char *value)
{
	int word = find_word(row->takes, value, strlen(value));

	if (word < 0)
		return -EINVAL;
	if (row->size == sizeof(bool))
		*(bool *)to = word;
	else
		*(int *)to = word;
	return 0;
}

/* By how many bits K, M or G shifts; moves *text behind it. */
static unsigned read_unit(const char **text)
{
	static const char units[] = "kKmMgG";
	const char *unit = **text ? strchr(units, **text) : NULL;

	if (!unit)
		return 0;
	(*text)++;
	return 10 * (unsigned)((unit - units) / 2 + 1);
}

static int read_size(const char *text, uint64_t *size)
{
	char *end;
	const char *rest;
	unsigned shift;
	unsigned long long n;

	if (!is_digit(*text))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &end, 10);
	rest = end;
	shift = read_unit(&rest);
	if (errno || *rest || n > UINT64_MAX >> shift)
		return -EINVAL;
	*size = n << shift;
	return 0;
}

int option_size(const struct option_row *row, void *to, const char *value)
{
	uint64_t n = 0;

	if (row->rule == SIZE_OR_OFF && strcmp(value, "off") == 0) {
		*(uint64_t *)to = 0;
		return 0;
	}
	if (read_size(value, &n) || n < row->least || n > row->most)
		return -EINVAL;
	if (row->rule == POWER_OF_TWO && (n & (n - 1)))
		return -EINVAL;
	*(uint64_t *)to = n;
	return 0;
}

static int read_number(const char *text, uint64_t least, uint64_t most, uint32_t *n)
{
	uint64_t value;

	if (strspn(text, "0123456789") != strlen(text) || read_size(text, &value) ||
	    value < least || value > most)
		return -EINVAL;
	*n = (uint32_t)value;
	return 0;
}

int option_number(const struct option_row *row, void *to, const char *value)
{
	return read_number(value, row->least, row->most, to);
}

int option_duration(const struct option_row *row, void *to, const char *value)
{
	size_t digits = strspn(value, "0123456789");
	const char *unit = value + digits;
	uint64_t second = 1000000000, n;

	if (strcmp(value, "off") == 0) {
		*(uint64_t *)to = UINT64_MAX;
		return 0;
	}
	if (!digits || digits > 4 || (*unit && strcmp(unit, "s") != 0 && strcmp(unit, "m") != 0))
		return -EINVAL;
	n = strtoull(value, NULL, 10) * second * (*unit == 'm' ? 60 : 1);
	if (n < row->least || n > row->most)
		return -EINVAL;
	*(uint64_t *)to = n;
	return 0;
}

/* "3" or "0-3"; moves *text behind it. */
static int read_queues(const char **text, uint64_t *queues)
{
	char *end;
	unsigned long from, to;

	if (!is_digit(**text))
		return -EINVAL;
	from = to = strtoul(*text, &end, 10);
	if (*end == '-' && is_digit(end[1]))
		to = strtoul(end + 1, &end, 10);
	if (to < from || to >= CAPTURE_QUEUES_MAX)
		return -EINVAL;
	for (; from <= to; from++)
		queues[from / 64] |= 1ull << from % 64;
	*text = end;
	return 0;
}

int option_queues(const struct option_row *row, void *to, const char *value)
{
	uint64_t queues[CAPTURE_QUEUES_MAX / 64] = {0};
	int e = 0;

	if (strcmp(value, "all") != 0) {
		e = read_queues(&value, queues);
		while (!e && *value == '+') {
			value++;
			e = read_queues(&value, queues);
		}
		if (*value)
			e = -EINVAL;
	}
	if (!e)
		memcpy(to, queues, row->size);
	return e;
}

int option_slice(const struct option_row *row, void *to, const char *value)
{
	const size_t length = strcspn(value, "+");
	struct slice slice = {SLICE_OFF, 0};
	int depth = find_word(row->takes, value, length);

	if (depth < 0 && strcmp(value, "off") != 0)
		return -EINVAL;
	if (value[length] && read_number(value + length + 1, 1, AFXDP_SNAPLEN_MAX, &slice.more))
		return -EINVAL;
	slice.depth = (uint32_t)(depth + 1);
	*(struct slice *)to = slice;
	return 0;
}

int option_path(const struct option_row *row, void *to, const char *value)
{
	if (strlen(value) >= row->size)
		return -EINVAL;
	strcpy(to, value);
	return 0;
}

static int read_fd(const char **text, int *fd)
{
	char *end;
	unsigned long n;

	if (!is_digit(**text))
		return -EINVAL;
	n = strtoul(*text, &end, 10);
	if (n < 3 || n > INT_MAX)
		return -EINVAL;
	*fd = (int)n;
	*text = end;
	return 0;
}

int option_fd(const struct option_row *row, void *to, const char *value)
{
	(void)row;
	return read_fd(&value, to) || *value ? -EINVAL : 0;
}

int option_sock_fds(const struct option_row *row, void *to, const char *value)
{
	struct sock_fds fds = {.count = 0};
	int e;

	(void)row;
	do
		e = fds.count < CAPTURE_SOCK_FDS_MAX ? read_fd(&value, &fds.fd[fds.count++])
						     : -EINVAL;
	while (!e && *value == '+' && value++);
	if (e || *value)
		return -EINVAL;
	*(struct sock_fds *)to = fds;
	return 0;
}
