/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "capture/afxdpcapture.h"
#include "history.h"
#include "pcapng/write.h"

/* Populated at once: a page fault for each page would come when packets do. */
int history_open(struct history *h, size_t room)
{
	void *p = mmap(NULL, room, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	*h = (struct history){.at = p, .room = room};
	return 0;
}

void history_close(struct history *h)
{
	if (h->at)
		munmap(h->at, h->room);
	*h = (struct history){0};
}

size_t history_bytes(const struct history *h)
{
	return h->wrapped ? h->end - h->first + h->next : h->next - h->first;
}

const struct epb_header *history_oldest(const struct history *h)
{
	return h->packets ? (const void *)(h->at + h->first) : NULL;
}

void history_drop_oldest(struct history *h)
{
	h->first += history_oldest(h)->total_length;
	h->packets--;
	if (h->wrapped && h->first == h->end) {
		h->wrapped = false;
		h->first = 0;
	}
}

/* Room for n bytes in one piece, at the place that becomes next; what is in the way is dropped. */
static bool make_room(struct history *h, size_t n)
{
	if (n > h->room)
		return false;
	for (;;) {
		if (!h->packets)
			*h = (struct history){.at = h->at, .room = h->room};
		if (!h->wrapped && h->next + n <= h->room)
			return true;
		if (!h->wrapped) {
			h->end = h->next;
			h->next = 0;
			h->wrapped = true;
		}
		if (h->next + n <= h->first)
			return true;
		history_drop_oldest(h);
	}
}

void history_keep(struct history *h, const struct epb_header *r, const struct epb_lengths *l,
		  uint32_t caplen)
{
	struct bytes b = {0};

	if (!make_room(h, l->total))
		return;
	b.at = h->at + h->next;
	b.room = l->total;
	pcapng_put_cut(&b, r, l, caplen);
	h->next += b.used;
	h->packets++;
}
