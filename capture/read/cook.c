/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Records of all interfaces: fills in what depends on the kind of interface, which programs cannot
 * see. */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if_arp.h>
#include <string.h>

#include "capture/attach/facts/links.h"
#include "capture/attach/trace/drop_names.h"
#include "reader.h"

#define HATYPE_UNKNOWN 0xffff /* ARPHRD_VOID */

/* The interfaces of nearly all records are known; if one is not, there is a notice of it to
 * read. */
static const struct link_entry *find_interface(struct afxdp_reader *r, unsigned ifindex)
{
	const struct link_entry *e = links_find(r->wait.table, ifindex);

	if (e)
		return e;
	wait_hear(&r->wait);
	return links_find(r->wait.table, ifindex);
}

static bool has_ethernet_header(unsigned short type)
{
	return type == ARPHRD_ETHER || type == ARPHRD_LOOPBACK;
}

/* e: NULL if it is not known. */
static void cook(struct epb_cooked *h, const struct link_entry *e)
{
	unsigned short type = e ? e->type : HATYPE_UNKNOWN;

	h->hatype = htons(type);
	if (has_ethernet_header(type))
		return;
	h->halen = 0;
	memset(h->address, 0, sizeof(h->address));
}

static struct epb_cooked *header_of(const struct epb_header *record)
{
	return (struct epb_cooked *)(void *)epb_frame(record);
}

void afxdp_cook(struct afxdp_reader *r, const struct epb_header *record)
{
	struct epb_cooked *h = header_of(record);

	if (r->wait.table && !r->reading->drop_names && !h->hatype)
		cook(h, find_interface(r, record->interface_id));
}

static void set_member(struct afxdp_member *m, const struct link_entry *e)
{
	_Static_assert(sizeof(m->name) == sizeof(e->name), "a name of the kernel's");

	*m = (struct afxdp_member){.index = e->ifindex, .number = e->number, .gone = e->gone};
	memcpy(m->name, e->name, sizeof(m->name));
}

/* If the interface is not known, there is no name to match. */
static bool is_wanted(const struct links *l, const struct link_entry *e)
{
	return e ? e->chosen : !*l->patterns;
}

/* Counted as in record_write() of bpf/write.bpf.h: less than the frame had, and than was asked
 * for. */
static bool is_truncated(const struct reading *all, const struct epb_header *record,
			 uint32_t caplen)
{
	return !all->reduces && caplen < record->len && caplen < all->filter.snaplen;
}

static void count_up(uint64_t *n)
{
	__atomic_store_n(n, *n + 1, __ATOMIC_RELAXED);
}

void reading_refuse(struct afxdp_reader *r, const struct epb_header *record, uint32_t caplen)
{
	bool sent = epb_options_behind(record, caplen)->flags & EPB_FLAG_OUTBOUND;

	count_up(&r->refused[sent ? SIDE_SENT : SIDE_RECEIVED]);
	if (is_truncated(r->reading, record, caplen))
		count_up(&r->refused_truncated);
}

void afxdp_refuse(struct afxdp_reader *r, const struct epb_header *record)
{
	struct epb_lengths l;

	if (merge_measure(&r->merge, record, &l))
		reading_refuse(r, record, l.caplen);
}

/* e: the interface; NULL if it is not known. Counts the record if it is not wanted. */
static bool take_record(struct afxdp_reader *r, const struct epb_header *record,
			const struct link_entry *e, struct afxdp_member *m)
{
	if (e)
		set_member(m, e);
	if (is_wanted(r->wait.table, e))
		return true;
	afxdp_refuse(r, record);
	return false;
}

/* The frame of a drop is whole, and not cooked. If it was dropped by no interface, none of the
 * chosen ones dropped it. */
static bool was_dropped_by(struct afxdp_reader *r, const struct epb_header *record,
			   struct afxdp_member *m)
{
	struct epb_drop_named drop;
	struct epb_lengths l;
	bool wanted = true;

	*m = (struct afxdp_member){.index = 0};
	if (!merge_measure(&r->merge, record, &l))
		return false;
	if (!drop_names_read(record, &l, &drop))
		return !r->wait.table || take_record(r, record, NULL, m);
	m->index = drop.ifindex;
	if (r->wait.table)
		wanted = take_record(r, record, find_interface(r, drop.ifindex), m);
	m->netns = drop.netns;
	return wanted;
}

bool afxdp_came_by(struct afxdp_reader *r, const struct epb_header *record, struct afxdp_member *m)
{
	struct epb_cooked *h = header_of(record);
	const struct link_entry *e;

	if (r->reading->drop_names)
		return was_dropped_by(r, record, m);
	*m = (struct afxdp_member){.index = record->interface_id};
	if (!r->wait.table)
		return true;
	e = find_interface(r, record->interface_id);
	if (!h->hatype)
		cook(h, e);
	return take_record(r, record, e, m);
}

bool afxdp_next_member(struct afxdp_reader *r, struct afxdp_member *m)
{
	struct link_entry e;

	if (!r->wait.table || !links_next_change(r->wait.table, &e))
		return false;
	set_member(m, &e);
	return true;
}
