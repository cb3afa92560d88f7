/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What programs need of the kernel's own types. libbpf would sort out all of them, 5.5 MB, which
 * takes a fifth of the time to open.
 */
#ifndef PCAP_AFXDP_KERNEL_TYPES_H
#define PCAP_AFXDP_KERNEL_TYPES_H

#include <stddef.h>
#include <stdint.h>

struct bpf_program;

/*
 * Before program is loaded: its calls of function, which bpf/marker.h has, become calls of the
 * kernel's function of this name, whose number is another in each kernel. -errno.
 */
int kernel_types_fill(struct bpf_program *program, uint32_t function, const char *name);
/*
 * For objects none of whose programs to load needs an offset of the kernel's: an empty list of
 * types, and its path for libbpf, good as long as the descriptor is open. -1: do without.
 */
int kernel_types_none(char *path, size_t size);

#endif
