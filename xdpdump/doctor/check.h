/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A check of --doctor looks at one thing and reports on it in one sentence, with a command that
 * fixes it if there is one. checks.def lists all checks.
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
	char fix[512]; /* the command to type; empty: none */
};

struct check {
	const char *name;
	enum result (*run)(const struct patient *p, struct finding *f);
	bool (*applies)(const struct patient *p); /* NULL: if the interface can be looked at */
};

/* Write the sentence. Returns its first argument. */
__attribute__((format(printf, 3, 4))) enum result say(enum result r, struct finding *f,
						      const char *format, ...);
/* Write the command to type. A prefix makes it run in the interface's network namespace; p is NULL
 * if that makes no difference. */
__attribute__((format(printf, 3, 4))) void remedy(const struct patient *p, struct finding *f,
						  const char *format, ...);

#define CHECKS_MAX 32
/* Run the checks that apply, in the order of the table. Returns the number of findings. */
unsigned checks_run(const struct patient *p, struct finding list[CHECKS_MAX]);

/* Each looks at one thing. */
#define CHECK(name, function, applies)                                                             \
	enum result function(const struct patient *p, struct finding *f);
#include "checks.def"
