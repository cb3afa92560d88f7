/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drop_names.h"
#include "symbols.h"
#include "type_file.h"
#include "util/harmless.h"
#include "util/no_bpf.h"

#define TRACEPOINT   "btf_trace_kfree_skb"
#define PREFIX	     "SKB_DROP_REASON_"
#define REASONS_MAX  (DROP_SUBSYSTEMS * DROP_REASONS_EACH)
#define REASON_CHARS 39 /* maximum length of a name in a record */

_Static_assert(sizeof(struct epb_drop) >=
		       4 +
			       EPB_PADDED(sizeof("dropped:  in  on , network namespace not known") -
					  1 + REASON_CHARS + SYMBOL_SIZE - 1 + 15) +
			       4 + EPB_PADDED(SYMBOL_CHARS) + 4 + sizeof(struct epb_drop_named) +
			       REASON_CHARS + 1 + SYMBOL_SIZE + 16,
	       "there is room for the longest names");

/* An interface, for drops that only have its number. If two hash to one place, the later one
 * stays. */
#define KNOWN_MAX 1024u
struct known {
	uint32_t netns, ifindex;
	char name[16];
};

struct drop_names {
	char *reason[REASONS_MAX];
	uint32_t tracepoint;
	unsigned arguments;
	struct known known[KNOWN_MAX];
	struct symbols places;
};

/* Each subsystem numbers its own reasons, with its own number in the upper half. Returns
 * REASONS_MAX for a reason that we do not know. */
static uint32_t index_of(uint32_t reason)
{
	uint32_t subsystem = reason >> 16, number = reason & 0xffff;

	return subsystem < DROP_SUBSYSTEMS && number < DROP_REASONS_EACH
		       ? subsystem * DROP_REASONS_EACH + number
		       : REASONS_MAX;
}

static bool is_reason(const char *name, uint32_t value, bool core)
{
	if (!core)
		return value >> 16 != 0;
	return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && strcmp(name, PREFIX "MAX") != 0 &&
	       strncmp(name, PREFIX "SUBSYS", strlen(PREFIX "SUBSYS")) != 0;
}

static int add_reasons(struct drop_names *n, const struct type_file *f, const char *type)
{
	const struct btf_type *t = type_file_find(f, type, BTF_KIND_ENUM, NULL);
	bool core = strcmp(type, "skb_drop_reason") == 0;

	for (unsigned i = 0; t && i < btf_vlen(t); i++) {
		const char *name = type_file_string(f, btf_enum(t)[i].name_off);
		uint32_t value = (uint32_t)btf_enum(t)[i].val, at = index_of(value);

		if (!is_reason(name, value, core) || at == REASONS_MAX || n->reason[at])
			continue;
		n->reason[at] = strdup(core ? name + strlen(PREFIX) : name);
		if (!n->reason[at])
			return -ENOMEM;
	}
	return 0;
}

/* Add the subsystems with reasons of their own, which are in the kernel or in modules. */
static int add_subsystems(struct drop_names *n, const struct type_file *kernel)
{
	static const struct {
		const char *module, *type;
	} subsystems[] = {
		{"mac80211", "mac80211_drop_reason"},
		{"openvswitch", "ovs_drop_reason"},
	};
	int e = 0;

	for (size_t i = 0; i < sizeof(subsystems) / sizeof(subsystems[0]) && !e; i++) {
		struct type_file own;

		e = add_reasons(n, kernel, subsystems[i].type);
		if (e || type_file_open(&own, subsystems[i].module, kernel))
			continue;
		e = add_reasons(n, &own, subsystems[i].type);
		type_file_close(&own);
	}
	return e;
}

/* The tracepoint's type is a function whose first argument is the program's data. */
static int find_tracepoint(struct drop_names *n, const struct type_file *kernel)
{
	const struct btf_type *t =
		type_file_find(kernel, TRACEPOINT, BTF_KIND_TYPEDEF, &n->tracepoint);

	if (t)
		t = type_file_at(kernel, t->type);
	if (t && btf_is_ptr(t))
		t = type_file_at(kernel, t->type);
	if (!t || !btf_is_func_proto(t) || btf_vlen(t) < 3)
		return -EOPNOTSUPP;
	n->arguments = btf_vlen(t) - 1u;
	return 0;
}

static int read_types(struct drop_names *n)
{
	struct type_file kernel;
	int e = type_file_open(&kernel, "vmlinux", NULL);

	if (e)
		return e == -ENOMEM ? e : -EOPNOTSUPP;
	e = find_tracepoint(n, &kernel);
	if (!e)
		e = add_reasons(n, &kernel, "skb_drop_reason");
	if (!e)
		e = add_subsystems(n, &kernel);
	type_file_close(&kernel);
	return e;
}

int drop_names_new(struct drop_names **out, char *err, size_t size)
{
	struct drop_names *n = calloc(1, sizeof(*n));
	int e = -ENOMEM;

	*out = NULL;
	if (n) {
		n->places.fd = -1;
		e = read_types(n);
	}
	if (!e) {
		*out = n;
		return 0;
	}
	if (e == -ENOMEM)
		snprintf(err, size, "out of memory");
	else if (!no_bpf_types("a capture of what is dropped", err, size))
		snprintf(err, size,
			 "this kernel does not report drops: it needs BTF (CONFIG_DEBUG_INFO_BTF) and the tracepoint kfree_skb");
	drop_names_free(n);
	return e;
}

void drop_names_open_places(struct drop_names *n)
{
	symbols_open(&n->places);
}

void drop_names_free(struct drop_names *n)
{
	if (!n)
		return;
	for (uint32_t i = 0; i < REASONS_MAX; i++)
		free(n->reason[i]);
	symbols_close(&n->places);
	free(n);
}

uint32_t drop_names_tracepoint(const struct drop_names *n, unsigned *arguments)
{
	*arguments = n->arguments;
	return n->tracepoint;
}

/* name: with or without the kernel's prefix. */
static uint32_t find_reason(const struct drop_names *n, const char *name, size_t length)
{
	uint32_t i = 0;

	if (length > strlen(PREFIX) && strncasecmp(name, PREFIX, strlen(PREFIX)) == 0) {
		name += strlen(PREFIX);
		length -= strlen(PREFIX);
	}
	while (i < REASONS_MAX && !(n->reason[i] && strncasecmp(n->reason[i], name, length) == 0 &&
				    !n->reason[i][length]))
		i++;
	return i;
}

int drop_names_choose(const struct drop_names *n, const char *list,
		      uint64_t wanted[DROP_REASON_WORDS], char *err, size_t size)
{
	bool more = true;

	memset(wanted, 0, DROP_REASON_WORDS * sizeof(*wanted));
	for (const char *at = list; more; at++) {
		size_t length = strcspn(at, ",");
		uint32_t i = find_reason(n, at, length);

		if (!length || i == REASONS_MAX) {
			snprintf(err, size, "this kernel has no reason \"%.*s\" to drop a frame",
				 (int)length, at);
			return -ENOENT;
		}
		wanted[i / 64] |= 1ull << i % 64;
		at += length;
		more = *at;
	}
	return 0;
}

void drop_names_list(const struct drop_names *n, char *text, size_t size)
{
	size_t used = 0;

	if (size)
		*text = 0;
	for (uint32_t i = 0; i < REASONS_MAX && used < size; i++)
		if (n->reason[i])
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 n->reason[i]);
}

static uint32_t known_place(uint32_t netns, uint32_t ifindex)
{
	return (netns * 31 + ifindex) % KNOWN_MAX;
}

void drop_names_know(struct drop_names *n, uint32_t netns)
{
	struct if_nameindex *all = if_nameindex();

	for (unsigned i = 0; all && all[i].if_index; i++) {
		struct known *k = &n->known[known_place(netns, all[i].if_index)];

		k->netns = netns;
		k->ifindex = all[i].if_index;
		snprintf(k->name, sizeof(k->name), "%s", all[i].if_name);
	}
	if (all)
		if_freenameindex(all);
}

/* Name the interface if the program has not; "": not known. */
static void name_interface(const struct drop_names *n, struct epb_drop *drop)
{
	const struct known *k = &n->known[known_place(drop->netns, drop->ifindex)];

	if (!drop->ifname[0] && drop->ifindex && k->netns == drop->netns &&
	    k->ifindex == drop->ifindex)
		memcpy(drop->ifname, k->name, sizeof(drop->ifname));
}

static void name_reason(const struct drop_names *n, uint32_t reason, char *text, size_t size)
{
	uint32_t i = index_of(reason);

	if (i < REASONS_MAX && n->reason[i])
		snprintf(text, size, "%s", n->reason[i]);
	else
		snprintf(text, size, "REASON_%" PRIu32, reason);
}

/* The option that the program has written into this whole record; NULL: it has none. */
static struct epb_drop *find_drop(const struct epb_header *record, const struct epb_lengths *l)
{
	const uint8_t *at = (const uint8_t *)(epb_options_behind(record, l->caplen) + 1);
	const uint8_t *end = (const uint8_t *)record + l->total - sizeof(struct epb_end);
	const struct epb_dropcount *before = (const void *)at;

	if (end - at >= (ptrdiff_t)sizeof(*before) && before->option == EPB_OPT_DROPCOUNT)
		at += sizeof(*before);
	if (end - at < (ptrdiff_t)sizeof(struct epb_drop) ||
	    ((const struct epb_drop *)(const void *)at)->option != EPB_OPT_DROP_RAW)
		return NULL;
	return (struct epb_drop *)(uintptr_t)at;
}

static uint8_t *put_string(uint8_t *to, const char *text)
{
	size_t n = strlen(text) + 1;

	memcpy(to, text, n);
	return to + n;
}

static uint8_t *put_option(uint8_t *to, uint32_t code, const char *text, size_t length)
{
	const uint32_t option = EPB_OPTION(code, length);

	memcpy(to, &option, sizeof(option));
	memcpy(to + sizeof(option), text, length);
	return to + sizeof(option) + EPB_PADDED(length);
}

void drop_names_write(struct drop_names *n, const struct epb_header *record,
		      const struct epb_lengths *l)
{
	struct epb_drop *to = find_drop(record, l), drop;
	char reason[REASON_CHARS + 1], place[SYMBOL_SIZE], ifname[sizeof(drop.ifname)];
	char comment[sizeof(struct epb_drop)];
	uint8_t out[sizeof(struct epb_drop)] = {0}, *at;
	struct epb_drop_named named;
	uint32_t option;

	if (!to)
		return;
	drop = *to;
	name_interface(n, &drop);
	name_reason(n, drop.reason, reason, sizeof(reason));
	symbols_name(&n->places, (uint64_t)drop.place[1] << 32 | drop.place[0], place);
	snprintf(ifname, sizeof(ifname), "%.*s", (int)sizeof(ifname) - 1, drop.ifname);
	harmless(ifname); /* the format requires UTF-8 */
	snprintf(comment, sizeof(comment), "dropped: %s%s%s%s%s%s", reason, place[0] ? " in " : "",
		 place, ifname[0] ? " on " : "", ifname,
		 drop.netns ? "" : ", network namespace not known");
	at = put_option(out, EPB_OPT_COMMENT_CODE, comment, strlen(comment));
	if (place[0])
		at = put_option(at, EPB_OPT_DROP_FUNCTION_CODE, place, strcspn(place, "+"));
	option = EPB_OPTION(EPB_OPT_DROP_CODE, out + sizeof(out) - at - sizeof(option));
	named = (struct epb_drop_named){drop.reason, drop.ifindex, drop.netns};
	memcpy(at, &option, sizeof(option));
	at += sizeof(option);
	memcpy(at, &named, sizeof(named));
	at = put_string(put_string(put_string(at + sizeof(named), reason), place), ifname);
	memcpy(to, out, sizeof(out));
}

bool drop_names_read(const struct epb_header *record, const struct epb_lengths *l,
		     struct epb_drop_named *drop)
{
	const uint8_t *at = (const uint8_t *)(epb_options_behind(record, l->caplen) + 1);
	const uint8_t *end = (const uint8_t *)record + l->total - sizeof(struct epb_end);
	uint32_t option;

	while (end - at >= (ptrdiff_t)sizeof(option)) {
		memcpy(&option, at, sizeof(option));
		at += sizeof(option);
		if ((ptrdiff_t)EPB_PADDED(option >> 16) > end - at)
			return false;
		if ((option & 0xffff) == EPB_OPT_DROP_CODE && option >> 16 >= sizeof(*drop)) {
			memcpy(drop, at, sizeof(*drop));
			return true;
		}
		at += EPB_PADDED(option >> 16);
	}
	return false;
}
