/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a loader may answer: any bytes, and then nothing. */
#include <linux/filter.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/loader/loader.h"
#include "capture/loader/loader_protocol.h"
#include "fuzz.h"

/* A socket that has these bytes, and no more. */
static int socket_with(const uint8_t *data, size_t size)
{
	int pair[2], large = 4 << 20;

	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "no socket");
	setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &large, sizeof(large));
	if (size && send(pair[1], data, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		size = 0;
	close(pair[1]);
	return pair[0];
}

static void swap(int fd)
{
	static const struct sock_filter all = {BPF_RET | BPF_K, 0, 0, UINT32_MAX};
	struct loader l = {.socket = fd, .alive = -1};
	enum afxdp_level level;
	char *log = NULL;
	int e = loader_swap(&l, &all, 1, 1, &level, &log);

	must(e <= 0 && level <= AFXDP_LEVEL_USER, "an answer that there is none for");
	free(log);
	loader_stop(&l);
}

static void start(int fd)
{
	struct loader l = {.socket = fd, .alive = -1};
	char err[AFXDP_ERROR_SIZE] = "";

	if (loader_started(&l, err, sizeof(err)))
		must(err[0] && strnlen(err, sizeof(err)) < sizeof(err), "no reason given");
	loader_stop(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct attachment a;
	int fd;

	if (!size || size > 1 << 16)
		return 0;
	fd = socket_with(data + 1, size - 1);
	switch (data[0] % 3) {
	case 0:
		swap(fd);
		break;
	case 1:
		start(fd);
		break;
	default:
		attachment_init(&a);
		must(!loader_receive_attachment(fd, &a, 0) || a.fd[0] < 0,
		     "a descriptor that nobody sent");
		close(fd);
	}
	return 0;
}
