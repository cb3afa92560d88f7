/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "util/clock.h"
#include "capture/attach/hook.h"
#include "capture/attach/packet.h"
#include "capture/attach/program/program.h"
#include "capture/ring/ring.h"
#include "xdplaunch.h"

static void die(const char *what, const char *why)
{
	fprintf(stderr, "xdplaunch: %s: %s\n", what, why);
	exit(1);
}

static void load(struct program *p, const struct afxdp_options *o, struct facts *f)
{
	char err[AFXDP_ERROR_SIZE], warning[AFXDP_ERROR_SIZE] = "";
	int e = facts_get(o->ifname, f);

	if (e)
		die(o->ifname, strerror(-e));
	if (hook_choose(&p->plan, o, f, warning, sizeof(warning), err, sizeof(err)) ||
	    program_load(p, o, f, err, sizeof(err)))
		die(o->ifname, err);
}

/* The command cannot do this, because it has no maps: the program sends as soon as it is
 * attached. */
static void arm(const struct program *p)
{
	int64_t offset = clock_offset(program_clock_is_tai(p));
	struct ring_set s = {.count = 0};
	int e, maps[RING_MAPS_MAX] = {-1};

	for (unsigned i = 0; i < p->place.maps.count; i++)
		maps[i] = program_rings_fd(p, i);
	e = ring_set_map(&s, maps, &p->place);

	if (e)
		die("rings", strerror(-e));
	for (unsigned i = 0; i < s.count; i++) {
		s.ring[i].control->clock_offset = offset;
		s.ring[i].control->snaplen = AFXDP_SNAPLEN_MAX;
		s.ring[i].control->armed = 1;
	}
	ring_set_unmap(&s);
}

static void open_sockets(struct launch *l, const struct program *p, const struct facts *f)
{
	if (f->queues > LAUNCH_SOCKETS_MAX)
		die("queues", "there are too many");
	for (uint32_t q = 0; q < f->queues; q++) {
		int fd = socket(AF_XDP, SOCK_RAW, 0);

		if (fd < 0 || bpf_map_update_elem(program_sockets_fd(p), &q, &fd, BPF_ANY))
			die("AF_XDP socket", strerror(errno));
		l->sockets[l->count++] = fd;
	}
}

void launch_open(struct launch *l, const char *interface, bool attach)
{
	/* Use sockets, and no watchdog, because the reader has no maps to say that it reads. */
	struct afxdp_options o = {.engine = CAPTURE_ENGINE_DIVERT,
				  .zero_copy = CAPTURE_ZERO_COPY_OFF,
				  .watchdog = CAPTURE_WATCHDOG_OFF,
				  .no_sent = true,
				  .snaplen = AFXDP_SNAPLEN_MAX};
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = XDP_FLAGS_DRV_MODE);
	struct program p = {.bpf = NULL};
	struct facts f;

	snprintf(o.ifname, sizeof(o.ifname), "%s", interface);
	*l = (struct launch){.link = -1};
	load(&p, &o, &f);
	arm(&p);
	open_sockets(l, &p, &f);
	l->promiscuity = packet_open(f.ifindex, true);
	if (l->promiscuity < 0)
		die("promiscuous mode", strerror(-l->promiscuity));
	l->program = bpf_program__fd(program_at_xdp(&p));
	if (attach)
		l->link = bpf_link_create(l->program, (int)f.ifindex, BPF_XDP, &opts);
	if (attach && l->link < 0)
		die("attaching", strerror(-l->link));
	/* The rest of p, maps among it, ends with this program's image: close-on-exec. */
}
