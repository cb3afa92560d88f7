/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <net/if.h>
#include <stdint.h>
#include <unistd.h>

#include "link_of.h"

int link_of(const char *interface)
{
	uint32_t program = 0, id = 0;

	if (bpf_xdp_query_id((int)if_nametoindex(interface), 0, &program) || !program)
		return -1;
	while (bpf_link_get_next_id(id, &id) == 0) {
		struct bpf_link_info info = {0};
		uint32_t length = sizeof(info);
		int fd = bpf_link_get_fd_by_id(id);

		if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &length) == 0 &&
		    info.prog_id == program)
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}
