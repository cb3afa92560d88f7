/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What an application may send to its loader: images, requests, options. The process that would be
 * confined and load them is this one, so none of it is loaded.
 */
#define main loader_main
#include "capture/loader/loader_main.c"
#undef main

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture_images c = {.count = 0}, none = {.count = 0};
	struct afxdp_options o;
	int pair[2], large = 4 << 20;

	if (size < 2 || size > 1 << 16)
		return 0;
	if (data[0] % 3 == 2) {
		memset(&o, 0, sizeof(o));
		memcpy(&o, data + 1, size - 1 < sizeof(o) ? size - 1 : sizeof(o));
		options_are_valid(&o);
		return 0;
	}
	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "no socket");
	setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &large, sizeof(large));
	if (send(pair[1], data + 2, size - 2, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		size = 2;
	shutdown(pair[1], SHUT_WR);
	if (data[0] % 3 == 0) {
		receive_images(pair[0], &c, data[1]);
		for (unsigned i = 0; i < sizeof(c.image) / sizeof(c.image[0]); i++)
			free(c.image[i].insns);
	} else {
		for (unsigned i = 0; i < 16 && serve(pair[0], &none); i++)
			;
	}
	close(pair[0]);
	close(pair[1]);
	return 0;
}
