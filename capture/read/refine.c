/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Filters in user space: programs whose ancillary loads (direction, interface) are replaced by
 * their values in this capture; one program for each direction.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <stdlib.h>
#include <string.h>

#include "capture/afxdpcapture.h"
#include "filter/filter.h"
#include "refine.h"

#define MACS	  12u
#define TAG_BYTES 4u

struct afxdp_matcher {
	unsigned n;
	unsigned ifindex;
	enum filter_link link;
	struct sock_filter *inbound, *outbound; /* for a cooked link, only the first is used */
	/*
	 * tags_beside: the original program, and that program as it was last lowered for a tagged
	 * frame.
	 */
	struct sock_filter *source, *tagged;
	uint32_t tag;
	bool tagged_is_sent;
};

static void lower(const struct afxdp_matcher *r, const struct sock_filter *f, uint32_t direction,
		  uint32_t tag, struct sock_filter *out)
{
	struct filter_user_facts facts = {.ifindex = r->ifindex,
					  .direction = direction,
					  .tag = tag};

	/* Loads without a value reject the frame, as they always did in user space. */
	filter_lower_user(f, r->n, &facts, out);
}

static struct sock_filter *new_program(const struct afxdp_matcher *r)
{
	return calloc(r->n, sizeof(struct sock_filter));
}

static int add_tagged(struct afxdp_matcher *r, const struct sock_filter *f)
{
	r->source = new_program(r);
	r->tagged = new_program(r);
	if (!r->source || !r->tagged)
		return -ENOMEM;
	memcpy(r->source, f, r->n * sizeof(*f));
	return 0;
}

int refine_new(struct afxdp_matcher **out, const struct sock_filter *f, unsigned n,
	       unsigned ifindex, bool tags_beside)
{
	struct afxdp_matcher *r;

	if (filter_validate(f, n, NULL, 0))
		return -EINVAL;
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->n = n;
	r->ifindex = ifindex;
	r->inbound = new_program(r);
	r->outbound = new_program(r);
	if (!r->inbound || !r->outbound || (tags_beside && add_tagged(r, f))) {
		refine_free(r);
		return -ENOMEM;
	}
	lower(r, f, PACKET_HOST, 0, r->inbound);
	lower(r, f, PACKET_OUTGOING, 0, r->outbound);
	*out = r;
	return 0;
}

int refine_new_cooked(struct afxdp_matcher **out, const struct sock_filter *f, unsigned n,
		      enum filter_link link, char *err, size_t size)
{
	struct afxdp_matcher *r;
	int e = refine_new(&r, f, n, 0, false);

	if (e)
		return e;
	r->link = link;
	e = filter_cook_record(f, n, link, r->inbound, err, size);
	if (e) {
		refine_free(r);
		return e;
	}
	lower(r, r->inbound, PACKET_HOST, 0, r->inbound);
	*out = r;
	return 0;
}

void refine_free(struct afxdp_matcher *r)
{
	if (!r)
		return;
	free(r->inbound);
	free(r->outbound);
	free(r->source);
	free(r->tagged);
	free(r);
}

/*
 * TPID << 16 | TCI of the tag that a packet socket's filter does not see in the frame; 0: none.
 * From a received frame, the kernel takes off the first tag before that, wherever it was; for a
 * sent one, the program says where it was.
 */
static uint32_t tag_beside(const struct epb_header *record, uint32_t caplen, uint32_t flags)
{
	const uint8_t *at = epb_frame(record) + MACS;
	uint32_t tag;

	if (caplen < MACS + TAG_BYTES)
		return 0;
	tag = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
	if (flags & EPB_FLAG_OUTBOUND)
		return flags & EPB_FLAG_TAG_BESIDE ? tag : 0;
	return tag >> 16 == ETH_P_8021Q || tag >> 16 == ETH_P_8021AD ? tag : 0;
}

/* Few tags are in use: most frames have the same one as the last. */
static const struct sock_filter *program_for_tag(struct afxdp_matcher *r, uint32_t tag, bool sent)
{
	if (tag != r->tag || sent != r->tagged_is_sent) {
		lower(r, r->source, sent ? PACKET_OUTGOING : PACKET_HOST, tag, r->tagged);
		r->tag = tag;
		r->tagged_is_sent = sent;
	}
	return r->tagged;
}

/* Run the filter on the frame without its tag: during the call, the addresses are in the tag's
 * place. */
static uint32_t run_untagged(struct afxdp_matcher *r, const struct epb_header *record,
			     uint32_t caplen, uint32_t tag, bool sent)
{
	const struct sock_filter *f = program_for_tag(r, tag, sent);
	uint8_t *frame = (uint8_t *)epb_frame(record), saved[TAG_BYTES];
	uint32_t keep;

	memcpy(saved, frame + MACS, TAG_BYTES);
	memmove(frame + TAG_BYTES, frame, MACS);
	keep = filter_run(f, frame + TAG_BYTES, record->len - TAG_BYTES, caplen - TAG_BYTES);
	memmove(frame, frame + TAG_BYTES, MACS);
	memcpy(frame + MACS, saved, TAG_BYTES);
	return keep && keep <= UINT32_MAX - TAG_BYTES ? keep + TAG_BYTES : keep;
}

static uint32_t run_own(struct afxdp_matcher *r, const struct epb_header *record, uint32_t caplen)
{
	uint32_t flags = epb_options_behind(record, caplen)->flags;
	bool sent = flags & EPB_FLAG_OUTBOUND;
	uint32_t tag = r->source ? tag_beside(record, caplen, flags) : 0;

	if (tag)
		return run_untagged(r, record, caplen, tag, sent);
	return filter_run(sent ? r->outbound : r->inbound, epb_frame(record), record->len, caplen);
}

#define COOKED_TAG 4u /* between the header of a tagged packet and the packet */

/*
 * A packet socket's filter does not see the tag: during the call, the header stands directly in
 * front of the packet.
 */
static uint32_t run_cooked(const struct afxdp_matcher *r, const struct epb_header *record,
			   uint32_t caplen)
{
	const uint32_t head = sizeof(struct epb_cooked), more = head - r->link;
	bool tagged = epb_options_behind(record, caplen)->flags & EPB_FLAG_TAG_BESIDE &&
		      caplen >= head + COOKED_TAG;
	uint8_t *frame = (uint8_t *)epb_frame(record),
		saved[sizeof(struct epb_cooked) + COOKED_TAG];
	uint32_t beside = tagged ? COOKED_TAG : 0, keep;

	if (tagged) {
		memcpy(saved, frame, sizeof(saved));
		memmove(frame + COOKED_TAG, saved, head);
		memcpy(frame + COOKED_TAG, saved + head + 2, 2); /* its protocol */
	}
	keep = filter_run(r->inbound, frame + beside, record->len - beside - more, caplen - beside);
	if (tagged)
		memcpy(frame, saved, sizeof(saved));
	return keep && keep <= UINT32_MAX - more - beside ? keep + more + beside : keep;
}

uint32_t refine_run(struct afxdp_matcher *r, const struct epb_header *record, uint32_t caplen)
{
	if (r->link)
		return run_cooked(r, record, caplen);
	return run_own(r, record, caplen);
}

int afxdp_matcher_new(struct afxdp_matcher **m, const struct sock_filter *f, unsigned n,
		      unsigned interface)
{
	return refine_new(m, f, n, interface, false);
}

int afxdp_matcher_new_cooked(struct afxdp_matcher **m, const struct sock_filter *f, unsigned n)
{
	return refine_new_cooked(m, f, n, FILTER_LINK_SLL2, NULL, 0);
}

void afxdp_matcher_free(struct afxdp_matcher *m)
{
	refine_free(m);
}

bool afxdp_matches(struct afxdp_matcher *m, const struct epb_header *r)
{
	return refine_run(m, r, __atomic_load_n(&r->caplen, __ATOMIC_RELAXED)) != 0;
}
