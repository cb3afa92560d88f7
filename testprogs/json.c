/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "json.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		const unsigned char c = *text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void put_key(struct json *json, const char *key)
{
	if (json->comma)
		fputc(',', json->out);
	json->comma = true;
	put_string(json->out, key);
	fputc(':', json->out);
}

void json_open(struct json *json, FILE *out)
{
	*json = (struct json){.out = out};
	fputc('{', out);
}

void json_close(struct json *json)
{
	fputs("}\n", json->out);
	fflush(json->out);
}

void json_group(struct json *json, const char *key)
{
	put_key(json, key);
	fputc('{', json->out);
	json->comma = false;
}

void json_group_end(struct json *json)
{
	fputc('}', json->out);
	json->comma = true;
}

void json_count(struct json *json, const char *key, uint64_t value)
{
	put_key(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void json_int(struct json *json, const char *key, int64_t value)
{
	put_key(json, key);
	fprintf(json->out, "%" PRId64, value);
}

void json_real(struct json *json, const char *key, double value, int decimals)
{
	put_key(json, key);
	fprintf(json->out, "%.*f", decimals, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	put_key(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_text(struct json *json, const char *key, const char *value)
{
	put_key(json, key);
	put_string(json->out, value);
}

static int find_count(const char *line, const char *key, uint64_t *value)
{
	char wanted[64];
	const char *at;

	snprintf(wanted, sizeof(wanted), "\"%s\":", key);
	at = strstr(line, wanted);
	if (!at)
		return -ENOENT;
	at += strlen(wanted);
	if (!isdigit((unsigned char)*at))
		return -EINVAL;
	errno = 0;
	*value = strtoull(at, NULL, 10);
	return -errno;
}

int json_file_count(const char *path, const char *key, uint64_t *value)
{
	FILE *file = fopen(path, "re");
	char line[4096];
	int err = -ENOENT;

	if (!file)
		return -errno;
	while (err == -ENOENT && fgets(line, sizeof(line), file))
		err = find_count(line, key, value);
	fclose(file);
	return err;
}
