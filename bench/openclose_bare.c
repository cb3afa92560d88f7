/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A program at XDP, one at tc for sent frames, a packet socket that holds promiscuity. */
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "openclose.h"

/* uapi since 6.6. */
#define TCX_EGRESS 47
#define TCX_NEXT   (-1)

enum { XDP, TC, PACKET, DESCRIPTORS };

static int load(enum bpf_prog_type type, int verdict)
{
	struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = verdict},
		{.code = BPF_JMP | BPF_EXIT},
	};

	return bpf_prog_load(type, "bare", "Dual BSD/GPL", insns, sizeof(insns) / sizeof(insns[0]),
			     NULL);
}

static int attach(enum bpf_prog_type type, int verdict, int ifindex, int hook, uint32_t flags)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = flags);
	int link, program = load(type, verdict);

	if (program < 0)
		return program;
	link = bpf_link_create(program, ifindex, (enum bpf_attach_type)hook, &opts);
	close(program);
	return link;
}

static int open_packet(int ifindex)
{
	struct packet_mreq m = {.mr_ifindex = ifindex, .mr_type = PACKET_MR_PROMISC};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd >= 0 && setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &m, sizeof(m)))
		return -1;
	return fd;
}

int openclose_bare(const char *ifname, struct openclose_times *t)
{
	int fd[DESCRIPTORS], ifindex = (int)if_nametoindex(ifname);
	double begun = openclose_now();

	fd[PACKET] = open_packet(ifindex);
	fd[XDP] = attach(BPF_PROG_TYPE_XDP, XDP_PASS, ifindex, BPF_XDP, XDP_FLAGS_DRV_MODE);
	fd[TC] = attach(BPF_PROG_TYPE_SCHED_CLS, TCX_NEXT, ifindex, TCX_EGRESS, 0);
	t->activate = openclose_now() - begun;
	for (int i = 0; i < DESCRIPTORS; i++)
		if (fd[i] < 0) {
			perror("openclose: cannot attach");
			return -1;
		}
	openclose_rest();
	begun = openclose_now();
	for (int i = 0; i < DESCRIPTORS; i++)
		close(fd[i]);
	t->close = openclose_now() - begun;
	return 0;
}
