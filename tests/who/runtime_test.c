/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Names of containers, from trees in the form of each runtime. The test makes them: none of these
 * runtimes is here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "who/member.h"
#include "who/runtime.h"

#define ID    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define STORE "/var/lib/containers/storage/overlay-containers/containers.json"
#define BRIEF "/var/lib/containers/storage/overlay-containers/volatile-containers.json"
#define TASKS "/run/containerd/io.containerd.runtime.v2.task/"

static char root[] = "/tmp/runtime_test.XXXXXX", name[128];

static void put(const char *path, const char *text)
{
	char whole[512];
	FILE *to;

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = 0;
		mkdir(whole, 0700);
		*at = '/';
	}
	to = fopen(whole, "we");
	assert_non_null(to);
	assert_true(fputs(text, to) >= 0);
	assert_int_equal(fclose(to), 0);
}

static const char *found(const char *id)
{
	return runtime_name(root, id, name, sizeof(name)) ? name : NULL;
}

static int begin(void **state)
{
	(void)state;
	strcpy(strrchr(root, '.') + 1, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void docker(void **state)
{
	(void)state;
	assert_null(found(ID));
	put("/var/lib/docker/containers/" ID "/config.v2.json",
	    "{\"State\":{\"Running\":true,\"Pid\":77,\"Name\":\"/not\"},\"ID\":\"" ID "\","
	    "\"Config\":{\"Hostname\":\"0123\",\"Labels\":{\"a\":\"\\\"Name\\\":\\\"/nor this\\\"\"}},"
	    "\"Path\":[[1,2],{\"Name\":3}],\"Name\":\"/web\",\"Driver\":\"overlay2\"}\n");
	assert_string_equal(found(ID), "web");
	assert_null(found(OTHER));
	assert_null(found("0123456789abcdef"));
	assert_null(found("../../../../../../etc/../0123456789abcdef0123456789abcdef01234567"));
}

static void podman(void **state)
{
	(void)state;
	put(STORE, "[{\"id\":\"" OTHER "\",\"names\":[\"db\"],\"image\":\"1\",\"layer\":\"2\","
		   "\"metadata\":\"{\\\"id\\\":\\\"" ID "\\\"}\",\"created\":\"2026\"},\n"
		   " { \"id\" : \"" ID "\" , \"names\" : [ \"web\", \"alias\" ], \"flags\":{}}]");
	assert_string_equal(found(ID), "web");
	assert_string_equal(found(OTHER), "db");
	put(STORE, "[{\"id\":\"" ID "\",\"names\":[]}]");
	assert_null(found(ID));
	put(BRIEF, "[{\"id\":\"" ID "\",\"names\":[\"brief\"]}]"); /* podman run --rm */
	assert_string_equal(found(ID), "brief");
}

static void containerd(void **state)
{
	(void)state;
	put(TASKS "default/" ID "/config.json",
	    "{\"ociVersion\":\"1.1.0\",\"process\":{\"args\":[\"x\"]},\"annotations\":{"
	    "\"nerdctl/hostname\":\"h\",\"nerdctl/name\":\"web\"}}");
	put(TASKS "k8s.io/" OTHER "/config.json",
	    "{\"annotations\":{\"io.kubernetes.cri.container-name\":\"nginx\","
	    "\"io.kubernetes.cri.sandbox-name\":\"web-7d4b\"}}");
	assert_string_equal(found(ID), "web");
	assert_string_equal(found(OTHER), "web-7d4b/nginx");
	put(TASKS "k8s.io/" OTHER "/config.json",
	    "{\"annotations\":{\"io.kubernetes.cri.container-name\":\"nginx\","
	    "\"io.kubernetes.cri.container-type\":\"container\","
	    "\"io.kubernetes.cri.sandbox-namespace\":\"shop\","
	    "\"io.kubernetes.cri.sandbox-name\":\"web-7d4b\"}}");
	assert_string_equal(found(OTHER), "shop/web-7d4b/nginx");
	put(TASKS "k8s.io/" OTHER "/config.json", /* what holds the namespaces of a pod */
	    "{\"annotations\":{\"io.kubernetes.cri.container-type\":\"sandbox\","
	    "\"io.kubernetes.cri.sandbox-namespace\":\"shop\","
	    "\"io.kubernetes.cri.sandbox-name\":\"web-7d4b\"}}");
	assert_string_equal(found(OTHER), "shop/web-7d4b");
}

/* Longer than the room, with what a terminal obeys, of other kinds, or empty. */
static void hostile_pods(void **state)
{
	static const char *const names[][2] = {
		{"\"%s\"", NULL},
		{"\"\\u001b[2J\\n\"", "\x1b[2J\n/web"},
		{"\"../..\"", "../../web"},
		{"\"%%s%%n\"", "%s%n/web"},
		{"\"a\",\"io.kubernetes.cri.sandbox-namespace\":\"b\"", "a/web"},
		{"{\"io.kubernetes.cri.sandbox-name\":\"x\"}", "web"},
		{"\"\"", "web"},
		{"7", "web"},
	};
	char text[2048], one[1024], longest[600];

	(void)state;
	memset(longest, 'n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(one, sizeof(one), names[i][0], longest);
		snprintf(text, sizeof(text),
			 "{\"annotations\":{\"io.kubernetes.cri.sandbox-name\":\"web\","
			 "\"io.kubernetes.cri.sandbox-namespace\":%s}}",
			 one);
		put(TASKS "k8s.io/" ID "/config.json", text);
		assert_non_null(found(ID));
		if (names[i][1])
			assert_string_equal(name, names[i][1]);
		else
			assert_int_equal(strlen(name), sizeof(name) - 1);
	}
}

static void kubernetes(void **state)
{
	(void)state;
	put("/var/log/containers/web-7d4b_default_nginx-" ID ".log", "");
	put("/var/log/containers/" OTHER ".log", "");
	put("/var/log/containers/a_-" OTHER ".log", "");
	assert_string_equal(found(ID), "default/web-7d4b/nginx");
	assert_null(found(OTHER));
}

/* None of it may be read beyond its end, which the sanitizers see. */
static void broken(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"{\"Name\"",
		"{\"Name\":",
		"{\"Name\":\"",
		"{\"Name\":\"a\\",
		"[",
		"[[[[[",
		"{\"a\":[1,{\"b\":2}",
		"{\"Name\":1}",
		"{\"Name\":{}}",
		"{\"Name\":\"\"}",
		"{,}",
		"{\"a\":}",
		"{\"a\":,\"Name\":\"x\"}",
		"{\"a\" \"Name\":\"x\"}",
		"null",
		"{\"Name\":\"/\"}",
	};
	const char *path = "/var/lib/docker/containers/" ID "/config.v2.json";

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put(path, texts[i]);
		put(STORE, texts[i]);
		assert_null(found(ID));
		assert_string_equal(name, "");
	}
}

static void texts(void **state)
{
	char few[4], text[32];

	(void)state;
	assert_true(member_text("\"a\\n\\u001b\\u00e9\\\"b\\/\"", text, sizeof(text)));
	assert_string_equal(text, "a\n\x1b?\"b/");
	assert_true(member_text("\"abcdef\"", few, sizeof(few)));
	assert_string_equal(few, "abc");
	assert_true(member_text("\"\\u\"", text, sizeof(text)));
	assert_string_equal(text, "?");
	assert_false(member_text("\"\\u12", text, sizeof(text)));
	assert_false(member_text("12", text, sizeof(text)));
	assert_null(member_of("[]", "a"));
	assert_null(list_first("[]"));
}

/* Of another size, of another kind, or behind a link: nothing. */
static void files(void **state)
{
	const char *path = "/var/lib/docker/containers/" ID "/config.v2.json";
	char whole[256], target[256], *large = malloc((1 << 20) + 64);

	(void)state;
	assert_non_null(large);
	snprintf(large, 64, "{\"Name\":\"/web\"}");
	memset(large + 15, ' ', 1 << 20);
	large[15 + (1 << 20)] = 0;
	put(path, large);
	free(large);
	assert_null(found(ID));
	snprintf(whole, sizeof(whole), "%s%s", root, path);
	snprintf(target, sizeof(target), "%s/target", root);
	put("/target", "{\"Name\":\"/web\"}");
	assert_int_equal(unlink(whole), 0);
	assert_int_equal(symlink(target, whole), 0);
	assert_null(found(ID));
	assert_int_equal(unlink(whole), 0);
	assert_int_equal(mkfifo(whole, 0600), 0);
	assert_null(found(ID));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(docker, begin, end),
		cmocka_unit_test_setup_teardown(podman, begin, end),
		cmocka_unit_test_setup_teardown(containerd, begin, end),
		cmocka_unit_test_setup_teardown(hostile_pods, begin, end),
		cmocka_unit_test_setup_teardown(kubernetes, begin, end),
		cmocka_unit_test_setup_teardown(broken, begin, end),
		cmocka_unit_test(texts),
		cmocka_unit_test_setup_teardown(files, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
