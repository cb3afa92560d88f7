/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bpf/layout.h"
#include "util/uapi.h"
#include "facts.h"
#include "neighbors.h"

#define PROGRAMS_MAX 64 /* the kernel's own limit */
#define MAPS_MAX     32
#define KINDS_SIZE   128

struct list {
	char *text;
	size_t size;
	unsigned count;
	char kinds[KINDS_SIZE]; /* names of filters that are in text already, each between blanks */
};

static void name_one(struct list *l, const char *name)
{
	size_t used = l->count ? strlen(l->text) : 0;

	snprintf(l->text + used, l->size - used, "%s%s", l->count ? ", " : "", name);
	l->count++;
}

static bool ask_map(uint32_t id, struct bpf_map_info *info)
{
	uint32_t length = sizeof(*info);
	int fd = bpf_map_get_fd_by_id(id);
	bool known = fd >= 0 && bpf_obj_get_info_by_fd(fd, info, &length) == 0;

	if (fd >= 0)
		close(fd);
	return known;
}

static bool is_our_rings(uint32_t id)
{
	struct bpf_map_info info = {0};

	return ask_map(id, &info) && strcmp(info.name, "rings") == 0 &&
	       info.value_size > RING_CONTROL_SIZE + RING_SIZE_MIN;
}

/* Somebody's own program calls a capture through such a map (xdp-obj=). */
static bool is_our_slots(uint32_t id)
{
	struct bpf_map_info info = {0};

	return ask_map(id, &info) && strcmp(info.name, "slots") == 0 &&
	       info.type == BPF_MAP_TYPE_PROG_ARRAY;
}

/* Is it the map of a capture that passes on all frames? */
static bool is_of_observer(uint32_t id)
{
	struct shared_page value = {.beside = {.observes = 0}};
	struct bpf_map_info info = {0};
	uint32_t length = sizeof(info), zero = 0;
	int fd = bpf_map_get_fd_by_id(id);
	bool found = fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &length) == 0 &&
		     strstr(info.name, ".bss") && info.value_size == sizeof(value) &&
		     bpf_map_lookup_elem(fd, &zero, &value) == 0 && value.beside.observes;

	if (fd >= 0)
		close(fd);
	return found;
}

/* Does this program have such a map, and this name (which others may have as well) or, with NULL,
 * any? */
static bool has_map(uint32_t id, const char *name, bool (*is_wanted)(uint32_t map))
{
	uint32_t maps[MAPS_MAX] = {0}, length = sizeof(struct bpf_prog_info);
	struct bpf_prog_info info = {.nr_map_ids = MAPS_MAX, .map_ids = (uintptr_t)maps};
	int fd = bpf_prog_get_fd_by_id(id);
	bool found = false;

	if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &length) == 0 &&
	    (!name || strcmp(info.name, name) == 0))
		for (uint32_t i = 0; i < info.nr_map_ids && i < MAPS_MAX && !found; i++)
			found = is_wanted(maps[i]);
	if (fd >= 0)
		close(fd);
	return found;
}

static void name_program(struct list *l, uint32_t id)
{
	struct facts f = {.xdp_prog_id = id};
	char name[64];

	facts_describe_holder(&f, name, sizeof(name));
	name_one(l, name);
}

static int on_bpf(const struct nlattr *a, void *data)
{
	if (mnl_attr_get_type(a) == TCA_BPF_ID)
		*(uint32_t *)data = mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

/* There may be many filters of one kind, with a table each: the kind is named once. */
static void name_kind(struct list *l, const char *kind)
{
	char name[KINDS_SIZE], word[KINDS_SIZE];
	size_t used = strlen(l->kinds);

	snprintf(word, sizeof(word), " %s ", kind);
	if (strstr(l->kinds, word))
		return;
	snprintf(l->kinds + used, sizeof(l->kinds) - used, "%s", word);
	snprintf(name, sizeof(name), "filter %.32s", kind);
	name_one(l, name);
}

static int on_filter(const struct nlmsghdr *h, void *data)
{
	const char *kind = "";
	const struct nlattr *a, *options = NULL;
	uint32_t id = 0;

	mnl_attr_for_each(a, h, sizeof(struct tcmsg))
	{
		if (mnl_attr_get_type(a) == TCA_KIND)
			kind = mnl_attr_get_str(a);
		else if (mnl_attr_get_type(a) == TCA_OPTIONS)
			options = a;
	}
	if (strcmp(kind, "bpf") == 0 && options)
		mnl_attr_parse_nested(options, on_bpf, &id);
	if (id)
		name_program(data, id);
	else if (options)
		name_kind(data, kind);
	return MNL_CB_OK;
}

/* Name the filters of clsact at egress, if there are any. */
static void name_filters(struct list *l, unsigned ifindex)
{
	_Alignas(struct nlmsghdr) char request[NLMSG_SPACE(sizeof(struct tcmsg))] = {0};
	char answer[MNL_SOCKET_BUFFER_SIZE];
	struct nlmsghdr *h = mnl_nlmsg_put_header(request);
	struct mnl_socket *s = facts_open();
	struct tcmsg *t;
	int n;

	if (!s)
		return;
	h->nlmsg_type = RTM_GETTFILTER;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	t = mnl_nlmsg_put_extra_header(h, sizeof(*t));
	t->tcm_ifindex = (int)ifindex;
	t->tcm_parent = TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS);
	n = mnl_socket_sendto(s, h, h->nlmsg_len) < 0 ? -1 : MNL_CB_OK;
	while (n > MNL_CB_STOP) {
		n = mnl_socket_recvfrom(s, answer, sizeof(answer));
		if (n < 0 && errno == EINTR)
			n = MNL_CB_OK;
		else if (n > 0)
			n = mnl_cb_run(answer, n, 0, mnl_socket_get_portid(s), on_filter, l);
	}
	mnl_socket_close(s);
}

static bool is_one_of(uint32_t id, const uint32_t *own, unsigned n)
{
	while (n && own[n - 1] != id)
		n--;
	return n;
}

bool neighbors_at_egress(unsigned ifindex, const uint32_t *own, unsigned n, char *text, size_t size)
{
	struct list l = {.text = text, .size = size};
	uint32_t ids[PROGRAMS_MAX], count = PROGRAMS_MAX;

	if (bpf_prog_query((int)ifindex, (enum bpf_attach_type)TCX_EGRESS, 0, NULL, ids, &count))
		count = 0;
	for (uint32_t i = 0; i < count; i++)
		if (!is_one_of(ids[i], own, n) && !has_map(ids[i], "tc_egress", is_our_rings))
			name_program(&l, ids[i]);
	name_filters(&l, ifindex);
	return l.count > 0;
}

uint32_t neighbors_to_follow(unsigned ifindex)
{
	uint32_t ids[PROGRAMS_MAX], count = PROGRAMS_MAX, last = 0;

	if (bpf_prog_query((int)ifindex, (enum bpf_attach_type)TCX_INGRESS, 0, NULL, ids, &count))
		return 0;
	for (uint32_t i = 0; i < count && has_map(ids[i], "tc_ingress", is_our_rings) &&
			     has_map(ids[i], "tc_ingress", is_of_observer);
	     i++)
		last = ids[i];
	return last;
}

static bool is_our_map(uint32_t id)
{
	return is_our_rings(id) || is_our_slots(id);
}

bool neighbors_may_be_capture(uint32_t program)
{
	int fd = bpf_prog_get_fd_by_id(program);

	if (fd < 0)
		return true;
	close(fd);
	return has_map(program, NULL, is_our_map);
}
