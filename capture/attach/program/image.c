/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/filter.h"
#include "image.h"
#include "bpf/marker.h"
#include "capture/attach/hold_signals.h"
#include "filter/splice.h"
#include "settle.h"

#define LOG_SIZE (64u << 10)
/*
 * Programs written to take long took at most 0.5 s of CPU with this many; with twice as many they
 * took more than a second, with ten times as many minutes.
 */
#define MEETS_MAX 32
/*
 * If each load takes its offset from the previous load, the verifier goes back through all of them
 * for each: 512 took 0.8 s, 1,023 took 3.2 s, and 2,046 took 35 s.
 */
#define CHAIN_MAX 256

/* Returns the BTF id of the function; 0: there is none. */
static uint32_t type_of(const struct bpf_object *object, const char *function)
{
	int id = btf__find_by_name_kind(bpf_object__btf(object), function, BTF_KIND_FUNC);

	return id > 0 ? (uint32_t)id : 0;
}

/* If the kernel has accepted the object's BTF, which some do not. */
static void take_types(struct image *i, const struct bpf_program *program,
		       const struct bpf_object *object)
{
	const char *const looks = i->type == BPF_PROG_TYPE_XDP	       ? "sets_at_xdp"
				  : i->type == BPF_PROG_TYPE_SCHED_CLS ? "sets_at_tc"
								       : "sets_at_skb";
	const char *const called[IMAGE_CALLED] = {looks, "sets_find", "sets_note",
						  "append_entries"};

	i->btf = bpf_object__btf_fd(object);
	if (i->btf < 0)
		return;
	i->function = type_of(object, bpf_program__name(program));
	for (unsigned k = 0; k < IMAGE_CALLED; k++)
		i->called[k] = type_of(object, called[k]);
}

static bool is_call(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_CALL) && i->src_reg == BPF_PSEUDO_CALL;
}

/* Where the first called function after this place begins; 0: there is none. */
static uint32_t find_called(const struct bpf_insn *insns, uint32_t n, uint32_t behind)
{
	uint32_t first = 0;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t at = k + 1 + (uint32_t)insns[k].imm;

		if (is_call(&insns[k]) && at > behind && (!first || at < first))
			first = at;
	}
	return first;
}

/* Remove the functions that are called: the rest is one function. */
static void leave_out_called(struct image *i)
{
	const struct bpf_insn nothing = {.code = BPF_ALU64 | BPF_MOV | BPF_K};
	uint32_t at = find_called(i->insns, i->n, 0);

	if (!at)
		return;
	i->n = at;
	for (uint32_t k = 0; k < i->n; k++)
		if (is_call(&i->insns[k]))
			i->insns[k] = nothing;
}

/* Does the instruction use stack below that of the compiler? */
static bool is_below_host_stack(const struct bpf_insn *i, uint32_t type, bool called)
{
	int class = BPF_CLASS(i->code);
	int base = class == BPF_LDX ? i->src_reg : i->dst_reg;

	if ((class != BPF_LDX && class != BPF_ST && class != BPF_STX) || base != BPF_REG_10)
		return false;
	if (called)
		return i->off < CALLED_STACK;
	return type == BPF_PROG_TYPE_TRACING ? i->off < TRACE_HOST_STACK
					     : i->off < HOST_STACK && i->off != FILTER_TAG_SLOT;
}

static bool keeps_to_its_stack(const struct image *i)
{
	uint32_t called = find_called(i->insns, i->n, 0);

	for (uint32_t k = 0; k < i->n; k++)
		if (is_below_host_stack(&i->insns[k], i->type, called && k >= called))
			return false;
	return true;
}

int image_take(struct image *i, const struct bpf_program *program, struct bpf_map *constants,
	       const struct bpf_object *object, bool calls)
{
	const struct bpf_insn *insns = bpf_program__insns(program);
	size_t n = bpf_program__insn_cnt(program);

	snprintf(i->name, sizeof(i->name), "%s", bpf_program__name(program));
	i->type = bpf_program__type(program);
	take_types(i, program, object);
	i->insns = calloc(n, sizeof(*insns));
	if (!i->insns)
		return -ENOMEM;
	memcpy(i->insns, insns, n * sizeof(*insns));
	i->n = (uint32_t)n;
	if (!calls)
		leave_out_called(i);
	return keeps_to_its_stack(i) ? settle_constants(i->insns, i->n, constants) : -EFAULT;
}

void image_free(struct image *i)
{
	free(i->insns);
	i->insns = NULL;
}

static bool is_constant(const struct bpf_insn *i, uint64_t value)
{
	return i->code == (BPF_LD | BPF_IMM | BPF_DW) && i->src_reg == 0 &&
	       (uint32_t)i[0].imm == (uint32_t)value && (uint32_t)i[1].imm == value >> 32;
}

static bool has_constant(const struct image *i, uint64_t value)
{
	for (uint32_t k = 0; k + 1 < i->n; k++)
		if (is_constant(&i->insns[k], value))
			return true;
	return false;
}

static void set_generation(struct bpf_insn *insns, unsigned n, uint32_t generation)
{
	for (unsigned k = 0; k + 1 < n; k++) {
		if (!is_constant(&insns[k], GENERATION_MARKER))
			continue;
		insns[k].imm = (int32_t)generation;
		insns[k + 1].imm = 0;
	}
}

static int in_bounds(unsigned n, char *err, size_t size)
{
	if (n <= FILTER_PROGRAM_MAX)
		return 0;
	snprintf(err, size, "it becomes a program of %u instructions, and %u are the most", n,
		 FILTER_PROGRAM_MAX);
	return -EOPNOTSUPP;
}

/* Checked for every process that loads it: even the loader's second of CPU takes long if others use
 * the CPU. */
static int check_chains(const struct sock_filter *f, unsigned n, char *err, size_t size)
{
	unsigned chain = 0, longest = 0;
	bool from_packet = false; /* X may come from a load */

	for (unsigned i = 0; i < n; i++) {
		if (BPF_CLASS(f[i].code) == BPF_MISC && BPF_MISCOP(f[i].code) == BPF_TAX)
			from_packet = true;
		if (BPF_CLASS(f[i].code) == BPF_LDX) {
			from_packet = BPF_MODE(f[i].code) == BPF_MEM;
			chain = from_packet ? chain : 0;
		}
		if (from_packet && BPF_CLASS(f[i].code) == BPF_LD && BPF_MODE(f[i].code) == BPF_IND)
			longest = ++chain > longest ? chain : longest;
	}
	if (longest <= CHAIN_MAX)
		return 0;
	snprintf(err, size,
		 "the kernel may take long to load it: it has %u loads in a row that each begin where the one before says",
		 longest);
	return -ETIME;
}

/*
 * Put the translated filter in place of one marker in *insns, which is replaced. Returns 0; or
 * -EOPNOTSUPP, -ETIME without asking the kernel, and err says why.
 */
static int splice_one(struct bpf_insn **insns, unsigned *n, uint64_t marker,
		      const struct sock_filter *f, unsigned fn, const struct filter_options *o,
		      const struct load_limit *limit, char *err, size_t size)
{
	struct filter_code code;
	struct bpf_insn *out;
	int e = check_chains(f, fn, err, size);

	if (!e)
		e = filter_translate(f, fn, o, &code, err, size);
	if (e)
		return e;
	if (!limit && code.meets > MEETS_MAX) {
		filter_code_free(&code);
		snprintf(err, size,
			 "the kernel may take long to load it, and only the loader process could stop it");
		return -ETIME;
	}
	e = filter_splice(*insns, *n, marker, &code, &out, n);
	filter_code_free(&code);
	if (e == -ERANGE) {
		snprintf(err, size, "it has too many distant jump targets");
		return -EOPNOTSUPP;
	}
	if (e) {
		snprintf(err, size, "splicing the filter in: %s", strerror(-e));
		return e;
	}
	free(*insns);
	*insns = out;
	return in_bounds(*n, err, size);
}

/* The places in a program that a filter may be put into. */
static const struct {
	uint64_t marker;
	uint32_t direction;
	bool tagged;
} places[] = {
	{FILTER_MARKER, PACKET_HOST, false},
	{FILTER_MARKER_TAGGED, PACKET_HOST, true},
	{FILTER_MARKER_OUTBOUND, PACKET_OUTGOING, false},
};

_Static_assert(offsetof(struct buff_view, data) == FILTER_BUFF_DATA &&
		       offsetof(struct buff_view, length) == FILTER_BUFF_LENGTH &&
		       offsetof(struct buff_view, ifindex) == FILTER_BUFF_IFINDEX &&
		       offsetof(struct buff_view, queue) == FILTER_BUFF_QUEUE,
	       "what the program writes is what the filter reads");

static enum filter_ctx filter_context(const struct image *i)
{
	switch (i->type) {
	case BPF_PROG_TYPE_XDP:
		return FILTER_XDP;
	case BPF_PROG_TYPE_TRACING:
		return FILTER_BUFF;
	default:
		return FILTER_SKB;
	}
}

int image_build(const struct image *i, const struct sock_filter *f, unsigned fn,
		uint32_t generation, enum filter_level level, const struct load_limit *limit,
		struct bpf_insn **insns, unsigned *n, char *err, size_t size)
{
	int e = 0;

	*n = i->n;
	*insns = calloc(i->n, sizeof(**insns));
	if (!*insns)
		return -ENOMEM;
	memcpy(*insns, i->insns, i->n * sizeof(**insns));
	for (size_t k = 0; k < sizeof(places) / sizeof(places[0]) && !e; k++) {
		struct filter_options o = {.ctx = filter_context(i),
					   .level = level,
					   .direction = places[k].direction,
					   .tagged = places[k].tagged,
					   .never_tagged = i->no_link_header,
					   .tag_beside = i->tag_beside,
					   .cooked = i->cooked,
					   .unrolled = true,
					   .tag_slot = FILTER_TAG_SLOT,
					   .stack_top = i->type == BPF_PROG_TYPE_TRACING
								? TRACE_HOST_STACK
								: FILTER_STACK_TOP};

		if (has_constant(i, places[k].marker))
			e = splice_one(insns, n, places[k].marker, f, fn, &o, limit, err, size);
	}
	if (!e) {
		set_generation(*insns, *n, generation);
		return 0;
	}
	free(*insns);
	*insns = NULL;
	return e;
}

/* Returns the number of functions, with their types; 0: one of them has no type. */
static uint32_t find_functions(const struct image *i, const struct bpf_insn *insns, uint32_t n,
			       struct bpf_func_info *functions)
{
	uint32_t at = find_called(insns, n, 0), count = 1;

	for (; at && count <= IMAGE_CALLED; at = find_called(insns, n, at), count++)
		functions[count] =
			(struct bpf_func_info){.insn_off = at, .type_id = i->called[count - 1]};
	if (at)
		return 0;
	for (uint32_t k = 0; k < count; k++)
		if (!functions[k].type_id)
			return 0;
	return count;
}

/* Log level 4 has the verifier's objections, without the trace, which would make it slow. */
static int load(const struct image *i, const struct bpf_insn *insns, unsigned n,
		struct load_limit *limit, char *log)
{
	uint32_t attach_type = i->type == BPF_PROG_TYPE_XDP ? BPF_XDP : i->attach_type;
	/* Most programs are a single function. */
	struct bpf_func_info functions[1 + IMAGE_CALLED] = {{.type_id = i->function}};
	uint32_t count = find_functions(i, insns, n, functions);
	bool typed = count > 0;
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type = (enum bpf_attach_type)attach_type,
		    .attach_btf_id = i->traced_function,
		    .attach_prog_fd = (uint32_t)(i->traced_function ? i->traced : 0),
		    .prog_flags = i->flags, .prog_ifindex = i->ifindex,
		    .prog_btf_fd = (uint32_t)(typed ? i->btf : 0),
		    .func_info = typed ? functions : NULL, .func_info_cnt = count,
		    .func_info_rec_size = typed ? sizeof(functions[0]) : 0, .log_buf = log,
		    .log_size = LOG_SIZE, .log_level = 4, .attempts = limit ? 1 : 0);
	int fd;

	do
		fd = limit && limit_is_over(limit)
			     ? -EAGAIN
			     : bpf_prog_load(i->type, i->name, "Dual BSD/GPL", insns, n, &opts);
	while (limit && fd == -EAGAIN && limit_goes_on(limit));
	if (limit && fd == -EAGAIN && limit_is_used(limit)) {
		snprintf(log, LOG_SIZE, "the kernel does not load it within a second");
		return -ETIME;
	}
	if (limit && fd == -EAGAIN) {
		snprintf(log, LOG_SIZE,
			 "the machine is busy: the kernel had no processor to load it in time");
		return -ETIMEDOUT;
	}
	if (fd >= 0)
		*log = 0; /* only statistics */
	return fd;
}

int image_put(const struct image *i, int program)
{
	uint32_t slot = 0;

	if (i->place == IMAGE_NOWHERE)
		return 0;
	if (i->place == IMAGE_SLOT)
		return bpf_map_update_elem(i->fd, &slot, &program, BPF_ANY) ? -errno : 0;
	return bpf_link_update(i->fd, program, NULL) ? -errno : 0;
}

/* Returns the program's descriptor. */
static int load_level(const struct image *i, const struct sock_filter *f, unsigned n,
		      uint32_t generation, image_builder *build, enum filter_level level,
		      struct load_limit *limit, char *log)
{
	struct bpf_insn *insns;
	unsigned count;
	int e = build(i, f, n, generation, level, limit, &insns, &count, log, LOG_SIZE);

	if (e)
		return e;
	e = load(i, insns, count, limit, log);
	free(insns);
	return e;
}

/* Keep the log of the first level that was refused, even if the second one loads. */
static void keep_log(char **log, const char *text)
{
	if (!text || !*text)
		return;
	free(*log);
	*log = strdup(text);
}

/* Returns the program's descriptor. */
static int load_best(const struct image *i, const struct sock_filter *f, unsigned n,
		     uint32_t generation, image_builder *build, enum afxdp_level *level,
		     struct load_limit *limit, char **log)
{
	char *text = calloc(1, LOG_SIZE);
	int fd;

	*log = NULL;
	*level = AFXDP_LEVEL_FRAGS;
	if (!text) {
		*level = AFXDP_LEVEL_USER;
		return -ENOMEM;
	}
	/* Programs of these types can only access the frame by helper. */
	fd = i->type == BPF_PROG_TYPE_SOCKET_FILTER || i->type == BPF_PROG_TYPE_TRACING
		     ? -EOPNOTSUPP
		     : load_level(i, f, n, generation, build, FILTER_LEVEL_FRAGS, limit, text);
	keep_log(log, text);
	/*
	 * The other form is shorter, so a filter that was too long may fit. But what was too
	 * complex for the verifier (E2BIG, which nothing else here returns), or took it too long,
	 * is so with helpers as well.
	 */
	if (fd < 0 && fd != -EPERM && fd != -E2BIG && fd != -ETIME && fd != -ETIMEDOUT) {
		*level = AFXDP_LEVEL_HELPER;
		fd = load_level(i, f, n, generation, build, FILTER_LEVEL_HELPER, limit, text);
		keep_log(log, text);
	}
	if (fd < 0)
		*level = AFXDP_LEVEL_USER;
	free(text);
	return fd;
}

int image_load(const struct image *i, const struct sock_filter *f, unsigned n, uint32_t generation)
{
	struct load_limit limit;
	enum afxdp_level level;
	char *log = NULL;
	int fd;

	if (!n) {
		log = calloc(1, LOG_SIZE);
		fd = log ? load(i, i->insns, i->n, NULL, log) : -ENOMEM;
	} else {
		limit_begin(&limit, 0);
		fd = load_best(i, f, n, generation, image_build, &level, &limit, &log);
		limit_end();
	}
	free(log);
	return fd;
}

int image_load_with(const struct image *i, const struct sock_filter *f, unsigned n,
		    uint32_t generation, image_builder *builder, struct load_limit *limit,
		    enum afxdp_level *level, char **log)
{
	return load_best(i, f, n, generation, builder ? builder : image_build, level, limit, log);
}

bool image_waits(const struct image *i)
{
	return i->place == IMAGE_LINK && i->type == BPF_PROG_TYPE_XDP;
}

/* From now on the slot or the link keeps each program. *late: the one that was not put in place. */
static int put_all(const struct image *images, unsigned count, const int *programs,
		   const int **late)
{
	int e = 0;

	for (unsigned i = 0; i < count && !e; i++)
		if (late && image_waits(&images[i]))
			*late = &programs[i];
		else
			e = image_put(&images[i], programs[i]);
	return e;
}

int image_swap_all(const struct image *images, unsigned count, const struct sock_filter *f,
		   unsigned n, uint32_t generation, bool limited, enum afxdp_level *level,
		   char **log, int *late)
{
	int programs[IMAGES_MAX], e = 0;
	struct load_limit limit;
	const int *left = NULL;
	enum afxdp_level reached;
	unsigned loaded = 0;
	sigset_t before;

	*level = AFXDP_LEVEL_NONE;
	*log = NULL;
	if (limited)
		limit_begin(&limit, 0);
	else
		hold_signals(&before);
	while (loaded < count && !e) {
		free(*log);
		programs[loaded] = load_best(&images[loaded], f, n, generation, image_build,
					     &reached, limited ? &limit : NULL, log);
		if (reached > *level)
			*level = reached;
		if (programs[loaded] < 0)
			e = programs[loaded];
		else
			loaded++;
	}
	if (limited)
		limit_end();
	else
		release_signals(&before);
	if (!e)
		e = put_all(images, count, programs, late ? &left : NULL);
	if (e)
		*level = AFXDP_LEVEL_USER;
	if (late)
		*late = left && !e ? *left : -1;
	while (loaded--)
		if (&programs[loaded] != left || e)
			close(programs[loaded]);
	return e;
}

int image_try_filter(bool at_xdp, const struct sock_filter *f, unsigned n, char *err, size_t size)
{
	struct filter_options o = {.ctx = at_xdp ? FILTER_XDP : FILTER_SKB,
				   .stack_top = FILTER_STACK_TOP};
	struct filter_code code = {0};
	int e = -EOPNOTSUPP;

	for (; e == -EOPNOTSUPP && o.level <= FILTER_LEVEL_HELPER; o.level++) {
		e = filter_translate(f, n, &o, &code, err, size);
		if (!e)
			e = in_bounds((unsigned)code.len, err, size);
		if (!e)
			e = (int)code.len;
		filter_code_free(&code);
	}
	return e;
}
