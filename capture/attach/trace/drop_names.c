/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drop_names.h"
#include "util/harmless.h"

#define TRACEPOINT   "btf_trace_kfree_skb"
#define PREFIX	     "SKB_DROP_REASON_"
#define REASONS_MAX  (DROP_SUBSYSTEMS * DROP_REASONS_EACH)
#define REASON_CHARS 39 /* of a name in a record; */
#define SYMBOL_CHARS 44 /* ... and of a function's, with an offset behind it */
#define PLACE_SIZE   (SYMBOL_CHARS + sizeof("+0x00000000"))

_Static_assert(sizeof(struct epb_drop) >=
		       4 +
			       EPB_PADDED(sizeof("dropped:  in  on , network namespace not known") -
					  1 + REASON_CHARS + PLACE_SIZE - 1 + 15) +
			       4 + sizeof(struct epb_drop_named) + REASON_CHARS + 1 + PLACE_SIZE +
			       16,
	       "there is room for the longest names");

struct symbol {
	uint64_t at;
	uint32_t name; /* where it is in names */
};

/* An interface, for drops that have its number alone. Of two at one place the last is known. */
#define KNOWN_MAX 1024u
struct known {
	uint32_t netns, ifindex;
	char name[16];
};

struct drop_names {
	struct btf *btf; /* while names are read */
	char *reason[REASONS_MAX];
	uint32_t tracepoint;
	unsigned arguments;
	struct known known[KNOWN_MAX];
	uint64_t page_offset_base_at, vmemmap_base_at;
	bool disordered;	/* symbols are not in the order of their addresses */
	struct symbol *symbols; /* by address */
	size_t count, room;
	char *names;
	size_t used, names_room;
};

/* A subsystem counts its own: its number is in the upper half. REASONS_MAX: none that we know. */
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

static int add_reasons(struct drop_names *n, const struct btf *btf, const char *type)
{
	int id = btf__find_by_name_kind(btf, type, BTF_KIND_ENUM);
	const struct btf_type *t = id < 0 ? NULL : btf__type_by_id(btf, (uint32_t)id);
	bool core = strcmp(type, "skb_drop_reason") == 0;

	for (unsigned i = 0; t && i < btf_vlen(t); i++) {
		const char *name = btf__name_by_offset(btf, btf_enum(t)[i].name_off);
		uint32_t value = (uint32_t)btf_enum(t)[i].val, at = index_of(value);

		if (!is_reason(name, value, core) || at == REASONS_MAX || n->reason[at])
			continue;
		n->reason[at] = strdup(core ? name + strlen(PREFIX) : name);
		if (!n->reason[at])
			return -ENOMEM;
	}
	return 0;
}

/* Those that have reasons of their own, in the kernel or as modules. */
static int add_subsystems(struct drop_names *n)
{
	static const struct {
		const char *module, *type;
	} subsystems[] = {
		{"mac80211", "mac80211_drop_reason"},
		{"openvswitch", "ovs_drop_reason"},
	};
	int e = 0;

	for (size_t i = 0; i < sizeof(subsystems) / sizeof(subsystems[0]) && !e; i++) {
		char path[64];
		struct btf *own;

		e = add_reasons(n, n->btf, subsystems[i].type);
		snprintf(path, sizeof(path), "/sys/kernel/btf/%s", subsystems[i].module);
		own = e ? NULL : btf__parse_split(path, n->btf);
		if (own)
			e = add_reasons(n, own, subsystems[i].type);
		btf__free(own);
	}
	return e;
}

/* The type of a function that is given the program's data first. */
static int find_tracepoint(struct drop_names *n)
{
	int id = btf__find_by_name_kind(n->btf, TRACEPOINT, BTF_KIND_TYPEDEF);
	const struct btf_type *t = id < 0 ? NULL : btf__type_by_id(n->btf, (uint32_t)id);

	if (t)
		t = btf__type_by_id(n->btf, t->type);
	if (t && btf_is_ptr(t))
		t = btf__type_by_id(n->btf, t->type);
	if (!t || !btf_is_func_proto(t) || btf_vlen(t) < 3)
		return -EOPNOTSUPP;
	n->tracepoint = (uint32_t)id;
	n->arguments = btf_vlen(t) - 1u;
	return 0;
}

int drop_names_new(struct drop_names **out, char *err, size_t size)
{
	struct drop_names *n = calloc(1, sizeof(*n));
	int e = n ? 0 : -ENOMEM;

	*out = NULL;
	if (!e)
		n->btf = btf__load_vmlinux_btf();
	if (!e && !n->btf)
		e = errno == ENOMEM ? -ENOMEM : -EOPNOTSUPP;
	if (!e)
		e = find_tracepoint(n);
	if (!e)
		e = add_reasons(n, n->btf, "skb_drop_reason");
	if (!e)
		e = add_subsystems(n);
	if (!e) {
		btf__free(n->btf); /* 7 MB */
		n->btf = NULL;
		*out = n;
		return 0;
	}
	snprintf(err, size,
		 e == -ENOMEM
			 ? "out of memory"
			 : "this kernel does not report drops: it needs BTF (CONFIG_DEBUG_INFO_BTF) and the tracepoint kfree_skb");
	drop_names_free(n);
	return e;
}

void drop_names_free(struct drop_names *n)
{
	if (!n)
		return;
	for (uint32_t i = 0; i < REASONS_MAX; i++)
		free(n->reason[i]);
	btf__free(n->btf);
	free(n->symbols);
	free(n->names);
	free(n);
}

uint32_t drop_names_tracepoint(const struct drop_names *n, unsigned *arguments)
{
	*arguments = n->arguments;
	return n->tracepoint;
}

/* With the kernel's prefix or without. */
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

static int add_symbol(struct drop_names *n, uint64_t at, const char *name, size_t length)
{
	if (n->count == n->room) {
		size_t room = n->room ? n->room * 2 : 65536;
		struct symbol *more = realloc(n->symbols, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		n->symbols = more;
		n->room = room;
	}
	if (n->names_room - n->used <= length) {
		size_t room = n->names_room ? n->names_room * 2 : 1u << 20;
		char *more = realloc(n->names, room);

		if (!more)
			return -ENOMEM;
		n->names = more;
		n->names_room = room;
	}
	n->symbols[n->count++] = (struct symbol){.at = at, .name = (uint32_t)n->used};
	memcpy(n->names + n->used, name, length);
	n->names[n->used + length] = 0;
	n->used += length + 1;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *p = a, *q = b;

	return p->at < q->at ? -1 : p->at > q->at;
}

static void note_variable(struct drop_names *n, uint64_t at, const char *name, size_t length)
{
	static const char pages[] = "page_offset_base", map[] = "vmemmap_base";

	if (length == sizeof(pages) - 1 && memcmp(name, pages, length) == 0)
		n->page_offset_base_at = at;
	else if (length == sizeof(map) - 1 && memcmp(name, map, length) == 0)
		n->vmemmap_base_at = at;
}

/* Hexadecimal; strtoull() takes three times as long. */
static const char *read_address(const char *text, const char *end, uint64_t *at)
{
	for (*at = 0; text < end && *text != ' '; text++)
		*at = *at << 4 | (uint64_t)((*text & 0xf) + (*text > '9' ? 9 : 0));
	return text;
}

/* "ffffffff81000000 T _stext"; modules have their name behind a tab. */
static int add_line(struct drop_names *n, const char *line, const char *end)
{
	uint64_t at;
	const char *kind = read_address(line, end, &at), *name = kind + 3, *tab;
	size_t length;

	if (!at || end - kind < 4)
		return 0;
	tab = memchr(name, '\t', (size_t)(end - name));
	length = (size_t)((tab ? tab : end) - name);
	if (!strchr("tTwW", kind[1])) {
		note_variable(n, at, name, length);
		return 0;
	}
	n->disordered |= n->count && at < n->symbols[n->count - 1].at;
	return add_symbol(n, at, name, length < SYMBOL_CHARS ? length : SYMBOL_CHARS);
}

/* Whole lines of the text; *used of its bytes. */
static int add_lines(struct drop_names *n, const char *text, size_t length, size_t *used)
{
	const char *line = text, *end;
	int e = 0;

	while (!e && (end = memchr(line, '\n', length - (size_t)(line - text)))) {
		e = add_line(n, line, end);
		line = end + 1;
	}
	*used = (size_t)(line - text);
	return e;
}

int drop_names_read_places(struct drop_names *n)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC), e = 0;
	static const size_t room = 65536;
	char *text = fd < 0 ? NULL : malloc(room);
	size_t have = 0, used = 0;
	ssize_t more = 1;

	while (text && !e && more > 0 && have < room) {
		more = read(fd, text + have, room - have);
		have += more > 0 ? (size_t)more : 0;
		e = add_lines(n, text, have, &used);
		have -= used;
		memmove(text, text + used, have);
	}
	if (fd >= 0 && !text)
		e = -ENOMEM;
	free(text);
	if (fd >= 0)
		close(fd);
	if (n->count && n->disordered)
		qsort(n->symbols, n->count, sizeof(*n->symbols), by_address);
	return e;
}

void drop_names_pages(const struct drop_names *n, uint64_t *page_offset_base_at,
		      uint64_t *vmemmap_base_at)
{
	*page_offset_base_at = n->page_offset_base_at;
	*vmemmap_base_at = n->vmemmap_base_at;
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

/* Where the program has not written it: "" if it is not known. */
static void name_interface(const struct drop_names *n, struct epb_drop *drop)
{
	const struct known *k = &n->known[known_place(drop->netns, drop->ifindex)];

	if (!drop->ifname[0] && drop->ifindex && k->netns == drop->netns &&
	    k->ifindex == drop->ifindex)
		memcpy(drop->ifname, k->name, sizeof(drop->ifname));
}

/* The last that begins at this address or before. */
static const struct symbol *find_symbol(const struct drop_names *n, uint64_t at)
{
	size_t from = 0, to = n->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (n->symbols[middle].at <= at)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? &n->symbols[from - 1] : NULL;
}

/* Not the address, which would tell of a file where the kernel was loaded. */
static void name_place(const struct drop_names *n, uint64_t at, char *text)
{
	const struct symbol *s = find_symbol(n, at);

	*text = 0;
	if (s && at - s->at <= UINT32_MAX)
		snprintf(text, PLACE_SIZE, "%s+0x%" PRIx64, n->names + s->name, at - s->at);
}

static void name_reason(const struct drop_names *n, uint32_t reason, char *text, size_t size)
{
	uint32_t i = index_of(reason);

	if (i < REASONS_MAX && n->reason[i])
		snprintf(text, size, "%s", n->reason[i]);
	else
		snprintf(text, size, "REASON_%" PRIu32, reason);
}

/* The program's option of a record that is whole; NULL: it has another. */
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

void drop_names_write(const struct drop_names *n, const struct epb_header *record,
		      const struct epb_lengths *l)
{
	struct epb_drop *to = find_drop(record, l), drop;
	char reason[REASON_CHARS + 1], place[PLACE_SIZE], ifname[sizeof(drop.ifname)];
	uint8_t out[sizeof(struct epb_drop)] = {0}, *at;
	struct epb_drop_named named;
	uint32_t length, option;

	if (!to)
		return;
	drop = *to;
	name_interface(n, &drop);
	name_reason(n, drop.reason, reason, sizeof(reason));
	name_place(n, (uint64_t)drop.place[1] << 32 | drop.place[0], place);
	snprintf(ifname, sizeof(ifname), "%.*s", (int)sizeof(ifname) - 1, drop.ifname);
	harmless(ifname); /* the format wants UTF-8 */
	length = (uint32_t)snprintf((char *)out + sizeof(option), sizeof(out) - sizeof(option),
				    "dropped: %s%s%s%s%s%s", reason, place[0] ? " in " : "", place,
				    ifname[0] ? " on " : "", ifname,
				    drop.netns ? "" : ", network namespace not known");
	option = EPB_OPTION(EPB_OPT_COMMENT_CODE, length);
	memcpy(out, &option, sizeof(option));
	at = out + sizeof(option) + EPB_PADDED(length);
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
