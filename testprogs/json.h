/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Writes one JSON object, flat or nested, on one line: the report of a test program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	bool comma; /* the open object already has a member */
};

void json_open(struct json *json, FILE *out);
void json_close(struct json *json);
void json_group(struct json *json, const char *key);
void json_group_end(struct json *json);
void json_count(struct json *json, const char *key, uint64_t value);
void json_int(struct json *json, const char *key, int64_t value);
void json_real(struct json *json, const char *key, double value, int decimals);
void json_bool(struct json *json, const char *key, bool value);
void json_text(struct json *json, const char *key, const char *value);

/* Reads the number `key` from a file that json_close() ended. Returns 0, -ENOENT, -EINVAL, or
 * -errno of reading the file. */
int json_file_count(const char *path, const char *key, uint64_t *value);
