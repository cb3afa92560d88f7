/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include "socket.h"
#include "util/clock.h"

#define CLOSERS	     32 /* threads that close a socket at the same time */
#define CLOSER_STACK 65536

int space_socket_open(int program)
{
	int fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0), e;

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_BPF, &program, sizeof(program)) == 0)
		return fd;
	e = -errno;
	close(fd);
	return e;
}

int space_socket_bind(int fd)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};

	return bind(fd, (struct sockaddr *)&to, sizeof(to)) ? -errno : 0;
}

static void *close_one(void *socket);
static atomic_uint closers;

/* If no thread can be had, the caller closes it. */
void space_socket_close(int fd)
{
	pthread_attr_t a;
	pthread_t t;
	bool is_begun;

	atomic_fetch_add(&closers, 1);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&a, CLOSER_STACK);
	is_begun = atomic_load(&closers) <= CLOSERS &&
		   pthread_create(&t, &a, close_one, (void *)(intptr_t)fd) == 0;
	pthread_attr_destroy(&a);
	if (!is_begun)
		close_one((void *)(intptr_t)fd);
}

static void *close_one(void *socket)
{
	close((int)(intptr_t)socket);
	atomic_fetch_sub(&closers, 1);
	return NULL;
}

void space_sockets_wait(void)
{
	while (atomic_load(&closers))
		clock_sleep(1);
}
