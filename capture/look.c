/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the kernel has, and what a capture would do, for callers without a capture. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/attach/facts/caps.h"
#include "capture/attach/hook.h"
#include "capture/attach/refusal/conditions.h"
#include "capture/attach/trace/drop_names.h"
#include "capture/attach/program/image.h"
#include "capture/loader/loader.h"
#include "capture/options/options.h"
#include "capture/ring/ring.h"
#include "capture/attach/attachment.h"

/* Writes no more than the caller's struct holds, and zeros into members that this library does not
 * know. */
static void hand_out(void *to, size_t room, const void *from, size_t size)
{
	if (room > size)
		memset(to, 0, room);
	memcpy(to, from, room < size ? room : size);
}

static void describe(struct afxdp_interface *i, const struct facts *f)
{
	*i = (struct afxdp_interface){
		.index = f->ifindex,
		.flags = f->flags,
		.mtu = f->mtu,
		.rx_queues = f->rx_queues,
		.is_ethernet = facts_is_ethernet(f),
		.is_raw_ip = facts_is_raw_ip(f),
		.xdp_program = f->xdp_prog_id,
		.xdp_attached = f->xdp_attached,
		.has_xdp_features = f->has_xdp_features,
		.xdp_features = f->xdp_features,
		.has_clock = f->has_clock,
		.clock = f->has_clock ? f->clock : -1,
		.gives_time = f->gives_time,
		.master_program = f->master_xdp,
	};
	snprintf(i->kind, sizeof(i->kind), "%s", f->kind);
	conditions_describe(f, i->xdp_condition, sizeof(i->xdp_condition));
	snprintf(i->master, sizeof(i->master), "%s", f->master_xdp ? f->master_name : "");
}

int afxdp_look(const char *ifname, struct afxdp_interface *i, size_t size)
{
	struct afxdp_interface found;
	struct facts f;
	int e = facts_get(ifname, &f);

	if (e)
		return e;
	describe(&found, &f);
	hand_out(i, size, &found, sizeof(found));
	return 0;
}

void afxdp_describe_program(uint32_t id, char *text, size_t size)
{
	struct facts f = {.xdp_prog_id = id};

	facts_describe_holder(&f, text, size);
}

int afxdp_try(const struct afxdp_options *o, struct afxdp_trial *t, size_t size, char *err,
	      size_t err_size)
{
	struct afxdp_trial found = {.rings = 0};
	struct attachment *attachment = calloc(1, sizeof(*attachment));
	int e;

	if (!attachment) {
		snprintf(err, err_size, "out of memory");
		return -ENOMEM;
	}
	e = attachment_try(attachment, o, err, err_size);
	describe(&found.interface, &attachment->facts);
	found.received = (enum afxdp_hook)attachment->plan.in;
	found.sent = (enum afxdp_hook)attachment->plan.out;
	found.bound = attachment->plan.bound;
	found.rings = attachment->place.count;
	found.ring_size = attachment->place.size;
	found.memory = found.rings * ring_value_size(found.ring_size, false);
	memcpy(found.warning, attachment->warning, sizeof(found.warning));
	hand_out(t, size, &found, sizeof(found));
	free(attachment);
	return e;
}

int afxdp_try_filter(const struct afxdp_trial *t, const struct sock_filter *f, unsigned n,
		     char *err, size_t size)
{
	return image_try_filter(t->received == AFXDP_HOOK_XDP, f, n, err, size);
}

int afxdp_missing_capabilities(char *text, size_t size)
{
	return caps_missing(text, size);
}

const char *afxdp_loader(void)
{
	return loader_path();
}

bool afxdp_loader_has_capabilities(void)
{
	return caps_of_file(loader_path());
}

int afxdp_check_drop_reasons(const char *reasons, char *list, size_t list_size, char *err,
			     size_t size)
{
	uint64_t unused[DROP_REASON_WORDS];
	struct drop_names *n;
	int e = drop_names_new(&n, err, size);

	if (list && list_size)
		*list = 0;
	if (e)
		return e;
	if (list)
		drop_names_list(n, list, list_size);
	e = drop_names_choose(n, reasons, unused, err, size);
	drop_names_free(n);
	return e;
}

int afxdp_options_offer_nic_time(const struct afxdp_options *o)
{
	struct facts f;

	if (options_are_any(o) || facts_get(o->ifname, &f) != 0 || !hook_offers_time(o, &f))
		return 0;
	return f.clock >= 0 ? 2 : 1;
}
