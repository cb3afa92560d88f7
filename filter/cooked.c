/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Programs for the link types of the device any, LINUX_SLL and LINUX_SLL2, whose header no frame
 * has: for an skb that begins with its packet, and for records, which have one header for both.
 */
#include <errno.h>
#include <string.h>

#include "classic.h"

/* A field of a header, the same field of a record's header, and its ancillary load for an skb; 0:
 * there is none. */
struct place {
	uint32_t at, size, in_record, in_record_size, in_skb;
};

#define RECORD_HEAD 20u

static const struct place sll[] = {
	{0, 2, 10, 1, ANCILLARY(SKF_AD_PKTTYPE)},
	{1, 1, 10, 1, ANCILLARY(SKF_AD_PKTTYPE)},
	{2, 2, 8, 2, 0},
	{4, 2, 11, 1, 0},
	{5, 1, 11, 1, 0},
	{14, 2, 0, 2, ANCILLARY(SKF_AD_PROTOCOL)},
	{14, 1, 0, 1, 0},
	{15, 1, 1, 1, 0},
};
#define SLL_ADDRESS	6u
#define SLL_ADDRESS_END 14u

static const struct place sll2[] = {
	{0, 2, 0, 2, ANCILLARY(SKF_AD_PROTOCOL)},
	{4, 4, 4, 4, ANCILLARY(SKF_AD_IFINDEX)},
	{10, 1, 10, 1, ANCILLARY(SKF_AD_PKTTYPE)},
};

static const struct place *find_place(enum filter_link link, uint32_t at, uint32_t size)
{
	const struct place *places = link == FILTER_LINK_SLL ? sll : sll2;
	size_t n = link == FILTER_LINK_SLL ? sizeof(sll) / sizeof(sll[0])
					   : sizeof(sll2) / sizeof(sll2[0]);

	for (size_t i = 0; i < n; i++)
		if (places[i].at == at && places[i].size == size)
			return &places[i];
	return NULL;
}

static bool is_ancillary(const struct sock_filter *q)
{
	return BPF_MODE(q->code) == BPF_ABS && q->k >= ANCILLARY(0) && q->k < ANCILLARY(SKF_AD_MAX);
}

/* Does it load from the frame, at a constant offset or relative to X? Offsets beyond all frames
 * stay as they are. */
static bool loads_frame(const struct sock_filter *q)
{
	unsigned class = BPF_CLASS(q->code), mode = BPF_MODE(q->code);

	if (q->k > INT32_MAX)
		return false;
	if (class == BPF_LDX)
		return mode == BPF_MSH;
	return class == BPF_LD && (mode == BPF_ABS || mode == BPF_IND) && !is_ancillary(q);
}

static bool loads_length(const struct sock_filter *q)
{
	unsigned class = BPF_CLASS(q->code);

	return (class == BPF_LD || class == BPF_LDX) && BPF_MODE(q->code) == BPF_LEN;
}

static void load_abs(struct sock_filter *q, uint32_t size, uint32_t k)
{
	uint16_t width = size == 4 ? BPF_W : size == 2 ? BPF_H : BPF_B;

	*q = (struct sock_filter){.code = BPF_LD | width | BPF_ABS, .k = k};
}

static bool cook_for_skb(struct sock_filter *q, enum filter_link link)
{
	const struct place *p;

	if (loads_length(q))
		return false;
	if (!loads_frame(q))
		return true;
	if (q->k >= link) {
		q->k -= link;
		return true;
	}
	p = BPF_MODE(q->code) == BPF_ABS ? find_place(link, q->k, classic_size(q->code)) : NULL;
	if (!p || !p->in_skb)
		return false;
	load_abs(q, 4, p->in_skb);
	return true;
}

int filter_cook_skb(const struct sock_filter *in, unsigned n, enum filter_link link,
		    struct sock_filter *out, char *err, size_t errlen)
{
	for (unsigned i = 0; i < n; i++) {
		out[i] = in[i];
		if (!cook_for_skb(&out[i], link))
			return filter_fail(-EOPNOTSUPP, err, errlen,
					   "instruction %u loads a field of the cooked header that only user space has",
					   i);
	}
	return 0;
}

/* A record has these fields, so the kernel need not be asked. */
static void cook_ancillary(struct sock_filter *q)
{
	switch (q->k - ANCILLARY(0)) {
	case SKF_AD_PROTOCOL:
		load_abs(q, 2, 0);
		break;
	case SKF_AD_IFINDEX:
		load_abs(q, 4, 4);
		break;
	case SKF_AD_PKTTYPE:
		load_abs(q, 1, 10);
		break;
	}
}

/* False: it loads two fields of LINUX_SLL at once, or depends on X. */
static bool cook_for_record(struct sock_filter *q, enum filter_link link)
{
	uint32_t size = classic_size(q->code);
	const struct place *p;

	if (BPF_CLASS(q->code) == BPF_LD && is_ancillary(q))
		cook_ancillary(q);
	else if (link == FILTER_LINK_SLL2 || !loads_frame(q))
		return true;
	else if (q->k >= link)
		q->k += RECORD_HEAD - link;
	else if (BPF_MODE(q->code) != BPF_ABS)
		return false;
	else if ((p = find_place(link, q->k, size)))
		load_abs(q, p->in_record_size, p->in_record);
	else if (size == 1 && (q->k == 0 || q->k == 4)) /* of a type or length below 256 */
		*q = (struct sock_filter){.code = BPF_LD | BPF_IMM};
	else if (q->k >= SLL_ADDRESS && q->k + size <= SLL_ADDRESS_END)
		q->k += 12 - SLL_ADDRESS;
	else
		return false;
	return true;
}

int filter_cook_record(const struct sock_filter *in, unsigned n, enum filter_link link,
		       struct sock_filter *out, char *err, size_t errlen)
{
	if (out != in)
		memcpy(out, in, n * sizeof(*in));
	for (unsigned i = 0; i < n; i++)
		if (!cook_for_record(&out[i], link))
			return filter_fail(-EOPNOTSUPP, err, errlen,
					   "instruction %u loads more than one field of the LINUX_SLL header, or one that the packet chooses: load fields one by one, or use LINUX_SLL2",
					   i);
	return 0;
}
