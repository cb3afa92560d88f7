/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * flows FRAMES FOLDER: frames of a thousand flows, sent into a veth in a namespace of our own: at
 * each hook, is exactly that left out which is of a flow in the file, or was stopped by a call? The
 * file is appended to, written anew and exchanged meanwhile.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "tests/capture/own_net.h"
#include "tests/random.h"
#include "util/clock.h"

#define FLOWS	   1024u
#define SENTINEL   FLOWS	 /* and more: one for each change of the file */
#define MARKER	   (FLOWS + 64u) /* never left out */
#define BATCH	   128u
#define FRAME_MAX  200u
#define FILE_NAME  "flows"
#define WAIT_MS	   20000
#define WITHIN_MS  100 /* that an appended line counts */
#define TRIES	   3   /* others may have the processor */
#define NO_NUMBER  0xffffffffu
#define PROTOCOLS  7u
#define LAST_BYTES 4u

struct frame {
	uint8_t byte[FRAME_MAX];
	unsigned length;
};

static const struct {
	const char *name;
	uint8_t number;
	bool has_ports, ipv6_alone;
} protocols[PROTOCOLS] = {
	{"tcp", 6, true, false},       {"UDP", 17, true, false},       {"sctp", 132, true, false},
	{"icmp", 1, false, false},     {"ipv6-icmp", 58, false, true}, {"47", 47, false, false},
	{"udplite", 136, true, false},
};

static uint64_t state = RANDOM_SEED;
static unsigned frames, passed, failed, sentinels;
static unsigned *flow_of; /* of each frame; FLOWS: it is a later fragment, and of none */
static bool *got, by_file[MARKER + 1], by_call[MARKER + 1];
static unsigned tags_looked_behind;
static bool marker_came, sentinel_came;

static unsigned below(unsigned n)
{
	return (unsigned)(random_next(&state) >> 20) % n;
}

static void judge(bool right, const char *device, const char *what, unsigned n)
{
	printf("%s: %s: %s: %u\n", right ? "ok" : "FAILED", device, what, n);
	passed += right;
	failed += !right;
}

/* --- Flows, by number. --- */

static unsigned protocol_of(unsigned flow)
{
	return flow % PROTOCOLS;
}

static bool is_ipv6(unsigned flow)
{
	return protocols[protocol_of(flow)].ipv6_alone || flow / PROTOCOLS % 2;
}

/* In IPv6 frames: what is an address of IPv4. */
static bool is_mapped(unsigned flow)
{
	return is_ipv6(flow) && flow / PROTOCOLS % 4 == 3;
}

/* Both ends have one address in every fourth flow: there the ports say which is the lesser. */
static void address_of(unsigned flow, unsigned end, uint8_t address[16])
{
	unsigned host = end && flow % 4 ? flow * 7 + 3 : flow;

	memset(address, 0, 16);
	if (is_ipv6(flow) && !is_mapped(flow)) {
		memcpy(address, "\x20\x01\x0d\xb8", 4);
		address[6] = (uint8_t)(host >> 8);
	} else {
		memcpy(address + 10, "\xff\xff\x0a", 3);
	}
	address[14] = (uint8_t)(host >> 8);
	address[15] = (uint8_t)host;
}

static unsigned port_of(unsigned flow, unsigned end)
{
	if (!protocols[protocol_of(flow)].has_ports)
		return 0;
	return end ? 443 + flow % 3 : 40000 + flow;
}

static bool is_left_out(unsigned flow)
{
	return by_file[flow] || by_call[flow];
}

/* --- Frames. --- */

static void put(struct frame *f, const void *bytes, unsigned n)
{
	memcpy(f->byte + f->length, bytes, n);
	f->length += n;
}

static void put16(struct frame *f, unsigned n)
{
	put(f, (uint8_t[]){(uint8_t)(n >> 8), (uint8_t)n}, 2);
}

static void put_ports(struct frame *f, unsigned flow, unsigned from)
{
	if (protocols[protocol_of(flow)].has_ports) {
		put16(f, port_of(flow, from));
		put16(f, port_of(flow, !from));
	} else {
		put16(f, below(65536)); /* as type and code */
		put16(f, below(65536));
	}
	put(f, "\0\0\0\0\x50\0\0\0\0\0\0\0\0\0\0\0", 16);
}

static void put_ipv4(struct frame *f, unsigned flow, unsigned from, unsigned fragment)
{
	unsigned options = below(3);
	uint8_t a[16], b[16];

	address_of(flow, from, a);
	address_of(flow, !from, b);
	put(f, (uint8_t[]){(uint8_t)(0x45 + options), 0}, 2);
	put16(f, 20 + options * 4 + 60);
	put(f, "\0\0", 2);
	put16(f, fragment);
	put(f, (uint8_t[]){64, protocols[protocol_of(flow)].number, 0, 0}, 4);
	put(f, a + 12, 4);
	put(f, b + 12, 4);
	put(f, "\1\1\1\1\1\1\1\1", options * 4);
}

static void put_ipv6(struct frame *f, unsigned flow, unsigned from, unsigned fragment)
{
	uint8_t number = protocols[protocol_of(flow)].number, a[16];
	bool has_header = fragment || below(3) == 0;

	put(f, "\x60\0\0\0\0\x40", 6);
	put(f, (uint8_t[]){has_header ? 44 : number, 64}, 2);
	address_of(flow, from, a);
	put(f, a, 16);
	address_of(flow, !from, a);
	put(f, a, 16);
	if (has_header) { /* of a fragment; the first one has 0 */
		put(f, (uint8_t[]){number, 0}, 2);
		put16(f, fragment << 3 | 1);
		put(f, "\0\0\0\1", 4);
	}
}

/* fragment: not the first one. */
static void make_frame(struct frame *f, unsigned flow, bool fragment, unsigned number)
{
	unsigned tags = below(tags_looked_behind + 1), from = below(2);

	f->length = 0;
	put(f, "\2\0\0\0\0\2\2\0\0\0\0\1", 12);
	if (tags == 2)
		put(f, "\x88\xa8\0\5", 4);
	if (tags)
		put(f, "\x81\0\0\7", 4);
	put16(f, is_ipv6(flow) ? 0x86dd : 0x0800);
	if (is_ipv6(flow))
		put_ipv6(f, flow, from, fragment ? 1 + below(100) : 0);
	else
		put_ipv4(f, flow, from, fragment ? 1 + below(100) : below(2) << 13);
	put_ports(f, flow, from);
	while (f->length < 100)
		put(f, "\0", 1);
	put16(f, number >> 16);
	put16(f, number & 0xffff);
}

static int open_sender(void)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex("va")};
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&to, sizeof(to))) {
		perror("flows: a socket to send by");
		exit(1);
	}
	return fd;
}

static void send_frame(int sender, unsigned flow, bool fragment, unsigned number)
{
	struct frame f;

	make_frame(&f, flow, fragment, number);
	if (send(sender, f.byte, f.length, 0) < 0) {
		perror("flows: send");
		exit(1);
	}
}

/* --- The file. --- */

static void write_line(FILE *file, unsigned flow)
{
	unsigned p = protocol_of(flow), from = below(2), style = below(3);
	char text[2][INET6_ADDRSTRLEN];
	bool v6 = is_ipv6(flow) && !is_mapped(flow);
	uint8_t a[16];

	for (unsigned i = 0; i < 2; i++) {
		address_of(flow, i ? !from : from, a);
		inet_ntop(v6 ? AF_INET6 : AF_INET, v6 ? a : a + 12, text[i], sizeof(text[i]));
	}
	if (!protocols[p].has_ports)
		fprintf(file, style ? "%s %s %s\n" : "%s,%s,0,%s,0\r\n", protocols[p].name, text[0],
			text[1]);
	else if (style == 0)
		fprintf(file, "\"%s\",%s,%u,%s,%u # a comment\n", protocols[p].name, text[0],
			port_of(flow, from), text[1], port_of(flow, !from));
	else if (style == 1)
		fprintf(file, v6 ? "%s [%s]:%u [%s]:%u\n" : "%s %s:%u %s:%u\n", protocols[p].name,
			text[0], port_of(flow, from), text[1], port_of(flow, !from));
	else
		fprintf(file,
			"%-8s 6 431999 ESTABLISHED src=%s dst=%s sport=%u dport=%u src=%s dst=%s sport=%u dport=%u [ASSURED] mark=0 use=1\n",
			p == 1 ? "udp" : protocols[p].name, text[0], text[1], port_of(flow, from),
			port_of(flow, !from), text[1], text[0], port_of(flow, !from),
			port_of(flow, from));
}

/* Those of these numbers, and one by which it is seen that they count. */
static void write_flows(const char *mode, const char *name, unsigned each, unsigned of)
{
	FILE *file = fopen(name, mode);

	if (!file) {
		perror(name);
		exit(1);
	}
	if (mode[0] == 'w')
		memset(by_file, 0, sizeof(by_file));
	fprintf(file, "# flows\n\n");
	for (unsigned i = 0; i < FLOWS; i++)
		if (i % of == each) {
			write_line(file, i);
			by_file[i] = true;
		}
	sentinels++;
	write_line(file, SENTINEL + sentinels);
	by_file[SENTINEL + sentinels] = true;
	fclose(file);
}

/* --- The capture. --- */

static void take(uint32_t number)
{
	if (number == NO_NUMBER)
		marker_came = true;
	else if (number == NO_NUMBER - 1)
		sentinel_came = true;
	else if (number < frames)
		got[number] = true;
}

/* Notes the numbers of what was recorded. */
static void read_some(struct afxdp_reader *r)
{
	const struct epb_header *at;
	struct afxdp_run run;

	while (afxdp_run(r, &run) > 0) {
		for (at = run.first; afxdp_run_has(&run, at); at = epb_next(at)) {
			const uint8_t *end = epb_frame(at) + at->caplen;

			take((uint32_t)end[-4] << 24 | (uint32_t)end[-3] << 16 |
			     (uint32_t)end[-2] << 8 | end[-1]);
		}
		afxdp_run_done(r, &run, at);
	}
}

/* Until the frame that is sent last is there. */
static bool read_all(struct afxdp_capture *c, int sender)
{
	uint64_t until = clock_monotonic() + WAIT_MS * NS_PER_MS;

	marker_came = false;
	send_frame(sender, MARKER, false, NO_NUMBER);
	for (read_some(afxdp_reader(c)); !marker_came; read_some(afxdp_reader(c)))
		if (clock_monotonic() > until || afxdp_wait(afxdp_reader(c), 1000) == -ENODEV)
			return false;
	return true;
}

/* How many ms until the newest line of the file counts; WAIT_MS: it does not. */
static unsigned await_file(struct afxdp_capture *c, int sender)
{
	uint64_t begun = clock_monotonic();

	do {
		sentinel_came = false;
		send_frame(sender, SENTINEL + sentinels, false, NO_NUMBER - 1);
		if (!read_all(c, sender))
			return WAIT_MS;
		usleep(1000); /* others want the processor, too */
	} while (sentinel_came && clock_monotonic() < begun + WAIT_MS * NS_PER_MS);
	return sentinel_came ? WAIT_MS : (unsigned)((clock_monotonic() - begun) / NS_PER_MS);
}

static void run_frames(struct afxdp_capture *c, int sender, const char *device, const char *what)
{
	unsigned wrong = 0;
	bool came = true;

	memset(got, 0, frames);
	for (unsigned i = 0; i < frames && came; i++) {
		unsigned flow = below(FLOWS);
		bool fragment = below(8) == 0;

		flow_of[i] = fragment ? FLOWS : flow;
		send_frame(sender, flow, fragment, i);
		if (i % BATCH == BATCH - 1)
			came = read_all(c, sender);
	}
	came = came && read_all(c, sender);
	for (unsigned i = 0; i < frames; i++)
		wrong += got[i] != (flow_of[i] == FLOWS || !is_left_out(flow_of[i]));
	judge(came && !wrong, device, what, wrong);
}

static struct afxdp_flow as_call(unsigned flow)
{
	struct afxdp_flow f = {.protocol = protocols[protocol_of(flow)].number};
	unsigned from = below(2);

	for (unsigned i = 0; i < 2; i++) {
		address_of(flow, i ? !from : from, f.address[i]);
		f.port[i] = (uint16_t)port_of(flow, i ? !from : from);
	}
	return f;
}

static void call_flows(struct afxdp_capture *c, const char *device)
{
	unsigned wrong = 0;

	for (unsigned round = 0; round < 5; round++) /* more often than there are lines */
		for (unsigned i = 2; i < FLOWS; i += 3) {
			struct afxdp_flow f = as_call(i);

			wrong += afxdp_flow_stop(c, &f) != 0;
			wrong += afxdp_flow_stop(c, &f) != 1;
			by_call[i] = round == 4 && i % 2;
			if (!by_call[i]) {
				wrong += afxdp_flow_resume(c, &f) != 0;
				wrong += afxdp_flow_resume(c, &f) != -ENOENT;
			}
		}
	judge(!wrong, device, "wrong of afxdp_flow_stop() and afxdp_flow_resume()", wrong);
}

static void refuse_flows(struct afxdp_capture *c, const char *device)
{
	struct afxdp_flow f = as_call(0);
	unsigned wrong = 0, n = 0;
	int e = 0;

	f.protocol = 1;
	f.port[0] = 1;
	wrong += afxdp_flow_stop(c, &f) != -EINVAL;
	f.protocol = 256;
	wrong += afxdp_flow_resume(c, &f) != -EINVAL;
	f.protocol = 6;
	for (n = 0; n <= 2 * FLOWS && !e; n++) {
		f.port[0] = (uint16_t)n;
		f.port[1] = 7;
		e = afxdp_flow_stop(c, &f);
	}
	wrong += e != -ENOSPC || n < FLOWS / 2;
	judge(!wrong, device, "wrong of flows that are none, and of more than there is room for",
	      wrong);
}

static struct afxdp_capture *open_capture(const char *device)
{
	char name[256], err[AFXDP_ERROR_SIZE] = "";
	struct afxdp_options *o = afxdp_options_new();
	struct afxdp_capture *c = NULL;

	snprintf(name, sizeof(name), "%s,not-flows=%s,flows-max=%u", device, FILE_NAME, FLOWS);
	if (afxdp_options_device(o, name, err, sizeof(err)) ||
	    afxdp_options_set(o, "immediate", "on", err, sizeof(err)) ||
	    afxdp_open(&c, o, err, sizeof(err))) {
		printf("FAILED: %s: %s\n", name, err);
		failed++;
	}
	afxdp_options_free(o);
	return c;
}

/* The first line counts once it has its end; the time is that of the fastest of some tries. */
static void append(struct afxdp_capture *c, int sender, const char *device)
{
	unsigned best = WAIT_MS, ms = 0;
	FILE *file = fopen(FILE_NAME, "a");

	fputs("this is no flow\ntcp 10.0.0.1 ", file);
	fflush(file);
	fputs("40000 10.0.0.2 1\n", file);
	fclose(file);
	write_flows("a", FILE_NAME, 1, 3);
	for (unsigned i = 0; i < TRIES && ms < WAIT_MS && best > WITHIN_MS; i++) {
		if (i)
			write_flows("a", FILE_NAME, 1, 3);
		ms = await_file(c, sender);
		best = ms < best ? ms : best;
	}
	judge(best <= WITHIN_MS, device, "ms until lines that are appended count", best);
}

static void run_capture(const char *device)
{
	struct afxdp_stats s;
	struct afxdp_capture *c;
	unsigned ms;
	int sender;

	memset(by_call, 0, sizeof(by_call));
	write_flows("w", FILE_NAME, 0, 3);
	c = open_capture(device);
	if (!c)
		return;
	tags_looked_behind = strcmp(device, "any") ? 2 : 1;
	sender = open_sender();
	read_some(afxdp_reader(c)); /* from here on it diverts */
	run_frames(c, sender, device, "wrong of what the file has at first");
	append(c, sender, device);
	run_frames(c, sender, device, "wrong of what was appended");
	call_flows(c, device);
	run_frames(c, sender, device, "wrong of what was stopped by calls");
	write_flows("w", FILE_NAME, 0, 5);
	ms = await_file(c, sender);
	judge(ms < WAIT_MS, device, "ms until the file that is written anew counts", ms);
	run_frames(c, sender, device, "wrong of that, beside the calls'");
	write_flows("w", FILE_NAME ".new", 4, 5);
	rename(FILE_NAME ".new", FILE_NAME);
	ms = await_file(c, sender);
	judge(ms < WAIT_MS, device, "ms until one that is renamed into its place counts", ms);
	run_frames(c, sender, device, "wrong of that");
	refuse_flows(c, device);
	afxdp_stats(c, &s, sizeof(s));
	judge(s.not_flows > frames && s.flows_bad == 1 && !s.flows_full, device,
	      "left out, which is counted, as a bad line is", (unsigned)s.not_flows);
	close(sender);
	afxdp_close(c);
}

int main(int argc, char **argv)
{
	static const char *const devices[] = {"vb,hook=xdp",
					      "vb,hook=tc",
					      "vb,hook=packet",
					      "va,hook=tc",
					      "any",
					      "vb,engine=divert,zero-copy=off",
					      "vb,hook=xdp,after=drop"};

	if (argc != 3 || chdir(argv[2])) {
		fprintf(stderr, "flows FRAMES FOLDER\n");
		return 2;
	}
	frames = (unsigned)atoi(argv[1]);
	flow_of = calloc(frames, sizeof(*flow_of));
	got = calloc(frames, sizeof(*got));
	if (!flow_of || !got)
		return 1;
	own_net();
	veth_pair("");
	for (unsigned d = 0; d < sizeof(devices) / sizeof(devices[0]); d++)
		run_capture(devices[d]);
	free(flow_of);
	free(got);
	unlink(FILE_NAME);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
