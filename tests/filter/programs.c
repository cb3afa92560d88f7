/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Programs to translate: compiled expressions, random expressions, random instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pcap/pcap.h>

#include "support.h"

enum { SNAPLEN = 262144 };

uint32_t libpcap_filter(const struct sock_filter *f, const uint8_t *data, uint32_t wire,
			uint32_t len)
{
	_Static_assert(sizeof(struct sock_filter) == sizeof(struct bpf_insn), "one layout");
	/* libpcap 1.11 deprecates it; pcap_offline_filter() there wants the number of instructions
	 * as well. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	return bpf_filter((const struct bpf_insn *)f, data, wire, len);
#pragma GCC diagnostic pop
}

bool program_compile(struct program *program, const char *expression, bool optimise)
{
	pcap_t *p = pcap_open_dead(DLT_EN10MB, SNAPLEN);
	struct bpf_program compiled;
	bool ok;

	*program = (struct program){0};
	ok = p && !pcap_compile(p, &compiled, expression, optimise, 0xffffff00);
	if (ok) {
		program->n = compiled.bf_len;
		program->f = calloc(program->n, sizeof(*program->f));
		memcpy(program->f, compiled.bf_insns, program->n * sizeof(*program->f));
		snprintf(program->name, sizeof(program->name), "%s%s", expression,
			 optimise ? "" : " (-O)");
		pcap_freecode(&compiled);
	}
	if (p)
		pcap_close(p);
	return ok;
}

bool program_asks_again(void)
{
	return strncmp(pcap_lib_version(), "libpcap version 1.10.", 21) != 0;
}

const char *program_line(const struct sock_filter *f, unsigned i)
{
	return bpf_image((const struct bpf_insn *)&f[i], (int)i);
}

void program_dump(const struct program *program)
{
	for (unsigned i = 0; i < program->n; i++)
		puts(program_line(program->f, i));
}

struct text {
	char *at;
	size_t size, len;
	struct rng *r;
};

static void put(struct text *t, const char *word)
{
	size_t n = strlen(word);

	if (t->len + n + 2 > t->size)
		return;
	memcpy(t->at + t->len, word, n);
	t->len += n;
	t->at[t->len++] = ' ';
	t->at[t->len] = 0;
}

static void put_number(struct text *t, const char *format, unsigned value)
{
	char word[64];

	snprintf(word, sizeof(word), format, value);
	put(t, word);
}

static const char *pick(struct rng *r, const char *const *from, unsigned n)
{
	return from[rng_below(r, n)];
}

#define PICK(r, ...)                                                                               \
	pick(r, (const char *const[]){__VA_ARGS__},                                                \
	     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void put_host(struct text *t)
{
	struct rng *r = t->r;
	char word[64];

	snprintf(word, sizeof(word), "10.0.%u.%u", rng_below(r, 4), rng_below(r, 8));
	put(t, PICK(r, "host", "src host", "dst host", "ip host", "arp host", "src or dst host"));
	put(t, word);
}

static void put_net(struct text *t)
{
	struct rng *r = t->r;

	put(t, PICK(r, "net", "src net", "dst net"));
	put(t, PICK(r, "10.0.0.0/8", "10.0.1.0/24", "10.0.0.0/15", "192.168.0.0/16",
		    "2001:db8::/32", "fe80::/10", "10.0.0.0/30"));
}

static void put_port(struct text *t)
{
	struct rng *r = t->r;

	put(t, PICK(r, "port", "tcp port", "udp port", "src port", "tcp dst port", "udp src port",
		    "sctp port"));
	put(t, PICK(r, "53", "80", "443", "22", "65535", "1024"));
}

static void put_protocol(struct text *t)
{
	put(t, PICK(t->r, "ip", "ip6", "arp", "rarp", "tcp", "udp", "icmp", "icmp6", "sctp", "igmp",
		    "ip6 protochain 17", "ip protochain 6", "protochain 58", "ip proto 47",
		    "ip6 proto 58", "ether proto 0x88cc", "stp", "ipx", "netbeui", "iso", "decnet",
		    "atalk", "aarp", "broadcast", "multicast", "ip broadcast", "ip multicast",
		    "ip6 multicast", "ether multicast", "ah", "esp", "pim", "vrrp",
		    "ether host 02:00:00:00:00:01", "ether src 02:00:00:00:00:02",
		    "portrange 20-80", "tcp portrange 1000-2000", "llc", "vlan 100 or vlan 2"));
}

static void put_length(struct text *t)
{
	put(t, PICK(t->r, "less", "greater", "len >", "len =", "len <="));
	put_number(t, "%u", rng_below(t->r, 160));
}

static void put_access(struct text *t)
{
	struct rng *r = t->r;
	char word[64];

	if (rng_chance(r, 10)) {
		put(t, PICK(r, "ether[ip[0] & 0xf]", "ip[ip[0] & 15 + 2 : 2]", "tcp[0 - 20]",
			    "ether[len - 20]", "ip[2:2] << ip[8]", "ether[0:4] >> ip[8]",
			    "tcp[(tcp[12] & 0xf0) >> 2]"));
		return;
	}
	snprintf(word, sizeof(word), "%s[%u:%s]",
		 PICK(r, "ether", "ip", "ip6", "tcp", "udp", "icmp", "arp"), rng_below(r, 24),
		 PICK(r, "1", "2", "4"));
	put(t, word);
}

static void put_arithmetic(struct text *t)
{
	struct rng *r = t->r;

	put_access(t);
	for (unsigned i = rng_below(r, 3); i > 0; i--) {
		put(t, PICK(r, "+", "-", "*", "/", "%", "&", "|", "^"));
		if (rng_chance(r, 40))
			put_access(t);
		else
			put_number(t, "%u", 1 + rng_below(r, 300));
	}
	put(t, PICK(r, "=", "!=", ">", "<", ">=", "<="));
	put_number(t, "%u", rng_below(r, rng_chance(r, 50) ? 300 : 70000));
}

static void put_layer(struct text *t)
{
	put(t, PICK(t->r, "vlan", "vlan 100", "vlan and vlan", "mpls", "mpls 1000", "pppoes",
		    "pppoes 1", "geneve", "vlan 1 and vlan 2", "mpls 1000 and mpls"));
	put(t, "and");
}

static void put_ports(struct text *t)
{
	unsigned n = 6 + rng_below(t->r, 14);

	put(t, "( udp port 53");
	for (unsigned i = 0; i < n; i++)
		put_number(t, "or port %u", rng_below(t->r, 1030));
	put(t, ")");
}

static void put_term(struct text *t, unsigned depth);

static void put_terms(struct text *t, unsigned depth)
{
	put(t, "(");
	put_term(t, depth - 1);
	for (unsigned i = rng_below(t->r, 3); i > 0; i--) {
		put(t, PICK(t->r, "and", "or", "and not", "or not"));
		put_term(t, depth - 1);
	}
	put(t, ")");
}

static void put_term(struct text *t, unsigned depth)
{
	switch (rng_below(t->r, depth ? 12 : 8)) {
	case 0:
	case 1:
		put_host(t);
		break;
	case 2:
		put_net(t);
		break;
	case 3:
		put_port(t);
		break;
	case 4:
	case 5:
		put_protocol(t);
		break;
	case 6:
		put_length(t);
		break;
	case 7:
		put_arithmetic(t);
		break;
	case 8:
		put_ports(t);
		break;
	default:
		put_terms(t, depth);
	}
}

void expression_random(char *text, size_t size, struct rng *r)
{
	struct text t = {.at = text, .size = size, .r = r};

	text[0] = 0;
	if (rng_chance(r, 3)) {
		expression_addresses(text, size, 16 + rng_below(r, 24), r);
		return;
	}
	if (rng_chance(r, 20))
		put(&t, "not");
	if (rng_chance(r, 20)) {
		put_layer(&t);
		put_terms(&t, 1);
	} else {
		put_terms(&t, 2);
	}
}

void expression_hosts(char *text, size_t size, unsigned n)
{
	size_t len = 0;

	for (unsigned i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%shost 10.%u.%u.%u",
					i ? " or " : "", i / 64, i / 8 % 8, i % 8);
}

/* From few words, so that terms share some of them. */
static void put_address(struct text *t, unsigned kind)
{
	static const char *const direction[] = {"", "src ", "dst "};
	uint32_t bits = 20 + rng_below(t->r, 45), low = rng_below(t->r, 30);
	unsigned a = 8 + rng_below(t->r, 3), b = rng_below(t->r, 4);
	char term[80];

	if (kind == 0)
		snprintf(term, sizeof(term), "ether host 02:00:00:0%u:%02x:%02x", b, low, low / 3);
	else if (kind == 1)
		snprintf(term, sizeof(term), "%shost 2001:%u:%x::%x:%x",
			 direction[rng_below(t->r, 8) < 7 ? 0 : b % 3], a, b, b, low);
	else if (bits < 33)
		snprintf(term, sizeof(term), "net 200%x:%x::/32", b, low);
	else
		snprintf(term, sizeof(term), "net 2001:%u:%x:%x::/64", a, low, b);
	put(t, term);
}

void expression_addresses(char *text, size_t size, unsigned n, struct rng *r)
{
	struct text t = {.at = text, .size = size, .r = r};
	unsigned kind = rng_below(r, 4); /* the last is of nets and hosts */

	text[0] = 0;
	put(&t, rng_chance(r, 20) ? "not (" : "(");
	for (unsigned i = 0; i < n; i++) {
		if (i)
			put(&t, "or");
		put_address(&t, kind < 3 ? kind : 1 + rng_below(r, 2));
	}
	put(&t, rng_chance(r, 30) ? ") and tcp" : ")");
}

static uint32_t random_constant(struct rng *r)
{
	static const uint32_t edge[] = {0,	1,	    2,		31,	    32,
					33,	0xff,	    0x100,	0x7fff,	    0x8000,
					0xfffe, 0xffff,	    0x10000,	0x800,	    0x86dd,
					0x8100, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff};

	if (rng_chance(r, 30))
		return edge[rng_below(r, sizeof(edge) / sizeof(edge[0]))];
	if (rng_chance(r, 70))
		return rng_below(r, 64);
	return (uint32_t)rng_next(r);
}

static uint32_t random_offset(struct rng *r)
{
	return rng_chance(r, 92) ? rng_below(r, 64) : random_constant(r);
}

static struct sock_filter random_load(struct rng *r)
{
	static const uint16_t size[] = {BPF_B, BPF_H, BPF_W};
	uint16_t width = size[rng_below(r, 3)];

	switch (rng_below(r, 12)) {
	case 0:
		return (struct sock_filter){.code = BPF_LD | BPF_IMM, .k = random_constant(r)};
	case 1:
		return (struct sock_filter){.code = BPF_LD | BPF_W | BPF_LEN};
	case 2:
		return (struct sock_filter){.code = BPF_LD | BPF_MEM, .k = rng_below(r, 16)};
	case 3:
		return (struct sock_filter){.code = BPF_LDX | BPF_IMM, .k = random_constant(r)};
	case 4:
		return (struct sock_filter){.code = BPF_LDX | BPF_W | BPF_LEN};
	case 5:
		return (struct sock_filter){.code = BPF_LDX | BPF_MEM, .k = rng_below(r, 16)};
	case 6:
		return (struct sock_filter){.code = BPF_LDX | BPF_B | BPF_MSH,
					    .k = random_offset(r)};
	case 7:
	case 8:
		return (struct sock_filter){.code = BPF_LD | BPF_IND | width,
					    .k = random_offset(r)};
	default:
		return (struct sock_filter){.code = BPF_LD | BPF_ABS | width,
					    .k = random_offset(r)};
	}
}

static struct sock_filter random_operation(struct rng *r)
{
	static const uint16_t op[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_MOD, BPF_AND,
				      BPF_OR,  BPF_XOR, BPF_LSH, BPF_RSH, BPF_NEG};
	struct sock_filter q = {.code = BPF_ALU | op[rng_below(r, 11)]};

	if (q.code == (BPF_ALU | BPF_NEG))
		return q;
	if (rng_chance(r, 50)) {
		q.code |= BPF_X;
		return q;
	}
	q.k = random_constant(r);
	if (BPF_OP(q.code) == BPF_LSH || BPF_OP(q.code) == BPF_RSH)
		q.k %= 32;
	if ((BPF_OP(q.code) == BPF_DIV || BPF_OP(q.code) == BPF_MOD) && !q.k)
		q.k = 1;
	return q;
}

static struct sock_filter random_jump(struct rng *r, unsigned left)
{
	static const uint16_t op[] = {BPF_JEQ, BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET};
	unsigned most = left < 250 ? left : 250, near = most < 8 ? most : 8;
	struct sock_filter q = {.code = BPF_JMP | op[rng_below(r, 5)], .k = random_constant(r)};

	if (rng_chance(r, 10))
		return (struct sock_filter){.code = BPF_JMP | BPF_JA, .k = rng_below(r, near)};
	if (rng_chance(r, 15))
		q.code |= BPF_X;
	q.jt = (uint8_t)rng_below(r, rng_chance(r, 20) ? most : near);
	q.jf = rng_chance(r, 50) ? 0 : (uint8_t)rng_below(r, near);
	return q;
}

static struct sock_filter random_return(struct rng *r)
{
	if (rng_chance(r, 40))
		return (struct sock_filter){.code = BPF_RET | BPF_A};
	return (struct sock_filter){.code = BPF_RET | BPF_K,
				    .k = rng_chance(r, 30) ? 0 : random_constant(r)};
}

static struct sock_filter random_insn(struct rng *r, unsigned left)
{
	switch (rng_below(r, 20)) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
	case 5:
	case 6:
		return random_load(r);
	case 7:
	case 8:
	case 9:
	case 10:
		return random_operation(r);
	case 11:
		return (struct sock_filter){.code = BPF_ST, .k = rng_below(r, 16)};
	case 12:
		return (struct sock_filter){.code = BPF_STX, .k = rng_below(r, 16)};
	case 13:
		return (struct sock_filter){.code = BPF_MISC | BPF_TAX};
	case 14:
		return (struct sock_filter){.code = BPF_MISC | BPF_TXA};
	case 15:
		if (rng_chance(r, 20))
			return random_return(r);
		/* fall through */
	default:
		return random_jump(r, left);
	}
}

/* A run of equal tests, so that chains with odd neighbours come up. Number of instructions. */
static unsigned random_run(struct sock_filter *f, unsigned left, struct rng *r)
{
	unsigned tests = 16 + rng_below(r, 24), n = 0;
	struct sock_filter load = {.code = BPF_LD | BPF_ABS | BPF_H, .k = 12 + rng_below(r, 12)};

	if (rng_chance(r, 30))
		load.code = BPF_LD | BPF_IND | BPF_B;
	if (left < 3 * tests + 2)
		return 0;
	f[n++] = load;
	for (unsigned i = 0; i < tests; i++) {
		if (rng_chance(r, 15)) {
			f[n] = load;
			f[n++].k += rng_below(r, 2) * 2;
			if (rng_chance(r, 30))
				f[n++] = (struct sock_filter){.code = BPF_ALU | BPF_AND | BPF_K,
							      .k = 0xff0};
		}
		f[n++] = (struct sock_filter){.code = BPF_JMP | BPF_JEQ | BPF_K,
					      .k = rng_chance(r, 10) ? random_constant(r)
								     : rng_below(r, 0x1000)};
	}
	for (unsigned i = 0; i < n; i++) /* all true sides to one place */
		if (BPF_CLASS(f[i].code) == BPF_JMP)
			f[i].jt = (uint8_t)(n - i - 1 + (left - n > 1 ? 1 : 0));
	return n;
}

void program_random(struct program *program, struct rng *r)
{
	unsigned n = 2 + rng_below(r, rng_chance(r, 20) ? 200 : 30), i = 0;

	program->f = calloc(n, sizeof(*program->f));
	program->n = n;
	snprintf(program->name, sizeof(program->name), "random program of %u", n);
	while (i < n - 1) {
		if (n > 100 && rng_chance(r, 5))
			i += random_run(program->f + i, n - 1 - i, r);
		if (i < n - 1) {
			program->f[i] = random_insn(r, n - 1 - i);
			i++;
		}
	}
	program->f[n - 1] = random_return(r);
}

void program_loops(struct program *program, struct rng *r)
{
	program->f = NULL;
	do {
		free(program->f);
		program_random(program, r);
	} while (program->n < 4);
	snprintf(program->name, sizeof(program->name), "random loops in %u", program->n);
	for (unsigned i = 1 + rng_below(r, 3); i > 0; i--) {
		uint32_t at = 1 + rng_below(r, program->n - 2);

		program->f[at] = (struct sock_filter){.code = BPF_JMP | BPF_JA,
						      .k = -1 - rng_below(r, at + 1)};
	}
}

/* A value changed and compared over and over, so that comparisons contradict. */
static struct sock_filter random_question(struct rng *r, unsigned left)
{
	static const uint16_t op[] = {BPF_AND, BPF_AND, BPF_OR,	 BPF_XOR, BPF_LSH, BPF_RSH,
				      BPF_ADD, BPF_SUB, BPF_MUL, BPF_NEG, BPF_DIV, BPF_MOD};
	static const uint32_t value[] = {1, 2, 3, 4, 6, 8, 0x0f, 0x10, 0x3c, 0x40, 0xf0, 0xff};
	uint32_t k = rng_chance(r, 80) ? value[rng_below(r, 12)] : random_constant(r);
	struct sock_filter q;

	if (rng_chance(r, 8))
		return (struct sock_filter){.code = BPF_MISC |
						    (rng_chance(r, 60) ? BPF_TAX : BPF_TXA)};
	if (rng_chance(r, 10))
		return random_load(r);
	if (rng_chance(r, 6))
		return (struct sock_filter){.code = rng_chance(r, 50) ? BPF_ST : BPF_LD | BPF_MEM,
					    .k = rng_below(r, 4)};
	if (rng_chance(r, 75)) {
		q = random_jump(r, left);
		if (q.code != (BPF_JMP | BPF_JA))
			q.k = rng_chance(r, 20) ? 0 : k << (rng_chance(r, 30) ? 8 : 0);
		return q;
	}
	q = (struct sock_filter){.code = BPF_ALU | op[rng_below(r, 12)], .k = k ? k : 1};
	if (BPF_OP(q.code) == BPF_LSH || BPF_OP(q.code) == BPF_RSH)
		q.k %= 32;
	if (BPF_OP(q.code) != BPF_NEG && rng_chance(r, 20))
		q.code |= BPF_X;
	return q;
}

void program_questions(struct program *program, struct rng *r)
{
	static const uint16_t size[] = {BPF_B, BPF_H, BPF_W};
	unsigned n = 8 + rng_below(r, 40);

	program->f = calloc(n, sizeof(*program->f));
	program->n = n;
	snprintf(program->name, sizeof(program->name), "%u random questions", n);
	program->f[0] = (struct sock_filter){.code = BPF_LDX | BPF_B | BPF_MSH, .k = 14};
	program->f[1] = (struct sock_filter){.code = BPF_LD | BPF_ABS | size[rng_below(r, 3)],
					     .k = rng_below(r, 40)};
	for (unsigned i = 2; i < n - 1; i++)
		program->f[i] = random_question(r, n - 1 - i);
	program->f[n - 1] = random_return(r);
}

void program_branches(struct program *program, unsigned n)
{
	struct sock_filter *f = calloc(2 * n + 3, sizeof(*f));

	*program = (struct program){.f = f, .n = 2 * n + 3};
	snprintf(program->name, sizeof(program->name), "%u branches", n);
	*f++ = (struct sock_filter){.code = BPF_LD | BPF_W | BPF_ABS, .k = 20};
	for (unsigned i = 0; i < n;
	     i++) { /* each bound below the last: neither side is ruled out */
		*f++ = (struct sock_filter){.code = BPF_JMP | BPF_JGT | BPF_K,
					    .jf = 1,
					    .k = UINT32_MAX - 1 - i};
		*f++ = (struct sock_filter){.code = BPF_JMP | BPF_JA, .k = 2 * (n - i) - 1};
	}
	*f++ = (struct sock_filter){.code = BPF_RET | BPF_K, .k = 0x40000};
	*f = (struct sock_filter){.code = BPF_RET | BPF_K, .k = 7};
}
