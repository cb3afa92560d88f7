/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <libmnl/libmnl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "beside.h"
#include "util/uapi.h"

#define LINK_TYPE_TCX	 11 /* an enumerator of linux/bpf.h since 6.6 */
#define EGRESS_OF_CLSACT (TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS))

/* Only filters that are added at egress of this interface wake us. */
static void choose_filters(int fd, unsigned ifindex)
{
	const uint32_t body = NLMSG_HDRLEN;
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, offsetof(struct nlmsghdr, nlmsg_type)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htons(RTM_NEWTFILTER), 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, body + offsetof(struct tcmsg, tcm_ifindex)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(ifindex), 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, body + offsetof(struct tcmsg, tcm_parent)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(EGRESS_OF_CLSACT), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
}

/* The socket is only read from: this process does not use it to change the network. */
static int hear_of_filters(unsigned ifindex)
{
	const struct sockaddr_nl groups = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_TC};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

	if (fd < 0)
		return -1;
	choose_filters(fd, ifindex);
	if (bind(fd, (const struct sockaddr *)&groups, sizeof(groups)) == 0)
		return fd;
	close(fd);
	return -1;
}

void beside_prepare(struct loader_beside *b, const struct loader_proof *p)
{
	struct shared_page *page = MAP_FAILED;

	if (p->at_tc)
		page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, p->counters,
			    0);
	if (page == MAP_FAILED)
		return;
	b->told = &page->beside;
	b->ifindex = p->ifindex;
	b->filters = hear_of_filters(p->ifindex);
}

/* On which side is one of our links, and which program has it now? (A new filter brings a new
 * program.) */
static bool ask_link(int link, enum side *side, uint32_t *program)
{
	struct bpf_link_info info = {0};
	uint32_t length = sizeof(info), type;

	if (link < 0 || bpf_obj_get_info_by_fd(link, &info, &length) || info.type != LINK_TYPE_TCX)
		return false;
	memcpy(&type, (char *)&info.xdp + sizeof(info.xdp.ifindex), sizeof(type));
	*side = type == TCX_EGRESS ? SIDE_SENT : SIDE_RECEIVED;
	*program = info.prog_id;
	return true;
}

static bool had(const struct beside_side *s, uint32_t id)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (s->ids[i] == id)
			return true;
	return false;
}

static void set_program_told(struct loader_beside *b, enum side side, uint32_t program)
{
	uint32_t *to = side == SIDE_SENT ? &b->told->behind : &b->told->before;

	__atomic_store_n(to, program, __ATOMIC_RELAXED);
}

/*
 * If there are more of them than before, the new one is the first that was not there. Captures
 * exchange their programs for each filter, so a new program alone means nothing.
 */
static void compare(struct loader_beside *b, enum side side, struct beside_side *now, uint32_t ours)
{
	struct beside_side *was = &b->side[side];
	uint32_t place = 0, first, end;

	while (place < now->count && now->ids[place] != ours)
		place++;
	if (place == now->count) /* exchanged meanwhile, or moved to another network namespace */
		return;
	first = side == SIDE_SENT ? place + 1 : 0;
	end = side == SIDE_SENT ? now->count : place;
	now->others = end - first;
	now->seen = true;
	while (first < end && had(was, now->ids[first]))
		first++;
	if (was->seen && now->others > was->others && first < end)
		set_program_told(b, side, now->ids[first]);
	*was = *now;
}

void beside_look(struct loader_beside *b, const int links[IMAGES_MAX])
{
	struct beside_side now = {.count = BESIDE_PROGRAMS_MAX};
	enum side side;
	uint32_t ours;

	for (unsigned i = 0; i < IMAGES_MAX && b->told; i++) {
		if (!ask_link(links[i], &side, &ours))
			continue;
		now.count = BESIDE_PROGRAMS_MAX;
		if (bpf_prog_query((int)b->ifindex,
				   (enum bpf_attach_type)(side == SIDE_SENT ? TCX_EGRESS
									    : TCX_INGRESS),
				   0, NULL, now.ids, &now.count) == 0)
			compare(b, side, &now, ours);
	}
}

static int on_kind(const struct nlattr *a, void *data)
{
	struct beside *told = data;

	if (mnl_attr_get_type(a) != TCA_KIND || mnl_attr_validate(a, MNL_TYPE_NUL_STRING) < 0)
		return MNL_CB_OK;
	strncpy(told->filter, mnl_attr_get_str(a), sizeof(told->filter) - 1);
	__atomic_store_n(&told->has_filter, 1, __ATOMIC_RELEASE); /* pairs with look_beside() */
	return MNL_CB_STOP;
}

static int on_filter(const struct nlmsghdr *h, void *data)
{
	struct beside *told = data;

	if (!told->has_filter && h->nlmsg_len >= NLMSG_SPACE(sizeof(struct tcmsg)))
		mnl_attr_parse(h, sizeof(struct tcmsg), on_kind, told);
	return MNL_CB_OK;
}

void beside_hear(struct loader_beside *b)
{
	_Alignas(struct nlmsghdr) char message[8192];
	ssize_t n = recv(b->filters, message, sizeof(message), 0);

	if (n > 0)
		mnl_cb_run(message, (size_t)n, 0, 0, on_filter, b->told);
	if (!b->told->has_filter)
		return;
	close(b->filters); /* one is all that the user is told of */
	b->filters = -1;
}
