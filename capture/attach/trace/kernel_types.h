/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The few of the kernel's types (BTF) that programs need. libbpf would read all of them, 5.5 MB,
 * which takes a fifth of the time to open a capture.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct bpf_program;

/*
 * Before program is loaded: turn its calls of function, a KFUNC_... of bpf/marker.h, into calls of
 * the kernel's function with this name, whose BTF id differs between kernels. Returns 0; -ENOENT:
 * the kernel has no such function; or another -errno.
 */
int kernel_types_fill(struct bpf_program *program, uint32_t function, const char *name);
/*
 * An empty list of types, for objects whose programs need no offsets of the kernel's types. Returns
 * a descriptor, which the caller closes, and writes a path for libbpf, valid until then. -1:
 * failed.
 */
int kernel_types_none(char *path, size_t size);
