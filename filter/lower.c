/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>

#include "classic.h"

#define HATYPE_ETHER 1

static bool is_ancillary(const struct sock_filter *q)
{
	if (BPF_CLASS(q->code) != BPF_LD || BPF_MODE(q->code) != BPF_ABS)
		return false;
	return q->k >= ANCILLARY(0) && q->k < ANCILLARY(SKF_AD_MAX);
}

static void make_constant(struct sock_filter *q, uint32_t value)
{
	*q = (struct sock_filter){.code = BPF_LD | BPF_IMM, .k = value};
}

/*
 * Replaces loads whose value is the same in kernel and user space. tag: one that lies beside the
 * frame, 0 if it is in the frame as recorded. The kernel's XOR "load" does not touch the packet.
 */
static bool lower_common(struct sock_filter *q, uint32_t direction, uint32_t tag)
{
	switch (q->k - ANCILLARY(0)) {
	case SKF_AD_VLAN_TAG:
		make_constant(q, tag & 0xffff);
		return true;
	case SKF_AD_VLAN_TAG_PRESENT:
		make_constant(q, tag != 0);
		return true;
	case SKF_AD_MARK:
		make_constant(q, 0);
		return true;
	case SKF_AD_HATYPE:
		make_constant(q, HATYPE_ETHER);
		return true;
	case SKF_AD_PKTTYPE:
		make_constant(q, direction);
		return true;
	case SKF_AD_ALU_XOR_X:
		*q = (struct sock_filter){.code = BPF_ALU | BPF_XOR | BPF_X};
		return true;
	}
	return false;
}

/* Can the context answer this load? */
static bool is_in_context(uint32_t what, const struct filter_options *options)
{
	switch (what) {
	case SKF_AD_IFINDEX:
	case SKF_AD_QUEUE:
		return true;
	case SKF_AD_VLAN_TAG:
	case SKF_AD_VLAN_TAG_PRESENT:
		return options->tag_beside;
	case SKF_AD_PROTOCOL:
	case SKF_AD_PKTTYPE:
		return options->cooked;
	default:
		return false;
	}
}

int lower_ancillary(struct sock_filter *f, unsigned n, const struct filter_options *options,
		    char *err, size_t errlen)
{
	for (unsigned i = 0; i < n; i++) {
		struct sock_filter *q = &f[i];
		uint32_t what = q->k - ANCILLARY(0);

		if (!is_ancillary(q))
			continue;
		if (!is_in_context(what, options)) {
			if (lower_common(q, options->direction, 0))
				continue;
			return filter_fail(-EOPNOTSUPP, err, errlen,
					   "instruction %u: unknown ancillary load %u", i, what);
		}
		q->code = BPF_LD | BPF_W | BPF_ABS; /* of any size, it gives all of it */
	}
	return 0;
}

int filter_lower_user(const struct sock_filter *in, unsigned n,
		      const struct filter_user_facts *facts, struct sock_filter *out)
{
	int e = 0;

	for (unsigned i = 0; i < n; i++) {
		struct sock_filter *q = &out[i];

		*q = in[i];
		if (!is_ancillary(q) || lower_common(q, facts->direction, facts->tag))
			continue;
		if (q->k == ANCILLARY(SKF_AD_IFINDEX))
			make_constant(q, facts->ifindex);
		else if (q->k == ANCILLARY(SKF_AD_QUEUE))
			make_constant(q, facts->queue);
		else
			e = -EOPNOTSUPP;
	}
	return e;
}
