/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the capture program itself takes per frame: filter, copy, publication, without driver and
 * stack around it. The library opens a capture on a veth in a namespace of our own; the program it
 * attached is then run by BPF_PROG_TEST_RUN on one CPU in batches, and what a batch wrote is read
 * on another CPU before the next, as in a real capture. Batches that were interrupted count for
 * nothing: the figures are the lowest and the lower quartile. The kernel does not run a program
 * that is bound to a device this way, so under XDP it is the shared one, without the tag kfunc.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <getopt.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/options/options.h"
#include "testprogs/frame.h"
#include "testprogs/options.h"
#include "progcost_filter.h"
#include "util/uapi.h"

#define INTERFACE     "near"
#define SIZES_MAX     8
#define BATCH_DEFAULT 2000

struct plan {
	struct afxdp_options options;
	const char *device;
	uint32_t sizes[SIZES_MAX], size_count;
	uint32_t batch, batches, snaplen;
	const char *filter, *socket;
	bool outbound, csv;
};

/* One batch is written, then read, then the next, so that no reader takes cache lines from what is
 * measured. */
struct turns {
	struct afxdp_capture *capture;
	pthread_barrier_t barrier;
	uint64_t frames, touched;
	bool end;
};

static const struct option_row rows[] = {
	{'i', "interface", "OPTIONS", "options of the device name, such as hook=tc,ring=4M"},
	{'s', "sizes", "LIST", "frame sizes (64,512,1500)"},
	{'S', "snaplen", "BYTES", "bytes to keep of each"},
	{'f', "filter", "EXPR", "capture filter; frames go from 198.18.0.1 to UDP port 9"},
	{'o', "outbound", NULL, "the program for frames that are sent"},
	{'w', "who", "SOCKET",
	 "records say which socket, that of the frames: connected, bound or none"},
	{'b', "batch", "FRAMES", "per batch (2000)"},
	{'n', "batches", "N", "per size (200)"},
	{'c', "csv", NULL, "size,lowest,quartile and no words"},
	{0},
};

static const struct program program = {
	"progcost", "[OPTION]...", "Runs the capture program alone and prints ns per frame.",
	rows,	    false,
};

static void sizes_arg(struct plan *plan)
{
	char *end = optarg, *at = optarg;

	plan->size_count = 0;
	do {
		unsigned long size = strtoul(at, &end, 10);

		if (end == at || (*end && *end != ',') || size < FRAME_MIN || size > 3400 ||
		    plan->size_count == SIZES_MAX)
			usage_error(&program, "--sizes takes up to %d sizes from %d to 3400",
				    SIZES_MAX, FRAME_MIN);
		plan->sizes[plan->size_count++] = size;
		at = end + 1;
	} while (*end);
}

static void take_option(struct plan *plan, int key)
{
	switch (key) {
	case 'i':
		plan->device = optarg;
		break;
	case 's':
		sizes_arg(plan);
		break;
	case 'S':
		plan->snaplen = number_arg(&program, "--snaplen", 1, AFXDP_SNAPLEN_MAX);
		break;
	case 'f':
		plan->filter = optarg;
		break;
	case 'o':
		plan->outbound = true;
		break;
	case 'w':
		if (strcmp(optarg, "connected") && strcmp(optarg, "bound") &&
		    strcmp(optarg, "none"))
			usage_error(&program, "--who takes connected, bound or none, not %s",
				    optarg);
		plan->socket = optarg;
		break;
	case 'b':
		plan->batch = number_arg(&program, "--batch", 1, 1000000);
		break;
	case 'n':
		plan->batches = number_arg(&program, "--batches", 4, 1000000);
		break;
	default:
		plan->csv = true;
	}
}

static void read_options(struct plan *plan, int argc, char **argv)
{
	char device[256], text[AFXDP_ERROR_SIZE];
	int key;

	*plan = (struct plan){.sizes = {64, 512, 1500},
			      .size_count = 3,
			      .device = "",
			      .batch = BATCH_DEFAULT,
			      .batches = 200};
	while ((key = options_next(&program, argc, argv)) != -1)
		take_option(plan, key);
	snprintf(device, sizeof(device), AFXDP_PREFIX INTERFACE ",vlan=off%s%s",
		 *plan->device ? "," : "", plan->device);
	if (afxdp_options_device(&plan->options, device, text, sizeof(text)))
		usage_error(&program, "%s", text);
	plan->options.snaplen = plan->snaplen;
	plan->options.loader_off = true;
	plan->options.who = plan->socket;
}

static int make_interface(void)
{
	if (unshare(CLONE_NEWNET)) {
		perror("progcost: own network namespace");
		return -1;
	}
	if (system("ip link add " INTERFACE
		   " type veth peer name far && ip link set far up && ip link set " INTERFACE
		   " up && ip address add 198.19.0.2/15 dev " INTERFACE))
		return -1;
	return 0;
}

/* To which the frames are; it lives as long as this process. */
static int open_socket(const char *kind)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons(FRAME_PORT_OTHER),
				 .sin_addr = {inet_addr("198.19.0.2")}};
	struct sockaddr_in from = {.sin_family = AF_INET,
				   .sin_port = htons(FRAME_SPORT_BASE),
				   .sin_addr = {inet_addr("198.18.0.1")}};
	uint64_t cookie;
	socklen_t size = sizeof(cookie);
	int fd;

	if (!kind || strcmp(kind, "none") == 0)
		return 0;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (!bind(fd, (struct sockaddr *)&to, sizeof(to)) &&
	    (strcmp(kind, "bound") == 0 || !connect(fd, (struct sockaddr *)&from, sizeof(from))) &&
	    !getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size))
		return 0;
	perror("progcost: a socket");
	return -1;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* The program that the library attached. */
static int find_program(const struct plan *plan)
{
	uint32_t ids[4] = {0}, count = 4, id = 0;
	int ifindex = (int)if_nametoindex(INTERFACE);

	if (!plan->outbound && !bpf_xdp_query_id(ifindex, 0, &id) && id)
		return bpf_prog_get_fd_by_id(id);
	if (bpf_prog_query(ifindex, plan->outbound ? TCX_EGRESS : TCX_INGRESS, 0, NULL, ids,
			   &count) ||
	    !count)
		return -ENOENT;
	return bpf_prog_get_fd_by_id(ids[0]);
}

static void read_batch(struct turns *t)
{
	const struct epb_header *r;
	struct afxdp_run run;

	while (afxdp_run(afxdp_reader(t->capture), &run)) {
		for (r = run.first; afxdp_run_has(&run, r); r = epb_next(r)) {
			t->touched += *epb_frame(r);
			t->frames++;
		}
		afxdp_run_done(afxdp_reader(t->capture), &run, r);
	}
}

static void *read_batches(void *arg)
{
	struct turns *t = arg;

	pin(1);
	for (;;) {
		pthread_barrier_wait(&t->barrier);
		if (t->end)
			return NULL;
		read_batch(t);
		pthread_barrier_wait(&t->barrier);
	}
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* ns per frame of one batch; 0 on failure. */
static uint32_t run_batch(int fd, const struct plan *plan, uint8_t *frame, uint32_t size)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = frame, .data_size_in = size,
		    .repeat = (int)plan->batch);

	if (!bpf_prog_test_run_opts(fd, &opts))
		return opts.duration ? opts.duration : 1;
	perror("progcost: running the program");
	return 0;
}

static int measure(struct turns *t, int fd, const struct plan *plan, uint32_t size)
{
	const struct frame_spec spec = {.src_ip = inet_addr("198.18.0.1"),
					.dst_ip = inet_addr("198.19.0.2"),
					.flows = 1};
	uint32_t *ns = calloc(plan->batches, sizeof(*ns));
	uint8_t frame[FRAME_MAX];
	int err = ns ? 0 : -1;

	frame_build(frame, size, 1, &spec);
	for (uint32_t i = 0; i < plan->batches && !err; i++) {
		ns[i] = run_batch(fd, plan, frame, size);
		err = ns[i] ? 0 : -1;
		pthread_barrier_wait(&t->barrier);
		pthread_barrier_wait(&t->barrier);
	}
	if (!err) {
		qsort(ns, plan->batches, sizeof(*ns), by_value);
		printf(plan->csv ? "%u,%u,%u\n" : "%5u bytes: %3u ns, lower quartile %3u ns\n",
		       size, ns[0], ns[plan->batches / 4]);
	}
	free(ns);
	return err;
}

static int measure_all(struct turns *t, int fd, const struct plan *plan)
{
	struct afxdp_stats stats;
	pthread_t thread;
	int err = 0;

	pthread_barrier_init(&t->barrier, NULL, 2);
	if (pthread_create(&thread, NULL, read_batches, t))
		return -1;
	for (uint32_t i = 0; i < plan->size_count && !err; i++)
		err = measure(t, fd, plan, plan->sizes[i]);
	t->end = true;
	pthread_barrier_wait(&t->barrier);
	pthread_join(thread, NULL);
	if (!afxdp_stats(t->capture, &stats, sizeof(stats)) && afxdp_stats_lost(&stats))
		fprintf(stderr, "progcost: %llu frames lost: a smaller --batch is needed\n",
			(unsigned long long)afxdp_stats_lost(&stats));
	return err;
}

static int set_filter(struct afxdp_capture *c, const char *expression, char *text, size_t size)
{
	struct sock_filter *filter;
	unsigned n;
	int err = progcost_compile(expression, &filter, &n);

	if (!err)
		err = afxdp_set_filter(c, filter, n, text, size);
	free(filter);
	return err;
}

int main(int argc, char **argv)
{
	char text[AFXDP_ERROR_SIZE] = "";
	struct turns turns = {0};
	struct plan plan;
	int fd, err;

	read_options(&plan, argc, argv);
	pin(0);
	if (make_interface() || open_socket(plan.socket))
		return 1;
	err = afxdp_open(&turns.capture, &plan.options, text, sizeof(text));
	if (!err && plan.filter)
		err = set_filter(turns.capture, plan.filter, text, sizeof(text));
	if (err) {
		fprintf(stderr, "progcost: %s\n", text);
		return 1;
	}
	fd = find_program(&plan);
	if (fd < 0)
		fprintf(stderr, "progcost: the attached program is not to be found\n");
	err = fd < 0 ? fd : measure_all(&turns, fd, &plan);
	afxdp_close(turns.capture);
	return err ? 1 : 0;
}
