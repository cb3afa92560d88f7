/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "index/condition.h"
#include "index/keys.h"

#define WORD_ROOM 64

/* "and" and "or" have the same precedence, from left to right: pcap-filter(7). */
struct parser {
	struct condition *c;
	const char *at;
	char word[WORD_ROOM]; /* the current word; "" at the end */
	bool failed;	      /* the text is not understood */
	bool has_tags;	      /* "vlan" came: what follows is behind tags, and can only be and-ed */
	unsigned depth;
	/* Of the previous primitive, for an id without qualifiers. */
	bool may_inherit, is_port;
	uint8_t protocol;
};

static unsigned node(struct parser *p, struct condition_node n)
{
	if (p->c->nodes == CONDITION_NODES) {
		p->failed = true;
		return 0;
	}
	p->c->node[p->c->nodes] = n;
	return p->c->nodes++;
}

static unsigned any(struct parser *p)
{
	return node(p, (struct condition_node){.kind = CONDITION_ANY});
}

static unsigned key(struct parser *p, uint32_t k)
{
	return node(p, (struct condition_node){.kind = CONDITION_KEY, .key = k});
}

static bool asks(const struct parser *p, unsigned n)
{
	return p->c->node[n].kind != CONDITION_ANY;
}

static unsigned both(struct parser *p, unsigned a, unsigned b)
{
	if (!asks(p, a) || !asks(p, b))
		return asks(p, a) ? a : b;
	return node(p, (struct condition_node){.kind = CONDITION_AND, .of = {a, b}});
}

static unsigned either(struct parser *p, unsigned a, unsigned b)
{
	if (!asks(p, a) || !asks(p, b))
		return asks(p, a) ? b : a;
	return node(p, (struct condition_node){.kind = CONDITION_OR, .of = {a, b}});
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

/* Length of the next word; "(", ")", "!", "&&" and "||" are words. */
static size_t word_length(const char *at)
{
	if (strncmp(at, "&&", 2) == 0 || strncmp(at, "||", 2) == 0)
		return 2;
	if (*at && strchr("()!", *at))
		return 1;
	return strcspn(at, " \t\r\n()!&|");
}

static void next(struct parser *p)
{
	size_t n;

	skip_blanks(p);
	n = word_length(p->at);
	if (n >= WORD_ROOM || (n == 0 && *p->at)) {
		p->failed = true;
		n = 0;
	}
	memcpy(p->word, p->at, n);
	p->word[n] = 0;
	p->at += n;
}

static bool is(const struct parser *p, const char *word)
{
	return strcmp(p->word, word) == 0;
}

static bool take_word(struct parser *p, const char *word)
{
	bool taken = is(p, word);

	if (taken)
		next(p);
	return taken;
}

static bool is_among(const struct parser *p, const char *const *words)
{
	while (*words && !is(p, *words))
		words++;
	return *words;
}

static bool is_and(const struct parser *p)
{
	return is(p, "and") || is(p, "&&");
}

static bool is_or(const struct parser *p)
{
	return is(p, "or") || is(p, "||");
}

static bool ends_primitive(const struct parser *p)
{
	return !*p->word || is(p, ")") || is_and(p) || is_or(p);
}

static unsigned fail(struct parser *p)
{
	p->failed = true;
	return 0;
}

static bool number(const char *word, unsigned long most, unsigned long *to)
{
	char *end;

	*to = strtoul(word, &end, 0); /* 0x and a leading 0 mean the same to libpcap */
	return *word >= '0' && *word <= '9' && !*end && *to <= most;
}

/* A relation such as tcp[13] & 2 != 0: skips it, up to the next "and" or "or". The current word is
 * its first. */
static unsigned relation(struct parser *p)
{
	unsigned depth = 0;

	p->may_inherit = false;
	p->at -= strlen(p->word);
	for (;;) {
		skip_blanks(p);
		if (!*p->at || (*p->at == ')' && !depth))
			break;
		if (strncmp(p->at, "&&", 2) == 0 || strncmp(p->at, "||", 2) == 0 ||
		    ((strncmp(p->at, "and", 3) == 0 || strncmp(p->at, "or", 2) == 0) &&
		     strchr(" \t\r\n(!", p->at[*p->at == 'a' ? 3 : 2])))
			break;
		depth += *p->at == '(';
		depth -= *p->at == ')';
		p->at += *p->at && strchr("()!&|=<>", *p->at) ? 1
							      : strcspn(p->at, " \t\r\n()!&|=<>");
	}
	next(p);
	return any(p);
}

static unsigned address(struct parser *p)
{
	uint8_t bytes[16];

	if (inet_pton(AF_INET, p->word, bytes) == 1)
		return key(p, index_key_address(bytes, 4));
	if (inet_pton(AF_INET6, p->word, bytes) == 1)
		return key(p, index_key_address(bytes, 16));
	return any(p); /* it is a name */
}

static unsigned port(struct parser *p)
{
	static const uint8_t protocols[] = {6, 17, 132};
	unsigned long n;
	unsigned all;

	if (!number(p->word, UINT16_MAX, &n))
		return any(p);
	if (p->protocol)
		return key(p, index_key_port(p->protocol, (uint16_t)n));
	all = key(p, index_key_port(protocols[0], (uint16_t)n));
	for (unsigned i = 1; i < sizeof(protocols); i++)
		all = either(p, all, key(p, index_key_port(protocols[i], (uint16_t)n)));
	return all;
}

/* Reads the id of a primitive. */
static unsigned id(struct parser *p)
{
	unsigned n = p->is_port ? port(p) : address(p);

	if (ends_primitive(p) || is(p, "(") || is(p, "!"))
		return fail(p);
	next(p);
	p->may_inherit = true;
	return n;
}

/* Skips src, dst, "src or dst", "src and dst", which do not matter for keys. Returns false if there
 * is none. */
static bool direction(struct parser *p)
{
	const char *at;
	char word[WORD_ROOM];

	if (!is(p, "src") && !is(p, "dst"))
		return false;
	next(p);
	at = p->at;
	memcpy(word, p->word, sizeof(word));
	if (!is_and(p) && !is_or(p))
		return true;
	next(p);
	if (take_word(p, "src") || take_word(p, "dst"))
		return true;
	p->at = at;
	memcpy(p->word, word, sizeof(word));
	return true;
}

/* A primitive, with or without a word after it, that requires no key. */
static unsigned nothing(struct parser *p, bool has_word)
{
	p->may_inherit = false;
	if (has_word) {
		if (ends_primitive(p))
			return fail(p);
		next(p);
	}
	return ends_primitive(p) ? any(p) : fail(p);
}

/* Is the word an address? */
static bool is_address(const struct parser *p)
{
	uint8_t bytes[16];

	return inet_pton(AF_INET, p->word, bytes) == 1 || inet_pton(AF_INET6, p->word, bytes) == 1;
}

/* Reads what comes after protocol and direction. */
static unsigned kind(struct parser *p, bool has_protocol, bool has_direction)
{
	p->is_port = is(p, "port");
	if (p->is_port || is(p, "host")) {
		next(p);
		return id(p);
	}
	if (take_word(p, "net") || take_word(p, "portrange") ||
	    (!has_direction && take_word(p, "proto")))
		return nothing(p, true);
	if (is_address(p))
		return id(p);
	if (has_protocol && !has_direction && ends_primitive(p)) {
		p->may_inherit = false;
		return any(p);
	}
	return fail(p);
}

static unsigned primitive(struct parser *p)
{
	static const char *const alone[] = {"inbound", "outbound", "multicast", "broadcast",
					    "igmp",    "icmp",	   "icmp6",	"ah",
					    "esp",     "pim",	   "vrrp",	NULL};
	static const char *const networks[] = {"ip", "ip6", "arp", "rarp", NULL};
	bool has_protocol = true;

	p->protocol = 0;
	if (strchr(p->word, '[') || is(p, "len"))
		return relation(p);
	if (is_among(p, alone)) {
		next(p);
		return nothing(p, false);
	}
	if (take_word(p, "less") || take_word(p, "greater"))
		return nothing(p, true);
	if (take_word(p, "ether")) {
		if (take_word(p, "multicast") || take_word(p, "broadcast"))
			return nothing(p, false);
		direction(p);
		return take_word(p, "host") || take_word(p, "proto") ? nothing(p, true) : fail(p);
	}
	if (take_word(p, "tcp"))
		p->protocol = 6;
	else if (take_word(p, "udp"))
		p->protocol = 17;
	else if (take_word(p, "sctp"))
		p->protocol = 132;
	else if (is_among(p, networks)) {
		next(p);
		if (take_word(p, "multicast") || take_word(p, "broadcast"))
			return nothing(p, false);
	} else
		has_protocol = false;
	return kind(p, has_protocol, direction(p));
}

static unsigned expression(struct parser *p);

static unsigned term(struct parser *p)
{
	unsigned n;

	if (take_word(p, "not") || take_word(p, "!")) {
		if (++p->depth > WORD_ROOM)
			return fail(p);
		term(p); /* it must be understood, because it may contain a vlan, which is not */
		p->depth--;
		p->may_inherit = false;
		return any(p);
	}
	if (!is(p, "("))
		return primitive(p);
	if (++p->depth > WORD_ROOM)
		return fail(p);
	next(p);
	n = expression(p);
	p->depth--;
	p->may_inherit = false;
	return take_word(p, ")") ? n : fail(p);
}

/* Does the word use the previous primitive's qualifiers? As in "port 80 or 443", "host 10.0.0.1 and
 * 10.0.0.2". */
static bool inherits(const struct parser *p)
{
	unsigned long n;

	return p->may_inherit && (p->is_port ? number(p->word, UINT16_MAX, &n) : is_address(p));
}

static unsigned expression(struct parser *p)
{
	unsigned n = term(p), other;

	while (!p->failed && (is_and(p) || is_or(p))) {
		bool all = is_and(p);

		if (!all && p->has_tags && !p->depth)
			return fail(p);
		next(p);
		other = inherits(p) ? id(p) : term(p);
		if (!p->failed)
			n = all ? both(p, n, other) : either(p, n, other);
	}
	return n;
}

/* Reads "vlan", "vlan 5", "vlan and vlan" at the beginning, and-ed with what is behind the tags. */
static unsigned tags(struct parser *p)
{
	unsigned n = any(p);
	unsigned long tag;

	for (unsigned tags = 0; is(p, "vlan"); tags++) {
		if (tags == INDEX_TAGS_MOST)
			return fail(p);
		next(p);
		p->has_tags = true;
		if (number(p->word, 0xfff, &tag)) {
			n = both(p, n, key(p, index_key_tag((uint16_t)tag)));
			next(p);
		}
		if (!*p->word)
			return n;
		if (!is_and(p))
			return fail(p);
		next(p);
	}
	return both(p, n, expression(p));
}

void condition_read(struct condition *c, const char *text)
{
	struct parser p = {.c = c, .at = text ? text : ""};

	c->nodes = 0;
	next(&p);
	c->root = *p.word ? tags(&p) : any(&p);
	if (!p.failed && !*p.word)
		return;
	c->nodes = 0;
	p.failed = false;
	c->root = any(&p);
}

bool condition_has_keys(const struct condition *c)
{
	return c->node[c->root].kind != CONDITION_ANY;
}

static bool may(const struct condition *c, unsigned n, condition_has *has, const void *context)
{
	const struct condition_node *node = &c->node[n];

	switch (node->kind) {
	case CONDITION_KEY:
		return has(context, node->key);
	case CONDITION_AND:
		return may(c, node->of[0], has, context) && may(c, node->of[1], has, context);
	case CONDITION_OR:
		return may(c, node->of[0], has, context) || may(c, node->of[1], has, context);
	default:
		return true;
	}
}

bool condition_may(const struct condition *c, condition_has *has, const void *context)
{
	return may(c, c->root, has, context);
}

static void hit(void *context, uint64_t granule)
{
	uint64_t *granules = context;

	granules[granule / 64] |= 1ull << granule % 64;
}

static int find_granules(const struct condition *c, unsigned n, const struct index *x,
			 uint64_t *granules)
{
	const struct condition_node *node = &c->node[n];
	uint64_t words = (x->granules + 63) / 64, *other;
	int e;

	if (node->kind == CONDITION_KEY)
		return index_find(x, node->key, hit, granules);
	e = find_granules(c, node->of[0], x, granules);
	if (e)
		return e;
	other = calloc(words + 1, sizeof(*other));
	if (!other)
		return -ENOMEM;
	e = find_granules(c, node->of[1], x, other);
	for (uint64_t i = 0; i < words; i++)
		granules[i] = node->kind == CONDITION_AND ? granules[i] & other[i]
							  : granules[i] | other[i];
	free(other);
	return e;
}

/* Granules whose keys are not in the index must be read: they may have any key, so they are added
 * at the end. */
int condition_find(const struct condition *c, const struct index *x, uint64_t *granules)
{
	bool has_keys = condition_has_keys(c);
	int e = has_keys ? find_granules(c, c->root, x, granules) : 0;

	for (uint64_t i = 0; i < x->granules; i++)
		if (!has_keys || x->granule[i].flags & GRANULE_SCAN)
			hit(granules, i);
	return e;
}
