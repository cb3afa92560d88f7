/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The translator's output through the real verifier and JIT, by BPF_PROG_TEST_RUN, against
 * bpf_filter(), our own interpreter of classic BPF and the kernel's classic filter. Every level,
 * XDP, tc and socket filters; frames with fragments and frames with a tag beside them.
 * FILTER_ROUNDS scales the random part.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "instructions.h"
#include "kernel.h"

enum {
	FRAMES = 80,
	EXPRESSIONS = 600,
	PROGRAMS = 1500,
	QUESTIONS = 1000,
	LOOPS = 200,
	LONG = 700, /* longer unoptimised code costs the verifier too much time for a test */
	SOCKET = IN_KERNEL,
	TARGETS
};

struct tally {
	unsigned long compared, classic, mismatches;
	unsigned long beyond; /* turned back more often than the kernel follows */
	unsigned long loaded[TARGETS], refused[TARGETS], split[TARGETS];
};

static struct tally tally;
static struct frame recorded, memory;
static bool splits[TARGETS];
static struct classic_socket classic;

/* The socket filter is one more target, by helper only. */
static const struct variant socket_variant = {"socket helper", FILTER_SKB, FILTER_LEVEL_HELPER,
					      false};

static const struct variant *target(unsigned i)
{
	return i == SOCKET ? &socket_variant : &variants[i];
}

static enum host target_host(unsigned i)
{
	return i == SOCKET ? HOST_SOCKET : host_for(target(i));
}

static void mismatch(const struct program *p, unsigned i, const struct test_frame *t, uint32_t got,
		     uint32_t expected)
{
	tally.mismatches++;
	check(false, "%s, %s: got %#x, expected %#x, %u bytes, %u linear", p->name, target(i)->name,
	      got, expected, t->frame->len, t->linear);
}

static uint32_t choose_linear(unsigned i, uint32_t len, struct rng *r)
{
	uint32_t least = 14; /* as the kernel demands */

	if (!splits[i] || len <= least || rng_chance(r, 50))
		return len;
	tally.split[i]++;
	return least + rng_below(r, (len < 90 ? len : 90) - least);
}

/* The kernel pushes tags of two types only. */
static void restrict_tag(const struct variant *v, struct rng *r)
{
	bool q = recorded.data[12] == 0x81 && recorded.data[13] == 0;
	bool ad = recorded.data[12] == 0x88 && recorded.data[13] == 0xa8;

	if (!v->tagged || v->ctx == FILTER_XDP || q || ad)
		return;
	recorded.data[12] = rng_chance(r, 50) ? 0x81 : 0x88;
	recorded.data[13] = recorded.data[12] == 0x81 ? 0 : 0xa8;
}

static void compare(const struct program *p, const struct program *lowered, unsigned i,
		    const struct loaded *loaded, struct rng *r)
{
	const struct variant *v = target(i);
	struct test_frame t = {.frame = &recorded};
	struct verdict expected;
	uint32_t got;
	int rc;

	restrict_tag(v, r);
	if (v->tagged) {
		if (!frame_extract_tag(&memory, &recorded, &t.tpid, &t.tci))
			return;
		t.frame = &memory;
	}
	t.linear = choose_linear(i, t.frame->len, r);
	expected = variant_expect(v, lowered, &recorded);
	if (!variant_libpcap_agrees(v, lowered, &recorded, &expected))
		check(false, "%s: the oracles disagree", p->name);
	rc = kernel_run(target_host(i), loaded, &t, &got);
	if (rc)
		check(false, "%s, %s: test run: %s, %u bytes, %u linear", p->name, v->name,
		      strerror(-rc), t.frame->len, t.linear);
	tally.compared++;
	if (!rc && got != expected.unrolled)
		mismatch(p, i, &t, got, expected.unrolled);
	tally.beyond += expected.unrolled != expected.value;
}

static void compare_classic(const struct program *p)
{
	struct verdict expected = oracle(p->f, p->n, recorded.data, recorded.len, recorded.len);
	uint32_t want = expected.value < recorded.len ? expected.value : recorded.len, got;

	if (expected.kernel_differs)
		return;
	got = classic_run(&classic, &recorded);
	tally.classic++;
	if (got != want) {
		tally.mismatches++;
		check(false, "%s: the kernel's classic filter has %u, expected %u", p->name, got,
		      want);
	}
}

static void load_targets(const struct program *p, struct loaded *loaded, bool random)
{
	for (unsigned i = 0; i < TARGETS; i++) {
		struct filter_options options = variant_options(target(i), 0);
		struct filter_code code;
		char why[128];
		int rc = filter_translate(p->f, p->n, &options, &code, why, sizeof(why));

		if (rc) {
			loaded[i] = (struct loaded){.fd = rc};
			check(false, "%s, %s: %s", p->name, target(i)->name, why);
			continue;
		}
		loaded[i] = kernel_load(target_host(i), &code);
		tally.loaded[i] += loaded[i].fd >= 0;
		tally.refused[i] += loaded[i].fd < 0;
		/* EFAULT: what the verifier believes contradicts itself (shape.c). */
		if (loaded[i].fd < 0 && (!random || loaded[i].fd == -EFAULT))
			check(false, "%s, %s: %s: %s", p->name, target(i)->name,
			      strerror(-loaded[i].fd), loaded[i].log);
		filter_code_free(&code);
	}
}

static void make_frame(const struct program *p, struct rng *r)
{
	frame_random(&recorded, r);
	frame_steer(&recorded, p->f, p->n, r);
	if (rng_chance(r, 2)) { /* several pages */
		uint32_t len = recorded.len + rng_below(r, 3000);

		memset(recorded.data + recorded.len, 0x5a, len - recorded.len);
		recorded.len = len;
	}
}

static void try_program(const struct program *p, struct rng *r, bool random)
{
	struct loaded loaded[TARGETS];
	struct program lowered;
	bool with_classic;

	program_lower(&lowered, p, 0);
	with_classic = !classic_attach(&classic, &lowered);
	load_targets(p, loaded, random);
	for (unsigned k = 0; k < FRAMES; k++) {
		make_frame(&lowered, r);
		if (with_classic)
			compare_classic(&lowered);
		for (unsigned i = 0; i < TARGETS; i++)
			if (loaded[i].fd >= 0)
				compare(p, &lowered, i, &loaded[i], r);
	}
	for (unsigned i = 0; i < TARGETS; i++)
		kernel_unload(&loaded[i]);
	free(lowered.f);
}

static unsigned try_expression(const char *text, struct rng *r)
{
	unsigned tried = 0;

	for (int optimise = 0; optimise < 2; optimise++) {
		struct program p;

		if (!program_compile(&p, text, optimise))
			continue;
		if (optimise || p.n <= LONG) {
			try_program(&p, r, false);
			tried++;
		}
		free(p.f);
	}
	return tried;
}

static void finish(const char *what, unsigned programs)
{
	printf("%s: %u programs, %lu comparisons so far\n", what, programs, tally.compared);
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
	static const unsigned count[] = {10, 30, 100, 300};
	static char text[10000];
	unsigned programs = 0;

	for (unsigned i = 0; i < sizeof(count) / sizeof(count[0]); i++) {
		expression_hosts(text, sizeof(text), count[i]);
		programs += try_expression(text, r);
	}
	finish("host lists", programs);
}

/* More branches than the verifier keeps pending. */
static void run_branches(void)
{
	struct program p;

	program_branches(&p, 8193);
	frame_random(&recorded, &(struct rng){.state = 1});
	for (unsigned i = 0; i < TARGETS; i++) {
		struct filter_options options = variant_options(target(i), 0);
		struct test_frame t = {.frame = &recorded, .linear = recorded.len};
		struct filter_code code;
		struct loaded loaded;
		uint32_t got = 0;

		if (options.level != FILTER_LEVEL_FRAGS || target(i)->tagged)
			continue;
		options.never_tagged = true;
		check(!filter_translate(p.f, p.n, &options, &code, NULL, 0), "%s translates",
		      p.name);
		loaded = kernel_load(target_host(i), &code);
		check(loaded.fd >= 0, "%s, %s: %s", p.name, target(i)->name, loaded.log);
		check(!kernel_run(target_host(i), &loaded, &t, &got) && got == 0x40000,
		      "%s, %s: got %#x", p.name, target(i)->name, got);
		kernel_unload(&loaded);
		filter_code_free(&code);
	}
	free(p.f);
}

/*
 * Comparisons of which the verifier sees only half why they cannot hold. Reduced from random
 * programs: Linux 6.18.44 complained of each.
 */
static void run_contradictions(struct rng *r)
{
#define CONTRADICTION(...)                                                                         \
	{                                                                                          \
		.f = (struct sock_filter[]){__VA_ARGS__},                                          \
		.n = LENGTH(((struct sock_filter[]){__VA_ARGS__}))                                 \
	}
	struct program programs[] = {
		CONTRADICTION(STMT(BPF_LDX | BPF_B | BPF_MSH, 14), LDW(12),
			      STMT(BPF_ALU | BPF_MUL | BPF_K, 64),
			      JUMP(BPF_JMP | BPF_JGT | BPF_K, 0, 0, 1),
			      JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0), RETURN_A, ACCEPT),
		CONTRADICTION(STMT(BPF_LDX | BPF_B | BPF_MSH, 14), LDW(33),
			      STMT(BPF_ALU | BPF_LSH | BPF_K, 28),
			      JUMP(BPF_JMP | BPF_JGT | BPF_K, 2, 0, 1),
			      JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0), RETURN_A, ACCEPT),
		CONTRADICTION(STMT(BPF_LDX | BPF_B | BPF_MSH, 14), LDW(25),
			      JUMP(BPF_JMP | BPF_JSET | BPF_K, 0xff, 2, 0),
			      JUMP(BPF_JMP | BPF_JGT | BPF_K, 6, 0, 1),
			      JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0), RETURN_A, ACCEPT),
		CONTRADICTION(STMT(BPF_LDX | BPF_B | BPF_MSH, 14), LDW(20),
			      JUMP(BPF_JMP | BPF_JGE | BPF_K, 3, 3, 0),
			      JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0),
			      JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0), RETURN_A, ACCEPT),
		CONTRADICTION(LDH(16), STMT(BPF_ALU | BPF_MOD | BPF_K, 2),
			      STMT(BPF_MISC | BPF_TAX, 0), LDH(18),
			      JUMP(BPF_JMP | BPF_JSET | BPF_K, 0xfffd, 2, 0),
			      JUMP(BPF_JMP | BPF_JGE | BPF_K, 1, 0, 1),
			      JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0), RETURN_A, ACCEPT),
		/* Shapes of which others reported the same; the last fixes see these. */
		CONTRADICTION(LDB(14), JUMP(BPF_JMP | BPF_JGE | BPF_K, 5, 0, 1),
			      JUMP(BPF_JMP | BPF_JSET | BPF_K, 0xff, 1, 0), RETURN_A, ACCEPT),
		CONTRADICTION(LDB(14), STMT(BPF_ALU | BPF_AND | BPF_K, 0x40),
			      JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
			      JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x40, 1, 0), RETURN_A, ACCEPT),
	};

	for (unsigned i = 0; i < LENGTH(programs); i++) {
		snprintf(programs[i].name, sizeof(programs[i].name), "contradiction %u", i);
		try_program(&programs[i], r, false);
	}
	finish("contradictions", LENGTH(programs));
}

/* Once a chain's guard has failed, nothing is known of the pointer that it made from X. */
static void run_failed_chain(struct rng *r)
{
	enum { TESTS = 20 };
	struct sock_filter f[TESTS + 10] = {LDW(20), STMT(BPF_MISC | BPF_TAX, 0),
					    STMT(BPF_LD | BPF_B | BPF_IND, 0),
					    JUMP(BPF_JMP | BPF_JGT | BPF_K, 77, TESTS + 5, 0),
					    STMT(BPF_LD | BPF_B | BPF_IND, 0)};
	struct program p = {.f = f, .n = LENGTH(f), .name = "a failed chain"};
	unsigned n = 5;

	for (unsigned i = 0; i < TESTS; i++) {
		if (i == TESTS / 2)
			f[n++] = (struct sock_filter)STMT(BPF_LD | BPF_B | BPF_IND, 40);
		f[n] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, i, TESTS + 7 - n, 0);
		n++;
	}
	for (; n < LENGTH(f); n++)
		f[n] = (struct sock_filter)STMT(BPF_RET | BPF_K, n);
	try_program(&p, r, false);
	finish("a failed chain", 1);
}

/* X is that of the header's length in each round, but the verifier has forgotten how large it is. */
static void run_kept_x(struct rng *r)
{
	struct sock_filter f[] = {STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
				  STMT(BPF_LD | BPF_B | BPF_IND, 14),
				  JUMP(BPF_JMP | BPF_JEQ | BPF_K, 6, 1, 0),
				  STMT(BPF_JMP | BPF_JA, -3), RETURN_A};
	struct program p = {.f = f, .n = LENGTH(f), .name = "X in a loop"};

	try_program(&p, r, false);
	finish("X in a loop", 1);
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
	for (programs = 0; programs < rounds * PROGRAMS; programs++) {
		struct program p;

		program_random(&p, r);
		try_program(&p, r, true);
		free(p.f);
	}
	finish("random programs", programs);
	for (programs = 0; programs < rounds * QUESTIONS; programs++) {
		struct program p;

		program_questions(&p, r);
		try_program(&p, r, true);
		free(p.f);
	}
	finish("random questions", programs);
	for (programs = 0; programs < rounds * LOOPS; programs++) {
		struct program p;

		program_loops(&p, r);
		try_program(&p, r, true);
		free(p.f);
	}
	finish("random loops", programs);
}

/* Random programs may meet limits of a verifier, one in 500 at most; then the ladder goes down. */
static void summarise(void)
{
	for (unsigned i = 0; i < TARGETS; i++) {
		printf("%-18s %lu programs loaded, %lu refused, %lu frames with fragments\n",
		       target(i)->name, tally.loaded[i], tally.refused[i], tally.split[i]);
		check(tally.refused[i] * 500 <= tally.loaded[i], "%s: %lu programs refused",
		      target(i)->name, tally.refused[i]);
	}
	printf("%lu comparisons, %lu with the kernel's classic filter as well\n", tally.compared,
	       tally.classic);
	check(tally.beyond > 0, "%lu frames turned back more than %d times", tally.beyond,
	      FILTER_TURNS);
	check(tally.mismatches == 0, "%lu mismatches", tally.mismatches);
}

int main(void)
{
	struct rng r = {.state = seed_from_environment(2)};
	int rc;

	if (!kernel_available()) {
		skip("no privilege to load XDP programs with fragments");
		return summary();
	}
	for (unsigned i = 0; i < TARGETS; i++)
		splits[i] = kernel_splits(target_host(i));
	if (!splits[0])
		skip("this kernel's test run splits no XDP frames below a page (6.18 does)");
	if (!splits[6])
		skip("this kernel's test run makes no fragmented skbs: filter/pieces has them");
	rc = classic_open(&classic);
	check(rc == 0, "socketpair: %s", strerror(-rc));
	run_corpus(&r);
	run_hosts(&r);
	run_branches();
	if (!kernel_checks_invariants())
		skip("this kernel does not tell of contradictions (6.8 does)");
	run_contradictions(&r);
	run_failed_chain(&r);
	run_kept_x(&r);
	run_random(&r, rounds_from_environment());
	summarise();
	classic_close(&classic);
	return summary();
}
