/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What an application may send to its loader: images, filters for them, options. The process that
 * would be confined and load programs is this one, so no kernel is asked: it refuses.
 */
#define main loader_main
#include "capture/loader/loader_main.c"
#undef main

#include "fuzz.h"

/* In place of libbpf's. */
int bpf_prog_load(enum bpf_prog_type type, const char *name, const char *license,
		  const struct bpf_insn *insns, size_t n, const struct bpf_prog_load_opts *opts)
{
	(void)type;
	(void)license;
	(void)opts;
	touch(insns, n * sizeof(*insns));
	must(strlen(name) < 16, "a name without an end");
	errno = EINVAL;
	return -EINVAL;
}

/* Options as an application would send them, but for what the input says. */
static void check_options(const uint8_t *data, size_t size)
{
	size_t at = take(&data, &size, 2) % sizeof(struct afxdp_options);
	bool lacks = take(&data, &size, 1) & 1;
	union {
		struct afxdp_options o;
		uint8_t bytes[sizeof(struct afxdp_options)];
	} sent;
	char err[AFXDP_ERROR_SIZE] = "";

	memset(&sent, 0, sizeof(sent));
	sent.o = (struct afxdp_options){.ifname = "lo", .snaplen = AFXDP_SNAPLEN_MAX};
	memcpy(sent.bytes + at, data, size < sizeof(sent) - at ? size : sizeof(sent) - at);
	if (check(&sent.o, true, lacks ? "capabilities" : NULL, err, sizeof(err)))
		must(err[0] && strnlen(err, sizeof(err)) < sizeof(err), "no reason given");
	else
		must(!options_keep_frames(&sent.o) && !sent.o.join, "more than capturing");
}

static void serve_all(int fd, unsigned images)
{
	struct capture_images c = {.count = 0};
	int e = receive_images(fd, &c, images);

	for (unsigned i = 0; i < 16 && !e && serve(fd, &c); i++)
		;
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		image_free(&c.image[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned what = (unsigned)take(&data, &size, 1);
	int pair[2], large = 4 << 20;

	if (!size || size > 1 << 16)
		return 0;
	if (what >= 1u << 7) {
		check_options(data, size);
		return 0;
	}
	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "no socket");
	setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &large, sizeof(large));
	must(send(pair[1], data, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size,
	     "it does not take them");
	shutdown(pair[1], SHUT_WR);
	serve_all(pair[0], what % (IMAGES_MAX + 2));
	close(pair[0]);
	close(pair[1]);
	return 0;
}
