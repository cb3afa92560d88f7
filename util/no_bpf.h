/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Why a kernel refuses BPF programs to a process that has the capabilities: looked up, not guessed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define NO_BPF_LIMITS_SIZE 384

/* Is it that none are loaded here at all, and why: a filter of seccomp, a user namespace, a kernel
 * without them, a security module? */
bool no_bpf_here(char *text, size_t size);
/*
 * What may be behind a refusal of some programs, as far as the kernel tells: lockdown, and its
 * security modules. Goes behind the refusal.
 */
void no_bpf_limits(char *text, size_t size);
/* Can the kernel's types not be read here, which whose needs? */
bool no_bpf_types(const char *whose, char *text, size_t size);
/* Is this kernel older than that? release: its name, which has so many bytes. */
bool no_bpf_by_age(unsigned major, unsigned minor, char *release, size_t size);
