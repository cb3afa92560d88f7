/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Is a frame's address, or port, in the sets that were given (hosts=FILE)? sets.h has the layout;
 * the library writes them. Looks at the outer IP header and at ARP, after tags and labels.
 */
#pragma once

#include "copy.bpf.h"
#include "flows.bpf.h"
#include "search.bpf.h"

/* Those of SETS_TOLD whose lines records have; shifted by SETS_PORTS_SHIFT, those for ports. */
const volatile __u32 sets_told = 0;

#define ETH_TYPE_ARP	0x0806
#define ETH_TYPE_RARP	0x8035
#define ETH_TYPE_MPLS	0x8847
#define ETH_TYPE_MPLS_M 0x8848
#define ARP_OF_IPV4	0x0800
#define ARP_LENGTHS	0x0604 /* lengths of Ethernet and IPv4 addresses */
#define IPV6_BEHIND	54     /* size of the Ethernet and IPv6 headers */
#define TAGS_MAX	2
#define LABELS_MAX	4
#define LABEL_IS_LAST	0x100
/* Addresses are looked for within this: two tags, four labels, and IPv6. */
#define SETS_PEEK 128
/* Ports follow extension headers: as far as PEEK() reaches. */
#define SETS_PEEK_PORTS 255

/*
 * In the ring's memory, because offsets may vary there, which they may not on a BPF stack, and
 * because there is little stack.
 */
struct sets_scratch {
	__u8 frame[512]; /* its first bytes; what is behind them may be read, too */
	__u32 key;
	__u32 begins_with; /* SETS_COOKED, and the protocol of a packet; 0: it begins as the device
			      has it */
	__u32 tags;	   /* number of tags beside the frame */
	__u32 address;	   /* offset of the source's; 0: the frame has no addresses */
	__u32 step;	   /* from it to the destination's */
	__u32 is_ipv6;
	__u32 ports; /* offset of both; 0: there are none, or nobody asked */
	__u32 protocol;
	__u32 nothing; /* 0: for FORGET() */
	/* The arguments of sets_find(), for source and destination. */
	__u64 high[2], low[2];
	__u32 where[2], head;
	__u32 info[2];	/* and its results */
	__u32 found;	/* bits of the options whose sets have the ports */
	__u32 range[2]; /* with sets_told: info is about single addresses, and this about prefixes */
	__u32 line[2][EPB_ENTRY_KINDS]; /* likewise: as in struct epb_entries */
	struct flows_key flow;
};
#define SETS_COOKED 0x10000

static __always_inline const void *sets_line(struct sets_scratch *s, __u32 i)
{
	return table_line(&s->key, i);
}

static __always_inline __u32 load_be32(const __u8 *p)
{
	return bpf_ntohl(*(const __u32 *)p);
}

static __always_inline __u64 load_be64(const __u8 *p)
{
	return (__u64)load_be32(p) << 32 | load_be32(p + 4);
}

static __always_inline __u32 type_by_version(const __u8 *p)
{
	return (*p >> 4) == 4 ? ETH_TYPE_IP : (*p >> 4) == 6 ? ETH_TYPE_IPV6 : 0;
}

/* The type of what begins at *where. It may be behind the frame's end, where memory may be read. */
static __always_inline __u32 sets_type(const struct sets_scratch *s, __u32 *where)
{
	__u32 at = 0, type, label = 0;
	const __u8 *p = s->frame;

	if (s->begins_with) {
		type = s->begins_with & 0xffff;
	} else if (no_link_header) {
		return type_by_version(p);
	} else {
		type = load_be16(p + 12);
		at = 14;
	}
	for (__u32 i = s->tags; i < TAGS_MAX; i++) {
		if (type != ETH_TYPE_VLAN && type != ETH_TYPE_QINQ && type != ETH_TYPE_QINQ1)
			break;
		type = load_be16(PEEK(p, at + 2));
		at += 4;
	}
	if (type == ETH_TYPE_MPLS || type == ETH_TYPE_MPLS_M) {
		for (int i = 0; i < LABELS_MAX && !(label & LABEL_IS_LAST); i++) {
			label = load_be32(PEEK(p, at));
			at += 4;
		}
		type = label & LABEL_IS_LAST ? type_by_version(PEEK(p, at)) : 0;
	}
	*where = at;
	return type;
}

static __always_inline void view_ipv4(struct sets_scratch *s, __u32 n, __u32 at)
{
	const __u8 *p = s->frame;

	if (n < at + 20)
		return;
	s->address = at + 12;
	s->step = 4;
	if (!SETS_PORTS_ASKED(sets_asked) || load_be16(PEEK(p, at + 6)) & 0x1fff)
		return;
	s->protocol = *PEEK(p, at + 9);
	s->ports = at + (*PEEK(p, at) & 15) * 4;
}

static __always_inline void view_ipv6(struct sets_scratch *s, __u32 n, __u32 at)
{
	const __u8 *p = s->frame;
	struct headers h = {.end = {[SLICE_L2] = at}};
	__u32 fragment = 0;

	if (n < at + 40)
		return;
	s->address = at + 8;
	s->step = 16;
	s->is_ipv6 = 1;
	if (!SETS_PORTS_ASKED(sets_asked))
		return;
	at = parse_ipv6(p, n, &h, &fragment);
	if (fragment)
		return;
	s->protocol = h.flow.protocol;
	s->ports = at;
}

static __always_inline void view_arp(struct sets_scratch *s, __u32 n, __u32 at)
{
	const __u8 *p = s->frame;

	if (n < at + 28 || load_be16(PEEK(p, at + 2)) != ARP_OF_IPV4 ||
	    load_be16(PEEK(p, at + 4)) != ARP_LENGTHS)
		return;
	s->address = at + 14;
	s->step = 10;
}

static __always_inline void sets_look(struct sets_scratch *s, __u32 n)
{
	__u32 at = 0, type = sets_type(s, &at);

	FORGET(at, s->nothing);
	FORGET(type, s->nothing);
	s->address = s->ports = s->is_ipv6 = 0;
	if (type == ETH_TYPE_IP)
		view_ipv4(s, n, at);
	else if (type == ETH_TYPE_IPV6)
		view_ipv6(s, n, at);
	else if (type == ETH_TYPE_ARP || type == ETH_TYPE_RARP)
		view_arp(s, n, at);
	if (s->ports && n < s->ports + 4)
		s->ports = 0;
}

/* end: 0, the source, or the destination. */
static __always_inline void load_address(const struct sets_scratch *s, __u32 end, __u64 *high,
					 __u64 *low)
{
	const __u8 *p = PEEK(s->frame, s->address + (end ? s->step : 0));

	if (s->is_ipv6) {
		*high = load_be64(p);
		*low = load_be64(p + 8);
	} else {
		*high = 0;
		*low = SETS_IPV4 | load_be32(p);
	}
}

/* Do the bits in front have it? 0: it is surely not in the set. */
static __always_inline __u32 is_in_front(struct sets_scratch *s, __u32 front, __u32 words,
					 __u64 hash)
{
	__u64 bits = SETS_FRONT_BITS(hash);
	__u32 word = SETS_BELOW(hash >> 32, words);
	const struct sets_line *line = sets_line(s, front + word / 8);

	return line && (line->word[word % 8] & bits) == bits;
}

static __always_inline __u32 is_in_front4(struct sets_scratch *s, const struct sets_head *h,
					  __u32 address)
{
	__u32 block = address >> (h->shift4 & 31);
	const struct sets_line *line = sets_line(s, h->front4 + block / 512);

	return line && line->word[block / 64 % 8] >> block % 64 & 1;
}

/* Returns SETS_IN_...; 0: surely nothing is known of the address. For most frames the search ends
 * here, without a call. */
static __always_inline __u32 where_may_be(struct sets_scratch *s, const struct sets_head *h,
					  __u64 high, __u64 low)
{
	__u32 where = 0;

	if (h->front && is_in_front(s, h->front, h->front_words, sets_hash(h->seed, high, low)))
		where = SETS_IN_SINGLES;
	if (!high && low >> 32 == SETS_IPV4 >> 32) {
		if (h->front4 && is_in_front4(s, h, low))
			where |= SETS_IN_RANGES;
	} else if (h->front6 && is_in_front(s, h->front6, h->front6_words,
					    sets_block_hash(h->seed, high, h->shift6))) {
		where |= SETS_IN_RANGES;
	}
	return where;
}

/* end: 0, the source, or the destination. 0: surely nothing is known of it. */
static __always_inline __u32 look_in_front(struct sets_scratch *s, const struct sets_head *h,
					   __u32 end)
{
	__u32 where = where_may_be(s, h, READ_ONCE(s->high[end]), READ_ONCE(s->low[end]));

	s->where[end] = where;
	return where;
}

/* Bits of the options whose sets have the port. */
static __always_inline __u32 bits_of_port(const struct sets_head *h, struct sets_scratch *s,
					  __u32 step)
{
	__u32 port = load_be16(PEEK(s->frame, s->ports + step));
	__u32 place = sets_place_of(s->protocol);
	const struct sets_ports *p;

	if (place == SETS_PROTOCOLS || !h->ports)
		return 0;
	p = sets_line(s, h->ports + port / 8);
	return p ? p->of[port % 8] >> 8 * place & 0xff : 0;
}

/* For an option of both ends, either end is enough. */
static __always_inline __u32 join_ends(__u32 source, __u32 destination)
{
	return ((source | destination) & (SET_BOTH | SET_NOT_BOTH)) |
	       (source & (SET_SOURCE | SET_NOT_SOURCE)) |
	       (destination & (SET_DESTINATION | SET_NOT_DESTINATION));
}

/* SETS_UNSURE: sets_find() must be asked. */
enum answer { SETS_UNWANTED, SETS_IS_WANTED, SETS_UNSURE, SETS_SLOW };

/* Behind the ring and the counts of its chunks, where nobody else writes. */
#define SETS_SCRATCH_AT                                                                            \
	(RING_CONTROL_SIZE + ring_mask + 1 + RING_CHUNKS_MAX * sizeof(struct ring_counts))

/* Counted here, in a function that is called, so it costs nothing if no flow is left out. */
static __always_inline enum answer leave_out(struct sets_scratch *s)
{
	struct ring_control *r = (void *)s - SETS_SCRATCH_AT;

	r->not_flows++;
	return SETS_UNWANTED;
}

/* The flow of a frame after sets_look(). 0: it has none. */
static __always_inline int take_flow(struct sets_scratch *s)
{
	struct flows_key *k = &s->flow;

	if (!s->address || !s->ports)
		return 0;
	load_address(s, 0, &k->address[0][0], &k->address[0][1]);
	load_address(s, 1, &k->address[1][0], &k->address[1][1]);
	k->protocol = s->protocol;
	k->ports = sets_place_of(s->protocol) == SETS_PROTOCOLS
			   ? 0
			   : load_be32(PEEK(s->frame, s->ports));
	flows_order(k);
	return 1;
}

/* Is its flow left out? No frame is wanted before the file has been read. */
static __always_inline enum answer by_flow(struct sets_scratch *s,
					   const struct sets_control *control)
{
	__u32 of_file = READ_ONCE(control->flows[0]), of_calls = READ_ONCE(control->flows[1]);

	if (sets_asked & SET_FLOWS && !of_file)
		return SETS_UNWANTED;
	if (!take_flow(s))
		return SETS_IS_WANTED;
	if (sets_asked & SET_FLOWS && flow_find(&s->flow, &s->key, of_file))
		return leave_out(s);
	if (sets_asked & SET_FLOW_CALLS && of_calls && flow_find(&s->flow, &s->key, of_calls))
		return leave_out(s);
	return SETS_IS_WANTED;
}

static __always_inline int is_wanted_by(__u32 found)
{
	return (found & SETS_LISTS_ASKED(sets_asked)) == sets_wanted;
}

/* Is the frame wanted? n bytes of it are in s. SETS_UNSURE: sets_find() must be asked. */
static __always_inline enum answer is_wanted(struct sets_scratch *s, __u32 n)
{
	const struct sets_control *control = sets_line(s, 0);
	__u32 head = control ? READ_ONCE(control->active) : 0;
	const struct sets_head *h = head ? sets_line(s, head) : (void *)0;

	if (!control || (SETS_LISTS_ASKED(sets_asked) && !h))
		return SETS_UNWANTED;
	sets_look(s, n);
	if (SETS_FLOWS_ASKED(sets_asked)) {
		enum answer answer = by_flow(s, control);

		if (answer != SETS_IS_WANTED || !SETS_LISTS_ASKED(sets_asked))
			return answer;
	}
	if (!h) /* never: for the verifier */
		return SETS_UNWANTED;
	s->head = head;
	s->found = 0;
	if (s->ports && SETS_PORTS_ASKED(sets_asked))
		s->found = join_ends(bits_of_port(h, s, 0), bits_of_port(h, s, 2))
			   << SETS_PORTS_SHIFT;
	if (s->address && SETS_ADDRESSES_ASKED(sets_asked)) {
		load_address(s, 0, &s->high[0], &s->low[0]);
		load_address(s, 1, &s->high[1], &s->low[1]);
		if (look_in_front(s, h, 0) | look_in_front(s, h, 1))
			return SETS_UNSURE;
	}
	return is_wanted_by(s->found) ? SETS_IS_WANTED : SETS_UNWANTED;
}

/*
 * Most frames begin with the headers of Ethernet and IP, in the frame's own memory. For these, if
 * only addresses are asked for, nothing is copied. SETS_SLOW: this is not such a frame.
 */
static __always_inline enum answer sets_fast(const __u8 *p, const __u8 *end, struct sets_scratch *s)
{
	const struct sets_control *control;
	const struct sets_head *h;
	__u32 head;

	if (no_link_header || sets_asked != SETS_ADDRESSES_ASKED(sets_asked) ||
	    p + IPV6_BEHIND > end)
		return SETS_SLOW;
	if (load_be16(p + 12) == ETH_TYPE_IP) {
		s->high[0] = s->high[1] = 0;
		s->low[0] = SETS_IPV4 | load_be32(p + 26);
		s->low[1] = SETS_IPV4 | load_be32(p + 30);
	} else if (load_be16(p + 12) == ETH_TYPE_IPV6) {
		s->high[0] = load_be64(p + 22);
		s->low[0] = load_be64(p + 30);
		s->high[1] = load_be64(p + 38);
		s->low[1] = load_be64(p + 46);
	} else {
		return SETS_SLOW;
	}
	control = sets_line(s, 0);
	head = control ? READ_ONCE(control->active) : 0;
	h = head ? sets_line(s, head) : (void *)0;
	if (!h)
		return SETS_UNWANTED;
	if (!(look_in_front(s, h, 0) | look_in_front(s, h, 1)))
		return is_wanted_by(0) ? SETS_IS_WANTED : SETS_UNWANTED;
	s->head = head;
	s->found = s->ports = 0;
	return SETS_UNSURE;
}

/* How many bytes of a frame of n bytes to look at. */
static __always_inline __u64 sets_peek(__u64 n)
{
	NOT_ZERO(n);
	if (SETS_PORTS_ASKED(sets_asked))
		AT_MOST(n, SETS_PEEK_PORTS);
	else
		AT_MOST(n, SETS_PEEK);
	return n;
}

/*
 * These and sets_find() are the only functions that are called, and none calls another. They have
 * registers of their own, so programs that look for nothing are the same as without them. Each has
 * CALLED_STACK bytes of stack, as image.c checks.
 */
static __attribute__((noinline)) int sets_at_xdp(struct xdp_md *ctx, struct sets_scratch *s)
{
	enum answer answer = sets_fast((void *)(long)ctx->data, (void *)(long)ctx->data_end, s);
	__u64 n;

	if (answer != SETS_SLOW)
		return answer;
	n = sets_peek(bpf_xdp_get_buff_len(ctx));
	return bpf_xdp_load_bytes(ctx, 0, s->frame, n) ? SETS_UNWANTED : is_wanted(s, n);
}

static __attribute__((noinline)) int sets_at_skb(struct __sk_buff *skb, struct sets_scratch *s)
{
	__u64 n = sets_peek(skb->len);

	return bpf_skb_load_bytes(skb, 0, s->frame, n) ? SETS_UNWANTED : is_wanted(s, n);
}

/* Not for packet sockets, whose programs cannot access the memory of frames. */
static __attribute__((noinline)) int sets_at_tc(struct __sk_buff *skb, struct sets_scratch *s)
{
	enum answer answer = sets_fast((void *)(long)skb->data, (void *)(long)skb->data_end, s);
	__u64 n;

	if (answer != SETS_SLOW)
		return answer;
	n = sets_peek(skb->len);
	return bpf_skb_load_bytes(skb, 0, s->frame, n) ? SETS_UNWANTED : is_wanted(s, n);
}

/*
 * Computed again after each call: a register that is kept across a call would also be missing when
 * nothing is looked for.
 */
static __always_inline struct sets_scratch *sets_scratch_of(struct ring_control *r)
{
	void *at = r;

	asm volatile("" : "+r"(at));
	return at + SETS_SCRATCH_AT;
}

/* Find what is known of one end: 0, the source, or the destination. */
static __always_inline void find_end(struct ring_control *r, __u32 end)
{
	const struct sets_scratch *s = sets_scratch_of(r);
	__u32 info = sets_find(s->high[end], s->low[end], s->head, s->where[end]);

	sets_scratch_of(r)->info[end] = info;
}

/* Again for a frame that is wanted, if lines are told: single addresses and prefixes separately. */
static __always_inline void find_each(struct ring_control *r, __u32 end)
{
	const struct sets_scratch *s = sets_scratch_of(r);
	__u32 info = sets_find(s->high[end], s->low[end], s->head, s->where[end] & SETS_IN_RANGES);

	sets_scratch_of(r)->range[end] = info;
	s = sets_scratch_of(r);
	info = sets_find(s->high[end], s->low[end], s->head, s->where[end] & SETS_IN_SINGLES);
	sets_scratch_of(r)->info[end] = info;
}

/* The line of the option with this bit of SETS_TOLD; 0: it does not have what info is about. */
static __always_inline __u32 line_of(struct sets_scratch *s, const struct sets_head *h, __u32 info,
				     __u32 kind)
{
	__u32 bits = SETS_BITS(info) & SETS_TOLD, line = SETS_FILE_LINE(info);
	const struct sets_row *row;

	if (!(bits & 1 << kind))
		return 0;
	if (!(bits & (bits - 1)))
		return line;
	row = sets_line(s, h->rows + line / SETS_ROWS_TO_A_LINE);
	return row ? row[line % SETS_ROWS_TO_A_LINE].line[kind] : 0;
}

/* A single address precedes prefixes. */
static __always_inline void note_address(struct sets_scratch *s, const struct sets_head *h,
					 __u32 end, __u32 kind, __u32 place)
{
	__u32 line = sets_told & 1 << kind ? line_of(s, h, s->info[end], kind) : 0;

	if (!line && sets_told & 1 << kind)
		line = line_of(s, h, s->range[end], kind);
	s->line[0][place] = line;
}

static __always_inline void note_port(struct sets_scratch *s, const struct sets_head *h, __u32 end,
				      __u32 kind, __u32 place)
{
	__u32 port = load_be16(PEEK(s->frame, s->ports + (end ? 2 : 0)));
	__u32 protocol = sets_place_of(s->protocol);
	const struct sets_port_lines *p;

	if (!(sets_told >> SETS_PORTS_SHIFT & 1 << kind) || protocol >= SETS_PROTOCOLS)
		return;
	p = sets_line(s, h->port_lines + port);
	if (p)
		s->line[1][place] = p->line[protocol][kind];
}

/* Notes by which lines a frame is wanted, after sets_at_...() and sets_find(). */
static __attribute__((noinline)) int sets_note(struct sets_scratch *s)
{
	const struct sets_head *h = sets_line(s, s->head);

	if (!h)
		return 0;
	note_address(s, h, 0, 0, EPB_ENTRY_BOTH_SOURCE);
	note_address(s, h, 1, 0, EPB_ENTRY_BOTH_DESTINATION);
	note_address(s, h, 0, 1, EPB_ENTRY_SOURCE);
	note_address(s, h, 1, 2, EPB_ENTRY_DESTINATION);
	for (__u32 i = 0; i < EPB_ENTRY_KINDS; i++)
		s->line[1][i] = 0;
	if (!s->ports || !(sets_told >> SETS_PORTS_SHIFT))
		return 0;
	note_port(s, h, 0, 0, EPB_ENTRY_BOTH_SOURCE);
	note_port(s, h, 1, 0, EPB_ENTRY_BOTH_DESTINATION);
	note_port(s, h, 0, 1, EPB_ENTRY_SOURCE);
	note_port(s, h, 1, 2, EPB_ENTRY_DESTINATION);
	return 0;
}

static __always_inline int is_in_sets(void *ctx, enum hook hook, struct ring_control *r,
				      const struct frame *f)
{
	struct sets_scratch *s = sets_scratch_of(r);
	__u32 answer;

	if (IS_IN_MEMORY(hook))
		return 1;
	/* With a packet socket for all interfaces, the kernel does not say where the packet of a
	 * sent frame with two tags begins. */
	s->tags = (f->tag ? 1 : 0) + (f->cooked ? 1 : 0);
	s->begins_with = f->cooked ? SETS_COOKED | bpf_ntohs(f->protocol) : 0;
	answer = hook == HOOK_XDP		? sets_at_xdp(ctx, s)
		 : f->may_look || f->has_sender ? sets_at_tc(ctx, s)
						: sets_at_skb(ctx, s);
	if (answer != SETS_UNSURE)
		return answer;
	find_end(r, 0);
	find_end(r, 1);
	s = sets_scratch_of(r);
	return is_wanted_by(s->found | join_ends(SETS_BITS(s->info[0]), SETS_BITS(s->info[1])));
}

/* Notes by which lines a frame is in the sets. Addresses are only told if they are wanted, and then
 * both have been looked up. */
static __always_inline void note_entries(struct ring_control *r)
{
	if (SETS_ADDRESSES_ASKED(sets_told)) {
		find_each(r, 0);
		find_each(r, 1);
	}
	sets_note(sets_scratch_of(r));
}
