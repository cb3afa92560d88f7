/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Finds out, without guessing, why a kernel refuses BPF programs to a process that has the
 * capabilities. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define NO_BPF_LIMITS_SIZE 384

/* Are no programs loaded here at all? If so, writes why: a seccomp filter, a user namespace, a
 * kernel without BPF, or a security module. */
bool no_bpf_here(char *text, size_t size);
/*
 * Writes what may cause the refusal of some programs, as far as the kernel tells: lockdown, and its
 * security modules. Follows the text of the refusal.
 */
void no_bpf_limits(char *text, size_t size);
/* Is it impossible to read the kernel's types here, which `whose` needs? */
bool no_bpf_types(const char *whose, char *text, size_t size);
/* Is this kernel older than that version? release: gets the kernel's release; size is its size. */
bool no_bpf_by_age(unsigned major, unsigned minor, char *release, size_t size);
