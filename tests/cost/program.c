/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * program OPTIONS PROGRAM SIZE EXPRESSION keep|leave: how far a capture program has to go for a
 * frame. The library opens a capture on a veth in a namespace of our own, with a filter. What it
 * gave the kernel is run here on as many frames, in the capture's own rings, and the library reads
 * them: they are all there, or by "leave" none. Prints instructions, cache lines and calls of
 * helpers, per frame. The two instructions of xdp_root or packet_root are not among them.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/progcost_filter.h"
#include "capture/options/options.h"
#include "interpret.h"
#include "testprogs/frame.h"
#include "tests/capture/own_net.h"

#define FRAMES	 1000u
#define SLOT	 2048u	       /* of memory for each, in lines of its own */
#define LOW	 (256ul << 20) /* where nothing else is */
#define LOADED	 32
#define NAME_MAX 16	      /* of which the kernel keeps 15 */
#define LOG_SIZE (128u << 20) /* some go a long way */

/* What was given to the kernel, the last of each name. */
static struct loaded {
	char name[NAME_MAX];
	struct code code;
} loaded[LOADED];

struct plan {
	const char *program, *expression;
	uint32_t size;
	bool keep;
};

/* Types as of the linker: libbpf's header differs by release. */
int __real_bpf_prog_load(unsigned type, const char *name, const char *license,
			 const struct bpf_insn *insns, size_t n, void *opts);
int __wrap_bpf_prog_load(unsigned type, const char *name, const char *license,
			 const struct bpf_insn *insns, size_t n, void *opts);

/* Of the verifier's log, which has a line "NUMBER: (CODE) ..." for each instruction that it comes
 * to. */
static void note_reached(bool *reached, size_t n, char *log)
{
	for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n")) {
		char *end;
		size_t at = strtoul(line, &end, 10);

		if (end != line && !strncmp(end, ": (", 3) && at < n)
			reached[at] = true;
	}
}

/* Loaded a second time, with a log. */
static bool *ask_verifier(unsigned type, const char *name, const struct bpf_insn *insns, size_t n,
			  const struct bpf_prog_load_opts *as_loaded)
{
	struct bpf_prog_load_opts opts = *as_loaded;
	char *log = calloc(1, LOG_SIZE);
	bool *reached = calloc(n + 1, sizeof(*reached));
	int fd;

	if (!log || !reached)
		abort();
	opts.log_buf = log;
	opts.log_size = LOG_SIZE;
	opts.log_level = 2;
	fd = __real_bpf_prog_load(type, name, "Dual BSD/GPL", insns, n, &opts);
	if (fd < 0) {
		perror("program: loading it with a log");
		exit(1);
	}
	close(fd);
	note_reached(reached, n, log);
	free(log);
	return reached;
}

static struct loaded *place_of(const char *name)
{
	struct loaded *l = loaded;

	while (l < loaded + LOADED - 1 && l->code.insns && strncmp(l->name, name, NAME_MAX - 1))
		l++;
	free(l->code.insns);
	free(l->code.reached);
	return l;
}

int __wrap_bpf_prog_load(unsigned type, const char *name, const char *license,
			 const struct bpf_insn *insns, size_t n, void *opts)
{
	int fd = __real_bpf_prog_load(type, name, license, insns, n, opts);
	struct loaded *l;

	if (fd < 0 || !name || !opts)
		return fd;
	l = place_of(name);
	snprintf(l->name, sizeof(l->name), "%s", name);
	l->code.insns = calloc(n, sizeof(*insns));
	if (!l->code.insns)
		abort();
	memcpy(l->code.insns, insns, n * sizeof(*insns));
	l->code.reached = ask_verifier(type, name, insns, n, opts);
	return fd;
}

/* By how its name begins: the one bound to the device is meant by the same name. */
static const struct code *find(const char *name)
{
	for (struct loaded *l = loaded; l < loaded + LOADED && l->code.insns; l++)
		if (!strncmp(l->name, name, strlen(name)))
			return &l->code;
	fprintf(stderr, "program: no %s was loaded with the filter\n", name);
	exit(1);
}

static struct afxdp_capture *open_capture(const char *options, const char *expression)
{
	char device[256], text[AFXDP_ERROR_SIZE] = "";
	struct afxdp_options o = {0};
	struct afxdp_capture *c;
	struct sock_filter *filter;
	unsigned n;

	snprintf(device, sizeof(device), AFXDP_PREFIX "vb%s%s", *options ? "," : "", options);
	if (progcost_compile(expression, &filter, &n) ||
	    afxdp_options_device(&o, device, text, sizeof(text)))
		goto failed;
	o.loader_off = true; /* it would load the filter's program, unseen here */
	if (afxdp_open(&c, &o, text, sizeof(text)) ||
	    afxdp_set_filter(c, filter, n, text, sizeof(text)))
		goto failed;
	free(filter);
	return c;
failed:
	fprintf(stderr, "program: %s: %s\n", device, text);
	exit(1);
}

/* Records that are there, each of so many bytes. */
static uint32_t read_all(struct afxdp_capture *c, uint32_t size)
{
	const struct epb_header *r;
	struct afxdp_run run;
	uint32_t n = 0;

	while (afxdp_run(afxdp_reader(c), &run) > 0) {
		for (r = run.first; afxdp_run_has(&run, r); r = epb_next(r))
			n += r->caplen == size && r->len == size;
		afxdp_run_done(afxdp_reader(c), &run, r);
	}
	return n;
}

/* The context has addresses of 32 bits. */
static uint8_t *make_frames(uint32_t size)
{
	const struct frame_spec spec = {.src_ip = inet_addr("198.18.0.1"),
					.dst_ip = inet_addr("198.19.0.2"),
					.flows = 1};
	uint8_t *frames = mmap((void *)LOW, FRAMES * SLOT, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (frames == MAP_FAILED || (uint64_t)(uintptr_t)frames >> 32) {
		perror("program: memory below 4 GiB");
		exit(1);
	}
	for (uint32_t i = 0; i < FRAMES; i++)
		frame_build(frames + i * SLOT, size, i, &spec);
	return frames;
}

static int run_frame(const struct plan *plan, const uint8_t *frame, struct path *path)
{
	uint32_t begin = (uint32_t)(uintptr_t)frame, end = begin + plan->size;
	bool sent = strstr(plan->program, "egress");
	struct xdp_md xdp = {.data = begin, .data_end = end};
	struct __sk_buff skb = {.len = plan->size,
				.pkt_type = sent ? PACKET_OUTGOING : PACKET_HOST,
				.protocol = htons(0x0800),
				.data = begin,
				.data_end = end};
	bool at_xdp = !strncmp(plan->program, "xdp", 3);
	struct input in = {at_xdp ? (void *)&xdp : &skb, frame, plan->size};

	return interpret(find(plan->program), &in, path);
}

static int count(struct afxdp_capture *c, const struct plan *plan)
{
	uint8_t *frames = make_frames(plan->size);
	struct path path = {0};
	uint32_t got, wanted = plan->keep ? FRAMES : 0;

	read_all(c, plan->size); /* from here on the filter's verdict is the last word */
	for (uint32_t i = 0; i < FRAMES; i++)
		if (run_frame(plan, frames + i * SLOT, &path))
			return 1;
	got = read_all(c, plan->size);
	if (got != wanted) {
		fprintf(stderr, "program: %u records of %u frames, %u wanted\n", got, FRAMES,
			wanted);
		return 1;
	}
	printf("%.1f %.1f %.1f\n", (double)path.instructions / FRAMES, (double)path.lines / FRAMES,
	       (double)path.calls / FRAMES);
	return 0;
}

int main(int argc, char **argv)
{
	struct afxdp_capture *c;
	struct plan plan;
	cpu_set_t set;
	int status;

	if (argc != 6) {
		fprintf(stderr, "program OPTIONS PROGRAM SIZE EXPRESSION keep|leave\n");
		return 2;
	}
	plan = (struct plan){argv[2], argv[4], (uint32_t)atoi(argv[3]), !strcmp(argv[5], "keep")};
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	own_net();
	veth_pair("");
	c = open_capture(argv[1], plan.expression);
	status = count(c, &plan);
	afxdp_close(c);
	return status;
}
