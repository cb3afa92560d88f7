/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef XDPDUMP_JSON_H
#define XDPDUMP_JSON_H

#include <stdio.h>

/* Print it in quotes. */
void json_string(FILE *to, const char *s);

#endif
