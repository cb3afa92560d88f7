/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "trafgen_options.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <net/if.h>
#include <netinet/ether.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "trafgen.h"

/* A page minus the kernel's frame descriptor, XDP headroom and skb_shared_info, on 64 bits. */
#define LIVE_SIZE_MAX 3408

enum {
	KEY_FLOWS = 256,
	KEY_MATCH,
	KEY_CPU,
	KEY_DST_MAC,
	KEY_SRC,
	KEY_DST,
	KEY_START,
	KEY_EVEN,
	KEY_VIA
};

static const struct option_row rows[] = {
	{'i', "interface", "NAME", "device to send into, such as one end of a veth pair"},
	{'s', "size", "BYTES|mix", "frame size without FCS (64); mix: 64/576/1500 at 7:4:1"},
	{'n', "count", "N", "end after exactly N frames"},
	{'d', "duration", "SECONDS", "end after this time (one of -n and -d is needed)"},
	{'r', "rate", "PPS", "frames per second, in groups about a millisecond apart (flat out)"},
	{KEY_EVEN, "even", NULL, "with -r: spaces them evenly, which keeps the CPU busy"},
	{KEY_FLOWS, "flows", "N", "UDP flows, by sequence number (1)"},
	{KEY_MATCH, "match", "EVERY PORT", "each EVERYth frame goes to UDP port PORT, others to 9"},
	{KEY_START, "start-seq", "N", "first sequence number (0)"},
	{KEY_DST_MAC, "dst-mac", "MAC", "destination address (02:74:67:00:00:02)"},
	{KEY_SRC, "src", "IP", "source, third byte differs by flow (198.18.0.1)"},
	{KEY_DST, "dst", "IP", "destination (198.19.0.2)"},
	{KEY_CPU, "cpu", "LIST",
	 "run on this CPU (0), or on several in turn, as in 0,1:\n"
	 "                               a veth peer's receive queue is the CPU modulo its queues"},
	{KEY_VIA, "via", "xdp|socket", "XDP live frames, or a packet socket for sizes above 3408"},
	{0},
};

const struct program trafgen_program = {
	"trafgen",
	"-i NAME (-n N | -d SECONDS) [OPTION]...",
	"Sends numbered UDP frames into a device as XDP live frames, and reports as JSON how many\n"
	"it built (generated), how many the device took (sent) and how many it did not (refused).\n"
	"A veth's peer must be up and poll: `ethtool -K PEER gro on', or an XDP program on it.",
	rows,
	false,
};

const uint32_t mix_sizes[TRAFGEN_CLASSES] = {64, 576, 1500};

uint32_t plan_size(const struct traffic_plan *plan, uint64_t seq)
{
	uint32_t place = seq % TRAFGEN_MIX_PERIOD;

	if (plan->size != SIZE_MIX)
		return plan->size;
	if (place < TRAFGEN_MIX_SMALL)
		return mix_sizes[0];
	return place < TRAFGEN_MIX_MIDDLE ? mix_sizes[1] : mix_sizes[2];
}

static uint32_t ip_arg(const char *option)
{
	struct in_addr address;

	if (inet_pton(AF_INET, optarg, &address) != 1)
		usage_error(&trafgen_program, "%s takes an IPv4 address, not `%s'", option, optarg);
	return address.s_addr;
}

static void mac_arg(uint8_t *mac)
{
	struct ether_addr address;

	if (!ether_aton_r(optarg, &address))
		usage_error(&trafgen_program,
			    "--dst-mac takes an address like 02:00:00:00:00:01, not `%s'", optarg);
	memcpy(mac, &address, sizeof(address));
}

static void cpus_arg(struct trafgen_options *options)
{
	char *place = optarg, *end = optarg;

	options->cpu_count = 0;
	do {
		long cpu = strtol(place, &end, 10);

		if (end == place || cpu < 0 || cpu >= CPU_SETSIZE || (*end && *end != ',') ||
		    options->cpu_count == CPUS_MAX)
			usage_error(&trafgen_program,
				    "--cpu takes up to %d CPU numbers like 0,1, not `%s'", CPUS_MAX,
				    optarg);
		options->cpus[options->cpu_count++] = cpu;
		place = end + 1;
	} while (*end);
}

static void match_arg(struct frame_spec *spec, int argc, char **argv)
{
	spec->match_every = number_arg(&trafgen_program, "--match EVERY", 1, UINT32_MAX);
	if (optind >= argc)
		usage_error(&trafgen_program, "--match takes two numbers: EVERY and PORT");
	optarg = argv[optind++];
	spec->match_port = number_arg(&trafgen_program, "--match PORT", 1, UINT16_MAX);
}

static void via_arg(struct trafgen_options *options)
{
	if (!strcmp(optarg, "xdp"))
		options->ops = &live_sender;
	else if (!strcmp(optarg, "socket"))
		options->ops = &socket_sender;
	else
		usage_error(&trafgen_program, "--via takes xdp or socket, not `%s'", optarg);
}

static void size_arg(struct traffic_plan *plan)
{
	plan->size = strcmp(optarg, "mix")
			     ? number_arg(&trafgen_program, "--size", FRAME_MIN, FRAME_MAX)
			     : SIZE_MIX;
}

static void frame_option(struct trafgen_options *options, int key, int argc, char **argv)
{
	struct frame_spec *spec = &options->plan.spec;

	switch (key) {
	case KEY_FLOWS:
		spec->flows = number_arg(&trafgen_program, "--flows", 1, FRAME_FLOWS_MAX);
		break;
	case KEY_MATCH:
		match_arg(spec, argc, argv);
		break;
	case KEY_DST_MAC:
		mac_arg(spec->dst_mac);
		break;
	case KEY_SRC:
		spec->src_ip = ip_arg("--src");
		break;
	case KEY_DST:
		spec->dst_ip = ip_arg("--dst");
		break;
	case KEY_START:
		options->plan.first_seq =
			number_arg(&trafgen_program, "--start-seq", 0, UINT64_MAX >> 1);
		break;
	}
}

static void run_option(struct trafgen_options *options, int key, int argc, char **argv)
{
	switch (key) {
	case 'i':
		options->plan.iface = optarg;
		break;
	case 's':
		size_arg(&options->plan);
		break;
	case 'n':
		options->count = number_arg(&trafgen_program, "--count", 1, 1000000000000ULL);
		break;
	case 'd':
		options->seconds = real_arg(&trafgen_program, "--duration", 0.001, 3600);
		break;
	case 'r':
		options->rate = real_arg(&trafgen_program, "--rate", 0.1, 1e9);
		break;
	case KEY_CPU:
		cpus_arg(options);
		break;
	case KEY_EVEN:
		options->even = true;
		break;
	case KEY_VIA:
		via_arg(options);
		break;
	default:
		frame_option(options, key, argc, argv);
	}
}

static void check_options(const struct trafgen_options *options)
{
	const struct traffic_plan *plan = &options->plan;

	if (!plan->iface)
		usage_error(&trafgen_program, "-i NAME is missing");
	if (!if_nametoindex(plan->iface))
		usage_error(&trafgen_program, "no device `%s' in this network namespace",
			    plan->iface);
	if (!options->count && options->seconds == 0)
		usage_error(&trafgen_program,
			    "-n N or -d SECONDS is needed: it never sends without an end");
	if (options->even && (options->rate == 0 || options->ops != &live_sender))
		usage_error(&trafgen_program, "--even goes with -r, and not with --via socket");
	if (options->ops == &live_sender && plan->size > LIVE_SIZE_MAX)
		usage_error(&trafgen_program,
			    "a live frame is part of one page: %d bytes at most, not %u; larger ones go with --via socket",
			    LIVE_SIZE_MAX, plan->size);
}

void trafgen_options_read(struct trafgen_options *options, int argc, char **argv)
{
	int key;

	*options = (struct trafgen_options){
		.plan = {.size = 64,
			 .spec = {.dst_mac = {0x02, 0x74, 0x67, 0, 0, 2},
				  .src_ip = htonl(0xc6120001),
				  .dst_ip = htonl(0xc6130002),
				  .flows = 1}},
		.ops = &live_sender,
		.cpu_count = 1,
	};
	while ((key = options_next(&trafgen_program, argc, argv)) != -1)
		run_option(options, key, argc, argv);
	if (optind < argc)
		usage_error(&trafgen_program, "`%s' is no option", argv[optind]);
	check_options(options);
	if (!options->count)
		options->count = UINT64_MAX;
}
