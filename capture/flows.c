/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Flows that the application leaves out. */
#include <errno.h>

#include "capture/sets/flow_text.h"
#include "capture_private.h"

static uint64_t read_be64(const uint8_t *p)
{
	uint64_t n = 0;

	for (int i = 0; i < 8; i++)
		n = n << 8 | p[i];
	return n;
}

static int read_flow(const struct afxdp_flow *f, struct flows_key *k)
{
	if (!f->protocol || f->protocol > 255 || f->reserved ||
	    ((f->port[0] || f->port[1]) && !flow_has_ports(f->protocol)))
		return -EINVAL;
	*k = (struct flows_key){.protocol = f->protocol,
				.ports = (uint32_t)f->port[0] << 16 | f->port[1]};
	for (unsigned i = 0; i < 2; i++) {
		k->address[i][0] = read_be64(f->address[i]);
		k->address[i][1] = read_be64(f->address[i] + 8);
	}
	flows_order(k);
	return 0;
}

static int change(struct afxdp_capture *c, const struct afxdp_flow *f,
		  int (*by)(struct flows *flows, const struct flows_key *k))
{
	struct flows_key k;
	int e = read_flow(f, &k);

	if (e)
		return e;
	if (!(c->options.sets_asked & SET_FLOW_CALLS))
		return -ENOENT;
	pthread_mutex_lock(&c->sets.said->lock);
	e = by(&c->sets.flows[1], &k);
	pthread_mutex_unlock(&c->sets.said->lock);
	return e;
}

int afxdp_flow_stop(struct afxdp_capture *c, const struct afxdp_flow *f)
{
	return change(c, f, flows_put);
}

int afxdp_flow_resume(struct afxdp_capture *c, const struct afxdp_flow *f)
{
	return change(c, f, flows_remove);
}
