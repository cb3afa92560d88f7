/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <net/if.h>
#include <stddef.h>

#include "tagger.h"
#include "util/uapi.h"

#define TCX_NEXT (-1)

#define MOV_K(dst, value)                                                                          \
	{                                                                                          \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (dst), .imm = (value)              \
	}
#define CALL(helper)                                                                               \
	{                                                                                          \
		.code = BPF_JMP | BPF_CALL, .imm = (helper)                                        \
	}
#define EXIT                                                                                       \
	{                                                                                          \
		.code = BPF_JMP | BPF_EXIT                                                         \
	}

/* The link is left open: it is gone with the process. */
static int attach(const struct bpf_insn *insns, size_t n, const char *device, int type)
{
	int program = bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, "tagger", "GPL", insns, n, NULL);

	if (program < 0)
		return program;
	return bpf_link_create(program, (int)if_nametoindex(device), (enum bpf_attach_type)type,
			       NULL) < 0
		       ? -errno
		       : 0;
}

int tag_by_mark(const char *device)
{
	const struct bpf_insn insns[] = {
		{.code = BPF_LDX | BPF_MEM | BPF_W,
		 .dst_reg = 2,
		 .src_reg = 1,
		 .off = offsetof(struct __sk_buff, mark)},
		{.code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 2, .off = 5},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 3, .src_reg = 2},
		{.code = BPF_ALU64 | BPF_AND | BPF_K, .dst_reg = 3, .imm = 0xffff},
		{.code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = 2, .imm = 16},
		{.code = BPF_ALU | BPF_END | BPF_TO_BE, .dst_reg = 2, .imm = 16},
		CALL(BPF_FUNC_skb_vlan_push),
		MOV_K(0, TCX_NEXT),
		EXIT,
	};

	return attach(insns, sizeof(insns) / sizeof(insns[0]), device, TCX_EGRESS);
}

int send_on(const char *from, const char *to)
{
	const struct bpf_insn insns[] = {
		MOV_K(1, (int)if_nametoindex(to)),
		MOV_K(2, 0),
		CALL(BPF_FUNC_redirect),
		EXIT,
	};

	return attach(insns, sizeof(insns) / sizeof(insns[0]), from, TCX_INGRESS);
}
