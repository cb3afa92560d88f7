/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conditions.h"
#include "refusal.h"

static bool needs_xdp(const struct afxdp_options *o)
{
	return o->engine == CAPTURE_ENGINE_DIVERT || o->xdp_obj[0] || o->join;
}

const char *refusal_remedy(const struct afxdp_options *o)
{
	if (o->engine == CAPTURE_ENGINE_DIVERT)
		return "leave engine=divert out";
	if (o->xdp_obj[0])
		return "leave xdp-obj= out";
	return o->join ? "leave join=on out" : "use hook=tc";
}

/* If native XDP is not available, the kernel's generic XDP does for some purposes. */
static const char *without_native(const struct afxdp_options *o)
{
	bool wanted = o->engine == CAPTURE_ENGINE_DIVERT || o->xdp_obj[0];

	return wanted && o->xdp_mode == CAPTURE_XDP_NATIVE ? "use xdp-mode=skb" : refusal_remedy(o);
}

/* If hook=auto goes on to tc by itself, there is nothing to advise. */
static void add_remedy(const struct afxdp_options *o, const char *before, const char *remedy,
		       const char *behind, char *err, size_t size)
{
	size_t used = strlen(err);

	if (o->hook != CAPTURE_HOOK_AUTO || needs_xdp(o))
		snprintf(err + used, size - used, "%s%s%s", before, remedy, behind);
}

static int explain_holder(const struct afxdp_options *o, const struct facts *f, char *err,
			  size_t size)
{
	char holder[128];

	facts_describe_holder(f, holder, sizeof(holder));
	snprintf(err, size, "the XDP hook of %s is held by %s", o->ifname, holder);
	add_remedy(o, ": end that program, or ", refusal_remedy(o), " to capture behind it", err,
		   size);
	return -EBUSY;
}

/* An upper device has a program, which then sees the frames of this one as well. */
static int explain_upper(const struct afxdp_options *o, const struct facts *f, char *err,
			 size_t size)
{
	snprintf(err, size,
		 "%s takes no XDP program, because %s, to which it belongs, has one: capture on %s",
		 o->ifname, f->master_name, f->master_name);
	add_remedy(o, ", or ", refusal_remedy(o), "", err, size);
	return -EOPNOTSUPP;
}

/* The driver's own words; without any, the error number, and the condition known from its
 * source. */
static int explain_driver(int e, const char *words, const struct afxdp_options *o,
			  const struct facts *f, char *err, size_t size)
{
	bool generic = o->xdp_mode == CAPTURE_XDP_SKB;
	char condition[192] = "";

	if (!generic)
		conditions_describe(f, condition, sizeof(condition));
	snprintf(err, size, "%s takes no %s XDP program: %s%s%s%s%s%s", o->ifname,
		 generic ? "generic" : "native", words, words[0] ? " (" : "", strerror(-e),
		 words[0] ? ")" : "", condition[0] ? "; " : "", condition);
	add_remedy(o, "; ", without_native(o), "", err, size);
	return -EOPNOTSUPP;
}

int refusal_explain(int e, const char *words, const struct afxdp_options *o, const struct facts *f,
		    char *err, size_t size)
{
	struct facts now = *f;
	bool is_gone = facts_refresh(&now, NULL) == -ENODEV;

	if (is_gone || e == -EMFILE || e == -ENFILE) {
		snprintf(err, size, "cannot attach to the XDP hook of %s: %s%s", o->ifname,
			 strerror(is_gone ? ENODEV : -e), is_gone ? "" : " (raise ulimit -n)");
		return is_gone ? -ENODEV : e;
	}
	if ((e == -EBUSY || e == -EEXIST) && now.xdp_prog_id)
		return explain_holder(o, &now, err, size);
	facts_find_master(&now);
	if (e == -EEXIST && now.master_xdp)
		return explain_upper(o, &now, err, size);
	return explain_driver(e, words, o, f, err, size);
}
