/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <linux/bpf.h>

#include "filter.h"
#include "island.h"
#include "splice.h"

struct splice {
	unsigned at;   /* index of the marker's first half in the host */
	unsigned size; /* number of instructions that replace it */
};

static bool is_marker(const struct bpf_insn *insn, uint64_t marker)
{
	return is_wide(insn) && insn[0].dst_reg == BPF_REG_0 && insn[0].src_reg == 0 &&
	       (uint32_t)insn[0].imm == (uint32_t)marker &&
	       (uint32_t)insn[1].imm == (uint32_t)(marker >> 32);
}

/* The second half of a wide instruction is data: skip it, whatever it looks like. */
static int find_marker(const struct bpf_insn *host, unsigned n, uint64_t marker, unsigned *at)
{
	bool found = false;

	for (unsigned i = 0; i < n; i++) {
		if (!is_wide(&host[i]))
			continue;
		if (i + 2 >= n) /* nothing follows, which no program allows */
			return -EINVAL;
		if (is_marker(&host[i], marker)) {
			if (found)
				return -EEXIST;
			found = true;
			*at = i;
		}
		i++;
	}
	return found ? 0 : -ENOENT;
}

/* New index of host[i]; a jump to the marker runs the filter. */
static unsigned moved(const struct splice *s, unsigned i)
{
	return i <= s->at ? i : i + s->size - 2;
}

/* Does the instruction have a distance, and which one? 32-bit jumps, calls and addresses have it in
 * imm. */
static bool distance_of(const struct bpf_insn *insn, int64_t *distance)
{
	bool called = insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_CALL;
	bool address = is_wide(insn) && insn->src_reg == BPF_PSEUDO_FUNC;

	*distance = insn->off;
	if (called || address || insn->code == (BPF_JMP32 | BPF_JA))
		*distance = insn->imm;
	else if (!is_jump(insn))
		return false;
	return true;
}

static int aim_host(const struct splice *s, const struct bpf_insn *host, unsigned n, unsigned i,
		    unsigned *target)
{
	int64_t distance, to;

	*target = NOWHERE;
	if (!distance_of(&host[i], &distance))
		return 0;
	to = (int64_t)i + 1 + distance;
	if (to < 0 || to >= (int64_t)n || to == (int64_t)s->at + 1)
		return -EINVAL;
	*target = moved(s, (unsigned)to);
	return 0;
}

static int copy_host(const struct splice *s, const struct bpf_insn *host, unsigned n,
		     struct aimed *whole)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned to = moved(s, i);
		int e;

		if (i == s->at) {
			i++;
			continue;
		}
		whole->insns[to] = host[i];
		e = aim_host(s, host, n, i, &whole->target[to]);
		if (e)
			return e;
		if (!is_wide(&host[i]))
			continue;
		whole->insns[to + 1] = host[++i];
		whole->target[to + 1] = NOWHERE;
	}
	return 0;
}

static void copy_filter(const struct splice *s, const struct filter_code *filter,
			struct aimed *whole)
{
	for (unsigned i = 0; i < filter->len; i++) {
		struct bpf_insn *insn = &whole->insns[s->at + i];
		unsigned *target = &whole->target[s->at + i];

		*insn = filter->insns[i];
		*target = NOWHERE;
		if (insn->code == (BPF_JMP | BPF_EXIT)) {
			*insn = (struct bpf_insn){.code = BPF_JMP | BPF_JA};
			*target = s->at + s->size;
		} else if (is_jump(insn)) {
			*target = s->at + i + 1 + (unsigned)insn->off;
		}
	}
}

int filter_splice(const struct bpf_insn *host, unsigned n_host, uint64_t marker,
		  const struct filter_code *filter, struct bpf_insn **out, unsigned *n_out)
{
	struct splice s = {.size = filter->len};
	struct aimed whole = {.n = n_host - 2 + filter->len};
	int e = find_marker(host, n_host, marker, &s.at);

	if (e)
		return e;
	whole.insns = calloc(whole.n, sizeof(*whole.insns));
	whole.target = calloc(whole.n, sizeof(*whole.target));
	e = whole.insns && whole.target ? copy_host(&s, host, n_host, &whole) : -ENOMEM;
	if (!e) {
		copy_filter(&s, filter, &whole);
		e = island_resolve(&whole, out, n_out, NULL);
	}
	free(whole.insns);
	free(whole.target);
	return e;
}
