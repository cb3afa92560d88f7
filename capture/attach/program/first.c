/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <unistd.h>

#include "filter/filter.h"
#include "first.h"

/* True if frames begin with an Ethernet header, and only the programs of the images are
 * attached. */
static bool is_possible(const struct program *p, const struct afxdp_options *o)
{
	const struct plan *plan = &p->plan;

	return o->filter_n && !o->trial && !plan->join && !plan->any && !plan->no_link_header &&
	       !p->traces && plan->in != CAPTURE_HOOK_DROPS &&
	       filter_turns_back(o->filter, o->filter_n) < 0;
}

void first_load(struct program *p, const struct afxdp_options *o)
{
	bool possible = is_possible(p, o);
	struct load_limit limit, *limited = p->builder ? &limit : NULL;
	unsigned n = 0;

	p->level = AFXDP_LEVEL_NONE;
	if (limited)
		limit_begin(limited, p->builder_until);
	while (possible && n < p->image_count) {
		enum afxdp_level reached;

		free(p->filter_log);
		p->first[n] =
			image_load_with(&p->images[n], o->filter, o->filter_n, FIRST_GENERATION,
					p->builder, limited, &reached, &p->filter_log);
		possible = p->first[n] >= 0;
		p->filter_error = possible ? 0 : p->first[n];
		n += possible;
		if (reached > p->level)
			p->level = reached;
	}
	if (limited)
		limit_end();
	p->first_count = n;
	p->has_filter = possible && n;
	if (!p->has_filter)
		first_let_go(p);
}

int first_fd(const struct program *p, unsigned number, const struct bpf_program *plain)
{
	return number < p->first_count ? p->first[number] : bpf_program__fd(plain);
}

void first_let_go(struct program *p)
{
	while (p->first_count)
		close(p->first[--p->first_count]);
}
