/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "inject.h"

/* In packet ids, where others have their CPU: the last number, which no machine has. */
#define NO_CPU 0xfffu

int inject_open(struct inject *i, struct xsk *x, uint32_t frame_max,
		const struct capture_options *o, struct ring_set *rings, struct wait *wait)
{
	int e;

	*i = (struct inject){.interface_id = o->interface_ids[SIDE_SENT], .wait = wait};
	if (!x)
		return 0;
	e = xsk_tx_open(&i->tx, x, frame_max);
	if (e || o->in_only)
		return e;
	e = ring_set_add_own(rings, &i->control, &i->data);
	if (e)
		return e;
	i->ring_size = rings->size;
	i->chunk_shift = rings->chunk_shift;
	i->control->snaplen = o->snaplen;
	i->control->mode = o->filter_follows ? RING_KEEP_WHOLE : 0;
	return 0;
}

void inject_close(struct inject *i)
{
	xsk_tx_close(&i->tx);
	i->control = NULL;
}

bool inject_takes(const struct inject *i, size_t length)
{
	return xsk_tx_takes(&i->tx, length);
}

static uint64_t chunk_count(const struct inject *i)
{
	return i->ring_size >> i->chunk_shift;
}

/* Chunks are used in turn here. Pairs with ring_release(). */
static bool next_chunk(struct inject *i)
{
	struct ring_control *c = i->control;
	uint64_t tail = __atomic_load_n(&c->tail, __ATOMIC_ACQUIRE) >> i->chunk_shift;
	uint64_t number = c->write >> i->chunk_shift, n = chunk_count(i);

	if (number + 1 - tail >= n)
		return false;
	c->chunks[number % n].used = (uint32_t)(c->write - (number << i->chunk_shift));
	number++;
	c->place = (uint32_t)((number % n) << i->chunk_shift);
	c->chunks[number % n].at = c->place;
	c->write = number << i->chunk_shift;
	return true;
}

/* Pairs with ring_head() and ring_arm(), as ring_publish() of the program does. */
static void publish(struct inject *i)
{
	struct ring_control *c = i->control;

	__atomic_exchange_n(&c->head, c->write, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&c->need_wakeup, __ATOMIC_SEQ_CST)) {
		__atomic_store_n(&c->need_wakeup, 0, __ATOMIC_RELAXED);
		wait_ring(i->wait);
	}
}

static void append(uint8_t **at, const void *data, size_t size)
{
	memcpy(*at, data, size);
	*at += size;
}

static void write_record(const struct inject *i, const void *frame, uint32_t length,
			 uint32_t caplen, uint64_t drops, uint32_t total)
{
	const struct ring_control *c = i->control;
	uint64_t number = c->side[SIDE_SENT].matched;
	uint8_t *at = i->data + c->place + (c->write & ((1ull << i->chunk_shift) - 1));
	const struct epb_header h = {.type = EPB_TYPE,
				     .total_length = total,
				     .interface_id = i->interface_id,
				     .time_high = (uint32_t)(i->tx.kicked >> 32),
				     .time_low = (uint32_t)i->tx.kicked,
				     .caplen = caplen,
				     .len = length};
	const struct epb_options o = {.flags_option = EPB_OPT_FLAGS,
				      .flags = EPB_FLAG_OUTBOUND,
				      .queue_option = EPB_OPT_QUEUE,
				      .queue = i->tx.xsk->queue,
				      .packetid_option = EPB_OPT_PACKETID,
				      .packetid_low = (uint32_t)number,
				      .packetid_high = EPB_PACKETID_HIGH(number, 0, NO_CPU)};
	const struct epb_dropcount d = {EPB_OPT_DROPCOUNT, (uint32_t)drops,
					(uint32_t)(drops >> 32)};
	const struct epb_end end = {0, total};
	const uint8_t padding[3] = {0};

	append(&at, &h, sizeof(h));
	append(&at, frame, caplen);
	append(&at, padding, EPB_PADDED(caplen) - caplen);
	append(&at, &o, sizeof(o));
	if (drops)
		append(&at, &d, sizeof(d));
	append(&at, &end, sizeof(end));
}

/* As record_write() of the program does for other frames; generation 0: the filter is yet to come.
 */
static void record(struct inject *i, const void *frame, uint32_t length)
{
	struct ring_control *c = i->control;
	uint32_t snaplen = __atomic_load_n(&c->snaplen, __ATOMIC_RELAXED);
	bool whole = __atomic_load_n(&c->mode, __ATOMIC_RELAXED);
	uint32_t caplen = whole || length < snaplen ? length : snaplen;
	struct side_counts *side = &c->side[SIDE_SENT];
	uint64_t drops = side->lost - side->lost_told, chunk = 1ull << i->chunk_shift;
	uint32_t total =
		(uint32_t)(sizeof(struct epb_header) + EPB_PADDED(caplen) +
			   sizeof(struct epb_options) + (drops ? sizeof(struct epb_dropcount) : 0) +
			   sizeof(struct epb_end));

	if (__atomic_load_n(&c->unwanted, __ATOMIC_RELAXED) & EPB_FLAG_OUTBOUND)
		return;
	side->offered++;
	side->matched++;
	if ((c->write & (chunk - 1)) + total >= chunk && !next_chunk(i)) {
		c->lost_full++;
		side->lost++;
		return;
	}
	write_record(i, frame, length, caplen, drops, total);
	side->lost_told += drops;
	c->write += total;
	publish(i);
}

int inject_send(struct inject *i, const void *frame, size_t length)
{
	int e = xsk_tx_send(&i->tx, frame, length, wait_is_blocking(i->wait));

	if (e)
		return e;
	i->by_socket++;
	if (i->control)
		record(i, frame, (uint32_t)length);
	return (int)length;
}
