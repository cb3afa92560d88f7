/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "filter.h"
#include "splice.h"

struct splice {
	unsigned at;   /* where the marker's first half stands in the host */
	unsigned size; /* instructions that take its place */
};

static bool is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

static bool is_marker(const struct bpf_insn *insn, uint64_t marker)
{
	return is_wide(insn) && insn[0].dst_reg == BPF_REG_0 && insn[0].src_reg == 0 &&
	       (uint32_t)insn[0].imm == (uint32_t)marker &&
	       (uint32_t)insn[1].imm == (uint32_t)(marker >> 32);
}

/* The second half of a wide instruction is data: step over it, whatever it looks like. */
static int find_marker(const struct bpf_insn *host, unsigned n, uint64_t marker, unsigned *at)
{
	bool found = false;

	for (unsigned i = 0; i < n; i++) {
		if (!is_wide(&host[i]))
			continue;
		if (i + 1 == n)
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

/* Index in the result of what was host[i]; a jump to the marker runs the filter. */
static int64_t moved(const struct splice *s, int64_t i)
{
	return i <= (int64_t)s->at ? i : i + (int64_t)s->size - 2;
}

/* New distance of a jump that stood at `from` and spanned `distance`. */
static int re_aim(const struct splice *s, unsigned n, unsigned from, int64_t distance,
		  int64_t *result)
{
	int64_t to = (int64_t)from + 1 + distance;

	if (to < 0 || to >= (int64_t)n || to == (int64_t)s->at + 1)
		return -EINVAL;
	*result = moved(s, to) - moved(s, from) - 1;
	return 0;
}

static int re_aim_off(const struct splice *s, unsigned n, unsigned from, struct bpf_insn *insn)
{
	int64_t distance;
	int rc = re_aim(s, n, from, insn->off, &distance);

	if (rc)
		return rc;
	if (distance < INT16_MIN || distance > INT16_MAX)
		return -E2BIG;
	insn->off = (int16_t)distance;
	return 0;
}

static int re_aim_imm(const struct splice *s, unsigned n, unsigned from, struct bpf_insn *insn)
{
	int64_t distance;
	int rc = re_aim(s, n, from, insn->imm, &distance);

	if (!rc)
		insn->imm = (int32_t)distance;
	return rc;
}

static int relocate(const struct splice *s, unsigned n, unsigned from, struct bpf_insn *insn)
{
	unsigned class = BPF_CLASS(insn->code);

	if (is_wide(insn))
		return insn->src_reg == BPF_PSEUDO_FUNC ? re_aim_imm(s, n, from, insn) : 0;
	if (class != BPF_JMP && class != BPF_JMP32)
		return 0;
	switch (BPF_OP(insn->code)) {
	case BPF_EXIT:
		return 0;
	case BPF_CALL:
		return insn->src_reg == BPF_PSEUDO_CALL ? re_aim_imm(s, n, from, insn) : 0;
	case BPF_JA: /* with 32-bit distance in the JMP32 class */
		if (class == BPF_JMP32)
			return re_aim_imm(s, n, from, insn);
		/* fall through */
	default:
		return re_aim_off(s, n, from, insn);
	}
}

static int copy_host(const struct splice *s, const struct bpf_insn *host, unsigned n,
		     struct bpf_insn *out)
{
	for (unsigned i = 0; i < n; i++) {
		struct bpf_insn *to = &out[moved(s, i)];
		int rc;

		if (i == s->at) {
			i++;
			continue;
		}
		*to = host[i];
		rc = relocate(s, n, i, to);
		if (rc)
			return rc;
		if (is_wide(&host[i])) {
			to[1] = host[i + 1];
			i++;
		}
	}
	return 0;
}

static int copy_filter(const struct filter_code *filter, struct bpf_insn *out)
{
	for (unsigned i = 0; i < filter->len; i++) {
		unsigned distance = filter->len - i - 1;

		out[i] = filter->insns[i];
		if (out[i].code != (BPF_JMP | BPF_EXIT))
			continue;
		if (distance > INT16_MAX)
			return -E2BIG;
		out[i] = (struct bpf_insn){.code = BPF_JMP | BPF_JA, .off = (int16_t)distance};
	}
	return 0;
}

int filter_splice(const struct bpf_insn *host, unsigned n_host, uint64_t marker,
		  const struct filter_code *filter, struct bpf_insn **out, unsigned *n_out)
{
	struct splice s = {.size = filter->len};
	struct bpf_insn *result;
	int rc = find_marker(host, n_host, marker, &s.at);

	if (rc)
		return rc;
	result = calloc(n_host + filter->len, sizeof(*result));
	if (!result)
		return -ENOMEM;
	rc = copy_host(&s, host, n_host, result);
	if (!rc)
		rc = copy_filter(filter, result + s.at);
	if (rc) {
		free(result);
		return rc;
	}
	*out = result;
	*n_out = n_host - 2 + filter->len;
	return 0;
}
