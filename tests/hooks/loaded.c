/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * loaded OBJECT [all]: loads the programs of an object file; without all, not those at entry and
 * exit of the kernel's functions, which some kernels refuse. Status 1 if any was refused.
 */
#include <stdio.h>

#include <bpf/libbpf.h>

int main(int argc, char **argv)
{
	struct bpf_object *object = argc > 1 ? bpf_object__open_file(argv[1], NULL) : NULL;
	struct bpf_program *program;

	if (!object)
		return 2;
	bpf_object__for_each_program (program, object) {
		enum bpf_attach_type type = bpf_program__expected_attach_type(program);

		if (type == BPF_TRACE_FENTRY || type == BPF_TRACE_FEXIT)
			bpf_program__set_autoload(program, argc > 2);
	}
	if (bpf_object__load(object))
		return 1;
	bpf_object__close(object);
	return 0;
}
