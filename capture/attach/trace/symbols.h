/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where the kernel's functions are, if this process may know. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SYMBOL_CHARS 44 /* of a function's name, with an offset behind it */
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
 * Take hold of the list: what this process may see is decided now, also if it gives up privileges.
 * Reading it takes some 30 ms of CPU, and waits until a name is asked for. Without it there is
 * none.
 */
void symbols_open(struct symbols *s);
/* Again is allowed. */
void symbols_close(struct symbols *s);

/*
 * Write the function and how far behind its beginning this is; "" where that is not known. Not the
 * address, which would tell of a file where the kernel was loaded.
 */
void symbols_name(struct symbols *s, uint64_t at, char text[SYMBOL_SIZE]);

/*
 * The address of one symbol, for which the kernel is asked: that is quick. 0: it has none of this
 * name, or does not say.
 */
uint64_t symbols_address(const char *name);
