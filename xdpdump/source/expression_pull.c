/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/filter.h>
#include <stdlib.h>
#include <string.h>

#include "capture/afxdpcapture.h"
#include "expression.h"

/* Before the second program, set the registers to what they are at the beginning of a program. */
static const struct sock_filter anew[] = {
	{BPF_LD | BPF_IMM, 0, 0, 0},
	{BPF_LDX | BPF_IMM, 0, 0, 0},
};
#define ANEW (sizeof(anew) / sizeof(anew[0]))

static bool is_return(const struct sock_filter *i)
{
	return BPF_CLASS(i->code) == BPF_RET;
}

/* libpcap returns constants: 0, or the snapshot length. */
static bool returns_constants(const struct expression *e)
{
	for (unsigned i = 0; i < e->n; i++)
		if (is_return(&e->insns[i]) && BPF_RVAL(e->insns[i].code) != BPF_K)
			return false;
	return true;
}

/* For frames that the filter accepts, continue with the trigger. */
static void jump_on(struct sock_filter *insns, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (is_return(&insns[i]) && insns[i].k)
			insns[i] = (struct sock_filter){BPF_JMP | BPF_JA, 0, 0, n - i - 1};
}

static void pull(struct sock_filter *insns, unsigned n, uint32_t snaplen)
{
	for (unsigned i = 0; i < n; i++)
		if (is_return(&insns[i]))
			insns[i].k = insns[i].k ? AFXDP_PULLS : snaplen;
}

int expression_pull(struct expression *filter, const struct expression *trigger, uint32_t snaplen)
{
	unsigned n = filter->n + ANEW + trigger->n;
	struct sock_filter *insns = calloc(n, sizeof(*insns)), *second;

	if (!insns)
		return -ENOMEM;
	if (!returns_constants(filter) || !returns_constants(trigger)) {
		free(insns);
		return -EINVAL;
	}
	if (filter->n)
		memcpy(insns, filter->insns, filter->n * sizeof(*insns));
	jump_on(insns, filter->n);
	memcpy(insns + filter->n, anew, sizeof(anew));
	second = insns + filter->n + ANEW;
	memcpy(second, trigger->insns, trigger->n * sizeof(*insns));
	pull(second, trigger->n, snaplen);
	expression_free(filter);
	*filter = (struct expression){insns, n};
	return 0;
}
