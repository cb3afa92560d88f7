/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/no_bpf.h"
#include "util/uapi.h"
#include "check.h"
#include "patient.h"

#define TCX_MAX		16
#define CAPTURE_INGRESS "tc_ingress" /* the name of a capture's program for received frames */
/* NETDEV_XDP_ACT_* of linux/netdev.h (6.3). */
#define XDP_BASIC     (1u << 0)
#define XDP_ZERO_COPY (1u << 3)
#define XDP_RX_SG     (1u << 5)
/* The bytes of a page that a single-buffer frame cannot use for its MTU: XDP_PACKET_HEADROOM before
 * it, struct skb_shared_info after it, and the Ethernet header with two VLAN tags. */
#define PAGE_RESERVED (256 + 320 + 14 + 2 * 4)

/* If a master device has a program, the kernel allows none on the devices below it. */
static enum result judge_master(const struct patient *p, struct finding *f)
{
	const struct afxdp_interface *i = &p->plan.interface;
	bool in_the_way = p->plan.received == AFXDP_HOOK_XDP;
	char holder[128];

	afxdp_describe_program(i->master_program, holder, sizeof(holder));
	if (in_the_way)
		remedy(p, f, "%s -i %s", program_invocation_short_name, i->master);
	return say(in_the_way ? RESULT_FAILURE : RESULT_WARNING, f,
		   "closed: %s, to which %s belongs, has %s, and the kernel allows none below that",
		   i->master, p->name, holder);
}

enum result check_holder(const struct patient *p, struct finding *f)
{
	const struct afxdp_interface *i = &p->plan.interface;
	bool in_the_way = p->plan.received == AFXDP_HOOK_XDP;
	char holder[128];

	if (!i->xdp_program)
		return i->master_program ? judge_master(p, f) : say(RESULT_OK, f, "free");
	afxdp_describe_program(i->xdp_program, holder, sizeof(holder));
	if (patient_is_traced(p) || afxdp_options_have(p->options, "join", "on"))
		return say(RESULT_OK, f, "held by %s, and it stays", holder);
	if (in_the_way)
		remedy(p, f, "%s -i %s --hook tc", program_invocation_short_name, p->name);
	return say(in_the_way ? RESULT_FAILURE : RESULT_WARNING, f,
		   "held by %s%s; removing it would stop what it does", holder,
		   in_the_way ? ", and does not allow a second one" : "");
}

/* *ahead becomes the number of ingress programs that run before a capture's. */
static int list_tcx(const struct patient *p, int type, unsigned *ahead, char *text, size_t size)
{
	uint32_t ids[TCX_MAX], count = TCX_MAX;
	unsigned others = 0;
	char name[64];
	int e = bpf_prog_query((int)p->plan.interface.index, (enum bpf_attach_type)type, 0, NULL,
			       ids, &count);

	text[0] = 0;
	for (uint32_t i = 0; !e && i < count; i++) {
		afxdp_describe_program(ids[i], name, sizeof(name));
		snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ", " : "", name);
		if (strncmp(name, CAPTURE_INGRESS, strlen(CAPTURE_INGRESS)) == 0)
			*ahead = others;
		else
			others++;
	}
	return e;
}

enum result check_tcx(const struct patient *p, struct finding *f)
{
	unsigned ahead = 0, unused = 0;
	char in[512], out[512];
	int e = list_tcx(p, TCX_INGRESS, &ahead, in, sizeof(in));

	if (!e)
		e = list_tcx(p, TCX_EGRESS, &unused, out, sizeof(out));
	if (e == -EPERM && !p->is_privileged)
		return say(RESULT_WARNING, f, "not known: only privileged users see the programs");
	if ((e == -EPERM || e == -ENOSYS) && no_bpf_here(in, sizeof(in)))
		return say(RESULT_WARNING, f, "not known: %s", in);
	if (e == -EINVAL)
		return say(RESULT_WARNING, f,
			   "not in this kernel (6.6): a packet socket is used instead");
	if (e)
		return say(RESULT_WARNING, f, "not known: %s", strerror(-e));
	if (ahead)
		return say(RESULT_WARNING, f,
			   "received: %s; sent: %s; a capture that runs now sees only frames that the programs before its own (" CAPTURE_INGRESS
			   ") pass on; one that begins now goes before all",
			   in, out[0] ? out : "nobody");
	return say(RESULT_OK, f, "received: %s; sent: %s; a capture goes before them",
		   in[0] ? in : "nobody", out[0] ? out : "nobody");
}

static enum result judge_no_native(const struct patient *p, struct finding *f)
{
	bool wanted = p->plan.received == AFXDP_HOOK_XDP &&
		      afxdp_options_have(p->options, "xdp-mode", "native");

	if (wanted)
		remedy(p, f, "%s -i %s --hook tc", program_invocation_short_name, p->name);
	if (p->plan.interface.xdp_condition[0])
		return say(wanted ? RESULT_FAILURE : RESULT_WARNING, f, "none as it is now: %s",
			   p->plan.interface.xdp_condition);
	return say(wanted ? RESULT_FAILURE : RESULT_WARNING, f, "the driver has none");
}

/* The driver says that it has XDP, but its source shows that it refuses a program in this state. */
static enum result judge_refusal(const struct patient *p, struct finding *f, const char *list)
{
	bool matters = p->plan.received == AFXDP_HOOK_XDP &&
		       !afxdp_options_have(p->options, "xdp-mode", "skb");

	return say(matters ? RESULT_WARNING : RESULT_OK, f,
		   "yes: %s; but as it is now the driver refuses a program (source of Linux 6.12, not tried): %s",
		   list, p->plan.interface.xdp_condition);
}

enum result check_native(const struct patient *p, struct finding *f)
{
	static const char *const names[] = {"basic",	  "redirect", "ndo-xmit",   "xsk-zerocopy",
					    "hw-offload", "rx-sg",    "ndo-xmit-sg"};
	const struct afxdp_interface *i = &p->plan.interface;
	char list[128] = "";

	if (!i->has_xdp_features)
		return say(RESULT_WARNING, f,
			   "the kernel does not report it (6.3 does): attaching will show");
	for (unsigned k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		if (i->xdp_features >> k & 1)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 list[0] ? ", " : "", names[k]);
	if (!(i->xdp_features & XDP_BASIC))
		return judge_no_native(p, f);
	return i->xdp_condition[0] ? judge_refusal(p, f, list) : say(RESULT_OK, f, "yes: %s", list);
}

enum result check_zero_copy(const struct patient *p, struct finding *f)
{
	const struct afxdp_interface *i = &p->plan.interface;
	bool diverts = afxdp_options_have(p->options, "engine", "divert");

	if (!i->has_xdp_features)
		return RESULT_NOT_APPLICABLE;
	if (i->xdp_features & XDP_ZERO_COPY)
		return say(RESULT_OK, f, "the driver has it for AF_XDP; %s",
			   diverts ? "each queue is tried when the capture begins"
				   : "only --engine divert uses it");
	if (diverts && afxdp_options_have(p->options, "zero-copy", "on"))
		return say(RESULT_FAILURE, f, "the driver has none for AF_XDP");
	return say(RESULT_OK, f, "the driver has none for AF_XDP; %s",
		   diverts ? "frames are diverted by copying"
			   : "only --engine divert would use it");
}

/* The MTU is reported with native XDP; or a condition hides what the driver can do, as LRO does
 * with mlx5. */
static bool mtu_is_told(const struct afxdp_interface *i)
{
	return i->xdp_condition[0] &&
	       (!(i->xdp_features & XDP_BASIC) || strncmp(i->xdp_condition, "the MTU ", 8) == 0);
}

enum result check_mtu(const struct patient *p, struct finding *f)
{
	const struct afxdp_interface *i = &p->plan.interface;
	unsigned limit = (unsigned)sysconf(_SC_PAGESIZE) - PAGE_RESERVED;

	if (p->plan.received != AFXDP_HOOK_XDP ||
	    afxdp_options_have(p->options, "xdp-mode", "skb") || !i->has_xdp_features ||
	    mtu_is_told(i) || i->xdp_features & XDP_RX_SG || i->mtu <= limit)
		return say(RESULT_OK, f, "%u", i->mtu);
	remedy(p, f, "ip link set %s mtu %u", p->name, limit);
	return say(RESULT_WARNING, f,
		   "%u, and the driver has no rx-sg: with more than about %u it may refuse an XDP program, and the capture goes to tc",
		   i->mtu, limit);
}
