/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "source.h"
#include "source_parts.h"

static int compile(struct expression *e, const char *text, struct expression_terms terms)
{
	char err[1024];

	if (expression_compile(e, text, terms, err, sizeof(err)) == 0)
		return 0;
	return refuse(-EINVAL, "%s", err);
}

static int compile_trigger(struct expression *e, const struct source_plan *plan,
			   enum expression_link link)
{
	return compile(e, plan->trigger,
		       (struct expression_terms){link, AFXDP_SNAPLEN_MAX, plan->as_written});
}

/* Does the kernel wait for the trigger, because nobody reads until it comes? */
static bool kernel_pulls(const struct source_plan *plan)
{
	return plan->pre_trigger && plan->trigger;
}

static int add_trigger(struct source *s, const struct source_plan *plan, enum expression_link link)
{
	struct expression e;
	int status = compile_trigger(&e, plan, link);

	if (status)
		return status;
	status = expression_pull(&s->filter, &e, plan->snaplen);
	if (status)
		complain("--trigger: %s", strerror(-status));
	expression_free(&e);
	return status;
}

static int compile_filter(struct source *s, const struct source_plan *plan,
			  enum expression_link link)
{
	int e;

	expression_free(&s->filter);
	e = compile(&s->filter, plan->expression,
		    (struct expression_terms){link, plan->snaplen, plan->as_written});
	return e || !kernel_pulls(plan) ? e : add_trigger(s, plan, link);
}

static int match_trigger(struct source *s, const struct source_plan *plan,
			 enum expression_link link)
{
	struct expression e;
	int status = compile_trigger(&e, plan, link);

	afxdp_matcher_free(s->trigger);
	s->trigger = NULL;
	if (!status && e.n && !kernel_pulls(plan) && link == LINK_COOKED)
		status = afxdp_matcher_new_cooked(&s->trigger, e.insns, e.n);
	else if (!status && e.n && !kernel_pulls(plan))
		status = afxdp_matcher_new(&s->trigger, e.insns, e.n, s->interface.index);
	expression_free(&e);
	return status;
}

int source_compile(struct source *s, const struct source_plan *plan, enum expression_link link)
{
	int e = compile_filter(s, plan, link);

	return e ? e : match_trigger(s, plan, link);
}

/* Set the filter; compile it again if frames have no Ethernet header, which is known only after the
 * capture was opened. */
int source_set_filter(struct source *s, const struct source_plan *plan)
{
	char err[AFXDP_ERROR_SIZE] = "";
	int e = match_trigger(s, plan, source_link(s));

	if (e || !s->filter.n)
		return e;
	if (source_link(s) == LINK_RAW_IP)
		e = compile_filter(s, plan, LINK_RAW_IP);
	if (e)
		return e;
	if (afxdp_filter_level(s->capture) == AFXDP_LEVEL_NONE)
		e = afxdp_set_filter(s->capture, s->filter.insns, s->filter.n, err, sizeof(err));
	if (e)
		return refuse(e, "%s", err);
	if (kernel_pulls(plan) && afxdp_filter_level(s->capture) == AFXDP_LEVEL_USER)
		return refuse(-EOPNOTSUPP,
			      "%s: only the kernel can wait for --trigger after --pre-trigger, but the filter runs %s: leave one of them out, and give SIGUSR2 in place of --trigger",
			      source_interface(s), afxdp_filter_text(s->capture));
	return 0;
}

const char *source_slow_filter(const struct source *s)
{
	bool slow = s->capture && s->filter.n && afxdp_filter_level(s->capture) == AFXDP_LEVEL_USER;

	return slow ? afxdp_filter_text(s->capture) : NULL;
}
