/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* XDP programs that are on an interface already. Asking changes nothing, and needs root. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_FUNCTION_SIZE 128 /* the kernel has names of as many characters */

#define PROGRAMS_MAX 16

struct xdp_program {
	uint32_t id;
	uint32_t btf_id;		      /* 0: it has no type information */
	char name[16];			      /* as the kernel has it, which keeps 15 characters */
	char function[PROGRAM_FUNCTION_SIZE]; /* its main one; without BTF the same as name */
};

/* The one with this id. -errno. */
int program_find(struct xdp_program *p, uint32_t id);
/*
 * The program with this id, which is in the XDP hook, and if it is a dispatcher of libxdp, those it
 * calls, in their order. How many, or -errno: not even the first one could be looked at.
 */
int programs_find(uint32_t id, struct xdp_program programs[PROGRAMS_MAX]);
/* "xdp_dispatcher@17, xdp_drop@19": values for --program-names. */
#define PROGRAMS_TEXT_SIZE (PROGRAMS_MAX * (PROGRAM_FUNCTION_SIZE + 16))
void programs_list(const struct xdp_program *programs, unsigned n, char *text, size_t size);
/* Has it a function of this name, beside the main one as well? */
bool program_has(const struct xdp_program *p, const char *function);
