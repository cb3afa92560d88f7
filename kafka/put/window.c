/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stddef.h>

#include "kafka/put/window.h"
#include "util/table.h"

uint64_t window_key(const struct label *l)
{
	struct hash h;

	hash_begin(&h);
	hash_text(&h, l->host);
	hash_text(&h, l->session);
	hash_add(&h, &l->stream, sizeof(l->stream));
	return hash_end(&h);
}

static bool is_known(const struct window *w, uint64_t key)
{
	for (unsigned i = 0; i < WINDOW_KEYS && i < w->count; i++)
		if (w->known[i] == key)
			return true;
	return false;
}

bool window_opens(struct window *w, uint64_t key, uint64_t under_way)
{
	bool known = is_known(w, key);

	if (under_way && (w->is_alone || !known))
		return false;
	w->is_alone = !known;
	return true;
}

bool window_acknowledged(struct window *w, uint64_t key, int64_t offset)
{
	if (w->is_alone && !is_known(w, key))
		w->known[w->count++ % WINDOW_KEYS] = key;
	return offset >= 0 || w->is_alone;
}

void window_forget(struct window *w)
{
	w->count = 0;
}
