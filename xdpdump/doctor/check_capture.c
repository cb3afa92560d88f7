/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Checks of what the trial of the capture found. */
#include <linux/types.h>
#include <string.h>

#include "check.h"
#include "patient.h"
#include "xdpdump/source/expression.h"
#include "xdpdump/source/words.h"

static const char *describe_plan(const struct patient *p)
{
	const struct afxdp_trial *plan = &p->plan;

	if (afxdp_options_have(p->options, "engine", "divert"))
		return "xdp, in place of the host";
	if (plan->received == AFXDP_HOOK_XDP && afxdp_options_have(p->options, "xdp-mode", "skb"))
		return "xdp, generic: in the network stack, with a cost for each frame";
	if (plan->received == AFXDP_HOOK_XDP)
		return plan->bound ? "xdp, in the driver, with the VLAN tags it takes off"
				   : "xdp, in the driver";
	if (plan->received == AFXDP_HOOK_PACKET || plan->sent == AFXDP_HOOK_PACKET)
		return "a packet socket";
	return "tc";
}

/* Only a trial that traces attached programs has a text for the place; a trial at the XDP hook has
 * none yet. */
static const char *describe(const struct patient *p, const struct session_source *s)
{
	return s && s->traced ? s->place : describe_plan(p);
}

enum result check_capture(const struct patient *p, struct finding *f)
{
	const struct session_source *s = p->source;
	char text[2 * AFXDP_ERROR_SIZE];

	if (!p->rehearsal->works) {
		rehearsal_reason(p->rehearsal, text, sizeof(text));
		return say(RESULT_FAILURE, f, "%s", text);
	}
	if (rehearsal_warning(p->rehearsal, p->given->source.interface_count > 1 ? p->name : NULL,
			      text, sizeof(text)))
		return say(RESULT_WARNING, f, "%s; %s", describe(p, s), text);
	return say(RESULT_OK, f, "%s", describe(p, s));
}

/* The capture could not be opened, but the filter can still be checked. */
static enum result try_filter(const struct patient *p, struct finding *f)
{
	struct expression_terms terms = {
		.link = p->plan.interface.is_raw_ip ? LINK_RAW_IP : LINK_ETHERNET,
		.snaplen = p->given->source.snaplen,
		.as_written = p->given->source.as_written,
	};
	struct expression e;
	char why[1024] = "";
	int n;

	if (expression_compile(&e, p->given->source.expression, terms, why, sizeof(why)))
		return say(RESULT_FAILURE, f, "%s", why);
	n = e.n ? afxdp_try_filter(&p->plan, e.insns, e.n, why, sizeof(why)) : 0;
	expression_free(&e);
	if (n < 0)
		return say(RESULT_WARNING, f, "runs in user space, on every frame: %s", why);
	return say(RESULT_OK, f,
		   "runs in the kernel, in %d instructions, unless the verifier refuses it", n);
}

enum result check_filter(const struct patient *p, struct finding *f)
{
	const struct session_source *s = p->source;

	if (!p->given->source.expression || !*p->given->source.expression)
		return RESULT_NOT_APPLICABLE;
	if (!s)
		return try_filter(p, f);
	return say(s->level == AFXDP_LEVEL_FRAGS ? RESULT_OK : RESULT_WARNING, f, "runs %s",
		   s->filter);
}

/* A trial does not ask the driver for zero-copy, because that may reset the interface. */
enum result check_divert(const struct patient *p, struct finding *f)
{
	const struct session_source *s = p->source;

	if (!s || !s->diverted_to[0])
		return RESULT_NOT_APPLICABLE;
	if (!strstr(s->diverted_to, "sockets"))
		return say(RESULT_OK, f, "to %s", s->diverted_to);
	if (afxdp_options_have(p->options, "zero-copy", "auto") &&
	    afxdp_options_have(p->options, "busy-poll", "off"))
		return say(RESULT_OK, f,
			   "to AF_XDP sockets if the driver gives all queues zero-copy, which only a capture finds out; else to rings");
	return say(RESULT_OK, f, "to %s at least; only a capture finds out about zero-copy",
		   s->diverted_to);
}

enum result check_files(const struct patient *p, struct finding *f)
{
	const char *name = p->given->files.write;

	if (!p->rehearsal->works || !name || strcmp(name, "-") == 0)
		return RESULT_NOT_APPLICABLE;
	return say(RESULT_OK, f, "%s: can be written%s%s", name, p->given->user ? ", by " : "",
		   p->given->user ? p->given->user : "");
}

enum result check_programs(const struct patient *p, struct finding *f)
{
	char text[2 * AFXDP_ERROR_SIZE];

	if (!patient_has_hook(p)) /* another check says why */
		return RESULT_NOT_APPLICABLE;
	if (!p->source && !p->is_privileged)
		return say(RESULT_WARNING, f, "not tried, because the capabilities are missing");
	if (!p->source && p->trial)
		return say(RESULT_FAILURE, f, "%s",
			   words_of_command(p->trial_text, text, sizeof(text)));
	return say(RESULT_OK, f, "the kernel loaded them, and they were removed again");
}
