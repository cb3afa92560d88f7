/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "programs.h"

/* The main function is the first one in BTF, which has its whole name. */
static void find_function(struct xdp_program *p, int fd)
{
	struct bpf_func_info first = {0};
	struct bpf_prog_info info = {.nr_func_info = 1,
				     .func_info_rec_size = sizeof(first),
				     .func_info = (uint64_t)(uintptr_t)&first};
	uint32_t length = sizeof(info);
	struct btf *btf = p->btf_id ? btf__load_from_kernel_by_id(p->btf_id) : NULL;
	const struct btf_type *t = NULL;

	if (btf && bpf_obj_get_info_by_fd(fd, &info, &length) == 0)
		t = btf__type_by_id(btf, first.type_id);
	if (t && btf_is_func(t))
		snprintf(p->function, sizeof(p->function), "%s",
			 btf__name_by_offset(btf, t->name_off));
	btf__free(btf);
}

int program_find(struct xdp_program *p, uint32_t id)
{
	struct bpf_prog_info info = {0};
	uint32_t length = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(id), e = 0;

	if (fd < 0)
		return -errno;
	*p = (struct xdp_program){.id = id};
	if (bpf_obj_get_info_by_fd(fd, &info, &length))
		e = -errno;
	p->btf_id = info.btf_id;
	snprintf(p->name, sizeof(p->name), "%s", info.name);
	snprintf(p->function, sizeof(p->function), "%s", info.name);
	if (!e)
		find_function(p, fd);
	close(fd);
	return e;
}

struct part {
	uint32_t program, place;
};

static int compare(const void *a, const void *b)
{
	uint32_t left = ((const struct part *)a)->place, right = ((const struct part *)b)->place;

	return left < right ? -1 : left > right;
}

/*
 * The parts of a dispatcher replace its functions (freplace), and their links say which. So this
 * needs neither the BPF file system nor the place where libxdp pins them.
 */
static unsigned find_parts(uint32_t dispatcher, struct part *parts, unsigned room)
{
	uint32_t id = 0;
	unsigned n = 0;

	while (n < room && bpf_link_get_next_id(id, &id) == 0) {
		struct bpf_link_info info = {0};
		uint32_t length = sizeof(info);
		int fd = bpf_link_get_fd_by_id(id);

		if (fd < 0)
			continue;
		if (bpf_obj_get_info_by_fd(fd, &info, &length) == 0 &&
		    info.type == BPF_LINK_TYPE_TRACING && info.tracing.attach_type == 0 &&
		    info.tracing.target_obj_id == dispatcher)
			parts[n++] = (struct part){info.prog_id, info.tracing.target_btf_id};
		close(fd);
	}
	qsort(parts, n, sizeof(*parts), compare);
	return n;
}

int programs_find(uint32_t id, struct xdp_program programs[PROGRAMS_MAX])
{
	struct part parts[PROGRAMS_MAX - 1];
	unsigned n, found = 1;
	int e = program_find(&programs[0], id);

	if (e)
		return e;
	n = find_parts(id, parts, PROGRAMS_MAX - 1);
	for (unsigned i = 0; i < n; i++)
		if (program_find(&programs[found], parts[i].program) == 0)
			found++;
	return (int)found;
}

void programs_list(const struct xdp_program *programs, unsigned n, char *text, size_t size)
{
	size_t used = 0;

	text[0] = 0;
	for (unsigned i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s@%u", i ? ", " : "",
					 programs[i].function, programs[i].id);
}

bool program_has(const struct xdp_program *p, const char *function)
{
	struct btf *btf;
	bool has;

	if (strcmp(p->function, function) == 0)
		return true;
	btf = p->btf_id ? btf__load_from_kernel_by_id(p->btf_id) : NULL;
	has = btf && btf__find_by_name_kind(btf, function, BTF_KIND_FUNC) > 0;
	btf__free(btf);
	return has;
}
