/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/if_packet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "packet.h"

int packet_open(unsigned ifindex, bool promiscuous)
{
	struct packet_mreq m = {.mr_ifindex = (int)ifindex, .mr_type = PACKET_MR_PROMISC};
	struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_ifindex = (int)ifindex};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0); /* protocol 0: receives nothing */
	int e;

	if (fd < 0)
		return -errno;
	/* Bound, the socket stays with this interface: another one may get the number when this one
	 * has gone. */
	if ((!ifindex || bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0) &&
	    (!promiscuous || setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &m, sizeof(m)) == 0))
		return fd;
	e = -errno;
	close(fd);
	return e;
}

int packet_send(int fd, const void *frame, size_t length)
{
	ssize_t n = sendto(fd, frame, length, 0, NULL, 0);

	/* A receiving socket reports once that the interface was down; it may be up again. */
	if (n < 0 && errno == ENETDOWN)
		n = sendto(fd, frame, length, 0, NULL, 0);
	return n < 0 ? -errno : (int)n;
}

bool packet_is_gone(int fd)
{
	struct sockaddr_ll at;
	socklen_t length = sizeof(at);

	return fd >= 0 && getsockname(fd, (struct sockaddr *)&at, &length) == 0 &&
	       at.sll_ifindex < 0;
}

uint64_t packet_cookie(int fd)
{
	uint64_t cookie = 0;
	socklen_t length = sizeof(cookie);

	return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length) ? 0 : cookie;
}
