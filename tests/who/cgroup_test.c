/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The paths of control groups that systemd, Docker, containerd, CRI-O, podman and LXC make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "who/container.h"

#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER	"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define POD	"pod0f1e2d3c_4b5a_6978_8796_a5b4c3d2e1f0"
#define SLICE	"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-" POD ".slice/"
#define TOO_FEW "0123456789abcdef"

static const struct {
	const char *path, *unit, *container;
} paths[] = {
	{"/", "", ""},
	{"", "", ""},
	{"/system.slice/nginx.service", "nginx.service", ""},
	{"/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service", ""},
	{"/user.slice/user-1000.slice/user@1000.service/app.slice/app-firefox-12.scope",
	 "app-firefox-12.scope", ""},
	{"/user.slice/user-1000.slice/session-3.scope", "session-3.scope", ""},
	{"/init.scope", "init.scope", ""},
	/* Docker, of version 1 and 2, with and without systemd */
	{"/docker/" ID, "", ID},
	{"/system.slice/docker-" ID ".scope", "docker-" ID ".scope", ID},
	{"/docker/" ID "/docker/" OTHER, "", OTHER},
	{"/system.slice/docker.service", "docker.service", ""},
	{"/system.slice/containerd.service", "containerd.service", ""},
	/* containerd, for Kubernetes and others */
	{SLICE "cri-containerd-" ID ".scope", "cri-containerd-" ID ".scope", ID},
	{"/kubepods/burstable/" POD "/" ID, "", ID},
	{"/system.slice/containerd.service/kubepods-besteffort-" POD ".slice:cri-containerd:" ID,
	 "containerd.service", ID},
	{"/default/" ID, "", ID},
	{"/system.slice/nerdctl-" ID ".scope", "nerdctl-" ID ".scope", ID},
	/* CRI-O, and its monitor, which is no container */
	{SLICE "crio-" ID ".scope", "crio-" ID ".scope", ID},
	{SLICE "crio-" ID ".scope/container", "crio-" ID ".scope", ID},
	{"/kubepods/" POD "/crio-" ID, "", ID},
	{SLICE "crio-conmon-" ID ".scope", "crio-conmon-" ID ".scope", ""},
	/* podman */
	{"/machine.slice/libpod-" ID ".scope", "libpod-" ID ".scope", ID},
	{"/machine.slice/libpod-" ID ".scope/container", "libpod-" ID ".scope", ID},
	{"/libpod_parent/libpod-" ID, "", ID},
	{"/machine.slice/libpod-conmon-" ID ".scope", "libpod-conmon-" ID ".scope", ""},
	{"/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope",
	 "libpod-" ID ".scope", ID},
	/* a service in a container that runs systemd */
	{"/system.slice/docker-" ID ".scope/system.slice/sshd.service", "sshd.service", ID},
	/* names */
	{"/machine.slice/machine-web.scope", "machine-web.scope", "web"},
	{"/machine.slice/machine-my\\x2dbox.scope", "machine-my\\x2dbox.scope", "my-box"},
	{"/machine.slice/machine-a\\x2.scope", "machine-a\\x2.scope", "a\\x2"},
	{"/machine.slice/systemd-nspawn@web.service/payload", "systemd-nspawn@web.service", "web"},
	{"/machine.slice/systemd-nspawn@my-box.service/payload/system.slice/sshd.service",
	 "sshd.service", "my-box"},
	{"/system.slice/systemd-nspawn@web.socket", "", ""},
	{"/lxc.payload.db/system.slice/postgresql.service", "postgresql.service", "db"},
	/* seen out of a namespace of control groups */
	{"/../../docker/" ID, "", ID},
	/* what only looks like one */
	{"/docker/" TOO_FEW, "", ""},
	{"/docker/" ID "0", "", ""},
	{"/docker/ABCDEF6789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "", ""},
	{"/a/.service/.scope/docker-.scope", "docker-.scope", ""},
};

static void each_path_says_what_it_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct cgroup_names n;

		cgroup_names_of_path(&n, paths[i].path);
		if (strcmp(n.unit, paths[i].unit) != 0 ||
		    strcmp(n.container, paths[i].container) != 0)
			printf("%s\n", paths[i].path);
		assert_string_equal(n.path, paths[i].path);
		assert_string_equal(n.unit, paths[i].unit);
		assert_string_equal(n.container, paths[i].container);
	}
}

static const struct {
	const char *text, *path;
} files[] = {
	{"0::/system.slice/a.service\n", "/system.slice/a.service"},
	{"0::/\n", "/"},
	{"", ""},
	{"no lines of it", ""},
	{"12:cpu,cpuacct:/docker/" ID "\n1:name=systemd:/docker/" ID
	 "\n0::/system.slice/b.service\n",
	 "/docker/" ID},
	{"3:memory:/x\n1:name=systemd:/system.slice/c.service\n0::/\n", "/system.slice/c.service"},
	{"2:memory:/x\n1:name=systemd:/y\n0::/user.slice\n", "/user.slice"},
	{"2:memory:/a:b/c\n", "/a:b/c"},
	{"0::/no/end/of/the/line", "/no/end/of/the/line"},
};

static void of_several_groups_the_one_that_says_most_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct cgroup_names n;

		cgroup_names_read(&n, files[i].text);
		assert_string_equal(n.path, files[i].path);
	}
}

static void what_is_too_long_is_cut(void **state)
{
	char text[4 * CGROUP_PATH_SIZE] = "0::/";
	struct cgroup_names n;

	(void)state;
	memset(text + 4, 'a', sizeof(text) - 5);
	text[sizeof(text) - 1] = 0;
	cgroup_names_read(&n, text);
	assert_true(strlen(n.path) < CGROUP_PATH_SIZE);
	cgroup_names_of_path(&n, text);
	assert_int_equal(strlen(n.path), CGROUP_PATH_SIZE - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_path_says_what_it_says),
		cmocka_unit_test(of_several_groups_the_one_that_says_most_counts),
		cmocka_unit_test(what_is_too_long_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
