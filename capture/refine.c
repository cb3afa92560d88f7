/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpcap's own interpreter, on programs whose ancillary loads (direction, interface) were replaced
 * by what they give for this capture: one program for each direction.
 *
 * This file is of the pcap/bpf.h world: struct sock_filter and struct bpf_insn are laid out alike.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <sys/types.h> /* for pcap/bpf.h, which takes u_int for granted */
#include <pcap/bpf.h>
#include <stdlib.h>

#include "capture.h"
#include "filter.h"
#include "refine.h"

_Static_assert(sizeof(struct sock_filter) == sizeof(struct bpf_insn), "one classic instruction");

struct refine {
	unsigned n;
	struct sock_filter *inbound, *outbound;
};

static struct sock_filter *lower(const struct sock_filter *f, unsigned n, unsigned ifindex,
				 uint32_t direction)
{
	struct filter_user_facts facts = {.ifindex = ifindex, .direction = direction};
	struct sock_filter *out = calloc(n, sizeof(*out));

	if (out) /* loads that nobody can answer reject the frame, as they always did in user space
		  */
		filter_lower_user(f, n, &facts, out);
	return out;
}

int refine_new(struct refine **out, const struct sock_filter *f, unsigned n, unsigned ifindex)
{
	struct refine *r;

	if (filter_validate(f, n, NULL, 0))
		return -EINVAL;
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->n = n;
	r->inbound = lower(f, n, ifindex, PACKET_HOST);
	r->outbound = lower(f, n, ifindex, PACKET_OUTGOING);
	if (!r->inbound || !r->outbound) {
		refine_free(r);
		return -ENOMEM;
	}
	*out = r;
	return 0;
}

void refine_free(struct refine *r)
{
	if (!r)
		return;
	free(r->inbound);
	free(r->outbound);
	free(r);
}

uint32_t refine_run(const struct refine *r, const struct epb_header *record)
{
	const struct sock_filter *f = epb_is_sent(record) ? r->outbound : r->inbound;

	return bpf_filter((const struct bpf_insn *)f, epb_frame(record), record->len,
			  record->caplen);
}
