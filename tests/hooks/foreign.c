/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Somebody else's program in a hook. It stays there until a signal, then says how many frames it
 * has seen; with SIGUSR1 it says so and stays.
 *
 *	foreign HOOK IFACE [drop | end | PROTOCOL:TCI...]
 *	foreign peer IFACE VETH
 *	foreign full IFACE
 *	foreign list IFACE
 *
 * HOOK is xdp (a link), netlink (XDP without a link), generic (the same, before the stack), ingress
 * or egress (links at tc, before others), or behind (at egress, after others). end: no other
 *program at tc sees the frame. peer: what IFACE receives, the peer of VETH receives in its place,
 *past XDP. PROTOCOL:TCI is a VLAN tag to put on, as 0x8100:42. full takes all places that egress
 *has. list says how many programs each hook has.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/hooks/foreign.skel.h"

/* uapi since 6.6; an enumeration before, so that #ifdef does not tell. */
#define AT_TCX_INGRESS 46
#define AT_TCX_EGRESS  47
#define FLAG_BEFORE    (1U << 3)

static int count_programs(unsigned ifindex, int type)
{
	uint32_t count = 0;

	if (bpf_prog_query((int)ifindex, (enum bpf_attach_type)type, 0, NULL, NULL, &count) &&
	    errno != EINVAL) /* before 6.6 the kernel has no such hook */
		return -1;
	return (int)count;
}

static int list(unsigned ifindex)
{
	uint32_t xdp = 0;

	if (bpf_xdp_query_id((int)ifindex, 0, &xdp))
		return 1;
	printf("xdp %d ingress %d egress %d\n", xdp != 0, count_programs(ifindex, AT_TCX_INGRESS),
	       count_programs(ifindex, AT_TCX_EGRESS));
	return 0;
}

static int attach(struct foreign *f, const char *hook, unsigned ifindex)
{
	int xdp = bpf_program__fd(f->progs.foreign_xdp), tc = bpf_program__fd(f->progs.foreign_tc);
	LIBBPF_OPTS(bpf_link_create_opts, first, .flags = FLAG_BEFORE);

	if (strcmp(hook, "xdp") == 0)
		return bpf_link_create(xdp, (int)ifindex, BPF_XDP, NULL);
	if (strcmp(hook, "netlink") == 0)
		return bpf_xdp_attach((int)ifindex, xdp, XDP_FLAGS_UPDATE_IF_NOEXIST, NULL);
	if (strcmp(hook, "generic") == 0)
		return bpf_xdp_attach((int)ifindex, xdp,
				      XDP_FLAGS_UPDATE_IF_NOEXIST | XDP_FLAGS_SKB_MODE, NULL);
	if (strcmp(hook, "ingress") == 0)
		return bpf_link_create(tc, (int)ifindex, (enum bpf_attach_type)AT_TCX_INGRESS,
				       &first);
	if (strcmp(hook, "peer") == 0)
		return bpf_link_create(bpf_program__fd(f->progs.foreign_peer), (int)ifindex,
				       (enum bpf_attach_type)AT_TCX_INGRESS, &first);
	if (strcmp(hook, "egress") == 0)
		return bpf_link_create(tc, (int)ifindex, (enum bpf_attach_type)AT_TCX_EGRESS,
				       &first);
	if (strcmp(hook, "behind") == 0)
		return bpf_link_create(tc, (int)ifindex, (enum bpf_attach_type)AT_TCX_EGRESS, NULL);
	return -EINVAL;
}

static int set_tag(struct foreign *f, int i, const char *text)
{
	unsigned protocol, tci;

	if (sscanf(text, "%i:%i", &protocol, &tci) != 2)
		return -EINVAL;
	f->rodata->tag_protocol[i] = htons((uint16_t)protocol);
	f->rodata->tag_tci[i] = (uint16_t)tci;
	return 0;
}

static struct foreign *load(char **words, int count)
{
	struct foreign *f = foreign__open();
	unsigned peer = count == 1 ? if_nametoindex(words[0]) : 0;

	if (f)
		bpf_program__set_autoload(f->progs.foreign_peer, peer != 0);
	if (f && peer)
		f->rodata->peer_of = peer;
	for (int i = 0, tags = 0; f && !peer && i < count; i++) {
		if (strcmp(words[i], "drop") == 0)
			f->rodata->dropping = 1;
		else if (strcmp(words[i], "end") == 0)
			f->rodata->ending = 1;
		else if (tags == 2 || set_tag(f, tags++, words[i]))
			return NULL;
	}
	return f && foreign__load(f) == 0 ? f : NULL;
}

static void stay(struct foreign *f)
{
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	puts("attached");
	fflush(stdout);
	do {
		sigwait(&set, &signal);
		printf("%llu frames\n", (unsigned long long)f->bss->frames);
		fflush(stdout);
	} while (signal == SIGUSR1);
}

/* The kernel takes each program once. */
static int fill_egress(unsigned ifindex)
{
	struct foreign *f = load(NULL, 0);

	while (f && attach(f, "egress", ifindex) >= 0)
		f = load(NULL, 0);
	if (!f)
		return 1;
	stay(f);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned ifindex = argc > 2 ? if_nametoindex(argv[2]) : 0;
	struct foreign *f;
	int link;

	if (!ifindex) {
		fprintf(stderr, "usage: foreign HOOK|list IFACE [drop | end | PROTOCOL:TCI...]\n");
		return 2;
	}
	if (strcmp(argv[1], "list") == 0)
		return list(ifindex);
	if (strcmp(argv[1], "full") == 0)
		return fill_egress(ifindex);
	f = load(argv + 3, argc - 3);
	if (!f)
		return 1;
	link = attach(f, argv[1], ifindex);
	if (link < 0) {
		fprintf(stderr, "foreign: %s on %s: %s\n", argv[1], argv[2], strerror(-link));
		return 1;
	}
	stay(f);
	if (strcmp(argv[1], "netlink") == 0)
		bpf_xdp_detach((int)ifindex, 0, NULL);
	if (strcmp(argv[1], "generic") == 0)
		bpf_xdp_detach((int)ifindex, XDP_FLAGS_SKB_MODE, NULL);
	return 0;
}
