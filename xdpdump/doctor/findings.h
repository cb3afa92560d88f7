/* SPDX-License-Identifier: BSD-3-Clause */
/* What --doctor has found: one verdict, a sentence and, where there is one, a remedy to type. */
#ifndef XDPDUMP_FINDINGS_H
#define XDPDUMP_FINDINGS_H

#include <stdbool.h>

#define FINDINGS_MAX 32

/* NOTE: a capture works, but with less than there could be. BAD: it does not. */
enum verdict { VERDICT_OK, VERDICT_NOTE, VERDICT_BAD };

struct finding {
	enum verdict verdict;
	const char *name; /* static */
	char text[640];
	char fix[512]; /* empty: none */
};

struct findings {
	struct finding list[FINDINGS_MAX];
	unsigned count;
	const char *netns; /* where the interface is, as --netns takes it; NULL: here */
};

__attribute__((format(printf, 4, 5))) void finding_add(struct findings *f, enum verdict v,
						       const char *name, const char *format, ...);
/* The remedy of the one that was added last, which begins with the way to where the interface is.
 */
__attribute__((format(printf, 2, 3))) void finding_fix(struct findings *f, const char *format, ...);
/* The same without the way, where it makes no difference. */
__attribute__((format(printf, 2, 3))) void finding_fix_here(struct findings *f, const char *format,
							    ...);
bool findings_are_bad(const struct findings *f);
/* To standard output: a table, or one JSON object in a line. */
void findings_print(const struct findings *f, const char *ifname, bool json);

#endif
