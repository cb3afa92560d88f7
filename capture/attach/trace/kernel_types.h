/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The few of the kernel's types (BTF) that programs need. libbpf would read all of them, 5.5 MB,
 * which is a fifth of the time to open.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct bpf_program;

/*
 * Before program is loaded: turn its calls of function, a KFUNC_... of bpf/marker.h, into calls of
 * the kernel's function of this name. Its BTF id differs between kernels. -ENOENT: the kernel has
 * no such function; or another -errno.
 */
int kernel_types_fill(struct bpf_program *program, uint32_t function, const char *name);
/*
 * An empty list of types, for objects whose programs need no offset of the kernel's. Returns a
 * descriptor, which the caller closes, and a path for libbpf, valid until then. -1: not possible.
 */
int kernel_types_none(char *path, size_t size);
