/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bpf/capture.skel.h"
#include "drop_names.h"
#include "drops.h"
#include "trace.h"
#include "util/line.h"
#include "util/no_bpf.h"

#define HAS_REASON 3 /* number of arguments: the frame, the place, and the reason */
#define HAS_SOCKET 4 /* ... and the socket that was to get it */

static bool is_locked_down(void)
{
	char line[128];

	return line_of("/sys/kernel/security/lockdown", NULL, line, sizeof(line)) &&
	       strstr(line, "[confidentiality]");
}

static int choose_reasons(struct program *p, const struct afxdp_options *o, char *err, size_t size)
{
	struct capture_bpf__rodata *ro = p->bpf->rodata;

	ro->drops_chosen = o->drop_reasons[0];
	if (!ro->drops_chosen)
		return 0;
	_Static_assert(sizeof(ro->drops_wanted) == DROP_REASON_WORDS * sizeof(uint64_t),
		       "a bit for each");
	return drop_names_choose(p->drop_names, o->drop_reasons, (uint64_t *)ro->drops_wanted, err,
				 size);
}

int drops_prepare(struct program *p, const struct afxdp_options *o, const struct facts *f,
		  char *err, size_t size)
{
	struct capture_bpf__rodata *ro = p->bpf->rodata;
	bool here = p->plan.in == CAPTURE_HOOK_DROPS;
	unsigned arguments;
	int e;

	bpf_program__set_autoload(p->bpf->progs.drop_root, here);
	bpf_program__set_autoload(p->bpf->progs.drop_capture, here);
	if (!here)
		return 0;
	e = drop_names_new(&p->drop_names, err, size);
	if (!e)
		e = choose_reasons(p, o, err, size);
	if (!e)
		e = trace_own_netns((uint32_t *)&ro->traced_netns, err, size);
	if (e)
		return e;
	drop_names_tracepoint(p->drop_names, &arguments);
	ro->drops_reason = arguments >= HAS_REASON;
	ro->drops_socket = arguments >= HAS_SOCKET;
	ro->drops_any = options_are_any(o);
	ro->drops_everywhere = o->namespaces;
	ro->traced_ifindex = f->ifindex;
	drop_names_know(p->drop_names, ro->traced_netns);
	drop_names_open_places(p->drop_names);
	trace_find_pages(p);
	return 0;
}

int drops_take(struct program *p)
{
	struct image *i = &p->images[p->image_count];
	int e = image_take(i, p->bpf->progs.drop_capture, p->bpf->maps.rodata, p->bpf->obj, false);
	unsigned unused;

	i->place = IMAGE_SLOT;
	i->fd = bpf_map__fd(p->bpf->maps.slots);
	i->attach_type = BPF_TRACE_RAW_TP;
	i->traced_function = drop_names_tracepoint(p->drop_names, &unused);
	if (!e)
		p->image_count++;
	return e;
}

int drops_attach(const struct program *p)
{
	int capture = bpf_program__fd(p->bpf->progs.drop_capture), fd;
	uint32_t slot = 0;

	if (bpf_map_update_elem(bpf_map__fd(p->bpf->maps.slots), &slot, &capture, BPF_ANY))
		return -errno;
	fd = bpf_raw_tracepoint_open(NULL, bpf_program__fd(p->bpf->progs.drop_root));
	return fd < 0 ? -errno : fd;
}

void drops_explain(int e, char *err, size_t size)
{
	char limits[NO_BPF_LIMITS_SIZE];

	if (is_locked_down())
		snprintf(err, size,
			 "the kernel is locked down (confidentiality), and lets no program read what it dropped: drops can be captured with lockdown=integrity, or none");
	else if (e == -EPERM) {
		no_bpf_limits(limits, sizeof(limits));
		snprintf(err, size,
			 "the kernel refuses programs at tracepoints, which a capture of drops needs%s",
			 limits);
	} else
		snprintf(err, size,
			 "the kernel refuses a program at its tracepoint kfree_skb, which a capture of drops needs: %s; PCAP_AFXDP_DEBUG=1 shows its words",
			 strerror(-e));
}

uint64_t drops_nested(const struct program *p)
{
	struct bpf_prog_info info = {0};
	uint32_t length = sizeof(info);

	if (!p->bpf || p->plan.in != CAPTURE_HOOK_DROPS ||
	    bpf_obj_get_info_by_fd(bpf_program__fd(p->bpf->progs.drop_root), &info, &length))
		return 0;
	return info.recursion_misses;
}

void drops_release(struct program *p)
{
	drop_names_free(p->drop_names);
	p->drop_names = NULL;
}
