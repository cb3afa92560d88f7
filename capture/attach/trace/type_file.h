/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A file of the kernel's types (BTF), mapped and searched for a few of them. libbpf would read each
 * type, which takes 25 ms of CPU and 10 MB.
 */
#pragma once

#include <bpf/btf.h>
#include <stddef.h>
#include <stdint.h>

struct type_file {
	void *data;
	size_t size;
	const char *types, *strings;
	size_t types_size, strings_size;
	const struct type_file *base; /* the file that this one extends, or NULL */
};

/* Open the file with this name in /sys/kernel/btf; that of a module with the kernel's as base.
 * Returns 0 or -errno. */
int type_file_open(struct type_file *f, const char *name, const struct type_file *base);
/* May be called again. */
void type_file_close(struct type_file *f);

/*
 * Returns the type of this kind and name, and what follows it, valid until the file is closed;
 * NULL: there is none. id, unless NULL, gets its number; only for a file without a base.
 */
const struct btf_type *type_file_find(const struct type_file *f, const char *name, uint32_t kind,
				      uint32_t *id);
/* The type with this number, for a file without a base; NULL: there is none. */
const struct btf_type *type_file_at(const struct type_file *f, uint32_t id);
/* The name at an offset that a type has; "" if the file is wrong. */
const char *type_file_string(const struct type_file *f, uint32_t at);
