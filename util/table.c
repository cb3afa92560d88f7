/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "util/table.h"

#define ROOM_LEAST 64u

struct table_slot {
	uint64_t hash;
	size_t what; /* 1 + what was put; 0: free */
};

static uint64_t key[2];

static void draw_key(void)
{
	static bool drawn;

	if (drawn)
		return;
	/* If the kernel has no random bytes yet, do not wait: addresses are random as well. */
	if (getrandom(key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
		key[0] = (uint64_t)(uintptr_t)&drawn;
	drawn = true;
}

static uint64_t turn(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static void mix(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = turn(v[1], 13) ^ v[0];
	v[3] = turn(v[3], 16) ^ v[2];
	v[0] = turn(v[0], 32) + v[3];
	v[2] += v[1];
	v[1] = turn(v[1], 17) ^ v[2];
	v[3] = turn(v[3], 21) ^ v[0];
	v[2] = turn(v[2], 32);
}

static void take_word(struct hash *h, uint64_t word)
{
	h->v[3] ^= word;
	mix(h->v);
	h->v[0] ^= word;
}

void hash_begin(struct hash *h)
{
	draw_key();
	*h = (struct hash){.v = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
				 key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573}};
}

static void add_byte(struct hash *h, uint8_t byte)
{
	h->part |= (uint64_t)byte << (h->length++ % 8 * 8);
	if (h->length % 8)
		return;
	take_word(h, h->part);
	h->part = 0;
}

void hash_add(struct hash *h, const void *bytes, size_t length)
{
	const uint8_t *p = bytes, *end = p + length;
	uint64_t word;

	while (p < end && h->length % 8)
		add_byte(h, *p++);
	for (; end - p >= 8; p += 8, h->length += 8) {
		memcpy(&word, p, sizeof(word));
		take_word(h, word);
	}
	while (p < end)
		add_byte(h, *p++);
}

void hash_text(struct hash *h, const char *text)
{
	hash_add(h, text, strlen(text) + 1);
}

uint64_t hash_end(struct hash *h)
{
	take_word(h, h->part | (uint64_t)h->length << 56);
	h->v[2] ^= 0xff;
	for (unsigned i = 0; i < 3; i++)
		mix(h->v);
	return h->v[0] ^ h->v[1] ^ h->v[2] ^ h->v[3];
}

/* The slot that has the hash, or the free one where it belongs. */
static struct table_slot *place(const struct table *t, uint64_t hash)
{
	size_t i = hash & (t->room - 1);

	while (t->slot[i].what && t->slot[i].hash != hash)
		i = (i + 1) & (t->room - 1);
	return &t->slot[i];
}

static int grow(struct table *t)
{
	struct table larger = {.room = t->room ? 2 * t->room : ROOM_LEAST, .count = t->count};

	larger.slot = calloc(larger.room, sizeof(*larger.slot));
	if (!larger.slot)
		return -ENOMEM;
	for (size_t i = 0; i < t->room; i++)
		if (t->slot[i].what)
			*place(&larger, t->slot[i].hash) = t->slot[i];
	free(t->slot);
	*t = larger;
	return 0;
}

size_t table_find(const struct table *t, uint64_t hash)
{
	const struct table_slot *s = t->room ? place(t, hash) : NULL;

	return s && s->what ? s->what - 1 : TABLE_NONE;
}

int table_put(struct table *t, uint64_t hash, size_t what)
{
	int e = 2 * (t->count + 1) > t->room ? grow(t) : 0;

	if (e)
		return e;
	*place(t, hash) = (struct table_slot){hash, what + 1};
	t->count++;
	return 0;
}

void table_free(struct table *t)
{
	free(t->slot);
	*t = (struct table){.slot = NULL};
}
