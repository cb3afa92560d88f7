/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Prints findings as text and as JSON. */
#pragma once

#include <stdio.h>

#include "check.h"
#include "patient.h"

struct findings {
	const struct finding *list;
	unsigned count;
};

/* Print a table, then the verdict. */
void print_text(FILE *to, const struct findings *f, const struct patient *p, bool works);
/* Print one object, in one line. */
void print_json(FILE *to, const struct findings *f, const struct patient *p, bool works);
