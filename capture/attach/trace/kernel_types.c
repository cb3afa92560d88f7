/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel_types.h"

#define KERNEL_TYPES "/sys/kernel/btf/vmlinux"
#define FUNCTION_MAX 64

/* Of a kernel before 6.16, which does not map it: a page by each call, whatever is asked for. */
static int read_all(int fd, char *to, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, to + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		done += (size_t)n;
	}
	return 0;
}

static int map_file(int fd, void **data, size_t size)
{
	int e;

	*data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (*data != MAP_FAILED)
		return 0;
	*data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*data == MAP_FAILED)
		return -errno;
	e = read_all(fd, *data, size);
	if (e)
		munmap(*data, size);
	return e;
}

static int map_types(void **data, size_t *size)
{
	int fd = open(KERNEL_TYPES, O_RDONLY | O_CLOEXEC), e;
	struct stat s;

	if (fd < 0)
		return -errno;
	e = fstat(fd, &s) ? -errno : 0;
	*size = (size_t)s.st_size;
	if (!e)
		e = map_file(fd, data, *size);
	close(fd);
	return e;
}

/* What follows a type, by its kind; SIZE_MAX: a kind of a later kernel. */
static size_t rest_of(const struct btf_type *t)
{
	size_t n = btf_vlen(t);

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	default:
		return btf_kind(t) > BTF_KIND_ENUM64 ? SIZE_MAX : 0;
	}
}

/* The number of the function whose name is at this offset of the strings: types count from 1. */
static int find_function(const char *types, size_t size, uint32_t name)
{
	size_t at = 0;

	for (int id = 1; size - at >= sizeof(struct btf_type); id++) {
		const struct btf_type *t = (const void *)(types + at);
		size_t rest = rest_of(t);

		if (t->name_off == name && btf_is_func(t))
			return id;
		at += sizeof(*t);
		if (rest > size - at)
			break;
		at += rest;
	}
	return -ENOENT;
}

static int find_by_name(const char *data, size_t size, const char *name)
{
	const struct btf_header *h = (const void *)data;
	char between[FUNCTION_MAX]; /* the names before and after end in 0 */
	size_t length = strlen(name) + 2, body;
	const char *strings, *found;

	if (size < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len > size ||
	    length > sizeof(between))
		return -EINVAL;
	data += h->hdr_len;
	body = size - h->hdr_len;
	if (h->type_off > body || h->type_len > body - h->type_off || h->str_off > body ||
	    h->str_len > body - h->str_off)
		return -EINVAL;
	strings = data + h->str_off;
	between[0] = 0;
	memcpy(between + 1, name, length - 1);
	found = memmem(strings, h->str_len, between, length);
	if (!found)
		return -ENOENT;
	return find_function(data + h->type_off, h->type_len, (uint32_t)(found + 1 - strings));
}

static int number_of(const char *name)
{
	void *data = NULL;
	size_t size = 0;
	int id, e = map_types(&data, &size);

	if (e)
		return e;
	id = find_by_name(data, size, name);
	munmap(data, size);
	return id;
}

int kernel_types_fill(struct bpf_program *program, uint32_t function, const char *name)
{
	size_t n = bpf_program__insn_cnt(program);
	int id = number_of(name), e;
	struct bpf_insn *insns;

	if (id < 0)
		return id;
	insns = calloc(n, sizeof(*insns));
	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(program), n * sizeof(*insns));
	for (size_t i = 0; i < n; i++)
		if (insns[i].code == (BPF_JMP | BPF_CALL) && insns[i].src_reg == 0 &&
		    insns[i].imm == (int32_t)function) {
			insns[i].src_reg = BPF_PSEUDO_KFUNC_CALL;
			insns[i].imm = id;
		}
	e = bpf_program__set_insns(program, insns, n);
	free(insns);
	return e;
}

int kernel_types_none(char *path, size_t size)
{
	struct btf *none = btf__new_empty();
	uint32_t length = 0;
	const void *data = none ? btf__raw_data(none, &length) : NULL;
	int fd = data ? memfd_create("no_types", MFD_CLOEXEC) : -1, again;
	bool good = fd >= 0 && write(fd, data, length) == (ssize_t)length;

	snprintf(path, size, "/proc/self/fd/%d", fd);
	btf__free(none);
	again = good ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (again >= 0) {
		close(again);
		return fd;
	}
	if (fd >= 0) /* no /proc here, or a security module */
		close(fd);
	return -1;
}
