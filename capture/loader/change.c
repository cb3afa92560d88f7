/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/attach/hook.h"
#include "change.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FIRST_ARGUMENT offsetof(struct seccomp_data, args[0])
#else
#define FIRST_ARGUMENT (offsetof(struct seccomp_data, args[0]) + 4)
#endif

void change_prepare(struct change *c, const struct loader_proof *p)
{
	void *no_ring = MAP_FAILED;
	char ifname[IFNAMSIZ];
	bool opened = false;

	if (!p->plan)
		return;
	memcpy(ifname, p->ifname, sizeof(ifname));
	ifname[IFNAMSIZ - 1] = 0;
	if (ring_set_map_control(&c->rings, p->rings, &p->place) == 0)
		no_ring =
			mmap(NULL, SIDES * sizeof(uint64_t), PROT_READ, MAP_SHARED, p->counters, 0);
	if (no_ring != MAP_FAILED)
		opened = proof_open(&c->proof, ifname, (int)p->ifindex);
	if (!opened)
		return;
	proof_begin(&c->proof, &c->rings, no_ring, p->when_armed);
	c->ifindex = p->ifindex;
	c->plan = (enum plan_proof)p->plan;
}

void change_remember(struct change *c, const struct sock_filter *f, unsigned n, uint32_t generation)
{
	struct sock_filter *copy;

	if (c->plan != PLAN_CHANGES)
		return;
	copy = calloc(n, sizeof(*copy));
	if (!copy) { /* with an older one frames would be missing */
		c->plan = PLAN_TELLS;
		return;
	}
	memcpy(copy, f, n * sizeof(*f));
	free(c->filter);
	c->filter = copy;
	c->n = n;
	c->generation = generation;
}

void change_tell(int news, const struct loader_news *n)
{
	ssize_t done = write(news, n, sizeof(*n));

	(void)done; /* nobody is there any more: recv() will say so as well */
}

/*
 * From now on nothing is attached or detached, not even by somebody who breaks into this process.
 * The seccomp filter that is already there stays in force.
 */
static void take_away(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 5, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIRST_ARGUMENT),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BPF_LINK_CREATE, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BPF_LINK_DETACH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
		_exit(1);
}

static void end(struct change *c)
{
	if (c->plan == PLAN_CHANGES)
		take_away();
	c->plan = PLAN_PROVES_NOTHING;
	proof_close(&c->proof);
	free(c->filter);
	c->filter = NULL;
}

/*
 * The XDP program goes first, so that no frame comes twice. A frame that the interface has counted,
 * but that was not offered to the programs, is missing.
 */
static void change_hook(struct change *c, struct image *received, int *link, int news)
{
	struct loader_news n = {.events = LOADER_BLIND};
	int program = image_load(&c->spare, c->filter, c->n, c->generation);

	proof_count(&c->proof, &n.received, &n.missed);
	if (program < 0) {
		change_tell(news, &n);
		return;
	}
	n.events = LOADER_CHANGES; /* before others tell that the link is gone */
	change_tell(news, &n);
	bpf_link_detach(*link);
	close(*link);
	*link = hook_attach_ingress(program, c->ifindex);
	close(program);
	image_free(received);
	*received = c->spare;
	received->fd = *link;
	c->spare = (struct image){.insns = NULL};
	n.events = LOADER_CHANGED;
	n.error = *link < 0 ? *link : 0;
	proof_count(&c->proof, &n.received, &n.missed);
	change_tell(news, &n);
}

void change_look(struct change *c, struct image *received, int *link, int news)
{
	struct loader_news n = {.events = LOADER_BLIND};

	if (!c->plan)
		return;
	switch (proof_look(&c->proof)) {
	case PROOF_WAITS:
		return;
	case PROOF_NONE:
		if (c->plan == PLAN_CHANGES) {
			change_hook(c, received, link, news);
			break;
		}
		proof_count(&c->proof, &n.received, &n.missed);
		change_tell(news, &n);
		break;
	case PROOF_CAME:
	case PROOF_ENDED:
		break;
	}
	end(c);
}
