/* SPDX-License-Identifier: BSD-3-Clause */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caps.h"
#include "capture.skel.h"
#include "cpus.h"
#include "log.h"
#include "program.h"

#define RING_TOTAL_DEFAULT (256u << 20)
/* uapi since 6.3. */
#ifndef BPF_F_XDP_DEV_BOUND_ONLY
#define BPF_F_XDP_DEV_BOUND_ONLY (1U << 6)
#endif

/* What was asked for, else as much as the total allows, 64 MiB at most. */
static uint64_t choose_ring_size(const struct capture_options *o, unsigned count)
{
	uint64_t total = o->ring_total ? o->ring_total : RING_TOTAL_DEFAULT;
	uint64_t size = o->ring_size ? o->ring_size : CAPTURE_RING_SIZE_DEFAULT;

	if (o->ring_size && !o->ring_total)
		return size;
	while (size > RING_SIZE_MIN && size * count > total)
		size /= 2;
	return size;
}

static int configure_rings(struct program *p, const struct capture_options *o, char *err,
			   size_t size)
{
	bool sparse = false;
	struct capture_bpf__rodata *ro = p->bpf->rodata;
	int count = cpus_number((uint16_t *)ro->ring_of_cpu,
				sizeof(ro->ring_of_cpu) / sizeof(ro->ring_of_cpu[0]), &sparse);

	if (count < 0) {
		snprintf(err, size, "cannot read the list of CPUs: %s", strerror(-count));
		return count;
	}
	p->ring_count = (unsigned)count;
	p->ring_size = choose_ring_size(o, p->ring_count);
	ro->cpus_sparse = sparse;
	ro->ring_mask = p->ring_size - 1;
	bpf_map__set_value_size(p->bpf->maps.rings, (uint32_t)RING_VALUE_SIZE(p->ring_size));
	bpf_map__set_max_entries(p->bpf->maps.rings, p->ring_count);
	return 0;
}

/* A page, or more where one entry of 16 bytes per ring would not fit; a power of two. */
static void configure_doorbell(struct program *p)
{
	uint32_t size = (uint32_t)sysconf(_SC_PAGESIZE);

	while (size < p->ring_count * 32)
		size *= 2;
	bpf_map__set_max_entries(p->bpf->maps.doorbell, size);
}

/*
 * A device that takes tags off frames hands them only to a program that is bound to it, which in
 * turn no PROG_ARRAY takes.
 */
static void choose_program(struct program *p, const struct capture_options *o,
			   const struct facts *f)
{
	p->bound = f->strips_vlan && f->gives_vlan && o->xdp_mode == CAPTURE_XDP_NATIVE;
	bpf_program__set_autoload(p->bpf->progs.xdp_root, !p->bound);
	bpf_program__set_autoload(p->bpf->progs.xdp_capture, !p->bound);
	bpf_program__set_autoload(p->bpf->progs.xdp_capture_bound, p->bound);
	if (!p->bound)
		return;
	bpf_program__set_ifindex(p->bpf->progs.xdp_capture_bound, f->ifindex);
	bpf_program__set_flags(p->bpf->progs.xdp_capture_bound,
			       BPF_F_XDP_HAS_FRAGS | BPF_F_XDP_DEV_BOUND_ONLY);
}

static int explain_load(int e, const struct program *p, char *err, size_t size)
{
	char caps[256];

	if ((e == -EPERM || e == -EACCES) && caps_missing(caps, sizeof(caps)))
		snprintf(err, size, "%s", caps);
	else if (e == -EPERM || e == -EACCES)
		snprintf(err, size,
			 "the kernel forbids loading BPF programs (lockdown or a security module); "
			 "PCAP_AFXDP_DEBUG=1 shows its words");
	else if (e == -ENOMEM)
		snprintf(err, size,
			 "no memory for %u rings of %llu KiB: give a smaller ring=, or raise the "
			 "memory limit of the cgroup",
			 p->ring_count, (unsigned long long)p->ring_size >> 10);
	else if (e == -E2BIG && p->ring_size > 2u << 20)
		snprintf(err, size, "kernels before 6.0 take rings of at most 2M: give ring=2M");
	else
		snprintf(err, size,
			 "cannot load the capture program: %s (needs Linux 5.18 or newer; "
			 "PCAP_AFXDP_DEBUG=1 shows the verifier's words)",
			 strerror(-e));
	return e;
}

/* For the programs with a filter that will take the place of the one just loaded. */
static int take_image(struct program *p, const struct facts *f)
{
	struct image *i = &p->image;

	i->flags = BPF_F_XDP_HAS_FRAGS | (p->bound ? BPF_F_XDP_DEV_BOUND_ONLY : 0);
	i->ifindex = p->bound ? f->ifindex : 0;
	i->slots = p->bound ? -1 : bpf_map__fd(p->bpf->maps.slots);
	i->link = -1;
	return image_take(i,
			  p->bound ? p->bpf->progs.xdp_capture_bound : p->bpf->progs.xdp_capture);
}

int program_load(struct program *p, const struct capture_options *o, const struct facts *f,
		 char *err, size_t size)
{
	int e;

	p->link = -1;
	log_begin();
	p->bpf = capture_bpf__open();
	if (!p->bpf) {
		snprintf(err, size, "cannot open the BPF object: %s", strerror(errno));
		e = -errno;
		goto out;
	}
	p->bpf->rodata->interface_id = o->interface_id;
	p->bpf->rodata->clock_is_tai =
		libbpf_probe_bpf_helper(BPF_PROG_TYPE_XDP, BPF_FUNC_ktime_get_tai_ns, NULL) == 1;
	e = configure_rings(p, o, err, size);
	if (e)
		goto out;
	configure_doorbell(p);
	choose_program(p, o, f);
	e = capture_bpf__load(p->bpf);
	if (!e)
		e = take_image(p, f);
	if (e)
		explain_load(e, p, err, size);
out:
	free(p->log);
	p->log = log_end();
	return e;
}

static int fill_slot(struct program *p)
{
	uint32_t slot = 0;
	int fd = bpf_program__fd(p->bpf->progs.xdp_capture);

	return bpf_map_update_elem(bpf_map__fd(p->bpf->maps.slots), &slot, &fd, BPF_ANY) ? -errno
											 : 0;
}

static int explain_attach(int e, const struct capture_options *o, const struct facts *f, char *err,
			  size_t size)
{
	char text[256];
	struct facts now = *f;

	switch (e) {
	case -EBUSY:
	case -EEXIST:
		facts_refresh(&now);
		facts_describe_holder(&now, text, sizeof(text));
		snprintf(err, size,
			 "the XDP hook of %s is held by %s: end that program, or capture on %s "
			 "without " CAPTURE_PREFIX,
			 o->ifname, text, o->ifname);
		break;
	case -EOPNOTSUPP:
		snprintf(err, size,
			 "the driver of %s has no native XDP, or not at this MTU (%u) and queue "
			 "set-up: try %s%s,xdp-mode=skb",
			 o->ifname, f->mtu, CAPTURE_PREFIX, o->ifname);
		break;
	case -EPERM:
		if (caps_missing(text, sizeof(text))) {
			snprintf(err, size, "%s", text);
			break;
		}
		/* fall through */
	default:
		snprintf(err, size, "cannot attach an XDP program to %s (MTU %u): %s", o->ifname,
			 f->mtu, strerror(-e));
	}
	return e;
}

int program_attach(struct program *p, const struct capture_options *o, const struct facts *f,
		   char *err, size_t size)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .flags = o->xdp_mode == CAPTURE_XDP_SKB ? XDP_FLAGS_SKB_MODE
							    : XDP_FLAGS_DRV_MODE);
	int fd = bpf_program__fd(p->bound ? p->bpf->progs.xdp_capture_bound
					  : p->bpf->progs.xdp_root);
	int e = p->bound ? 0 : fill_slot(p);

	if (!e) {
		p->link = bpf_link_create(fd, (int)f->ifindex, BPF_XDP, &opts);
		e = p->link < 0 ? p->link : 0;
		p->image.link = p->bound ? p->link : -1;
	}
	return e ? explain_attach(e, o, f, err, size) : 0;
}

void program_unload(struct program *p)
{
	if (p->link >= 0)
		close(p->link);
	p->link = -1;
	image_free(&p->image);
	capture_bpf__destroy(p->bpf);
	p->bpf = NULL;
	free(p->log);
	p->log = NULL;
}

int program_rings_fd(const struct program *p)
{
	return bpf_map__fd(p->bpf->maps.rings);
}

int program_doorbell_fd(const struct program *p)
{
	return bpf_map__fd(p->bpf->maps.doorbell);
}

uint64_t program_lost_no_ring(const struct program *p)
{
	return __atomic_load_n(&p->bpf->bss->lost_no_ring, __ATOMIC_RELAXED);
}

bool program_clock_is_tai(const struct program *p)
{
	return p->bpf->rodata->clock_is_tai;
}

bool program_is_attached(const struct program *p)
{
	struct bpf_link_info info = {0};
	uint32_t length = sizeof(info);

	return bpf_obj_get_info_by_fd(p->link, &info, &length) == 0 && info.xdp.ifindex != 0;
}
