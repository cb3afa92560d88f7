/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
/* after sys/socket.h */
#include <linux/sockios.h>

#include "doctor_checks.h"

int doctor_ethtool(const struct patient *p, void *command)
{
	struct ifreq r = {.ifr_data = command};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), e = 0;

	if (s < 0)
		return -errno;
	memcpy(r.ifr_name, p->name, strnlen(p->name, IFNAMSIZ - 1));
	if (ioctl(s, SIOCETHTOOL, &r))
		e = -errno;
	close(s);
	return e;
}
