/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <fcntl.h>
#include <linux/mount.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dropped.h"

/* folder: a folder of interfaces, such as /sys/class/net. */
static int open_file(int folder, const char *ifname, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/%s", ifname, name);
	return openat(folder, path, O_RDONLY | O_CLOEXEC);
}

static bool read_text(int fd, char *text, size_t size)
{
	ssize_t n = fd >= 0 ? pread(fd, text, size - 1, 0) : -1;

	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

static bool read_file(int folder, const char *ifname, const char *name, char *text, size_t size)
{
	int fd = open_file(folder, ifname, name);
	bool found = read_text(fd, text, size);

	if (fd >= 0)
		close(fd);
	return found;
}

/* Is text the interface's hardware address? An address of zeros, such as that of lo, matches
 * nothing, because it cannot tell namespaces apart. */
static bool is_address(const char *ifname, const char *text)
{
	static const unsigned char none[6];
	struct ifreq r = {.ifr_flags = 0};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), e;
	unsigned char octet[6] = {0};
	char said[24];

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", ifname);
	e = s >= 0 ? ioctl(s, SIOCGIFHWADDR, &r) : -1;
	if (s >= 0)
		close(s);
	memcpy(octet, r.ifr_hwaddr.sa_data, sizeof(octet));
	snprintf(said, sizeof(said), "%02x:%02x:%02x:%02x:%02x:%02x", octet[0], octet[1], octet[2],
		 octet[3], octet[4], octet[5]);
	return e == 0 && memcmp(octet, none, sizeof(none)) != 0 &&
	       strncmp(text, said, strlen(said)) == 0;
}

/* Does this /sys show the caller's network namespace? It shows the one in which it was mounted. */
static bool is_ours(int folder, const char *ifname, int ifindex)
{
	char index[16], address[128];

	return read_file(folder, ifname, "ifindex", index, sizeof(index)) &&
	       atoi(index) == ifindex &&
	       read_file(folder, ifname, "address", address, sizeof(address)) &&
	       is_address(ifname, address);
}

/*
 * Mounts a /sys for this network namespace, which nobody else sees, and which ends with its last
 * descriptor. Needs CAP_SYS_ADMIN, and Linux 5.2. -1: not possible.
 */
static int mount_folder(void)
{
	int context = (int)syscall(SYS_fsopen, "sysfs", FSOPEN_CLOEXEC), mount = -1, folder = -1;

	if (context >= 0 && syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		mount = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	if (mount >= 0)
		folder = openat(mount, "class/net", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (context >= 0)
		close(context);
	if (mount >= 0)
		close(mount);
	return folder;
}

/* Opens the folder of interfaces that has this one. -1: there is none. */
static int open_folder(const char *ifname, int ifindex)
{
	int folder = open("/sys/class/net", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (folder >= 0 && is_ours(folder, ifname, ifindex))
		return folder;
	if (folder >= 0)
		close(folder);
	return mount_folder();
}

/* igb_main.c, igb_update_stats(); igc_main.c, igc_update_stats(): both count MPC in both. */
bool dropped_is_all_fifo(const char *driver)
{
	return strcmp(driver, "igb") == 0 || strcmp(driver, "igc") == 0;
}

void dropped_open(struct dropped *d, const char *ifname, int ifindex, const char *driver)
{
	int folder = open_folder(ifname, ifindex);

	*d = (struct dropped){-1, -1};
	if (folder < 0)
		return;
	if (!dropped_is_all_fifo(driver))
		d->missed = open_file(folder, ifname, "statistics/rx_missed_errors");
	d->fifo = open_file(folder, ifname, "statistics/rx_fifo_errors");
	close(folder);
}

void dropped_close(struct dropped *d)
{
	if (d->missed >= 0)
		close(d->missed);
	if (d->fifo >= 0)
		close(d->fifo);
	*d = (struct dropped){-1, -1};
}

bool dropped_read(const struct dropped *d, uint64_t *n)
{
	uint64_t missed = 0;

	if (!dropped_read_counter(d->fifo, n) ||
	    (d->missed >= 0 && !dropped_read_counter(d->missed, &missed)))
		return false;
	*n += missed;
	return true;
}

int dropped_open_counter(const char *ifname, int ifindex, const char *name)
{
	int folder = open_folder(ifname, ifindex), fd = -1;
	char path[48];

	if (folder < 0)
		return -1;
	snprintf(path, sizeof(path), "statistics/%s", name);
	fd = open_file(folder, ifname, path);
	close(folder);
	return fd;
}

bool dropped_read_counter(int fd, uint64_t *n)
{
	char text[24];

	if (!read_text(fd, text, sizeof(text)))
		return false;
	*n = strtoull(text, NULL, 10);
	return true;
}
