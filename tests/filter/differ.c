/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The translator's output, run by our own interpreter, against bpf_filter() and an interpreter
 * written apart from it. Needs no privilege. FILTER_ROUNDS scales the random part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "variants.h"

enum {
	FRAMES = 12,
	EXPRESSIONS = 700,
	PROGRAMS = 3000,
	QUESTIONS = 1000,
	LOOPS = 500,
	BIG = 66000,
	LONG = 4000, /* classic instructions; more may make too long code */
};

struct tally {
	unsigned long compared, libpcap, unsupported, long_ones;
	unsigned long beyond; /* turned back more often than the kernel follows */
	unsigned long translated[VARIANTS];
	unsigned long mismatches;
};

static struct tally tally;
static struct frame recorded, memory;

static void report(const struct program *p, const struct variant *v, const char *what,
		   const struct machine *m, uint32_t got, uint32_t expected)
{
	tally.mismatches++;
	check(false, "%s, %s: %s, got %#x, expected %#x, %u bytes, %u linear", p->name, v->name,
	      what, got, expected, m->len, m->linear);
	if (tally.mismatches == 1 && getenv("FILTER_DUMP"))
		program_dump(p);
}

/* How much of the frame is linear: mostly all of it. */
static uint32_t split(uint32_t len, struct rng *r)
{
	if (rng_chance(r, 60))
		return len;
	return rng_chance(r, 80) ? rng_below(r, (len < 80 ? len : 80) + 1) : rng_below(r, len + 1);
}

static void compare(const struct program *p, const struct program *lowered, const struct variant *v,
		    const struct filter_code *code, struct rng *r)
{
	struct machine m = {.ctx = v->ctx,
			    .tagged = v->tagged,
			    .tag_slot = TAG_SLOT,
			    .stack_top = STACK_TOP,
			    .ifindex = IFINDEX,
			    .queue = QUEUE};
	struct verdict expected = variant_expect(v, lowered, &recorded);
	const struct frame *in = &recorded;
	const char *error;
	uint32_t got = 0;

	if (v->tagged) {
		if (!frame_extract_tag(&memory, &recorded, &m.tpid, &m.tci))
			return;
		in = &memory;
	}
	m.data = in->data;
	m.len = in->len;
	m.linear = split(in->len, r);
	tally.compared++;
	tally.libpcap += !expected.reads_garbage && !expected.endless;
	if (!variant_libpcap_agrees(v, lowered, &recorded, &expected))
		report(p, v, "the oracles disagree", &m, 0, expected.value);
	error = machine_run(&m, code->insns, code->len, &got);
	if (error || got != expected.unrolled)
		report(p, v, error ? error : "mismatch", &m, got, expected.unrolled);
	tally.beyond += expected.unrolled != expected.value;
}

static void make_frame(const struct program *p, struct rng *r)
{
	frame_random(&recorded, r);
	frame_steer(&recorded, p->f, p->n, r);
	if (rng_chance(r, 1)) {
		memset(recorded.data + recorded.len, 0x5a, BIG - recorded.len);
		recorded.len = BIG - rng_below(r, 1000);
	}
}

static void try_program(const struct program *p, struct rng *r)
{
	unsigned disable = rng_chance(r, 25) ? rng_below(r, 64) : 0;
	struct filter_code code[VARIANTS];
	bool usable[VARIANTS];
	struct program lowered;

	program_lower(&lowered, p, 0);
	for (unsigned i = 0; i < VARIANTS; i++) {
		struct filter_options options = variant_options(&variants[i], disable);
		char why[128];
		int rc = filter_translate(p->f, p->n, &options, &code[i], why, sizeof(why));

		usable[i] = !rc;
		tally.translated[i] += !rc;
		tally.unsupported += rc && p->n <= LONG;
		tally.long_ones += rc && p->n > LONG;
		if (rc && p->n <= LONG)
			check(false, "%s, %s: %s", p->name, variants[i].name, why);
	}
	for (unsigned k = 0; k < FRAMES; k++) {
		make_frame(&lowered, r);
		for (unsigned i = 0; i < VARIANTS; i++)
			if (usable[i])
				compare(p, &lowered, &variants[i], &code[i], r);
	}
	for (unsigned i = 0; i < VARIANTS; i++)
		filter_code_free(&code[i]);
	free(lowered.f);
}

/* The same program, with some loads from the frame made into questions about its tag. */
static void ask_for_tag(struct program *to, const struct program *from, struct rng *r)
{
	*to = *from;
	to->f = calloc(from->n, sizeof(*to->f));
	for (unsigned i = 0; i < from->n; i++) {
		to->f[i] = from->f[i];
		if (BPF_CLASS(from->f[i].code) == BPF_LD && BPF_MODE(from->f[i].code) == BPF_ABS &&
		    rng_chance(r, 30))
			to->f[i].k = (uint32_t)(SKF_AD_OFF + (rng_chance(r, 50)
								      ? SKF_AD_VLAN_TAG
								      : SKF_AD_VLAN_TAG_PRESENT));
	}
}

/* The frame as a packet socket's filter has it, with its tag beside it or without. */
static void compare_beside(const struct program *p, const struct variant *v,
			   const struct filter_code *code, struct rng *r)
{
	struct machine m = {.ctx = v->ctx,
			    .stack_top = STACK_TOP,
			    .ifindex = IFINDEX,
			    .queue = QUEUE};
	struct filter_user_facts facts = {.ifindex = IFINDEX, .queue = QUEUE};
	struct sock_filter *lowered = calloc(p->n, sizeof(*lowered));
	struct verdict expected;
	const char *error;
	uint32_t got = 0;

	m.tagged = rng_chance(r, 70) && frame_extract_tag(&memory, &recorded, &m.tpid, &m.tci);
	m.data = m.tagged ? memory.data : recorded.data;
	m.len = m.tagged ? memory.len : recorded.len;
	m.linear = split(m.len, r);
	facts.tag = m.tagged ? (uint32_t)m.tpid << 16 | m.tci : 0;
	if (!m.tagged || facts.tag) { /* 0 is no tag */
		filter_lower_user(p->f, p->n, &facts, lowered);
		expected = oracle(lowered, p->n, m.data, m.len, m.len);
		error = machine_run(&m, code->insns, code->len, &got);
		tally.compared++;
		if (error || got != expected.unrolled)
			report(p, v, error ? error : "mismatch", &m, got, expected.unrolled);
	}
	free(lowered);
}

static void try_beside(const struct program *from, struct rng *r)
{
	static const struct variant beside[] = {
		{"skb frags beside", FILTER_SKB, FILTER_LEVEL_FRAGS, true},
		{"skb helper beside", FILTER_SKB, FILTER_LEVEL_HELPER, true},
	};
	struct program p;

	ask_for_tag(&p, from, r);
	for (unsigned i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		struct filter_options options = variant_options(&beside[i], 0);
		struct filter_code code;
		char why[128];

		options.tag_beside = true;
		if (filter_translate(p.f, p.n, &options, &code, why, sizeof(why))) {
			check(p.n > LONG, "%s, %s: %s", p.name, beside[i].name, why);
			continue;
		}
		for (unsigned k = 0; k < FRAMES; k++) {
			make_frame(from, r);
			compare_beside(&p, &beside[i], &code, r);
		}
		filter_code_free(&code);
	}
	free(p.f);
}

static unsigned try_expression(const char *text, struct rng *r)
{
	unsigned tried = 0;

	for (int optimise = 0; optimise < 2; optimise++) {
		struct program p;

		if (!program_compile(&p, text, optimise))
			continue;
		try_program(&p, r);
		try_beside(&p, r);
		tried++;
		free(p.f);
	}
	return tried;
}

static void finish(const char *what, unsigned programs)
{
	printf("%s: %u programs, %lu comparisons so far, %lu of them with bpf_filter() as well\n",
	       what, programs, tally.compared, tally.libpcap);
	check(programs > 0, "%s: no program", what);
	fflush(stdout);
}

static void run_corpus(struct rng *r)
{
	struct corpus corpus;
	unsigned programs = 0;

	corpus_read(&corpus);
	for (unsigned i = 0; i < corpus.n; i++)
		programs += try_expression(corpus.expression[i], r);
	corpus_free(&corpus);
	finish("corpus", programs);
}

static void run_hosts(struct rng *r)
{
	static const unsigned count[] = {3, 10, 30, 100, 300};
	static char text[10000];
	unsigned programs = 0;

	for (unsigned i = 0; i < sizeof(count) / sizeof(count[0]); i++) {
		expression_hosts(text, sizeof(text), count[i]);
		programs += try_expression(text, r);
	}
	finish("host lists", programs);
}

static void run_random(struct rng *r, double rounds)
{
	unsigned programs = 0;
	char text[2000];

	for (unsigned i = 0; i < rounds * EXPRESSIONS; i++) {
		expression_random(text, sizeof(text), r);
		programs += try_expression(text, r);
	}
	finish("random expressions", programs);
	programs = 0;
	for (; programs < rounds * PROGRAMS; programs++) {
		struct program p;

		program_random(&p, r);
		try_program(&p, r);
		try_beside(&p, r);
		free(p.f);
	}
	finish("random programs", programs);
	for (programs = 0; programs < rounds * QUESTIONS; programs++) {
		struct program p;

		program_questions(&p, r);
		try_program(&p, r);
		free(p.f);
	}
	finish("random questions", programs);
	for (programs = 0; programs < rounds * LOOPS; programs++) {
		struct program p;

		program_loops(&p, r);
		try_program(&p, r);
		free(p.f);
	}
	finish("random loops", programs);
}

int main(void)
{
	struct rng r = {.state = seed_from_environment(1)};

	run_corpus(&r);
	run_hosts(&r);
	run_random(&r, rounds_from_environment());
	for (unsigned i = 0; i < VARIANTS; i++)
		printf("%-18s %lu programs\n", variants[i].name, tally.translated[i]);
	printf("%lu forms of programs over %d instructions were too long\n", tally.long_ones, LONG);
	check(tally.unsupported == 0, "%lu programs were refused", tally.unsupported);
	check(tally.beyond > 0, "%lu frames turned back more than %d times", tally.beyond,
	      FILTER_TURNS);
	check(tally.mismatches == 0, "%lu mismatches in %lu comparisons", tally.mismatches,
	      tally.compared);
	return summary();
}
