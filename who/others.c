/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/types.h>

#include "bpf/record.h"
#include "others.h"

#define SIZE (EPB_OTHERS * sizeof(struct epb_other))

struct others {
	int map;
	struct epb_other *at;
	uint32_t used[EPB_OTHERS]; /* places in use, in no order */
	/* For each place, how many frames were left out when this look began, and the last one. */
	uint64_t now[EPB_OTHERS], before[EPB_OTHERS];
	/* The socket that had the place at the last look but lost it, and its number of frames. */
	struct epb_other was[EPB_OTHERS];
	unsigned n;
	uint64_t missed;
};

int others_open(struct others **out)
{
	LIBBPF_OPTS(bpf_map_create_opts, how, .map_flags = BPF_F_MMAPABLE);
	struct others *o = calloc(1, sizeof(*o));
	int e;

	if (!o)
		return -ENOMEM;
	o->at = MAP_FAILED;
	o->map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "other_sockets", sizeof(uint32_t),
				sizeof(*o->at), EPB_OTHERS, &how);
	if (o->map >= 0)
		o->at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, o->map, 0);
	if (o->at != MAP_FAILED) {
		*out = o;
		return 0;
	}
	e = -errno;
	others_close(o);
	return e;
}

void others_close(struct others *o)
{
	if (!o)
		return;
	if (o->at != MAP_FAILED)
		munmap(o->at, SIZE);
	if (o->map >= 0)
		close(o->map);
	free(o);
}

int others_map(const struct others *o)
{
	return o->map;
}

/* The kernel counts meanwhile, on any CPU. */
static uint64_t frames(const struct others *o, uint32_t slot)
{
	return __atomic_load_n(&o->at[slot].frames, __ATOMIC_RELAXED);
}

static void set(struct others *o, uint32_t slot, uint64_t cookie)
{
	__atomic_store_n(&o->at[slot].cookie, cookie, __ATOMIC_RELAXED);
}

bool others_have(const struct others *o, uint64_t cookie)
{
	return o->at[cookie % EPB_OTHERS].cookie == cookie;
}

void others_add(struct others *o, uint64_t cookie)
{
	uint32_t slot = (uint32_t)(cookie % EPB_OTHERS);
	uint64_t was = o->at[slot].cookie, n;

	/* A place changes its socket at most once between two looks: the next one judges both. */
	if (!cookie || was == cookie || o->was[slot].cookie)
		return;
	set(o, slot, cookie);
	n = frames(o, slot);
	if (was)
		o->was[slot] = (struct epb_other){was, n - o->before[slot]};
	else
		o->used[o->n++] = slot;
	o->before[slot] = o->now[slot] = n;
}

void others_note(struct others *o)
{
	for (unsigned i = 0; i < o->n; i++)
		o->now[o->used[i]] = frames(o, o->used[i]);
}

void others_review(struct others *o, others_judge *judge, void *of)
{
	for (unsigned i = 0; i < o->n;) {
		uint32_t slot = o->used[i];
		enum others_fate fate = judge(of, o->at[slot].cookie);
		struct epb_other *was = &o->was[slot];

		if (was->cookie && judge(of, was->cookie) == OTHERS_WANTED)
			o->missed += was->frames;
		*was = (struct epb_other){.cookie = 0};
		if (fate == OTHERS_STAY) {
			o->before[slot] = o->now[slot];
			i++;
			continue;
		}
		set(o, slot, 0);
		if (fate == OTHERS_WANTED)
			o->missed += frames(o, slot) - o->before[slot];
		o->used[i] = o->used[--o->n];
	}
}

void others_figures(const struct others *o, uint64_t *left_out, uint64_t *missed)
{
	*left_out = 0;
	*missed = o->missed;
	for (uint32_t i = 0; i < EPB_OTHERS; i++)
		*left_out += frames(o, i);
}
