/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A check of --doctor: looks at one thing, and says how it is in one sentence, with a remedy to
 * type where there is one. checks.def lists them all.
 */
#pragma once

#include <stdbool.h>

struct patient;

enum result {
	RESULT_OK,
	RESULT_WARNING, /* a capture works, but with less than there could be */
	RESULT_FAILURE, /* it does not work */
	RESULT_NOT_APPLICABLE,
};

struct finding {
	enum result result;
	const char *name;
	char text[640];
	char fix[512]; /* what to type; empty: nothing */
};

struct check {
	const char *name;
	enum result (*run)(const struct patient *p, struct finding *f);
	bool (*applies)(const struct patient *p); /* NULL: wherever the interface is there */
};

/* Write the sentence. The result is the first argument. */
__attribute__((format(printf, 3, 4))) enum result say(enum result r, struct finding *f,
						      const char *format, ...);
/* What to type, which begins with the way to where the interface is. p: NULL where that makes no
 * difference. */
__attribute__((format(printf, 3, 4))) void remedy(const struct patient *p, struct finding *f,
						  const char *format, ...);

#define CHECKS_MAX 32
/* Run those that apply, in the order of the table. How many findings there are. */
unsigned checks_run(const struct patient *p, struct finding list[CHECKS_MAX]);

/* Each looks at one thing. */
#define CHECK(name, function, applies)                                                             \
	enum result function(const struct patient *p, struct finding *f);
#include "checks.def"
