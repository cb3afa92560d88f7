/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Lists whose code is longer than a jump reaches, through the real verifier, results compared as in
 * verify.c. Each as libpcap makes it without its optimiser, terms one behind the other, and as the
 * optimiser leaves it, which takes libpcap minutes: what terms have in common once, in front.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "instructions.h"
#include "kernel.h"

enum {
	FRAMES = 60,
	LIMIT_MS = 5000,
	SOURCE = 26,
	DESTINATION = 30,
	DST_PORT = 36,
	UDP = 17,
	SOURCE6 = 22,
	PREFIX6 = 0x20010db8,
	ANY = 0x5a5a5a5a
};

#define ACCEPT_JUMP STMT(BPF_JMP | BPF_JA, 0x7fffffff) /* aimed by finish() */

static struct frame recorded, memory;
static unsigned long compared, taken;

static void append(struct program *p, const struct sock_filter *f, unsigned n)
{
	memcpy(p->f + p->n, f, n * sizeof(*f));
	p->n += n;
}

#define APPEND(p, ...)                                                                             \
	do {                                                                                       \
		const struct sock_filter f_[] = {__VA_ARGS__};                                     \
		append(p, f_, LENGTH(f_));                                                         \
	} while (0)

static uint32_t host_of(unsigned i)
{
	return 0x0a000000 + i * 7;
}

static uint32_t net_of(unsigned i)
{
	return 0x0a000000 + (i << 8);
}

static uint32_t range_of(unsigned i)
{
	return 1000 + i * 60;
}

static void host_term(char *text, size_t size, uint32_t v)
{
	snprintf(text, size, "host %u.%u.%u.%u", v >> 24, v >> 16 & 255, v >> 8 & 255, v & 255);
}

static void net_term(char *text, size_t size, uint32_t v)
{
	snprintf(text, size, "net %u.%u.%u.0/24", v >> 24, v >> 16 & 255, v >> 8 & 255);
}

static void range_term(char *text, size_t size, uint32_t v)
{
	snprintf(text, size, "udp dst portrange %u-%u", v, v + 39);
}

static void hosts_merged(struct program *p, unsigned n)
{
	for (uint32_t at = SOURCE; at <= DESTINATION; at += 4) {
		APPEND(p, LDW(at));
		for (unsigned i = 0; i < n; i++)
			APPEND(p, JUMP(BPF_JMP | BPF_JEQ | BPF_K, host_of(i), 0, 1), ACCEPT_JUMP);
	}
}

static void nets_merged(struct program *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (uint32_t at = SOURCE; at <= DESTINATION; at += 4)
			APPEND(p, LDW(at), STMT(BPF_ALU | BPF_AND | BPF_K, 0xffffff00),
			       JUMP(BPF_JMP | BPF_JEQ | BPF_K, net_of(i), 0, 1), ACCEPT_JUMP);
}

/* Two ways lead into the list, of which one has the first bound to itself: as for IPv6 and IPv4. */
static void ranges_merged(struct program *p, unsigned n)
{
	APPEND(p, LDB(14), JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x45, 0, 2), LDH(DST_PORT),
	       JUMP(BPF_JMP | BPF_JGE | BPF_K, range_of(0), 3, 5),
	       STMT(BPF_LDX | BPF_B | BPF_MSH, 14), STMT(BPF_LD | BPF_H | BPF_IND, 16));
	for (unsigned i = 0; i < n; i++)
		APPEND(p, JUMP(BPF_JMP | BPF_JGE | BPF_K, range_of(i), 0, 2),
		       JUMP(BPF_JMP | BPF_JGT | BPF_K, range_of(i) + 39, 1, 0), ACCEPT_JUMP);
}

/* More is asked of A behind the list, as often; never with success. */
static void ranges_and_tail(struct program *p, unsigned n)
{
	ranges_merged(p, n);
	for (unsigned i = 0; i < n; i++)
		APPEND(p, JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000u << i % 16, 0, 1), ACCEPT_JUMP);
}

/* As libpcap's optimiser leaves `ip6 host`: four words of the source, then of the destination. */
static void hosts6_merged(struct program *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (uint32_t at = SOURCE6; at <= SOURCE6 + 16; at += 16)
			APPEND(p, LDW(at), JUMP(BPF_JMP | BPF_JEQ | BPF_K, PREFIX6, 0, 7),
			       LDW(at + 4), JUMP(BPF_JMP | BPF_JEQ | BPF_K, ANY, 0, 5), LDW(at + 8),
			       JUMP(BPF_JMP | BPF_JEQ | BPF_K, ANY, 0, 3), LDW(at + 12),
			       JUMP(BPF_JMP | BPF_JEQ | BPF_K, host_of(i), 0, 1), ACCEPT_JUMP);
}

/* Another first word each, and a mask of the second. */
static void nets6_merged(struct program *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (uint32_t at = SOURCE6; at <= SOURCE6 + 16; at += 16)
			APPEND(p, LDW(at), JUMP(BPF_JMP | BPF_JEQ | BPF_K, host_of(i), 0, 4),
			       LDW(at + 4), STMT(BPF_ALU | BPF_AND | BPF_K, 0xffff0000),
			       JUMP(BPF_JMP | BPF_JEQ | BPF_K, ANY & 0xffff0000, 0, 1),
			       ACCEPT_JUMP);
}

static void stations_merged(struct program *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (uint32_t at = 0; at <= 6; at += 6)
			APPEND(p, LDW(at + 2), JUMP(BPF_JMP | BPF_JEQ | BPF_K, host_of(i), 0, 3),
			       LDH(at), JUMP(BPF_JMP | BPF_JEQ | BPF_K, ANY >> 16, 0, 1),
			       ACCEPT_JUMP);
}

static const struct kind {
	const char *name;
	uint32_t (*value)(unsigned i);
	void (*term)(char *text, size_t size, uint32_t value);
	void (*merged)(struct program *p, unsigned n);
	uint32_t at;
	unsigned size;
	uint32_t width; /* values that one term takes */
} hosts = {"hosts", host_of, host_term, hosts_merged, DESTINATION, 4, 1},
  nets = {"nets", net_of, net_term, nets_merged, SOURCE, 4, 256},
  ranges = {"ranges", range_of, range_term, ranges_merged, DST_PORT, 2, 40},
  tailed = {"ranges, tail", range_of, range_term, ranges_and_tail, DST_PORT, 2, 40},
  hosts6 = {"IPv6 hosts", host_of, NULL, hosts6_merged, SOURCE6 + 12, 4, 1},
  nets6 = {"IPv6 nets", host_of, NULL, nets6_merged, SOURCE6, 4, 1},
  stations = {"MAC addresses", host_of, NULL, stations_merged, 8, 4, 1};

/* A return of 0 goes on with the next term, one of anything else to the end. */
static void append_term(struct program *p, const char *text)
{
	struct program one;

	check(program_compile(&one, text, false), "%s compiles", text);
	for (unsigned i = 0; i < one.n; i++) {
		if (one.f[i].code != (BPF_RET | BPF_K))
			APPEND(p, one.f[i]);
		else if (one.f[i].k)
			APPEND(p, ACCEPT_JUMP);
		else
			APPEND(p, STMT(BPF_JMP | BPF_JA, one.n - i - 1));
	}
	free(one.f);
}

static void finish(struct program *p)
{
	const struct sock_filter jump = ACCEPT_JUMP;

	APPEND(p, REJECT, ACCEPT);
	for (unsigned i = 0; i < p->n; i++)
		if (p->f[i].code == jump.code && p->f[i].k == jump.k)
			p->f[i].k = p->n - 1 - (i + 1);
}

/* The same behind a tag. */
static void shift_loads(struct program *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		unsigned class = BPF_CLASS(p->f[i].code), mode = BPF_MODE(p->f[i].code);
		bool loads = (class == BPF_LD && (mode == BPF_ABS || mode == BPF_IND)) ||
			     (class == BPF_LDX && mode == BPF_MSH);

		if (loads && p->f[i].k >= 12)
			p->f[i].k += 4;
	}
}

static struct program make(const struct kind *kind, unsigned n, bool merged)
{
	struct program p = {.f = calloc(40 * n + 8, sizeof(*p.f))};
	char text[64];

	snprintf(p.name, sizeof(p.name), "%u %s%s", n, kind->name, merged ? ", merged" : "");
	if (merged) {
		APPEND(&p, LDH(12), JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x800, 1, 0),
		       STMT(BPF_RET | BPF_K, 0));
		kind->merged(&p, n);
	} else {
		for (unsigned i = 0; i < n; i++) {
			kind->term(text, sizeof(text), kind->value(i));
			append_term(&p, text);
		}
	}
	finish(&p);
	return p;
}

static void put(uint32_t at, uint32_t value, unsigned size)
{
	for (unsigned i = size; i-- > 0; value >>= 8)
		recorded.data[at + i] = (uint8_t)value;
}

/* UDP in IPv4, to what a term takes, or just misses; sometimes cut short, or tagged already. */
static void make_frame(const struct kind *kind, unsigned n, bool tagged, struct rng *r)
{
	unsigned i = rng_chance(r, 30) ? rng_below(r, 2) * (n - 1) : rng_below(r, n);
	uint32_t shift = tagged ? 4 : 0;
	uint32_t beside = rng_chance(r, 50) ? rng_below(r, kind->width) : kind->width;

	recorded.len = 80;
	memset(recorded.data, 0x5a, recorded.len);
	if (tagged)
		put(12, 0x81000005, 4);
	put(12 + shift, 0x0800, 2);
	put(14 + shift, 0x45, 1);
	put(20 + shift, 0, 2);
	put(23 + shift, UDP, 1);
	if (kind == &hosts6)
		put(SOURCE6 + shift, PREFIX6, 4);
	put(kind->at + (kind->at < 12 ? 0 : shift),
	    kind->value(i) + (rng_chance(r, 10) ? UINT32_MAX : beside), kind->size);
	if (rng_chance(r, 20))
		recorded.len = 18 + rng_below(r, 40);
}

static void compare(const struct program *p, const struct variant *v, const struct loaded *loaded,
		    bool splits, struct rng *r)
{
	struct test_frame t = {.frame = &recorded};
	struct verdict expected = variant_expect(v, p, &recorded);
	uint32_t got = 0;
	int rc;

	if (v->tagged) {
		if (!frame_extract_tag(&memory, &recorded, &t.tpid, &t.tci))
			return;
		t.frame = &memory;
	}
	t.linear = t.frame->len;
	if (splits && rng_chance(r, 30))
		t.linear = 14 + rng_below(r, t.frame->len - 13);
	check(variant_libpcap_agrees(v, p, &recorded, &expected), "%s: the oracles disagree",
	      p->name);
	rc = kernel_run(host_for(v), loaded, &t, &got);
	check(rc == 0 && got == expected.value, "%s, %s: %d, got %#x, expected %#x, %u bytes",
	      p->name, v->name, rc, got, expected.value, t.frame->len);
	compared++;
	taken += got != 0;
}

/* CPU time, the verifier's included: others may keep the machine busy. */
static unsigned now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (unsigned)(t.tv_sec * 1000 + t.tv_nsec / 1000000);
}

static void try_variant(const struct program *p, const struct kind *kind, unsigned n,
			const struct variant *v, struct rng *r)
{
	struct filter_options options = variant_options(v, 0);
	struct filter_code code;
	struct loaded loaded;
	char why[128] = "";
	unsigned begun = now_ms();
	int rc = filter_translate(p->f, p->n, &options, &code, why, sizeof(why));

	check(rc == 0, "%s, %s: %s", p->name, v->name, why);
	if (rc)
		return;
	loaded = kernel_load(host_for(v), &code);
	check(loaded.fd >= 0, "%s, %s: %s", p->name, v->name, loaded.log);
	check(now_ms() - begun < LIMIT_MS, "%s, %s: %u ms", p->name, v->name, now_ms() - begun);
	printf("%-24s %-18s %6u classic %7u eBPF %5u ms\n", p->name, v->name, p->n, loaded.len,
	       now_ms() - begun);
	for (unsigned i = 0; i < FRAMES && loaded.fd >= 0; i++) {
		bool tagged = v->tagged || rng_chance(r, 10);

		make_frame(kind, n, tagged, r);
		compare(p, v, &loaded, kernel_splits(host_for(v)), r);
	}
	kernel_unload(&loaded);
	filter_code_free(&code);
}

static void try_list(const struct kind *kind, unsigned n, bool merged, struct rng *r)
{
	struct program plain = make(kind, n, merged), tagged = make(kind, n, merged);

	shift_loads(&tagged);
	for (unsigned i = 0; i < IN_KERNEL; i++) {
		unsigned long before = taken;

		try_variant(variants[i].tagged ? &tagged : &plain, kind, n, &variants[i], r);
		check(taken > before + FRAMES / 5 && taken < before + FRAMES,
		      "%s, %s: takes %lu of %d frames", plain.name, variants[i].name,
		      taken - before, FRAMES);
	}
	fflush(stdout);
	free(plain.f);
	free(tagged.f);
}

int main(void)
{
	static const struct {
		const struct kind *kind;
		unsigned n;
		bool merged;
	} lists[] = {
		{&ranges, 200, false}, {&ranges, 600, false},	{&ranges, 600, true},
		{&ranges, 800, true},  {&tailed, 800, true},	{&ranges, 800, false},
		{&nets, 150, false},   {&nets, 1000, false},	{&nets, 1000, true},
		{&nets, 2000, false},  {&nets, 2000, true},	{&hosts, 3000, false},
		{&hosts, 3000, true},  {&hosts, 4000, true},	{&hosts6, 1000, true},
		{&nets6, 1000, true},  {&stations, 1000, true},
	};
	struct rng r = {.state = seed_from_environment(3)};

	if (!kernel_available()) {
		skip("no privilege to load XDP programs with fragments");
		return summary();
	}
	for (unsigned i = 0; i < LENGTH(lists); i++)
		try_list(lists[i].kind, lists[i].n, lists[i].merged, &r);
	printf("%lu comparisons, %lu frames taken\n", compared, taken);
	return summary();
}
