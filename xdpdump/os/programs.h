/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* XDP programs that are already on an interface. Asking changes nothing, and needs root. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_FUNCTION_SIZE 128 /* the kernel's limit for names */

#define PROGRAMS_MAX 16

struct xdp_program {
	uint32_t id;
	uint32_t btf_id;		      /* 0: it has no type information */
	char name[16];			      /* the kernel's name, cut off at 15 characters */
	char function[PROGRAM_FUNCTION_SIZE]; /* its main function; without BTF the same as name */
};

/* Find the program with this id. Returns 0 or -errno. */
int program_find(struct xdp_program *p, uint32_t id);
/*
 * Find the program with this id, which is in the XDP hook, and, if it is a dispatcher of libxdp,
 * those it calls, in order. Returns how many, or -errno if the first one cannot be looked at.
 */
int programs_find(uint32_t id, struct xdp_program programs[PROGRAMS_MAX]);
/* Writes "xdp_dispatcher@17, xdp_drop@19": values for --program-names. */
#define PROGRAMS_TEXT_SIZE (PROGRAMS_MAX * (PROGRAM_FUNCTION_SIZE + 16))
void programs_list(const struct xdp_program *programs, unsigned n, char *text, size_t size);
/* Does it have a function of this name, the main one or another? */
bool program_has(const struct xdp_program *p, const char *function);
