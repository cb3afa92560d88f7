/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Attaches the shortest XDP program there is and holds it until a signal: what any program costs
 * that leaves frames alone (pass), and the least that can be done with one (drop).
 */
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int load(int verdict)
{
	struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = verdict},
		{.code = BPF_JMP | BPF_EXIT},
	};

	return bpf_prog_load(BPF_PROG_TYPE_XDP, verdict == XDP_PASS ? "pass_all" : "drop_all",
			     "Dual BSD/GPL", insns, sizeof(insns) / sizeof(insns[0]), NULL);
}

int main(int argc, char **argv)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = XDP_FLAGS_DRV_MODE);
	int verdict, program;

	if (argc != 3 || (strcmp(argv[2], "pass") && strcmp(argv[2], "drop"))) {
		fprintf(stderr, "Usage: action IFACE pass|drop\n");
		return 2;
	}
	verdict = strcmp(argv[2], "pass") ? XDP_DROP : XDP_PASS;
	program = load(verdict);
	if (program < 0 ||
	    bpf_link_create(program, (int)if_nametoindex(argv[1]), BPF_XDP, &opts) < 0) {
		perror("action: cannot attach");
		return 1;
	}
	fprintf(stderr, "action: ready\n");
	pause();
	return 0;
}
