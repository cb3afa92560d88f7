/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bpf/capture.skel.h"
#include "capture/attach/facts/cpus.h"
#include "capture/attach/facts/memory.h"
#include "capture/ring/ring.h"
#include "rings.h"
#include "timers.h"

#define DIVERT_RING_SIZE (4u << 20) /* if sockets receive: only for sent frames */

/* Is there room for what each ring keeps until it is read? */
static int configure_history(struct program *p, const struct afxdp_options *o, uint64_t chunk,
			     char *err, size_t size)
{
	if (!o->pre_trigger || p->plan.divert)
		return 0;
	p->bpf->rodata->history_chunks = options_history_chunks(o, p->place.size, chunk);
	return options_check_history(o, p->place.count, p->place.size,
				     p->bpf->rodata->history_chunks != 0, memory_total(), err,
				     size);
}

bool rings_want_big(const struct program *p, const struct afxdp_options *o, const struct facts *f)
{
	const struct plan *plan = &p->plan;
	bool at_skb = plan->in == CAPTURE_HOOK_TC || plan->in == CAPTURE_HOOK_PACKET ||
		      plan->out != CAPTURE_HOOK_AUTO;

	return at_skb && f->has_big_frames && !plan->divert && o->snaplen > CAPLEN_MAX;
}

/* Also if records wait for a trigger. */
static bool has_room_for_big(const struct program *p, const struct afxdp_options *o)
{
	return p->place.size >= RING_SIZE_MIN_BIG &&
	       (!o->pre_trigger ||
		options_history_chunks(o, p->place.size, ring_chunk_size(p->place.size, true)));
}

struct bpf_map *rings_map(const struct program *p, unsigned i)
{
	struct bpf_map *const maps[RING_MAPS_MAX] = {
		p->bpf->maps.rings,   p->bpf->maps.rings_1, p->bpf->maps.rings_2,
		p->bpf->maps.rings_3, p->bpf->maps.rings_4, p->bpf->maps.rings_5,
		p->bpf->maps.rings_6, p->bpf->maps.rings_7,
	};

	return maps[i];
}

/* How many of the rings are in this map. */
static uint32_t rings_in_map(const struct program *p, unsigned i)
{
	const struct ring_maps *m = &p->place.maps;

	return (i + 1 < m->count ? m->first[i + 1] : p->place.count) - m->first[i];
}

/* In a sandbox, lists may name nodes that the kernel does not have. */
static bool has_node(int node)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NUMA_NODE,
		    .numa_node = (uint32_t)node);
	int fd = node < 0 ? -1
			  : bpf_map_create(BPF_MAP_TYPE_ARRAY, "node", sizeof(uint32_t),
					   sizeof(uint32_t), 1, &opts);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void size_maps(struct program *p)
{
	uint32_t value = (uint32_t)ring_value_size(p->place.size, p->ring_is_big);

	for (unsigned i = 0; i < RING_MAPS_MAX; i++) {
		struct bpf_map *m = rings_map(p, i);

		bpf_map__set_autocreate(m, i < p->place.maps.count);
		if (i >= p->place.maps.count)
			continue;
		bpf_map__set_value_size(m, value);
		bpf_map__set_max_entries(m, rings_in_map(p, i));
		if (!has_node(p->place.maps.node[i]))
			continue;
		bpf_map__set_map_flags(m, BPF_F_MMAPABLE | BPF_F_NUMA_NODE);
		bpf_map__set_numa_node(m, (uint32_t)p->place.maps.node[i]);
	}
}

/* One more ring, for CPUs that come online later, or that no list shows. */
static void share_ring(struct program *p)
{
	struct capture_bpf__rodata *ro = p->bpf->rodata;

	for (unsigned i = 0; i < CPUS_MAX; i++)
		if (ro->ring_of_cpu[i] == UINT16_MAX)
			ro->ring_of_cpu[i] = (uint16_t)p->place.count;
	ro->shares_ring = true;
	ro->shared_ring = p->place.count++;
	ro->cpus_sparse = true;
}

int rings_configure(struct program *p, const struct afxdp_options *o, const struct facts *f,
		    char *err, size_t size)
{
	bool sparse = false;
	uint64_t chunk;
	int e;
	struct capture_bpf__rodata *ro = p->bpf->rodata;
	int count = cpus_number((uint16_t *)ro->ring_of_cpu, CPUS_MAX, &sparse, &p->shares_ring);

	_Static_assert(sizeof(ro->ring_of_cpu) == CPUS_MAX * sizeof(ro->ring_of_cpu[0]),
		       "one for each");

	if (count < 0) {
		snprintf(err, size,
			 "cannot read the list of CPUs, /sys/devices/system/cpu/online: %s%s",
			 strerror(-count),
			 count == -ENOENT   ? "; is /sys mounted?"
			 : count == -EACCES ? "; let the sandbox of this program read /sys"
					    : "");
		return count;
	}
	p->place.count = (unsigned)count;
	p->place.size = p->plan.divert
				? DIVERT_RING_SIZE
				: options_ring_size(o, p->place.count + p->shares_ring,
						    CAPTURE_RING_SIZE_DEFAULT, memory_total());
	sparse |= cpus_by_node((uint16_t *)ro->ring_of_cpu, CPUS_MAX, &p->place.maps);
	ro->ring_maps = p->place.maps.count;
	memcpy((uint32_t *)ro->ring_first, p->place.maps.first, sizeof(ro->ring_first));
	ro->cpus_sparse = sparse;
	if (p->shares_ring)
		share_ring(p);
	ro->ring_mask = p->place.size - 1;
	p->ring_is_big = rings_want_big(p, o, f) && has_room_for_big(p, o);
	chunk = ring_chunk_size(p->place.size, p->ring_is_big);
	ro->caplen_max = p->ring_is_big ? CAPLEN_MAX_BIG : CAPLEN_MAX;
	ro->chunk_mask = chunk - 1;
	ro->chunk_shift = (uint32_t)__builtin_ctzll(chunk);
	size_maps(p);
	e = p->plan.divert ? 0 : options_check_total(o, p->place.count, p->place.size, err, size);
	return e ? e : configure_history(p, o, chunk, err, size);
}

/*
 * libxdp loads and attaches in one step, so the rings must exist, initialized, before the first
 * frame.
 */
int rings_make(struct program *p)
{
	int e = 0;

	for (unsigned i = 0; i < p->place.maps.count && !e; i++) {
		struct bpf_map *m = rings_map(p, i);
		LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = bpf_map__map_flags(m),
			    .numa_node = bpf_map__numa_node(m));
		int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, bpf_map__name(m), sizeof(uint32_t),
					bpf_map__value_size(m), bpf_map__max_entries(m), &opts);

		e = fd < 0 ? fd : bpf_map__reuse_fd(m, fd);
		if (fd >= 0)
			close(fd); /* the map has its own copy */
	}
	return e;
}

void rings_describe(const struct program *p, const struct ring_set *s)
{
	const struct capture_bpf__rodata *ro = p->bpf->rodata;

	for (unsigned i = 0; i < s->controlled; i++) {
		s->ring[i].control->has_timer = timers_fd(p) >= 0;
		s->ring[i].control->number = i;
	}
	for (unsigned i = CPUS_MAX; i--;) /* a shared ring gets the number of its first CPU */
		if (ro->ring_of_cpu[i] < s->controlled)
			s->ring[ro->ring_of_cpu[i]].control->cpu = i;
	if (p->shares_ring)
		s->ring[ro->shared_ring].control->shared = 1;
}
