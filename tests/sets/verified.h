/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How many instructions the kernel's verifier has gone through. */
#pragma once

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <net/if.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define UNTOLD (-1)

/* Of the program at XDP, where it is bound to the device. 0: there is none; UNTOLD: before Linux
 * 5.16. */
static int verified(void)
{
	struct bpf_prog_info p = {.type = 0};
	uint32_t id = 0, size = sizeof(p);
	int fd;

	if (bpf_xdp_query_id((int)if_nametoindex("vb"), 0, &id))
		return 0;
	fd = bpf_prog_get_fd_by_id(id);
	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &p, &size))
		size = 0;
	if (fd >= 0)
		close(fd);
	if (size > 0 && size < offsetof(struct bpf_prog_info, verified_insns) + sizeof(uint32_t))
		return UNTOLD;
	return size ? (int)p.verified_insns : 0;
}
