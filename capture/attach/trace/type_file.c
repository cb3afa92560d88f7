/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "type_file.h"

#define NAME_MAX_CHARS 64

/* For a kernel before 6.16, which cannot map the file: each call returns a page, whatever is
 * asked. */
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

/* Find types and strings. -EINVAL: they are not within the file, or the strings do not end. */
static int find_parts(struct type_file *f)
{
	const struct btf_header *h = f->data;
	const char *body;
	size_t size;

	if (f->size < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len > f->size)
		return -EINVAL;
	body = (const char *)f->data + h->hdr_len;
	size = f->size - h->hdr_len;
	if (h->type_off > size || h->type_len > size - h->type_off || h->str_off > size ||
	    h->str_len > size - h->str_off || !h->str_len || body[h->str_off + h->str_len - 1] != 0)
		return -EINVAL;
	f->types = body + h->type_off;
	f->types_size = h->type_len;
	f->strings = body + h->str_off;
	f->strings_size = h->str_len;
	return 0;
}

int type_file_open(struct type_file *f, const char *name, const struct type_file *base)
{
	char path[64];
	struct stat s;
	int fd, e;

	*f = (struct type_file){.base = base};
	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	e = fstat(fd, &s) ? -errno : 0;
	f->size = (size_t)s.st_size;
	if (!e)
		e = map_file(fd, &f->data, f->size);
	close(fd);
	if (e) {
		f->data = NULL;
		return e;
	}
	e = find_parts(f);
	if (e)
		type_file_close(f);
	return e;
}

void type_file_close(struct type_file *f)
{
	if (f->data)
		munmap(f->data, f->size);
	*f = (struct type_file){0};
}

/* Size of what follows a type, by its kind; SIZE_MAX: a kind of a later kernel. */
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

/* Returns the type at *at, and moves *at behind it; NULL: there are no more. */
static const struct btf_type *next_type(const struct type_file *f, size_t *at)
{
	const struct btf_type *t = (const void *)(f->types + *at);
	size_t room = f->types_size - *at, rest;

	if (room < sizeof(*t))
		return NULL;
	rest = rest_of(t);
	if (rest > room - sizeof(*t))
		return NULL;
	*at += sizeof(*t) + rest;
	return t;
}

/* Offset of the name in the strings, of which the base has the first ones; 0: it is not there. */
static uint32_t find_name(const struct type_file *f, const char *name)
{
	size_t length = strlen(name) + 2, before = f->base ? f->base->strings_size : 0;
	char between[NAME_MAX_CHARS]; /* the name, with the 0 before it and the 0 at its end */
	const char *found;

	if (length > sizeof(between))
		return 0;
	between[0] = 0;
	memcpy(between + 1, name, length - 1);
	found = memmem(f->strings, f->strings_size, between, length);
	if (found)
		return (uint32_t)(before + (size_t)(found - f->strings) + 1);
	return f->base ? find_name(f->base, name) : 0;
}

const struct btf_type *type_file_find(const struct type_file *f, const char *name, uint32_t kind,
				      uint32_t *id)
{
	uint32_t string = find_name(f, name), number = 1;
	const struct btf_type *t;

	for (size_t at = 0; string && (t = next_type(f, &at)); number++) {
		if (t->name_off != string || btf_kind(t) != kind)
			continue;
		if (id)
			*id = number;
		return t;
	}
	return NULL;
}

const struct btf_type *type_file_at(const struct type_file *f, uint32_t id)
{
	const struct btf_type *t = NULL;
	size_t at = 0;

	for (uint32_t number = 1; number <= id && (t = next_type(f, &at)); number++)
		;
	return t;
}

const char *type_file_string(const struct type_file *f, uint32_t at)
{
	size_t before = f->base ? f->base->strings_size : 0;

	if (at < before)
		return type_file_string(f->base, at);
	return at - before < f->strings_size ? f->strings + (at - before) : "";
}
