/* SPDX-License-Identifier: BSD-3-Clause */
/* Device names: xdp:IFACE[,option=value]... */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"

/* One value of an option that takes words. */
struct word {
	const char *name;
	int value;
};

static const struct word hooks[] = {{"auto", CAPTURE_HOOK_AUTO},
				    {"xdp", CAPTURE_HOOK_XDP},
				    {"tc", CAPTURE_HOOK_TC},
				    {"packet", CAPTURE_HOOK_PACKET},
				    {NULL, 0}};
static const struct word xdp_modes[] = {
	{"native", CAPTURE_XDP_NATIVE}, {"skb", CAPTURE_XDP_SKB}, {NULL, 0}};

static const struct word engines[] = {
	{"tap", CAPTURE_ENGINE_TAP}, {"divert", CAPTURE_ENGINE_DIVERT}, {NULL, 0}};
static const struct word zero_copies[] = {{"auto", CAPTURE_ZERO_COPY_AUTO},
					  {"on", CAPTURE_ZERO_COPY_ON},
					  {"off", CAPTURE_ZERO_COPY_OFF},
					  {NULL, 0}};
static const struct word pass_drop[] = {{"pass", 0}, {"drop", 1}, {NULL, 0}};
static const struct word on_off[] = {{"off", 0}, {"on", 1}, {NULL, 0}};

/* "xdp-mode=fast: not a value; valid are native, skb" */
static int bad_word(const char *option, const char *value, const struct word *w, char *err,
		    size_t size)
{
	size_t n = (size_t)snprintf(err, size, "%s=%s: not a value; valid are", option, value);

	for (; w->name && n < size; w++)
		n += (size_t)snprintf(err + n, size - n, " %s%s", w->name, w[1].name ? "," : "");
	return -EINVAL;
}

static int find_word(const struct word *w, const char *value)
{
	for (; w->name; w++)
		if (strcmp(w->name, value) == 0)
			return w->value;
	return -1;
}

/* A number of bytes with K, M or G behind it; 0 is not a size. */
static int parse_size(const char *text, uint64_t *size)
{
	char *end;
	unsigned shift = 0;
	unsigned long long n;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &end, 10);
	switch (*end) {
	case 'k':
	case 'K':
		shift = 10;
		end++;
		break;
	case 'm':
	case 'M':
		shift = 20;
		end++;
		break;
	case 'g':
	case 'G':
		shift = 30;
		end++;
		break;
	}
	if (errno || *end || n == 0 || n > UINT64_MAX >> shift)
		return -EINVAL;
	*size = n << shift;
	return 0;
}

static int set_hook(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(hooks, value);

	if (v < 0)
		return bad_word("hook", value, hooks, err, size);
	o->hook = (enum capture_hook)v;
	return 0;
}

static int set_xdp_mode(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(xdp_modes, value);

	if (v < 0)
		return bad_word("xdp-mode", value, xdp_modes, err, size);
	o->xdp_mode = (enum capture_xdp_mode)v;
	return 0;
}

static int set_ring(struct capture_options *o, const char *value, char *err, size_t size)
{
	uint64_t n = 0;

	if (parse_size(value, &n) || n < RING_SIZE_MIN || n > RING_SIZE_MAX || (n & (n - 1))) {
		snprintf(err, size, "ring=%s: give a power of two from 512K to 256M, such as 16M",
			 value);
		return -EINVAL;
	}
	o->ring_size = n;
	return 0;
}

static int set_ring_total(struct capture_options *o, const char *value, char *err, size_t size)
{
	uint64_t n = 0;

	if (parse_size(value, &n) || n < RING_SIZE_MIN) {
		snprintf(err, size, "ring-total=%s: give a size of at least 512K, such as 256M",
			 value);
		return -EINVAL;
	}
	o->ring_total = n;
	return 0;
}

static int set_loader(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(on_off, value);

	if (v < 0)
		return bad_word("loader", value, on_off, err, size);
	o->loader_off = !v;
	return 0;
}

static int set_vlan(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(on_off, value);

	if (v < 0)
		return bad_word("vlan", value, on_off, err, size);
	o->vlan_off = !v;
	return 0;
}

static int set_hash(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(on_off, value);

	if (v < 0)
		return bad_word("hash", value, on_off, err, size);
	o->hash = v;
	return 0;
}

static int set_engine(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(engines, value);

	if (v < 0)
		return bad_word("engine", value, engines, err, size);
	o->engine = (enum capture_engine)v;
	return 0;
}

static int set_zero_copy(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(zero_copies, value);

	if (v < 0)
		return bad_word("zero-copy", value, zero_copies, err, size);
	o->zero_copy = (enum capture_zero_copy)v;
	return 0;
}

static int set_busy_poll(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(on_off, value);

	if (v < 0)
		return bad_word("busy-poll", value, on_off, err, size);
	o->busy_poll = v;
	return 0;
}

static int set_after(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(pass_drop, value);

	if (v < 0)
		return bad_word("after", value, pass_drop, err, size);
	o->after_drop = v;
	return 0;
}

static int set_rest(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(pass_drop, value);

	if (v < 0)
		return bad_word("rest", value, pass_drop, err, size);
	o->rest_drop = v;
	return 0;
}

/* "3", "0-3"; *text goes on behind it. */
static int parse_queues(const char **text, uint64_t *queues)
{
	char *end;
	unsigned long from, to;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	from = to = strtoul(*text, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		to = strtoul(end + 1, &end, 10);
	if (to < from || to >= CAPTURE_QUEUES_MAX)
		return -EINVAL;
	for (; from <= to; from++)
		queues[from / 64] |= 1ull << from % 64;
	*text = end;
	return 0;
}

/* A comma ends an option: + is between ranges. */
static int set_queues(struct capture_options *o, const char *value, char *err, size_t size)
{
	uint64_t queues[CAPTURE_QUEUES_MAX / 64] = {0};
	const char *text = value;
	int e = 0;

	if (strcmp(value, "all") != 0) {
		e = parse_queues(&text, queues);
		while (!e && *text == '+') {
			text++;
			e = parse_queues(&text, queues);
		}
		if (*text)
			e = -EINVAL;
	}
	if (e) {
		snprintf(err, size,
			 "queues=%s: give all, or numbers and ranges up to %u, as in 0-3+6", value,
			 CAPTURE_QUEUES_MAX - 1);
		return -EINVAL;
	}
	memcpy(o->queues, queues, sizeof(queues));
	return 0;
}

static int set_xdp_obj(struct capture_options *o, const char *value, char *err, size_t size)
{
	if (strlen(value) >= sizeof(o->xdp_obj)) {
		snprintf(err, size, "xdp-obj=%.32s...: no name has more than %zu characters here",
			 value, sizeof(o->xdp_obj) - 1);
		return -EINVAL;
	}
	strcpy(o->xdp_obj, value);
	return 0;
}

static int set_join(struct capture_options *o, const char *value, char *err, size_t size)
{
	int v = find_word(on_off, value);

	if (v < 0)
		return bad_word("join", value, on_off, err, size);
	o->join = v;
	return 0;
}

/* Without a suffix, from least to most. */
static int parse_number(const char *text, uint32_t least, uint32_t most, uint32_t *n)
{
	uint64_t value;

	if (strspn(text, "0123456789") != strlen(text) || parse_size(text, &value) ||
	    value < least || value > most)
		return -EINVAL;
	*n = (uint32_t)value;
	return 0;
}

static int set_sample(struct capture_options *o, const char *value, char *err, size_t size)
{
	if (parse_number(value, 1, UINT32_MAX, &o->sample)) {
		snprintf(err, size, "sample=%s: give a number, such as 100 for one frame in 100",
			 value);
		return -EINVAL;
	}
	return 0;
}

/* "l4", "l4+64" */
static int set_slice(struct capture_options *o, const char *value, char *err, size_t size)
{
	static const struct word depths[] = {{"off", SLICE_OFF},
					     {"l2", SLICE_L2},
					     {"l3", SLICE_L3},
					     {"l4", SLICE_L4},
					     {NULL, 0}};
	const char *plus = strchr(value, '+');
	char depth[8];
	int v;

	snprintf(depth, sizeof(depth), "%.*s", (int)(plus ? plus - value : 7), value);
	v = find_word(depths, depth);
	o->slice_more = 0;
	if (v < 0 || (plus && parse_number(plus + 1, 1, CAPTURE_SNAPLEN_MAX, &o->slice_more))) {
		snprintf(err, size,
			 "slice=%s: give off, l2, l3 or l4, the last header to keep, with +BYTES "
			 "for "
			 "what follows it",
			 value);
		return -EINVAL;
	}
	o->slice = (uint32_t)v;
	return 0;
}

static int set_flow_cutoff(struct capture_options *o, const char *value, char *err, size_t size)
{
	if (strcmp(value, "off") == 0) {
		o->flow_cutoff = 0;
	} else if (parse_size(value, &o->flow_cutoff)) {
		snprintf(err, size, "flow-cutoff=%s: give a number of bytes, such as 64K, or off",
			 value);
		return -EINVAL;
	}
	return 0;
}

static int set_flow_table(struct capture_options *o, const char *value, char *err, size_t size)
{
	if (parse_number(value, CAPTURE_FLOWS_MIN, CAPTURE_FLOWS_MAX, &o->flow_table)) {
		snprintf(err, size, "flow-table=%s: give a number of flows from %u to %u", value,
			 CAPTURE_FLOWS_MIN, CAPTURE_FLOWS_MAX);
		return -EINVAL;
	}
	return 0;
}

/* Descriptors from 3 on: the first are the standard ones. */
static int parse_fd(const char **text, int *fd)
{
	char *end;
	unsigned long n;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	n = strtoul(*text, &end, 10);
	if (n < 3 || n > INT_MAX)
		return -EINVAL;
	*fd = (int)n;
	*text = end;
	return 0;
}

static int set_sock_fds(struct capture_options *o, const char *value, char *err, size_t size)
{
	const char *text = value;
	int e = 0;

	o->sock_fd_count = 0;
	do
		e = o->sock_fd_count < CAPTURE_SOCK_FDS_MAX
			    ? parse_fd(&text, &o->sock_fds[o->sock_fd_count++])
			    : -EINVAL;
	while (!e && *text == '+' && text++);
	if (e || *text) {
		snprintf(
			err, size,
			"sock-fds=%s: give up to %u open descriptors of AF_XDP sockets, from 3 on, "
			"one for each queue, as in 3+4",
			value, CAPTURE_SOCK_FDS_MAX);
		return -EINVAL;
	}
	return 0;
}

static int set_prog_fd(struct capture_options *o, const char *value, char *err, size_t size)
{
	const char *text = value;

	if (parse_fd(&text, &o->prog_fd) || *text) {
		snprintf(err, size,
			 "prog-fd=%s: give the open descriptor of an XDP program, from 3 on",
			 value);
		return -EINVAL;
	}
	return 0;
}

static const struct {
	const char *name;
	int (*set)(struct capture_options *, const char *value, char *err, size_t size);
} options[] = {
	{"engine", set_engine},
	{"hook", set_hook},
	{"xdp-mode", set_xdp_mode},
	{"ring", set_ring},
	{"ring-total", set_ring_total},
	{"loader", set_loader},
	{"vlan", set_vlan},
	{"hash", set_hash},
	{"join", set_join},
	{"queues", set_queues},
	{"xdp-obj", set_xdp_obj},
	{"zero-copy", set_zero_copy},
	{"busy-poll", set_busy_poll},
	{"after", set_after},
	{"rest", set_rest},
	{"sample", set_sample},
	{"slice", set_slice},
	{"flow-cutoff", set_flow_cutoff},
	{"flow-table", set_flow_table},
	{"sock-fds", set_sock_fds},
	{"prog-fd", set_prog_fd},
};
#define OPTION_COUNT (sizeof(options) / sizeof(options[0]))

static int unknown_option(const char *name, char *err, size_t size)
{
	size_t n = (size_t)snprintf(err, size, "%s: not an option; valid are", name);

	for (size_t i = 0; i < OPTION_COUNT && n < size; i++)
		n += (size_t)snprintf(err + n, size - n, " %s%s", options[i].name,
				      i + 1 < OPTION_COUNT ? "," : "");
	return -EINVAL;
}

static int set_option(struct capture_options *o, char *text, char *err, size_t size)
{
	char *value = strchr(text, '=');

	if (value)
		*value++ = 0;
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (strcmp(options[i].name, text) != 0)
			continue;
		if (value && *value)
			return options[i].set(o, value, err, size);
		snprintf(err, size, "%s: needs a value, as in %s=...", text, text);
		return -EINVAL;
	}
	return unknown_option(text, err, size);
}

/* option=value[,option=value]...; takes the text apart in place. */
static int set_options(struct capture_options *o, char *text, char *err, size_t size)
{
	char *save, *part;
	int e;

	for (part = strtok_r(text, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
		e = set_option(o, part, err, size);
		if (e)
			return e;
	}
	return 0;
}

static int set_default_options(struct capture_options *o, char *err, size_t size)
{
	const char *env = getenv("PCAP_AFXDP_OPTIONS");
	char *text = env ? strdup(env) : NULL;
	char why[CAPTURE_ERROR_SIZE];
	int e;

	if (!env)
		return 0;
	if (!text)
		return -ENOMEM;
	e = set_options(o, text, why, sizeof(why));
	if (e)
		snprintf(err, size, "PCAP_AFXDP_OPTIONS: %s", why);
	free(text);
	return e;
}

static int set_ifname(struct capture_options *o, const char *name, char *err, size_t size)
{
	if (!*name) {
		snprintf(err, size, "name an interface, as in " CAPTURE_PREFIX "eth0");
		return -ENODEV;
	}
	if (strlen(name) >= IFNAMSIZ) {
		snprintf(err, size, "%s: no such interface, names have at most %d characters", name,
			 IFNAMSIZ - 1);
		return -ENODEV;
	}
	if (strcmp(name, "any") == 0) {
		snprintf(err, size,
			 "XDP programs sit on one interface: there is no \"any\"; give xdpdump "
			 "several -i, or use the ordinary device any");
		return -ENODEV;
	}
	strcpy(o->ifname, name);
	return 0;
}

int capture_parse_device(const char *device, struct capture_options *o, char *err, size_t size)
{
	char *text, *comma;
	int e;

	if (strncmp(device, CAPTURE_PREFIX, strlen(CAPTURE_PREFIX)) == 0)
		device += strlen(CAPTURE_PREFIX);
	text = strdup(device);
	if (!text)
		return -ENOMEM;
	comma = strchr(text, ',');
	if (comma)
		*comma++ = 0;
	e = set_ifname(o, text, err, size);
	if (!e)
		e = set_default_options(o, err, size);
	if (!e && comma)
		e = set_options(o, comma, err, size);
	free(text);
	return e;
}

static bool is_ring_size(uint64_t n)
{
	return n == 0 || (n >= RING_SIZE_MIN && n <= RING_SIZE_MAX && (n & (n - 1)) == 0);
}

static bool is_flow_table(uint32_t n)
{
	return n == 0 || (n >= CAPTURE_FLOWS_MIN && n <= CAPTURE_FLOWS_MAX);
}

/* A bool of unknown origin may hold any byte; it must not be read as a bool before it is known. */
static bool is_bool(const bool *b)
{
	unsigned char byte;

	memcpy(&byte, b, sizeof(byte));
	return byte <= 1;
}

bool capture_options_valid(const struct capture_options *o)
{
	const bool *bools[] = {&o->in_only,    &o->out_only,	   &o->promiscuous, &o->vlan_off,
			       &o->loader_off, &o->filter_follows, &o->immediate,   &o->nic_time,
			       &o->nic_synced, &o->hash,	   &o->coarse_time, &o->busy_poll,
			       &o->after_drop, &o->rest_drop,	   &o->join};

	for (size_t i = 0; i < sizeof(bools) / sizeof(bools[0]); i++)
		if (!is_bool(bools[i]))
			return false;
	return memchr(o->ifname, 0, sizeof(o->ifname)) && o->ifname[0] && !o->xdp_obj[0] &&
	       (unsigned)o->engine <= CAPTURE_ENGINE_DIVERT &&
	       (unsigned)o->zero_copy <= CAPTURE_ZERO_COPY_OFF &&
	       (unsigned)o->hook <= CAPTURE_HOOK_PACKET &&
	       (unsigned)o->xdp_mode <= CAPTURE_XDP_SKB && is_ring_size(o->ring_size) &&
	       (o->ring_total == 0 || o->ring_total >= RING_SIZE_MIN) && o->snaplen &&
	       o->snaplen <= CAPTURE_SNAPLEN_MAX && o->slice <= SLICE_L4 &&
	       o->slice_more <= CAPTURE_SNAPLEN_MAX && is_flow_table(o->flow_table) &&
	       /* Descriptors are of the process that names them. */
	       !o->sock_fd_count && !o->prog_fd && !(o->in_only && o->out_only);
}
