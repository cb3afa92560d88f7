/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A plain name that PCAP_AFXDP lists takes the frames that AF_PACKET takes, byte for byte: for
 * every filter, whether a VLAN tag lies beside the frame or in it, received or sent, in the kernel
 * and, for what was queued before the filter was set, in user space.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "live.h"
#include "tagger.h"
#include "tests/capture/own_net.h"

#define FRAMES_MAX 512
#define FRAME_SIZE 128

static const char *const expressions[] = {
	"",
	"udp",
	"tcp port 80",
	"port 53",
	"not port 53",
	"vlan",
	"not vlan",
	"vlan 5",
	"vlan 7",
	"vlan 0",
	"vlan 5 or vlan 7",
	"vlan and udp",
	"vlan 5 and port 53",
	"vlan and not tcp",
	"udp or (vlan and udp)",
	"(vlan 5 and udp) or (vlan 6 and tcp)",
	"vlan and vlan",
	"vlan and vlan 6",
	"vlan 7 and vlan 6 and udp",
	"ip",
	"ip6",
	"arp",
	"vlan and arp",
	"host 10.1.0.1 and not host 10.1.0.9",
	"vlan and dst host 10.1.0.2",
	"ether src 02:00:00:00:00:01",
	"ether[10:4] = 0x00020800",
	"ether[10:4] = 0x00028100",
	"ether[11:2] & 0xff = 8",
	"ether[12:2] = 0x800",
	"ether[12:2] = 0x8100",
	"ether proto 0x88a8",
	"ether[14] = 0x45",
	"ether[ether[14]-0x38:2] = 0x800",
	"ip[0] & 0xf = 5",
	"ip[8] = 64 and udp[4:2] > 8",
	"less 64",
	"greater 68",
	"len = 74",
	"vlan and greater 80",
	"inbound",
	"outbound",
	"inbound and vlan 5",
	"outbound and vlan",
	"outbound and not vlan",
	"inbound and tcp port 80",
	"outbound and udp port 53",
	"ip protochain 17",
	"mpls",
	"ether broadcast",
};

/* How a frame is sent: with which tag beside it, and which in it. */
struct kind {
	uint32_t beside; /* TPID << 16 | TCI */
	uint16_t tpid[2], tci[2];
};

static const struct kind kinds[] = {
	{0, {0}, {0}},
	{0x81000005, {0}, {0}},
	{0x8100e005, {0}, {0}},
	{0x81000000, {0}, {0}},
	{0x88a80007, {0}, {0}},
	{0, {0x8100}, {5}},
	{0, {0x8100}, {0x6005}},
	{0, {0x8100}, {0}},
	{0, {0x88a8}, {7}},
	{0, {0x9100}, {5}},
	{0, {0x88a8, 0x8100}, {7, 6}},
	{0, {0x8100, 0x8100}, {5, 6}},
	{0x88a80007, {0x8100}, {6}},
	{0x81000005, {0x8100}, {6}},
};

static uint32_t number;

static uint8_t *put16(uint8_t *at, unsigned value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
	return at + 2;
}

/* IPv4 with a port that filters ask for, from the source port's place on. */
static uint8_t *put_ip(uint8_t *at, unsigned protocol, unsigned port)
{
	const uint8_t header[20] = {0x45, 0, 0,	 40, 0, 0, 0,  0, 64, (uint8_t)protocol,
				    0,	  0, 10, 1,  0, 1, 10, 1, 0,  2};

	memcpy(at, header, sizeof(header));
	at = put16(put16(at + sizeof(header), 4000), port);
	return put16(at, 20);
}

enum payload { UDP, TCP, ARP, IP6, PAYLOADS };

static uint8_t *put_payload(uint8_t *at, enum payload what)
{
	switch (what) {
	case UDP:
		return put_ip(put16(at, 0x800), 17, 53);
	case TCP:
		return put_ip(put16(at, 0x800), 6, 80);
	case ARP:
		return put16(put16(put16(at, 0x806), 1), 0x800);
	default:
		at = put16(at, 0x86dd);
		memset(at, 0, 40);
		at[0] = 0x60;
		at[6] = 17;
		return at + 40;
	}
}

static size_t build(uint8_t frame[FRAME_SIZE], const struct kind *k, enum payload what)
{
	const uint8_t macs[12] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
	uint8_t *at = frame + sizeof(macs);
	uint32_t n = htonl(++number);

	memset(frame, 0, FRAME_SIZE);
	memcpy(frame, macs, sizeof(macs));
	for (unsigned i = 0; i < 2 && k->tpid[i]; i++)
		at = put16(put16(at, k->tpid[i]), k->tci[i]);
	at = put_payload(at, what);
	at += 8 + 4 * what; /* lengths differ, and the last bytes of all frames */
	memcpy(at, &n, sizeof(n));
	return (size_t)(at + sizeof(n) - frame);
}

/* Where frames are sent, by two sockets for each: as they are, and for a tag beside them. */
struct way {
	const char *in_the_frame, *beside_it;
	int plain, marked;
};

/* Received by vb; sent by vb, with tags that they get in vc, by way of vd. */
static struct way ways[] = {{"va", "va", -1, -1}, {"vb", "vc", -1, -1}};

static int open_socket(const char *device)
{
	struct sockaddr_ll a = {.sll_family = AF_PACKET,
				.sll_ifindex = (int)if_nametoindex(device)};
	int s = socket(AF_PACKET, SOCK_RAW, 0);

	if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof(a))) {
		perror(device);
		exit(1);
	}
	return s;
}

static void send_kind(const struct kind *k, const struct way *w)
{
	int s = k->beside ? w->marked : w->plain;

	assert_int_equal(setsockopt(s, SOL_SOCKET, SO_MARK, &k->beside, sizeof(k->beside)), 0);
	for (enum payload what = UDP; what < PAYLOADS; what++) {
		uint8_t frame[FRAME_SIZE];
		size_t size = build(frame, k, what);

		assert_int_equal(send(s, frame, size, 0), size);
	}
}

/* Every kind of frame with every payload, received and sent. Returns how many. */
static unsigned send_all(void)
{
	const unsigned n = sizeof(kinds) / sizeof(kinds[0]);

	for (unsigned side = 0; side < 2; side++)
		for (unsigned i = 0; i < n; i++)
			send_kind(&kinds[i], &ways[side]);
	return 2 * n * PAYLOADS;
}

/* A frame as a handle delivered it, but for the time. */
struct seen {
	uint32_t caplen, len;
	uint8_t bytes[FRAME_SIZE];
};

struct all_seen {
	unsigned n;
	struct seen frame[FRAMES_MAX];
};

static void add_seen(u_char *data, const struct pcap_pkthdr *h, const u_char *bytes)
{
	struct all_seen *all = (void *)data;
	struct seen *s = &all->frame[all->n];

	assert_true(all->n < FRAMES_MAX && h->caplen <= FRAME_SIZE);
	memset(s, 0, sizeof(*s));
	s->caplen = h->caplen;
	s->len = h->len;
	memcpy(s->bytes, bytes, h->caplen);
	all->n++;
}

static int by_content(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct seen));
}

/* What there is. Nothing is under way: another handle has seen the last frame. */
static void collect(pcap_t *p, struct all_seen *all)
{
	all->n = 0;
	for (unsigned idle = 0; idle < 3;) {
		int n = pcap_dispatch(p, -1, add_seen, (u_char *)all);

		if (n < 0)
			fail_msg("pcap_dispatch: %d, %s", n, pcap_geterr(p));
		idle = n ? 0 : idle + 1;
		if (!n)
			sleep_ms(1);
	}
	qsort(all->frame, all->n, sizeof(all->frame[0]), by_content);
}

static void await(pcap_t *witness, unsigned frames)
{
	static struct all_seen all;
	uint64_t end = clock_ns() + PATIENCE * NS_PER_MS;

	all.n = 0;
	while (all.n < frames && clock_ns() < end)
		if (pcap_dispatch(witness, -1, add_seen, (u_char *)&all) < 0)
			fail_msg("%s", pcap_geterr(witness));
	assert_int_equal(all.n, frames);
}

static pcap_t *open_plain(const char *list, int snaplen)
{
	/* Of larger frames AF_PACKET's default buffer has too few. */
	const struct open_options o = {.device = "vb",
				       .immediate = 1,
				       .snaplen = snaplen ? snaplen : FRAME_SIZE};
	char err[PCAP_ERRBUF_SIZE];
	pcap_t *p;

	setenv("PCAP_AFXDP", list, 1);
	p = live_open(&o);
	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	return p;
}

static void show(const char *whose, const struct all_seen *all)
{
	for (unsigned i = 0; i < all->n; i++) {
		printf("%s: %u of %u:", whose, all->frame[i].caplen, all->frame[i].len);
		for (unsigned k = 0; k < all->frame[i].caplen && k < 26; k++)
			printf(" %02x", all->frame[i].bytes[k]);
		printf("\n");
	}
}

static void compare(const char *what, const char *expression, const struct all_seen *ours,
		    const struct all_seen *theirs)
{
	if (ours->n == theirs->n &&
	    memcmp(ours->frame, theirs->frame, ours->n * sizeof(ours->frame[0])) == 0)
		return;
	show("ours", ours);
	show("theirs", theirs);
	fail_msg("%s, '%s': ours has %u, AF_PACKET %u", what, expression, ours->n, theirs->n);
}

struct run {
	const char *what, *options;
	bool queued; /* the filter comes when the frames are there already */
	bool late;   /* the frames come when the filter has been there for long */
	int snaplen;
};

/* Both ways with all expressions. Returns how many frames the filters took. */
static void compare_all(const struct run *r)
{
	static struct all_seen ours, theirs;
	pcap_t *a, *b, *witness;
	unsigned taken = 0;

	setenv("PCAP_AFXDP_OPTIONS", r->options, 1);
	a = open_plain("vb", r->snaplen);
	b = open_plain("", r->snaplen);
	witness = open_plain("", 0);
	assert_int_equal(pcap_fileno(a) == pcap_fileno(b), 0);
	for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
		live_filter(a, r->queued ? "" : expressions[i]);
		live_filter(b, expressions[i]);
		/* libpcap filters the first frame behind a new filter itself, and otherwise. */
		for (unsigned round = 0; round < 2; round++) {
			collect(a, &ours);
			collect(b, &theirs);
			if (r->late && strcmp(expressions[i], "vlan and udp") == 0)
				sleep_ms(1100);
			await(witness, send_all());
		}
		if (r->queued)
			live_filter(a, expressions[i]);
		collect(a, &ours);
		collect(b, &theirs);
		compare(r->what, expressions[i], &ours, &theirs);
		taken += ours.n;
	}
	assert_true(taken > 0);
	printf("ok: %s: %u frames\n", r->what, taken);
	live_teardown(NULL);
}

#define RUN_TEST(name, ...)                                                                        \
	static void name(void **state)                                                             \
	{                                                                                          \
		const struct run r = {.what = #name, __VA_ARGS__};                                 \
                                                                                                   \
		(void)state;                                                                       \
		compare_all(&r);                                                                   \
	}

RUN_TEST(at_tc, .options = "ring=1M", .late = true)
RUN_TEST(at_tc_queued, .options = "ring=1M", .queued = true)
RUN_TEST(at_tc_cut, .options = "ring=1M", .snaplen = 17)
RUN_TEST(at_a_packet_socket, .options = "ring=1M,hook=packet")
RUN_TEST(at_a_packet_socket_queued, .options = "ring=1M,hook=packet", .queued = true)
RUN_TEST(at_xdp, .options = "ring=1M,hook=xdp", .late = true)
RUN_TEST(at_xdp_queued, .options = "ring=1M,hook=xdp", .queued = true)

/* Where the device does not put tags into frames, the kernel does, before AF_PACKET sees them. */
static void tags_put_in(void **state)
{
	const struct run direct = {.what = "at tc, tags put in", .options = "ring=1M"};
	const struct run queued = {.what = "at tc, tags put in, queued",
				   .options = "ring=1M",
				   .queued = true};

	(void)state;
	run("ethtool -K vb txvlan off tx-vlan-stag-hw-insert off >/dev/null 2>&1 || true");
	compare_all(&direct);
	compare_all(&queued);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(at_tc),
		LIVE_TEST(at_tc_queued),
		LIVE_TEST(at_tc_cut),
		LIVE_TEST(at_a_packet_socket),
		LIVE_TEST(at_a_packet_socket_queued),
		LIVE_TEST(at_xdp),
		LIVE_TEST(at_xdp_queued),
		LIVE_TEST(tags_put_in),
	};
	int failed;

	own_net();
	veth_pair("");
	run("ip link add vc type veth peer name vd && ip link set vc up && ip link set vd up");
	if (tag_by_mark("va") || tag_by_mark("vc") || send_on("vd", "vb")) {
		printf("skipped: tags beside frames need Linux 6.6\n"
		       "0 passed, 0 failed, 1 skipped\n");
		return 77;
	}
	for (unsigned side = 0; side < 2; side++) {
		ways[side].plain = open_socket(ways[side].in_the_frame);
		ways[side].marked = open_socket(ways[side].beside_it);
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return live_end(failed, sizeof(tests) / sizeof(tests[0]));
}
