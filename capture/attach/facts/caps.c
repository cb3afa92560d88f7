/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <endian.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "caps.h"
#include "config.h"

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
	snprintf(text, size, "%s missing", names);
	return missing;
}

bool caps_of_file(const char *path)
{
	struct vfs_cap_data caps = {0};
	ssize_t n = getxattr(path, "security.capability", &caps, sizeof(caps));

	if (n < 0 && errno == ERANGE) { /* it is followed by the id of a user namespace */
		char longer[64];

		n = getxattr(path, "security.capability", longer, sizeof(longer));
		if (n >= (ssize_t)sizeof(caps))
			memcpy(&caps, longer, sizeof(caps));
	}
	if (!(le32toh(caps.magic_etc) &
	      VFS_CAP_FLAGS_EFFECTIVE)) /* execution does not raise them */
		return false;
	for (size_t i = 0; n > 0 && i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!(le32toh(caps.data[needed[i].bit / 32].permitted) & 1u << needed[i].bit % 32))
			return false;
	return n > 0;
}

/* Writes the commands that make the loader executable for a group, and give it capabilities. */
static void explain_loader(const char *missing, const char *loader, char *text, size_t size)
{
	int n = snprintf(text, size,
			 "%s: run as root, or let a group capture: L=%s; chgrp " CAPTURE_GROUP
			 " $L; chmod 750 $L; setcap " AFXDP_CAPABILITIES " $L",
			 missing, loader);

	if (n >= (int)size) /* half a command is worse than none */
		snprintf(text, size,
			 "%s: run as root, or give them to %s, as under PRIVILEGES in pcap-afxdp(7)",
			 missing, loader);
}

/* The loader has the capabilities, but refused this process. False: it must be given them again. */
static bool explain_refusal(const char *missing, const char *loader, const char *why, char *text,
			    size_t size)
{
	struct group *g;
	struct stat s;

	if (!caps_of_file(loader) || stat(loader, &s))
		return false;
	if (access(loader, X_OK) == 0) {
		snprintf(text, size, "%s, and %s cannot gain them here: %s", missing, loader, why);
		return true;
	}
	if (!s.st_gid || !(s.st_mode & S_IXGRP))
		return false;
	g = getgrgid(s.st_gid);
	snprintf(text, size,
		 "%s: run as root, or as a member of the group of %s: usermod -aG %s USER, and log in again",
		 missing, loader, g ? g->gr_name : "GROUP");
	return true;
}

/* Without the loader, this process itself needs them. capget() does not show what AppArmor
 * denies. */
static void explain_program(const char *missing, char *text, size_t size)
{
	char self[PATH_MAX] = "/path/to/program";
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0)
		self[n] = 0;
	if (geteuid() == 0)
		snprintf(text, size,
			 "%s, though this is root: given up, with loader=off or a divert? Or kept by AppArmor or a container? See pcap-afxdp(7)",
			 missing);
	else
		snprintf(text, size, "%s: run as root, or: setcap " AFXDP_CAPABILITIES " %s",
			 missing, self);
}

void caps_explain(const char *loader, const char *why, char *text, size_t size)
{
	char missing[128];

	bool none = loader && access(loader, F_OK) && errno == ENOENT;

	caps_missing(missing, sizeof(missing));
	if (!loader)
		explain_program(missing, text, size);
	else if (none && geteuid() == 0)
		snprintf(text, size,
			 "%s, though this is root, and %s, which would help, is not there. Kept by AppArmor or a container? See pcap-afxdp(7)",
			 missing, loader);
	else if (none)
		snprintf(text, size, "%s, and %s, which would help, is not there: make install",
			 missing, loader);
	else if (geteuid() == 0)
		snprintf(text, size,
			 "%s, though this is root, and %s does not help: %s. Kept by AppArmor or a container? See pcap-afxdp(7)",
			 missing, loader, why);
	else if (!explain_refusal(missing, loader, why, text, size))
		explain_loader(missing, loader, text, size);
}
