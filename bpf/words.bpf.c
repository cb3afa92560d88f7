// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/*
 * What the kernel or a driver says about an XDP link that it refuses (Linux 6.12). No system call
 * returns that, and the tracepoint is for the whole host. So the first run, by BPF_PROG_TEST_RUN,
 * notes whose attempt to look at.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "Dual BSD/GPL";

char words[128];
__u64 thread;

SEC("raw_tp")
int note_words(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 this = bpf_get_current_pid_tgid();

	if (!thread)
		thread = this;
	else if (thread == this)
		bpf_probe_read_kernel_str(words, sizeof(words), (void *)ctx->args[0]);
	return 0;
}
