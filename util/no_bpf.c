/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/line.h"
#include "util/no_bpf.h"

#define INITIAL_USER_NAMESPACE 0xEFFFFFFDu /* PROC_USER_INIT_INO, its inode everywhere */

/* Tries to load a program without instructions: a process that may load programs is told that it
 * has none. */
static int try_to_load(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	return syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)) < 0 ? errno : 0;
}

static bool has_seccomp_filter(void)
{
	char mode[128];

	return line_of("/proc/thread-self/status", "Seccomp:", mode, sizeof(mode)) &&
	       strcmp(mode, "2") == 0;
}

static bool is_in_user_namespace(void)
{
	struct stat st;

	return stat("/proc/thread-self/ns/user", &st) == 0 && st.st_ino != INITIAL_USER_NAMESPACE;
}

void no_bpf_limits(char *text, size_t size)
{
	char lockdown[64], modules[256], *chosen, *end;

	line_of("/sys/kernel/security/lockdown", NULL, lockdown, sizeof(lockdown));
	line_of("/sys/kernel/security/lsm", NULL, modules, sizeof(modules));
	/* for example "none [integrity] confidentiality" */
	chosen = strchr(lockdown, '[');
	end = chosen ? strchr(chosen, ']') : NULL;
	if (end)
		*end = 0;
	if (!end && !modules[0])
		snprintf(text, size,
			 " (/sys/kernel/security, which would say why, is not mounted here)");
	else
		snprintf(text, size, " (lockdown: %s; security modules: %s)",
			 end ? chosen + 1 : "not known", modules[0] ? modules : "not known");
}

/* Returns 0, or why not: a container that hides a file shows an empty one. */
static int read_types(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC), e = fd < 0 ? errno : 0;
	struct btf_header h;
	ssize_t n = fd < 0 ? 0 : read(fd, &h, sizeof(h));

	if (fd >= 0 && n < 0)
		e = errno;
	else if (fd >= 0 && (n != sizeof(h) || h.magic != BTF_MAGIC))
		e = ENODATA;
	if (fd >= 0)
		close(fd);
	return e;
}

bool no_bpf_types(const char *whose, char *text, size_t size)
{
	int e = read_types();

	if (!e)
		return false;
	snprintf(text, size,
		 "cannot read the kernel's BTF, /sys/kernel/btf/vmlinux, which %s needs here (%s): "
		 "let this container or sandbox see it",
		 whose, strerror(e));
	return true;
}

static void refuse_all(int e, char *text, size_t size)
{
	char limits[NO_BPF_LIMITS_SIZE];

	no_bpf_limits(limits, sizeof(limits));
	snprintf(text, size, "the kernel refuses bpf(2) here: %s%s", strerror(e), limits);
}

bool no_bpf_here(char *text, size_t size)
{
	int e = try_to_load();

	if (e != EPERM && e != EACCES && e != ENOSYS)
		return false;
	/* The kernel itself says EPERM: a filter may, too, but without the namespace it would. */
	if (e == EPERM && is_in_user_namespace())
		snprintf(text, size,
			 "this is a user namespace (a rootless container, unshare -U), and its capabilities do not count for BPF programs: run it outside of that");
	else if (has_seccomp_filter())
		snprintf(text, size,
			 "a seccomp filter refuses bpf(2) here (%s), as that of a container does: give it a profile that allows bpf(2)",
			 strerror(e));
	else if (e == ENOSYS)
		snprintf(text, size,
			 "this kernel has no bpf(2): it was built without CONFIG_BPF_SYSCALL");
	else
		refuse_all(e, text, size);
	return true;
}

bool no_bpf_by_age(unsigned major, unsigned minor, char *release, size_t size)
{
	struct utsname u = {.release = ""};
	unsigned x, y;

	uname(&u);
	snprintf(release, size, "%s", u.release);
	return sscanf(u.release, "%u.%u", &x, &y) == 2 && (x < major || (x == major && y < minor));
}
