/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <sys/eventfd.h>
#include <unistd.h>

#include "standard.h"

unsigned standard_hold(void)
{
	unsigned held = 0;
	int fd;

	/* The kernel returns the lowest free number. Not a file, because a chroot may have no
	 * /dev. */
	while ((fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0 && fd <= STDERR_FILENO)
		held |= 1u << fd;
	if (fd >= 0)
		close(fd);
	return held;
}

void standard_release(unsigned held)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (held & 1u << fd)
			close(fd);
}
