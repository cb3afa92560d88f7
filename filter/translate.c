/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

static int check_options(const struct filter_options *o, char *err, size_t errlen)
{
	if (o->ctx != FILTER_XDP && o->ctx != FILTER_SKB && o->ctx != FILTER_BUFF)
		return filter_fail(-EINVAL, err, errlen, "unknown context %d", (int)o->ctx);
	if (o->level != FILTER_LEVEL_FRAGS && o->level != FILTER_LEVEL_HELPER)
		return filter_fail(-EINVAL, err, errlen, "unknown level %d", (int)o->level);
	if (o->ctx == FILTER_BUFF && (o->level != FILTER_LEVEL_HELPER || o->tagged))
		return filter_fail(-EOPNOTSUPP, err, errlen, "tracing: by helper only");
	if (o->stack_top % 8 || o->stack_top > 0 || o->stack_top < FILTER_STACK_BYTES - 512)
		return filter_fail(-EINVAL, err, errlen, "no room on the stack below %d",
				   o->stack_top);
	if (o->ctx == FILTER_XDP && o->tagged &&
	    (o->tag_slot % 8 || o->tag_slot >= 0 || o->tag_slot < -512))
		return filter_fail(-EINVAL, err, errlen, "no tag at %d on the stack", o->tag_slot);
	if (o->tag_beside && o->ctx != FILTER_SKB)
		return filter_fail(-EINVAL, err, errlen, "a tag beside the frame: of an skb only");
	return 0;
}

static int optimise(struct classic *p, unsigned disable)
{
	int e = disable & FILTER_NO_SIMPLIFY ? 0 : simplify(p);

	if (e || disable & FILTER_NO_THREAD)
		return e;
	classic_share_returns(p);
	return thread_known(p);
}

static int translate(struct sock_filter *f, unsigned n, const struct filter_options *options,
		     struct filter_code *code, char *err, size_t errlen)
{
	struct classic p = {0};
	int e = lower_ancillary(f, n, options, err, errlen);

	if (e)
		return e;
	e = classic_build(&p, f, n, options->unrolled, err, errlen);
	if (!e)
		e = optimise(&p, options->disable);
	if (e == -ENOMEM)
		filter_fail(e, err, errlen, "out of memory");
	if (!e)
		e = gen_program(&p, options, code, err, errlen);
	classic_free(&p);
	return e;
}

int filter_translate(const struct sock_filter *f, unsigned n, const struct filter_options *options,
		     struct filter_code *code, char *err, size_t errlen)
{
	struct sock_filter *copy;
	int e;

	*code = (struct filter_code){0};
	e = check_options(options, err, errlen);
	if (!e)
		e = filter_validate(f, n, err, errlen);
	if (e)
		return e;
	copy = malloc(n * sizeof(*copy));
	if (!copy)
		return filter_fail(-ENOMEM, err, errlen, "out of memory");
	memcpy(copy, f, n * sizeof(*copy));
	e = translate(copy, n, options, code, err, errlen);
	free(copy);
	if (e)
		filter_code_free(code);
	return e;
}

void filter_code_free(struct filter_code *code)
{
	free(code->insns);
	free(code->origin);
	*code = (struct filter_code){0};
}
