/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/capture.skel.h"
#include "symbols.h"
#include "trace.h"

static bool at_exit(const struct program *p)
{
	return p->plan.in == CAPTURE_HOOK_FEXIT;
}

static struct bpf_program *root(const struct program *p)
{
	return at_exit(p) ? p->bpf->progs.exit_root : p->bpf->progs.entry_root;
}

static struct bpf_program *recorder(const struct program *p)
{
	return at_exit(p) ? p->bpf->progs.exit_capture : p->bpf->progs.entry_capture;
}

/* Only if the first argument has this type does the kernel pass an xdp_buff, which our programs
 * read. */
static bool takes_xdp_md(const struct btf *btf, const struct btf_type *function)
{
	const struct btf_type *t = btf__type_by_id(btf, function->type);

	if (!t || !btf_is_func_proto(t) || btf_vlen(t) < 1)
		return false;
	t = btf__type_by_id(btf, btf_params(t)->type);
	while (t && btf_is_mod(t))
		t = btf__type_by_id(btf, t->type);
	if (!t || !btf_is_ptr(t))
		return false;
	t = btf__type_by_id(btf, t->type);
	return t && btf_is_struct(t) &&
	       strcmp(btf__name_by_offset(btf, t->name_off), "xdp_md") == 0;
}

static int find_function(struct program *p, const struct afxdp_options *o, uint32_t btf_id,
			 char *err, size_t size)
{
	struct btf *btf = btf__load_from_kernel_by_id(btf_id);
	int id, e = btf ? 0 : -errno;

	if (e) {
		snprintf(err, size, "program %u: cannot read its type information: %s", o->program,
			 strerror(-e));
		return e;
	}
	id = btf__find_by_name_kind(btf, o->function, BTF_KIND_FUNC);
	if (id < 0) {
		snprintf(err, size, "program %u has no function %s", o->program, o->function);
		e = -ENOENT;
	} else if (!takes_xdp_md(btf, btf__type_by_id(btf, (uint32_t)id))) {
		snprintf(err, size,
			 "%s of program %u does not begin with a struct xdp_md *, so there is no packet to capture",
			 o->function, o->program);
		e = -EINVAL;
	}
	p->traced_function = e ? 0 : (uint32_t)id;
	btf__free(btf);
	return e;
}

static int open_target(struct program *p, const struct afxdp_options *o, char *err, size_t size)
{
	struct bpf_prog_info info = {0};
	uint32_t length = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(o->program), e;

	if (fd < 0) {
		e = -errno;
		snprintf(err, size,
			 e == -EPERM ? "program %u: only root can look into programs: %s"
				     : "program %u: %s (xdpdump -D lists programs)",
			 o->program, strerror(-e));
		return e;
	}
	p->traced = fd;
	p->traces = true;
	e = bpf_obj_get_info_by_fd(fd, &info, &length) ? -errno : 0;
	if (!e && info.btf_id)
		return find_function(p, o, info.btf_id, err, size);
	snprintf(err, size, "program %u has no type information (BTF): compile it with -g",
		 o->program);
	return e ? e : -EINVAL;
}

/*
 * On x86 the address of a fragment's page is computed from two variables of the kernel. The
 * constants stay 0 if the kernel does not tell where these are: then only the linear part of a
 * frame is copied.
 */
void trace_find_pages(struct program *p)
{
	struct capture_bpf__rodata *ro = p->bpf->rodata;

	ro->page_offset_base_at = symbols_address("page_offset_base");
	ro->vmemmap_base_at = symbols_address("vmemmap_base");
}

int trace_own_netns(uint32_t *number, char *err, size_t size)
{
	struct stat s;
	int e;

	if (stat("/proc/thread-self/ns/net", &s)) {
		e = -errno;
		snprintf(err, size,
			 "cannot tell which network namespace this is, /proc/thread-self/ns/net: %s; is /proc mounted?",
			 strerror(-e));
		return e;
	}
	*number = (uint32_t)s.st_ino;
	return 0;
}

int trace_prepare(struct program *p, const struct afxdp_options *o, const struct facts *f,
		  char *err, size_t size)
{
	struct capture_bpf__rodata *ro = p->bpf->rodata;
	bool here = p->plan.in == CAPTURE_HOOK_FENTRY || p->plan.in == CAPTURE_HOOK_FEXIT;
	int e;

	bpf_program__set_autoload(p->bpf->progs.entry_root, here && !at_exit(p));
	bpf_program__set_autoload(p->bpf->progs.entry_capture, here && !at_exit(p));
	bpf_program__set_autoload(p->bpf->progs.exit_root, here && at_exit(p));
	bpf_program__set_autoload(p->bpf->progs.exit_capture, here && at_exit(p));
	if (!here)
		return 0;
	e = open_target(p, o, err, size);
	if (e)
		return e;
	ro->traced_ifindex = f->ifindex;
	ro->wanted_verdicts = o->verdicts;
	trace_find_pages(p);
	e = trace_own_netns((uint32_t *)&ro->traced_netns, err, size);
	if (e)
		return e;
	e = bpf_program__set_attach_target(root(p), p->traced, o->function);
	if (!e)
		e = bpf_program__set_attach_target(recorder(p), p->traced, o->function);
	if (e)
		snprintf(err, size, "%s of program %u: %s", o->function, o->program, strerror(-e));
	return e;
}

int trace_take(struct program *p)
{
	struct image *i = &p->images[p->image_count];
	int e = image_take(i, recorder(p), p->bpf->maps.rodata, p->bpf->obj, false);

	i->place = IMAGE_SLOT;
	i->fd = bpf_map__fd(p->bpf->maps.slots);
	i->attach_type = at_exit(p) ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
	i->traced = p->traced;
	i->traced_function = p->traced_function;
	if (!e)
		p->image_count++;
	return e;
}

int trace_attach(const struct program *p)
{
	uint32_t slot = 0;
	int capture = bpf_program__fd(recorder(p));

	if (bpf_map_update_elem(bpf_map__fd(p->bpf->maps.slots), &slot, &capture, BPF_ANY))
		return -errno;
	return bpf_link_create(bpf_program__fd(root(p)), 0,
			       at_exit(p) ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY, NULL);
}

void trace_release(struct program *p)
{
	if (p->traces)
		close(p->traced);
	p->traces = false;
}
