/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel_types.h"
#include "type_file.h"

static int number_of(const char *name)
{
	struct type_file f;
	uint32_t id = 0;
	int e = type_file_open(&f, "vmlinux", NULL);

	if (e)
		return e;
	e = type_file_find(&f, name, BTF_KIND_FUNC, &id) ? 0 : -ENOENT;
	type_file_close(&f);
	return e ? e : (int)id;
}

int kernel_types_fill(struct bpf_program *program, uint32_t function, const char *name)
{
	size_t n = bpf_program__insn_cnt(program);
	int id = number_of(name), e;
	struct bpf_insn *insns;

	if (id < 0)
		return id;
	insns = calloc(n, sizeof(*insns));
	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(program), n * sizeof(*insns));
	for (size_t i = 0; i < n; i++)
		if (insns[i].code == (BPF_JMP | BPF_CALL) && insns[i].src_reg == 0 &&
		    insns[i].imm == (int32_t)function) {
			insns[i].src_reg = BPF_PSEUDO_KFUNC_CALL;
			insns[i].imm = id;
		}
	e = bpf_program__set_insns(program, insns, n);
	free(insns);
	return e;
}

int kernel_types_none(char *path, size_t size)
{
	struct btf *none = btf__new_empty();
	uint32_t length = 0;
	const void *data = none ? btf__raw_data(none, &length) : NULL;
	int fd = data ? memfd_create("no_types", MFD_CLOEXEC) : -1, again;
	bool good = fd >= 0 && write(fd, data, length) == (ssize_t)length;

	snprintf(path, size, "/proc/self/fd/%d", fd);
	btf__free(none);
	again = good ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (again >= 0) {
		close(again);
		return fd;
	}
	if (fd >= 0) /* there is no /proc here, or a security module refuses */
		close(fd);
	return -1;
}
