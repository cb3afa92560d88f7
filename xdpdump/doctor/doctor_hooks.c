/* SPDX-License-Identifier: BSD-3-Clause */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor_checks.h"
#include "xdpdump/cli/words.h"

/* uapi since 6.6. */
#define TCX_INGRESS 46
#define TCX_EGRESS  47
#define TCX_MAX	    16
/* NETDEV_XDP_ACT_* of linux/netdev.h (6.3). */
#define XDP_BASIC     (1u << 0)
#define XDP_ZERO_COPY (1u << 3)
#define XDP_RX_SG     (1u << 5)
/* What drivers leave in a page before and behind a frame of one piece, XDP_PACKET_HEADROOM and
 * struct skb_shared_info, and what Ethernet adds to the MTU, two VLAN tags among it. */
#define PAGE_RESERVED (256 + 320 + 14 + 2 * 4)

/*
 * The bpf_link that holds our interface's XDP hook; 0: none, or we may not look. Links of all
 * network namespaces are seen, where other interfaces have its number: the program must be the one.
 */
static uint32_t find_link(const struct patient *p)
{
	struct bpf_link_info info;
	uint32_t id = 0, length;

	while (bpf_link_get_next_id(id, &id) == 0) {
		int fd = bpf_link_get_fd_by_id(id), e;

		if (fd < 0)
			continue;
		memset(&info, 0, sizeof(info));
		length = sizeof(info);
		e = bpf_obj_get_info_by_fd(fd, &info, &length);
		close(fd);
		if (!e && info.type == BPF_LINK_TYPE_XDP &&
		    info.prog_id == p->plan.interface.xdp_program &&
		    info.xdp.ifindex == p->plan.interface.index)
			return id;
	}
	return 0;
}

/* What ip-link(8) calls the place: where it is not named, "off" looks in the driver's, if it has
 * one. */
static const char *slot(const struct afxdp_interface *f)
{
	switch (f->xdp_attached) {
	case XDP_ATTACHED_SKB:
		return "xdpgeneric";
	case XDP_ATTACHED_HW:
		return "xdpoffload";
	default:
		return "xdp";
	}
}

static void check_holder(struct patient *p)
{
	const struct afxdp_interface *f = &p->plan.interface;
	bool in_the_way = p->plan.received == AFXDP_HOOK_XDP;
	char holder[128];
	uint32_t link;

	if (!f->xdp_program) {
		finding_add(&p->found, VERDICT_OK, "XDP hook", "free");
		return;
	}
	afxdp_describe_program(f->xdp_program, holder, sizeof(holder));
	finding_add(&p->found, in_the_way ? VERDICT_BAD : VERDICT_NOTE, "XDP hook",
		    "held by %s%s; to take it away would stop what it is there for", holder,
		    in_the_way ? ", and it takes no second one" : "");
	link = find_link(p);
	if (in_the_way)
		finding_fix(&p->found, "xdpdump -i %s --hook tc", p->name);
	else if (link)
		finding_fix(&p->found, "bpftool link detach id %u", link);
	else
		finding_fix(&p->found, "ip link set dev %s %s off", p->name, slot(f));
}

static int list_tcx(const struct patient *p, int type, char *text, size_t size)
{
	uint32_t ids[TCX_MAX], count = TCX_MAX;
	char name[64];
	int e = bpf_prog_query((int)p->plan.interface.index, (enum bpf_attach_type)type, 0, NULL,
			       ids, &count);

	text[0] = 0;
	for (uint32_t i = 0; !e && i < count; i++) {
		afxdp_describe_program(ids[i], name, sizeof(name));
		snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ", " : "", name);
	}
	return e;
}

static void check_tcx(struct patient *p)
{
	char in[200], out[200];
	int e = list_tcx(p, TCX_INGRESS, in, sizeof(in));

	if (!e)
		e = list_tcx(p, TCX_EGRESS, out, sizeof(out));
	if (e == -EPERM)
		finding_add(&p->found, VERDICT_OK, "tc hooks",
			    "who is there is told to the privileged only");
	else if (e == -EINVAL)
		finding_add(&p->found, VERDICT_NOTE, "tc hooks",
			    "not in this kernel (6.6): a packet socket takes their place");
	else if (e)
		finding_add(&p->found, VERDICT_NOTE, "tc hooks", "not known: %s", strerror(-e));
	else
		finding_add(&p->found, VERDICT_OK, "tc hooks",
			    "received: %s; sent: %s; a capture goes before them",
			    in[0] ? in : "nobody", out[0] ? out : "nobody");
}

static void judge_no_native(struct patient *p)
{
	bool wanted = p->plan.received == AFXDP_HOOK_XDP &&
		      afxdp_options_have(p->options, "xdp-mode", "native");

	finding_add(&p->found, wanted ? VERDICT_BAD : VERDICT_NOTE, "native XDP",
		    "the driver has none");
	if (wanted)
		finding_fix(&p->found, "xdpdump -i %s --hook tc", p->name);
}

static void check_native(struct patient *p)
{
	static const char *const names[] = {"basic",	  "redirect", "ndo-xmit",   "xsk-zerocopy",
					    "hw-offload", "rx-sg",    "ndo-xmit-sg"};
	const struct afxdp_interface *f = &p->plan.interface;
	char list[128] = "";

	if (!f->has_xdp_features) {
		finding_add(&p->found, VERDICT_NOTE, "native XDP",
			    "the kernel does not tell (6.3 does): attaching will show");
		return;
	}
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (f->xdp_features >> i & 1)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 list[0] ? ", " : "", names[i]);
	if (f->xdp_features & XDP_BASIC)
		finding_add(&p->found, VERDICT_OK, "native XDP", "yes: %s", list);
	else
		judge_no_native(p);
	finding_add(&p->found, VERDICT_OK, "zero-copy", "%s",
		    f->xdp_features & XDP_ZERO_COPY
			    ? "the driver has it for AF_XDP; a capture by xdpdump does not use it"
			    : "the driver has none for AF_XDP; a capture by xdpdump needs none");
}

static void check_mtu(struct patient *p)
{
	const struct afxdp_interface *f = &p->plan.interface;
	unsigned limit = (unsigned)sysconf(_SC_PAGESIZE) - PAGE_RESERVED;

	if (p->plan.received != AFXDP_HOOK_XDP ||
	    afxdp_options_have(p->options, "xdp-mode", "skb") || !f->has_xdp_features ||
	    f->xdp_features & XDP_RX_SG || f->mtu <= limit) {
		finding_add(&p->found, VERDICT_OK, "MTU", "%u", f->mtu);
		return;
	}
	finding_add(&p->found, VERDICT_NOTE, "MTU",
		    "%u, and the driver has no rx-sg: with more than about %u it may refuse an XDP program, and the capture goes to tc",
		    f->mtu, limit);
	finding_fix(&p->found, "ip link set %s mtu %u", p->name, limit);
}

bool doctor_has_hook(const struct patient *p)
{
	return p->plan.received != AFXDP_HOOK_NONE || p->plan.sent != AFXDP_HOOK_NONE;
}

static const char *describe_plan(const struct patient *p)
{
	const struct afxdp_trial *plan = &p->plan;

	if (plan->received == AFXDP_HOOK_XDP && afxdp_options_have(p->options, "xdp-mode", "skb"))
		return "xdp, generic: in the network stack, with a cost for each frame";
	if (plan->received == AFXDP_HOOK_XDP)
		return plan->bound ? "xdp, in the driver, with the VLAN tags it takes off"
				   : "xdp, in the driver";
	if (plan->received == AFXDP_HOOK_PACKET || plan->sent == AFXDP_HOOK_PACKET)
		return "a packet socket";
	return "tc";
}

static void check_plan(struct patient *p)
{
	char text[2 * AFXDP_ERROR_SIZE];

	if (!doctor_has_hook(p))
		finding_add(&p->found, VERDICT_BAD, "capture", "%s",
			    p->trial_text[0] ? words_of_command(p->trial_text, text, sizeof(text))
					     : "what is sent here is received here as well");
	else if (p->plan.warning[0])
		finding_add(&p->found, VERDICT_NOTE, "capture", "%s; %s", describe_plan(p),
			    words_of_command(p->plan.warning, text, sizeof(text)));
	else
		finding_add(&p->found, VERDICT_OK, "capture", "%s", describe_plan(p));
}

void doctor_hooks(struct patient *p)
{
	check_plan(p);
	check_holder(p);
	check_tcx(p);
	check_native(p);
	check_mtu(p);
}
