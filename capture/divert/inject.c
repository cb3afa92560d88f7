/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>

#include "inject.h"
#include "capture/attach/packet.h"

void inject_open(struct inject *i, const struct attachment *a)
{
	*i = (struct inject){.cookie = packet_cookie(a->packet)};
}

int inject_add_socket(struct inject *i, struct xsk *x, uint32_t frame_max)
{
	return x ? xsk_tx_open(&i->tx, x, frame_max) : 0;
}

void inject_close(struct inject *i)
{
	xsk_tx_close(&i->tx);
}

int inject_by_socket(struct inject *i, const void *frame, size_t length, bool wait)
{
	int e;

	if (!xsk_tx_takes(&i->tx, length))
		return -EOPNOTSUPP;
	e = xsk_tx_send(&i->tx, frame, length, wait);
	if (e)
		return e;
	i->by_socket++;
	return (int)length;
}

/* Not before a frame is sent: until then the program has nothing to compare. */
static void leave_out_own(struct inject *i, const struct ring_set *rings)
{
	for (unsigned n = 0; n < rings->controlled && !i->announced; n++)
		__atomic_store_n(&rings->ring[n].control->own_socket, i->cookie, __ATOMIC_RELAXED);
	i->announced = true;
}

int inject_by_packet(struct inject *i, const struct attachment *a, const struct ring_set *rings,
		     const void *frame, size_t length)
{
	int n;

	leave_out_own(i, rings);
	n = packet_send(attachment_sender(a), frame, length);
	i->by_packet += n >= 0;
	return n;
}
