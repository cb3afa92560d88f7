/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "borrowed.h"
#include "capture/attach/default_route.h"
#include "capture/attach/refusal/refusal.h"

/* Our own programs for sockets: xdp_divert, xdp_divert_dev. They write metadata in front of each
 * frame. */
#define OUR_PROGRAMS "xdp_divert"

static int check_socket(int fd, char *err, size_t size)
{
	int domain = 0;
	socklen_t length = sizeof(domain);

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_XDP)
		return 0;
	snprintf(err, size,
		 "sock-fds=: descriptor %d is not an AF_XDP socket: was it closed, or not passed on?",
		 fd);
	return -EBADF;
}

/* Check before the sockets are used, so that they can still be used in another attempt. */
static int check_hook(const struct attachment *a, const struct afxdp_options *o, char *err,
		      size_t size)
{
	char holder[128];

	if (!o->prog_fd || !a->facts.xdp_prog_id)
		return 0;
	facts_describe_holder(&a->facts, holder, sizeof(holder));
	snprintf(err, size,
		 "the XDP hook of %s is held by %s, and prog-fd= needs it: end that program",
		 o->ifname, holder);
	return -EBUSY;
}

static int check_program(struct attachment *a, int fd, char *err, size_t size)
{
	struct bpf_prog_info info = {0};
	uint32_t length = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &length) || info.type != BPF_PROG_TYPE_XDP) {
		snprintf(err, size,
			 "prog-fd=%d: not an XDP program: was it closed, or not passed on?", fd);
		return -EBADF;
	}
	a->foreign = strncmp(info.name, OUR_PROGRAMS, strlen(OUR_PROGRAMS)) != 0;
	return 0;
}

/* Options that go with other captures, but not with this one. */
static const char *check_options(const struct afxdp_options *o)
{
	if (!o->sock_fds.count)
		return "prog-fd= needs sock-fds=";
	if (o->engine != CAPTURE_ENGINE_DIVERT)
		return "sock-fds= is for engine=divert: add that";
	if (o->hook != CAPTURE_HOOK_AUTO && o->hook != CAPTURE_HOOK_XDP)
		return "engine=divert is at XDP only: leave hook= out";
	if (o->rest_drop || o->after_drop)
		return "whoever loaded the program decides on after= and rest=: leave them out with sock-fds=";
	if (o->xdp_obj[0])
		return "xdp-obj= does not go with sock-fds=: the program is the one that was passed";
	if (o->sets_asked)
		return "hosts=, ports= and their like do not go with sock-fds=: whoever loaded the program decides which frames come";
	if (o->full_pass)
		return "full=pass does not go with sock-fds=: the kernel drops what a socket has no room for";
	if (o->no_received)
		return "sock-fds= captures received frames: direction out is not possible";
	return NULL;
}

static void warn(struct attachment *a, const struct afxdp_options *o)
{
	if (o->promiscuous && !a->facts.promiscuous)
		attachment_warn(a, "%s is not promiscuous: whoever opened the sockets decides that",
				o->ifname);
	if (o->watchdog && o->watchdog != CAPTURE_WATCHDOG_OFF)
		attachment_warn(a,
				"watchdog= does not go with sock-fds=: whoever loaded the program decides what it keeps from the host");
	if (o->sample > 1 || o->slice.depth || o->flow_cutoff || o->nic_time || o->hash)
		attachment_warn(a,
				"sample=, slice=, flow-cutoff=, hash= and the interface's time stamps do not go with sock-fds=");
}

int borrowed_open(struct attachment *a, const struct afxdp_options *o, char *err, size_t size)
{
	int e;

	a->borrowed = a->foreign = true;
	a->plan = (struct plan){.in = CAPTURE_HOOK_XDP, .divert = true, .keeps_frames = true};
	if (check_options(o)) {
		snprintf(err, size, "%s", check_options(o));
		return -EINVAL;
	}
	e = attachment_check_interface(a, o->ifname, err, size);
	for (unsigned i = 0; i < o->sock_fds.count && !e; i++)
		e = check_socket(o->sock_fds.fd[i], err, size);
	if (!e && o->prog_fd)
		e = check_program(a, o->prog_fd, err, size);
	if (!e)
		e = check_hook(a, o, err, size);
	if (!e)
		e = default_route_spare(o, &a->facts, err, size);
	if (!e)
		warn(a, o);
	return e;
}

int borrowed_attach(struct attachment *a, const struct afxdp_options *o, char *err, size_t size)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .flags = o->xdp_mode == CAPTURE_XDP_SKB ? XDP_FLAGS_SKB_MODE
							    : XDP_FLAGS_DRV_MODE);
	char why[AFXDP_ERROR_SIZE];
	int link;

	if (!o->prog_fd || o->trial)
		return 0;
	link = bpf_link_create(o->prog_fd, (int)a->facts.ifindex, BPF_XDP, &opts);
	if (link < 0) {
		link = refusal_explain(link, "", o, &a->facts, why, sizeof(why));
		snprintf(err, size, "prog-fd=%d: %s", o->prog_fd, why);
		return link;
	}
	a->holders[0] = link;
	a->is_link[0] = true;
	return 0;
}
