/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Of whatever setting of this librdkafka names a file, it is noticed that the file has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kafka/put/settings.h"

static char conf_file[] = "/tmp/settings_test.XXXXXX", named_file[] = "/tmp/settings_test.XXXXXX";

static bool ends(const char *text, const char *with)
{
	size_t n = strlen(text), m = strlen(with);

	return n >= m && strcmp(text + n - m, with) == 0;
}

/* Libraries, and what only consumers write, are no credentials. */
static bool names_a_file(const char *setting)
{
	static const char *const endings[] = {".location", ".keytab", ".file", ".path", ".paths"};
	static const char *const others[] = {"ssl.engine.location", "plugin.library.paths",
					     "offset.store.path"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(setting, others[i]) == 0)
			return false;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (ends(setting, endings[i]))
			return true;
	return false;
}

static void append(const char *path)
{
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	fputs("more\n", f);
	fclose(f);
}

/* It waits for a second between two looks. */
static bool look(struct settings *s, const struct client *c)
{
	s->looked = 0;
	return settings_have_changed(s, c);
}

static void is_noticed(const char *setting)
{
	struct client c = {.again = rd_kafka_conf_new()};
	struct settings s;
	char reason[256];
	bool before, first, second;

	if (rd_kafka_conf_set(c.again, setting, named_file, reason, sizeof(reason)) !=
	    RD_KAFKA_CONF_OK)
		fail_msg("%s: %s", setting, reason);
	settings_begin(&s, &c, conf_file);
	before = look(&s, &c);
	append(named_file);
	first = look(&s, &c); /* somebody may still write */
	second = look(&s, &c);
	rd_kafka_conf_destroy(c.again);
	if (before || first || !second)
		fail_msg("%s: %d %d %d", setting, before, first, second);
}

/* A line of the list begins with a setting; others follow. */
static void whatever_names_a_file_is_looked_at(void **state)
{
	char *list = NULL, *at, name[128];
	size_t length;
	FILE *f = open_memstream(&list, &length);
	unsigned found = 0;

	(void)state;
	assert_non_null(f);
	rd_kafka_conf_properties_show(f);
	fclose(f);
	for (at = list; *at; at += *at == '\n') {
		if (sscanf(at, "%127s |", name) == 1 && names_a_file(name)) {
			is_noticed(name);
			found++;
		}
		at += strcspn(at, "\n");
	}
	free(list);
	assert_true(found >= 6);
}

static int begin(void **state)
{
	(void)state;
	close(mkstemp(conf_file));
	close(mkstemp(named_file));
	return 0;
}

static int end(void **state)
{
	(void)state;
	unlink(conf_file);
	unlink(named_file);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_names_a_file_is_looked_at),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
