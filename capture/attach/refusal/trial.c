/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bpf/capture.skel.h"
#include "util/uapi.h"
#include "trial.h"

#define TCX_PROGRAMS_MAX 63 /* at one side of an interface */

static int try_xdp(const struct afxdp_options *o, const struct facts *f)
{
	bool none = f->has_xdp_features && !(f->xdp_features & NETDEV_XDP_ACT_BASIC);

	if (f->xdp_prog_id)
		return -EBUSY;
	if (f->master_xdp)
		return -EEXIST;
	return none && o->xdp_mode == CAPTURE_XDP_NATIVE ? -EOPNOTSUPP : 0;
}

static int try_tcx(const struct image *i, const struct facts *f)
{
	int type = strcmp(i->name, "tc_egress") == 0 ? TCX_EGRESS : TCX_INGRESS;
	uint32_t count = 0;
	int e = bpf_prog_query((int)f->ifindex, (enum bpf_attach_type)type, 0, NULL, NULL, &count);

	if (e)
		return e;
	return count >= TCX_PROGRAMS_MAX ? -ERANGE : 0;
}

/* The socket is not bound, so no frame comes there. */
static int try_packet(const struct program *p)
{
	int root = bpf_program__fd(p->bpf->progs.packet_root), e = 0;
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_BPF, &root, sizeof(root)))
		e = -errno;
	close(fd);
	return e;
}

int trial_attach(const struct program *p, const struct image *i, const struct afxdp_options *o,
		 const struct facts *f)
{
	switch (i->type) {
	case BPF_PROG_TYPE_XDP:
		return try_xdp(o, f);
	case BPF_PROG_TYPE_SOCKET_FILTER:
		return try_packet(p);
	case BPF_PROG_TYPE_TRACING:
		return 0;
	default:
		return try_tcx(i, f);
	}
}
