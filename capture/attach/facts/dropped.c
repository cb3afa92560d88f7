/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dropped.h"

static int open_file(const char *ifname, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", ifname, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static bool read_text(int fd, char *text, size_t size)
{
	ssize_t n = fd >= 0 ? pread(fd, text, size - 1, 0) : -1;

	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

static bool read_file(const char *ifname, const char *name, char *text, size_t size)
{
	int fd = open_file(ifname, name);
	bool found = read_text(fd, text, size);

	if (fd >= 0)
		close(fd);
	return found;
}

/* One of zeros, as that of lo, tells no namespace from another. */
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

/* Whose /sys is this? That of the network namespace in which it was mounted. */
static bool is_ours(const char *ifname, int ifindex)
{
	char index[16], address[128];

	return read_file(ifname, "ifindex", index, sizeof(index)) && atoi(index) == ifindex &&
	       read_file(ifname, "address", address, sizeof(address)) &&
	       is_address(ifname, address);
}

/* igb_main.c, igb_update_stats(); igc_main.c, igc_update_stats(): both have MPC in both. */
bool dropped_is_all_fifo(const char *driver)
{
	return strcmp(driver, "igb") == 0 || strcmp(driver, "igc") == 0;
}

void dropped_open(struct dropped *d, const char *ifname, int ifindex, const char *driver)
{
	*d = (struct dropped){-1, -1};
	if (!is_ours(ifname, ifindex))
		return;
	if (!dropped_is_all_fifo(driver))
		d->missed = open_file(ifname, "statistics/rx_missed_errors");
	d->fifo = open_file(ifname, "statistics/rx_fifo_errors");
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
	char path[48];

	snprintf(path, sizeof(path), "statistics/%s", name);
	return is_ours(ifname, ifindex) ? open_file(ifname, path) : -1;
}

bool dropped_read_counter(int fd, uint64_t *n)
{
	char text[24];

	if (!read_text(fd, text, sizeof(text)))
		return false;
	*n = strtoull(text, NULL, 10);
	return true;
}
