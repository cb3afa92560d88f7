/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A plain name that PCAP_AFXDP lists shows the face of the AF_PACKET device, is captured at the XDP
 * layer, and goes to AF_PACKET, as if nothing had been tried, where it cannot be.
 */
#include <linux/if_ether.h>
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

#include "tests/capture/own_net.h"
#include "live.h"

/* Of larger frames AF_PACKET's default buffer has too few. */
static const struct open_options vb = {.device = "vb", .immediate = 1, .snaplen = 128};

/* An AF_PACKET handle's descriptor is a packet socket, ours is not. */
static bool is_ours(pcap_t *p)
{
	int domain = 0;
	socklen_t size = sizeof(domain);

	return getsockopt(pcap_fileno(p), SOL_SOCKET, SO_DOMAIN, &domain, &size) ||
	       domain != AF_PACKET;
}

static pcap_t *create(const char *list, const struct open_options *o)
{
	setenv("PCAP_AFXDP", list, 1);
	return live_create(o);
}

static pcap_t *open_by(const char *list, const struct open_options *o)
{
	setenv("PCAP_AFXDP", list, 1);
	return live_open(o);
}

static void expect_way(const char *list, const char *device, bool ours)
{
	/* From libpcap 1.10.5 on "any" warns that it cannot be promiscuous. */
	const struct open_options o = {.device = device, .no_promisc = !strcmp(device, "any")};
	pcap_t *p = open_by(list, &o);

	if (is_ours(p) != ours)
		fail_msg("PCAP_AFXDP=%.40s: %s is %sours", list, device, ours ? "not " : "");
	live_close(p);
}

static void names_and_patterns_are_ours(void **state)
{
	(void)state;
	expect_way("vb", "vb", true);
	expect_way("va,vb", "vb", true);
	expect_way("nosuch0,,v[ab]", "vb", true);
	expect_way("v*", "vb", true);
	expect_way("?b", "vb", true);
	expect_way("*", "vb", true);
	expect_way("all", "vb", true);
	expect_way("all", "lo", true);
	expect_way("vb,any", "any", true);
}

static void others_are_not(void **state)
{
	(void)state;
	expect_way("", "vb", false);
	expect_way("va", "vb", false);
	expect_way("vb0", "vb", false);
	expect_way("v", "vb", false);
	expect_way(",", "vb", false);
	expect_way("xdp:vb", "vb", false);
	expect_way("[", "vb", false);
	expect_way("all", "any", false);
	expect_way("*", "any", false);
	expect_way("any", "vb", false);
}

static void expect_long_list(const char *filling, bool ours)
{
	const size_t size = 64 << 10;
	char *list = calloc(1, size + sizeof(",vb"));

	assert_non_null(list);
	for (size_t i = 0; i < size; i++)
		list[i] = filling[i % strlen(filling)];
	expect_way(list, "vb", false);
	strcat(list, ",vb");
	expect_way(list, "vb", ours);
	free(list);
}

static void lists_of_64_kilobytes_do_no_harm(void **state)
{
	(void)state;
	expect_long_list("x", true);
	expect_long_list("*a", true);
	expect_long_list("x,", true);
	expect_long_list(",", true);
	expect_long_list("[", true);
	expect_long_list("*?*x", true);
}

static void a_name_with_a_comma_is_no_options(void **state)
{
	const struct open_options o = {.device = "vb,hook=tc"};
	pcap_t *p = create("all", &o);

	(void)state;
	assert_true(pcap_activate(p) < 0);
}

/* What a program asks a handle for. */
struct face {
	int rfmon, snapshot, linktype, types, links, precision;
	int type[8], link[8];
	struct pcap_stat stats;
};

static void copy(int *to, int *from, int n)
{
	for (int i = 0; i < n && i < 8; i++)
		to[i] = from[i];
}

static struct face look(pcap_t *p)
{
	struct face f = {.rfmon = pcap_can_set_rfmon(p)};
	int *list = NULL;

	f.types = pcap_list_tstamp_types(p, &list);
	copy(f.type, list, f.types);
	pcap_free_tstamp_types(list);
	f.precision = pcap_set_tstamp_precision(p, PCAP_TSTAMP_PRECISION_NANO);
	assert_int_equal(pcap_activate(p), 0);
	f.snapshot = pcap_snapshot(p);
	f.linktype = pcap_datalink(p);
	f.links = pcap_list_datalinks(p, &list);
	copy(f.link, list, f.links);
	pcap_free_datalinks(list);
	assert_int_equal(pcap_stats(p, &f.stats), 0);
	return f;
}

static void same_face(const char *device)
{
	const struct open_options o = {.device = device};
	pcap_t *ours = create("all", &o), *theirs = create("", &o);
	struct face a = look(ours), b = look(theirs);

	assert_true(is_ours(ours) && !is_ours(theirs));
	assert_memory_equal(&a, &b, sizeof(a));
	live_close(ours);
	live_close(theirs);
}

static void lists_are_those_of_the_plain_device(void **state)
{
	(void)state;
	same_face("vb");
	same_face("lo");
	same_face("tun9");
}

static void link_types_can_be_chosen(void **state)
{
	pcap_t *p = open_by("vb", &vb);

	(void)state;
	assert_true(is_ours(p));
	assert_int_equal(pcap_set_datalink(p, DLT_DOCSIS), 0);
	assert_int_equal(pcap_datalink(p), DLT_DOCSIS);
	assert_int_equal(pcap_set_datalink(p, DLT_EN10MB), 0);
	assert_int_equal(pcap_datalink(p), DLT_EN10MB);
	assert_int_equal(pcap_set_datalink(p, DLT_RAW), PCAP_ERROR);
}

/* What one handle sends another of the same kind sees once, by va and by vb. */
static void same_frames(pcap_t *p)
{
	struct count c = {0};

	live_send(20, 1);
	live_read(p, &c, 20, PATIENCE);
	assert_int_equal(c.frames, 20);
	assert_int_equal(c.disorder, 0);
}

static void what_cannot_be_ours_goes_to_af_packet(void **state)
{
	pcap_t *p = create("vb", &vb);

	(void)state;
	assert_int_equal(pcap_set_protocol_linux(p, ETH_P_ALL), 0);
	assert_int_equal(pcap_activate(p), 0);
	assert_false(is_ours(p));
	same_frames(p);
	setenv("PCAP_AFXDP_OPTIONS", "ring=3", 1);
	p = create("vb", &vb);
	assert_int_equal(pcap_activate(p), 0);
	assert_false(is_ours(p));
	same_frames(p);
	unsetenv("PCAP_AFXDP_OPTIONS");
}

static void errors_are_those_of_the_plain_device(const char *device, bool rfmon)
{
	const struct open_options o = {.device = device};
	pcap_t *p[2] = {create("all", &o), create("", &o)};
	int status[2];

	for (int i = 0; i < 2; i++) {
		if (rfmon)
			assert_int_equal(pcap_set_rfmon(p[i], 1), 0);
		status[i] = pcap_activate(p[i]);
	}
	assert_true(status[0] < 0);
	assert_int_equal(status[0], status[1]);
	assert_string_equal(pcap_geterr(p[0]), pcap_geterr(p[1]));
	live_close(p[0]);
	live_close(p[1]);
}

static void errors_are_the_same(void **state)
{
	(void)state;
	errors_are_those_of_the_plain_device("nosuch0", false);
	errors_are_those_of_the_plain_device("a-name-of-more-than-15-characters", false);
	errors_are_those_of_the_plain_device("down0", false);
	errors_are_those_of_the_plain_device("vb", true);
	errors_are_those_of_the_plain_device("", false);
}

static void nothing_is_left_of_a_handle(void **state)
{
	unsigned before;

	(void)state;
	live_close(open_by("vb", &vb)); /* what is opened once and for all */
	before = fds_open();
	for (int i = 0; i < 20; i++) {
		live_close(create("vb", &vb)); /* never activated */
		live_close(open_by("vb", &vb));
	}
	assert_int_equal(fds_open(), before);
	assert_int_equal(live_promiscuity(), 0);
}

static void an_active_handle_is_not_activated_again(void **state)
{
	pcap_t *p = open_by("vb", &vb);

	(void)state;
	assert_int_equal(pcap_activate(p), PCAP_ERROR_ACTIVATED);
	same_frames(p);
}

static void nonblocking_may_be_asked_for_before(void **state)
{
	pcap_t *p = create("vb", &vb);
	char err[PCAP_ERRBUF_SIZE];
	struct count c = {0};

	(void)state;
	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	assert_int_equal(pcap_activate(p), 0);
	assert_int_equal(pcap_getnonblock(p, err), 1);
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 0);
	same_frames(p);
}

static void promiscuity_is_as_asked_for(void **state)
{
	pcap_t *p = open_by("vb", &vb);

	(void)state;
	assert_int_equal(live_promiscuity(), 1);
	live_close(p);
	assert_int_equal(live_promiscuity(), 0);
}

static void add_one(u_char *count, const struct pcap_pkthdr *h, const u_char *frame)
{
	(void)h;
	(void)frame;
	++*(unsigned *)count;
}

/* Until no more comes; AF_PACKET would wait for ever. */
static void read_rest(pcap_t *p, u_char *count)
{
	char err[PCAP_ERRBUF_SIZE];

	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	for (unsigned idle = 0; idle < 20; idle++) {
		assert_true(pcap_dispatch(p, -1, add_one, count) >= 0);
		sleep_ms(5);
	}
}

/* On loopback a frame is sent and received: once is enough, as AF_PACKET has it. */
static void loopback_shows_a_frame_once(void **state)
{
	const struct open_options o = {.device = "lo", .immediate = 1, .snaplen = 128};
	unsigned seen[2] = {0};

	(void)state;
	for (int i = 0; i < 2; i++) {
		pcap_t *p = open_by(i ? "" : "lo", &o);

		live_filter(p, "icmp");
		run("ping -qc 3 -i 0.01 127.0.0.1 > /dev/null");
		read_rest(p, (u_char *)&seen[i]);
		live_close(p);
	}
	assert_int_equal(seen[0], 6);
	assert_int_equal(seen[1], 6);
}

static void directions_are_kept_apart(void **state)
{
	const uint8_t frame[60] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5};
	pcap_t *in = open_by("vb", &vb), *out = open_by("vb", &vb), *sender = open_by("vb", &vb);
	struct count i = {0}, o = {0};

	(void)state;
	assert_int_equal(pcap_setdirection(in, PCAP_D_IN), 0);
	assert_int_equal(pcap_setdirection(out, PCAP_D_OUT), 0);
	live_send(10, 0);
	for (int n = 0; n < 5; n++)
		assert_int_equal(pcap_inject(sender, frame, sizeof(frame)), sizeof(frame));
	live_read(in, &i, 11, 300);
	live_read(out, &o, 6, 300);
	assert_int_equal(i.frames, 10);
	assert_int_equal(o.frames, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(names_and_patterns_are_ours),
		LIVE_TEST(others_are_not),
		LIVE_TEST(lists_of_64_kilobytes_do_no_harm),
		LIVE_TEST(a_name_with_a_comma_is_no_options),
		LIVE_TEST(lists_are_those_of_the_plain_device),
		LIVE_TEST(link_types_can_be_chosen),
		LIVE_TEST(what_cannot_be_ours_goes_to_af_packet),
		LIVE_TEST(errors_are_the_same),
		LIVE_TEST(nothing_is_left_of_a_handle),
		LIVE_TEST(an_active_handle_is_not_activated_again),
		LIVE_TEST(nonblocking_may_be_asked_for_before),
		LIVE_TEST(promiscuity_is_as_asked_for),
		LIVE_TEST(loopback_shows_a_frame_once),
		LIVE_TEST(directions_are_kept_apart),
	};
	int failed;

	own_net();
	veth_pair("");
	run("ip link set lo up && ip link add down0 type veth peer name down1");
	run("ip tuntap add tun9 mode tun && ip link set tun9 up");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return live_end(failed, sizeof(tests) / sizeof(tests[0]));
}
