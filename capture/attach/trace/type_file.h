/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A file of the kernel's types (BTF), mapped and searched for a few. libbpf reads each type, which
 * takes 25 ms of CPU and 10 MB.
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
	const struct type_file *base; /* NULL, or of what it goes on with */
};

/* Open what /sys/kernel/btf has of this name; of a module with the kernel's as base. -errno. */
int type_file_open(struct type_file *f, const char *name, const struct type_file *base);
/* Again is allowed. */
void type_file_close(struct type_file *f);

/*
 * The type of this kind and name, valid as long as the file is, with what follows it; NULL: there
 * is none. Where id is not NULL, its number is written: of a file without a base.
 */
const struct btf_type *type_file_find(const struct type_file *f, const char *name, uint32_t kind,
				      uint32_t *id);
/* That of a number, of a file without a base; NULL. */
const struct btf_type *type_file_at(const struct type_file *f, uint32_t id);
/* A name that a type has, "" where the file is wrong. */
const char *type_file_string(const struct type_file *f, uint32_t at);
