/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Finds the word that was meant by a misspelled one. */
#pragma once

#include <stddef.h>
#include <string.h>

#define NEAREST_LENGTH 31 /* maximum length of words that are compared */
#define NEAREST_MOST   2  /* letters that may differ, less than half the word */

static inline unsigned nearest_least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Number of letters that are wrong, missing, superfluous or swapped, between the first n of word
 * and other; more than NEAREST_MOST if they are not similar.
 */
static inline unsigned nearest_distance(const char *word, size_t n, const char *other)
{
	unsigned row[3][NEAREST_LENGTH + 1], *last = row[0], *now = row[1], *before = row[2];
	size_t m = strlen(other);

	if (n > NEAREST_LENGTH || m > NEAREST_LENGTH)
		return NEAREST_MOST + 1;
	for (size_t k = 0; k <= m; k++)
		now[k] = (unsigned)k;
	for (size_t i = 1; i <= n; i++) {
		unsigned *spare = before;

		before = last;
		last = now;
		now = spare;
		now[0] = (unsigned)i;
		for (size_t k = 1; k <= m; k++) {
			unsigned other_letter = word[i - 1] != other[k - 1];

			now[k] = nearest_least(last[k - 1] + other_letter,
					       nearest_least(last[k], now[k - 1]) + 1);
			if (i > 1 && k > 1 && word[i - 1] == other[k - 2] &&
			    word[i - 2] == other[k - 1])
				now[k] = nearest_least(now[k], before[k - 2] + 1);
		}
	}
	return 2 * now[m] < n ? now[m] : NEAREST_MOST + 1;
}
