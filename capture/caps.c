/* SPDX-License-Identifier: BSD-3-Clause */
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "caps.h"

static const struct {
	int bit;
	const char *name;
} needed[] = {
	{CAP_BPF, "CAP_BPF"},
	{CAP_NET_ADMIN, "CAP_NET_ADMIN"},
	{CAP_NET_RAW, "CAP_NET_RAW"},
	{CAP_PERFMON, "CAP_PERFMON"},
};

int caps_missing(char *text, size_t size)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{0}};
	char names[128] = "";
	int missing = 0;

	if (syscall(SYS_capget, &head, data))
		memset(data, 0, sizeof(data));
	/* Before 5.8 CAP_SYS_ADMIN stood for CAP_BPF and CAP_PERFMON; it still includes them. */
	if (data[0].effective & 1u << CAP_SYS_ADMIN) {
		data[CAP_BPF / 32].effective |= 1u << CAP_BPF % 32;
		data[CAP_PERFMON / 32].effective |= 1u << CAP_PERFMON % 32;
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (data[needed[i].bit / 32].effective & 1u << needed[i].bit % 32)
			continue;
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
			 missing ? ", " : "", needed[i].name);
		missing++;
	}
	/* capget() leaves out what a profile of AppArmor denies. */
	snprintf(text, size,
		 "%s missing%s: setcap "
		 "cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep /path/to/program",
		 names,
		 geteuid() == 0 ? ", though this is root: kept by AppArmor or a container? See "
				  "pcap-afxdp(7). Otherwise"
				: ": run as root, or");
	return missing;
}
