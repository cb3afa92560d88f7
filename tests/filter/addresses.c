/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Vectors of chains of tests with several fields: IPv6 hosts and nets, MAC addresses. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "instructions.h"
#include "vectors.h"

enum { SOURCE = 22, DESTINATION = 38, TERMS = 15 };

static unsigned chains_of(const struct sock_filter *f, unsigned n)
{
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;
	unsigned chains;

	check(!filter_translate(f, n, &options, &code, NULL, 0), "addresses are translated");
	chains = code.chains;
	filter_code_free(&code);
	return chains;
}

static void put(uint32_t at, uint32_t value)
{
	value = htonl(value);
	memcpy(frame.data + at, &value, 4);
}

/* Words of the i-th address: some share the first, some the first two, and so on. */
static uint32_t word(unsigned i, unsigned part)
{
	static const unsigned divisor[] = {8, 6, 2, 1};

	return 0xf0000000 * part + i / divisor[part] * 0x00010001 + 0x0000ff00;
}

static void put_address(uint32_t at, unsigned i)
{
	for (unsigned part = 0; part < 4; part++)
		put(at + 4 * part, word(i, part));
}

struct shape {
	unsigned parts;	     /* words that each term asks for */
	unsigned other;	     /* and each fifth term; or 0 */
	uint32_t mask;	     /* of the last word */
	bool lengths;	     /* other bits of the mask in each term */
	bool ranges;	     /* the last word in one */
	unsigned impossible; /* a term whose bits the mask has not; or TERMS */
};

/* How many instructions the term has: [load, [and,] comparison] for each part. */
static unsigned put_term(struct sock_filter *f, const struct shape *s, unsigned i, uint32_t at)
{
	unsigned parts = s->other && i % 5 == 4 ? s->other : s->parts, n = 0;
	uint32_t mask = s->lengths ? s->mask << i % 8 : s->mask;

	for (unsigned part = 0; part < parts; part++) {
		bool last = part == parts - 1;
		uint32_t value = word(i, part);

		f[n++] = (struct sock_filter)LDW(at + 4 * part);
		if (last && s->ranges) {
			f[n++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, 0);
			f[n++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGT | BPF_K, value + 9, 0,
							  0);
			continue;
		}
		if (last && mask != UINT32_MAX) {
			f[n++] = (struct sock_filter)STMT(BPF_ALU | BPF_AND | BPF_K, mask);
			value = i == s->impossible ? ~mask : value & mask;
		}
		f[n++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 0);
	}
	return n;
}

/* Sources and destinations in turn; hits go to the last but one, the miss to the last. */
static unsigned put_list(struct sock_filter *f, const struct shape *s)
{
	unsigned start[2 * TERMS + 1], n = 0;

	for (unsigned i = 0; i < 2 * TERMS; i++) {
		start[i] = n;
		n += put_term(f + n, s, i / 2, i % 2 ? DESTINATION : SOURCE);
	}
	start[2 * TERMS] = n + 1; /* the miss */
	for (unsigned i = 0; i < 2 * TERMS; i++) {
		unsigned end = i + 1 < 2 * TERMS ? start[i + 1] : n;

		for (unsigned at = start[i]; at < end; at++) {
			unsigned miss = start[i + 1] - at - 1, hit = n - at - 1;
			bool last = at == end - 1;

			if (f[at].code == (BPF_JMP | BPF_JEQ | BPF_K)) {
				f[at].jf = (uint8_t)miss;
				f[at].jt = (uint8_t)(last ? hit : 0);
			} else if (f[at].code == (BPF_JMP | BPF_JGE | BPF_K)) {
				f[at].jf = (uint8_t)miss;
			} else if (f[at].code == (BPF_JMP | BPF_JGT | BPF_K)) {
				f[at].jt = (uint8_t)miss;
				f[at].jf = (uint8_t)hit;
			}
		}
	}
	return n;
}

/* Each address, whole and with a word changed, as source or destination, in frames of each length
 * that ends among the fields. */
static void run_addresses(const char *name, const struct sock_filter *f, unsigned n)
{
	for (unsigned i = 0; i < 2 * TERMS; i++) {
		for (unsigned changed = i % 3; changed < 9; changed += 3) {
			uint32_t at = i % 2 ? DESTINATION : SOURCE,
				 other = at ^ SOURCE ^ DESTINATION;

			fill(60);
			put_address(at, i / 2);
			put_address(other, (7 * i + changed) % (2 * TERMS));
			if (changed < 4)
				put(at + 4 * changed, word(i / 2, changed) + 1);
			else if (changed < 8)
				put(at + 4 * (changed - 4), word(i / 2, changed - 4) - 1);
			if (i % 7 == 3)
				frame.len = 25 + 4 * changed - i % 4;
			run_insns(name, f, n);
		}
	}
	for (uint32_t len = 20; len <= 56; len++) {
		fill(len);
		put_address(SOURCE, len % 3 ? TERMS + 3 : len % TERMS);
		put_address(DESTINATION, len * 5 % TERMS);
		run_insns(name, f, n);
	}
}

void addresses_of_several_words(void)
{
	static const struct sock_filter end[][2] = {{ACCEPT, REJECT},
						    {REJECT, ACCEPT},
						    {ACCEPT, STMT(BPF_RET | BPF_K, 9)}};
	static const struct shape shape[] = {
		{4, 0, UINT32_MAX, false, false, TERMS}, {4, 2, UINT32_MAX, false, false, TERMS},
		{3, 0, 0xffff0000, false, false, 5},	 {2, 0, 0xffff0000, true, false, TERMS},
		{2, 0, 0x00ff00ff, false, false, 7},	 {4, 1, 0xfffffff0, true, false, TERMS},
		{3, 0, UINT32_MAX, false, true, TERMS},
	};
	static struct sock_filter f[2 * TERMS * 10 + 2];

	for (unsigned s = 0; s < LENGTH(shape); s++) {
		unsigned n = put_list(f, &shape[s]);

		for (unsigned e = s % LENGTH(end); e < LENGTH(end); e += s ? LENGTH(end) : 1) {
			memcpy(f + n, end[e], sizeof(end[e]));
			check(chains_of(f, n + 2) == 1, "addresses, shape %u: no chain", s);
			run_addresses("addresses", f, n + 2);
		}
	}
}

/* The last term of a list leaves A to what follows, or M[] is in use: no such chain may be made. */
void almost_addresses(void)
{
	static const struct shape shape = {4, 0, UINT32_MAX, false, false, TERMS};
	static struct sock_filter f[2 * TERMS * 10 + 8], g[LENGTH(f)];
	unsigned n = put_list(f, &shape);

	f[n] = (struct sock_filter)ACCEPT;
	f[n + 1] = (struct sock_filter)RETURN_A;
	run_addresses("A behind addresses", f, n + 2);
	f[n] = (struct sock_filter)RETURN_A;
	f[n + 1] = (struct sock_filter)REJECT;
	run_addresses("A of the address", f, n + 2);
	memcpy(g + 2, f, n * sizeof(*f));
	g[0] = (struct sock_filter)LDW(14);
	g[1] = (struct sock_filter)STMT(BPF_ST, 3);
	g[n + 2] = (struct sock_filter)ACCEPT;
	g[n + 3] = (struct sock_filter)STMT(BPF_LD | BPF_MEM, 3);
	g[n + 4] = (struct sock_filter)RETURN_A;
	run_addresses("M[] behind addresses", g, n + 5);
	/* A word whose miss is another place. */
	f[n] = (struct sock_filter)ACCEPT;
	f[n + 1] = (struct sock_filter)STMT(BPF_RET | BPF_K, 9);
	f[8 * 20 + 3].jf = (uint8_t)(f[8 * 20 + 3].jf + 8);
	run_addresses("a word with another miss", f, n + 2);
}

/* Pairs of words in five places: more fields than a chain has room for. */
void too_many_fields(void)
{
	enum { PAIRS = 24, END = 4 * PAIRS };
	struct sock_filter f[END + 2];

	for (unsigned i = 0; i < PAIRS; i++) {
		unsigned n = 4 * i, at = 14 + i % 5 * 8, miss = i + 1 < PAIRS ? 0 : 1;

		f[n] = (struct sock_filter)LDW(at);
		f[n + 1] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, i, 0, 2 + miss);
		f[n + 2] = (struct sock_filter)LDW(at + 4);
		f[n + 3] =
			(struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, i, END - n - 4, miss);
	}
	f[END] = (struct sock_filter)ACCEPT;
	f[END + 1] = (struct sock_filter)REJECT;
	check(chains_of(f, END + 2) == 0, "a chain of ten fields");
	for (unsigned i = 0; i < PAIRS; i++) {
		fill(i % 4 ? 60 : 20 + i);
		put(14 + i % 5 * 8, i);
		put(18 + i % 5 * 8, i);
		run_insns("ten fields", f, END + 2);
	}
}

/* Pairs of words of which the second is the same for all, and the first in one of two places. */
void one_word_behind_others(void)
{
	enum { PAIRS = 24, END = 4 * PAIRS };
	struct sock_filter f[END + 2];

	for (unsigned i = 0; i < PAIRS; i++) {
		unsigned n = 4 * i, at = i % 2 ? 22 : 14, miss = i + 1 < PAIRS ? 0 : 1;

		f[n] = (struct sock_filter)LDW(at);
		f[n + 1] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, i, 0, 2 + miss);
		f[n + 2] = (struct sock_filter)LDW(30);
		f[n + 3] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 100 + i, END - n - 4,
						    miss);
	}
	f[END] = (struct sock_filter)ACCEPT;
	f[END + 1] = (struct sock_filter)REJECT;
	check(chains_of(f, END + 2) == 1, "one word behind others: no chain");
	for (unsigned i = 0; i < 2 * PAIRS; i++) {
		fill(i % 5 ? 60 : 16 + i);
		put(14, i / 2);
		put(22, i / 2);
		put(30, 100 + i / 2 + (i % 2 ? i % 3 : 0));
		run_insns("one word behind others", f, END + 2);
	}
}

/* A constant that no half of a MAC address can be, first or last; and no bit of a mask. */
static void addresses_in_order(bool word_first)
{
	static struct sock_filter f[4 * 2 * TERMS + 2];
	unsigned n = 0;

	for (unsigned i = 0; i < 2 * TERMS; i++) {
		unsigned at = i % 2 ? 0 : 6, odd = i / 2 % 4;
		uint32_t low = 0x10000 * (odd == 1) + 0x100 + i / 8, high = i % 6;
		unsigned miss = i + 1 < 2 * TERMS ? 0 : 1;

		if (word_first) {
			f[n++] = (struct sock_filter)LDW(at);
			f[n++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 0,
							  2 + miss);
			f[n++] = (struct sock_filter)STMT(BPF_LD | BPF_ABS | BPF_H, at + 4);
			f[n] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, low,
							4 * 2 * TERMS - n - 1, miss);
			n++;
			continue;
		}
		f[n++] = (struct sock_filter)STMT(BPF_LD | BPF_ABS | BPF_H, at + 4);
		f[n++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, low, 0, 2 + miss);
		f[n++] = (struct sock_filter)LDW(at);
		f[n] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, high,
						4 * 2 * TERMS - n - 1, miss);
		if (odd == 3)
			f[n] = (struct sock_filter)JUMP(BPF_JMP | BPF_JSET | BPF_K, 0xff0 << i % 8,
							miss, 4 * 2 * TERMS - n - 1);
		n++;
	}
	f[n] = (struct sock_filter)ACCEPT;
	f[n + 1] = (struct sock_filter)REJECT;
	check(chains_of(f, n + 2) == 1, "MAC addresses make no chain");
	for (unsigned i = 0; i < 2 * TERMS * 14; i++) {
		uint32_t at = i % 2 ? 0 : 6;

		fill(i % 13 ? 60 : 2 + i / 13 % 14);
		put(at, i % 5 ? i / 2 % 7 : 0xfu << i / 5 % 24);
		frame.data[at + 4] = 1;
		frame.data[at + 5] = (uint8_t)(i / 14 % 8);
		run_insns("MAC addresses", f, n + 2);
	}
}

/* As libpcap compiles them. */
void addresses_are_searched(void)
{
	static const char *const term[] = {"host 2001:db8:%x::%u", "net 2001:db8:%x:%u::/64",
					   "ether host 02:00:00:00:%02x:%02u"};

	for (unsigned kind = 0; kind < LENGTH(term); kind++) {
		static char text[8000];
		struct program p;

		text[0] = 0;
		for (unsigned i = 0; i < 30; i++) {
			if (i)
				strcat(text, " or ");
			snprintf(text + strlen(text), sizeof(text) - strlen(text), term[kind],
				 i / 4, i + 10);
		}
		check(program_compile(&p, text, true), "%s compiles", text);
		check(chains_of(p.f, p.n) == 1, "%s: no chain", p.name);
		free(p.f);
	}
}

void addresses_of_ethernet(void)
{
	addresses_in_order(false);
	addresses_in_order(true);
}
