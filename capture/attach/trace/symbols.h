/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Addresses and names of the kernel's functions, if this process may know them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SYMBOL_CHARS 44 /* of a function's name, including an offset */
#define SYMBOL_SIZE  (SYMBOL_CHARS + sizeof("+0x00000000"))

struct symbol;

struct symbols {
	int fd;			/* of /proc/kallsyms until it is read; -1 */
	struct symbol *symbols; /* by address */
	size_t count, room;
	char *names;
	size_t used, names_room;
};

/*
 * Open the list. The kernel decides now what this process may see, even if it gives up privileges
 * later. Reading the list takes some 30 ms of CPU, so that happens when a name is first asked for.
 * If it cannot be opened, there are no names.
 */
void symbols_open(struct symbols *s);
/* May be called again. */
void symbols_close(struct symbols *s);

/*
 * Write the function that contains this address, and the offset in it; "" if it is not known. The
 * address itself is not written: a file would reveal where the kernel was loaded.
 */
void symbols_name(struct symbols *s, uint64_t at, char text[SYMBOL_SIZE]);

/*
 * The address of one symbol, for which the kernel itself is asked; that is quick. 0: it has no such
 * symbol, or does not say.
 */
uint64_t symbols_address(const char *name);
