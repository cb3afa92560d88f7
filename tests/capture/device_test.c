/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Device names: what is taken, what is refused, and that a refusal says what would be right. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "capture/options/options.h"

#define PATH_OF_16   "/a/b/c/d/e/f/g/h"
#define PATH_OF_64   PATH_OF_16 PATH_OF_16 PATH_OF_16 PATH_OF_16
#define PATH_OF_256  PATH_OF_64 PATH_OF_64 PATH_OF_64 PATH_OF_64
#define LONGEST_NAME "abcdefghijklmno" /* IFNAMSIZ - 1 */

struct good {
	const char *device;
	struct afxdp_options o;
};

static const struct good good[] = {
	{"xdp:eth0", {.ifname = "eth0"}},
	{"eth0", {.ifname = "eth0"}},
	{"xdp:" LONGEST_NAME, {.ifname = LONGEST_NAME}},
	{"xdp:eth0.100", {.ifname = "eth0.100"}},
	{"xdp:any0", {.ifname = "any0"}},
	{"xdp:any,ring=512K", {.ifname = "any", .ring_size = 512 << 10}},
	{"xdp:eth0,hook=auto", {.ifname = "eth0"}},
	{"xdp:eth0,hook=xdp", {.ifname = "eth0", .hook = CAPTURE_HOOK_XDP}},
	{"xdp:eth0,hook=tc", {.ifname = "eth0", .hook = CAPTURE_HOOK_TC}},
	{"xdp:eth0,hook=packet", {.ifname = "eth0", .hook = CAPTURE_HOOK_PACKET}},
	{"xdp:eth0,vlan=on", {.ifname = "eth0"}},
	{"xdp:eth0,vlan=off", {.ifname = "eth0", .vlan_off = true}},
	{"xdp:eth0,hash=on", {.ifname = "eth0", .hash = true}},
	{"xdp:eth0,warn=on", {.ifname = "eth0", .warn = true}},
	{"xdp:eth0,yes=on", {.ifname = "eth0", .yes = true}},
	{"xdp:eth0,join=on", {.ifname = "eth0", .join = true}},
	{"xdp:eth0,join=on,join=off", {.ifname = "eth0"}},
	{"xdp:eth0,loader=on", {.ifname = "eth0"}},
	{"xdp:eth0,loader=off", {.ifname = "eth0", .loader_off = true}},
	{"xdp:eth0,xdp-mode=native", {.ifname = "eth0"}},
	{"xdp:eth0,xdp-mode=skb", {.ifname = "eth0", .xdp_mode = CAPTURE_XDP_SKB}},
	{"xdp:eth0,ring=524288", {.ifname = "eth0", .ring_size = 524288}},
	{"xdp:eth0,ring=512K", {.ifname = "eth0", .ring_size = 524288}},
	{"xdp:eth0,ring=512k", {.ifname = "eth0", .ring_size = 524288}},
	{"xdp:eth0,ring=16m", {.ifname = "eth0", .ring_size = 16 << 20}},
	{"xdp:eth0,ring=256M", {.ifname = "eth0", .ring_size = 256 << 20}},
	{"xdp:eth0,ring-total=512K", {.ifname = "eth0", .ring_total = 524288}},
	{"xdp:eth0,ring-total=1G", {.ifname = "eth0", .ring_total = 1 << 30}},
	{"xdp:eth0,ring-total=1000000", {.ifname = "eth0", .ring_total = 1000000}},
	{"xdp:eth0,ring=512K,ring-total=3M,xdp-mode=skb,hook=xdp",
	 {.ifname = "eth0",
	  .ring_size = 524288,
	  .ring_total = 3 << 20,
	  .xdp_mode = CAPTURE_XDP_SKB,
	  .hook = CAPTURE_HOOK_XDP}},
	{"xdp:eth0,ring=512K,ring=1M", {.ifname = "eth0", .ring_size = 1048576}},
	{"xdp:eth0,sock-fds=3", {.ifname = "eth0", .sock_fds = {{3}, 1}}},
	{"xdp:eth0,sock-fds=7+3+12,prog-fd=5",
	 {.ifname = "eth0", .sock_fds = {{7, 3, 12}, 3}, .prog_fd = 5}},
};

/* What to refuse, how, and words that its message needs. */
static const struct bad {
	const char *device;
	int err;
	const char *words[4];
} bad[] = {
	{"xdp:", -ENODEV, {"interface", "xdp:eth0"}},
	{"", -ENODEV, {"interface"}},
	{"xdp:,ring=512K", -ENODEV, {"interface"}},
	{"xdp:" LONGEST_NAME "p", -ENODEV, {LONGEST_NAME "p", "15"}},
	{"xdp:eth0,rings=512K", -EINVAL, {"rings", "ring,", "hook", "xdp-mode"}},
	{"xdp:eth0,=512K", -EINVAL, {"hook", "ring-total"}},
	{"xdp:eth0,RING=512K", -EINVAL, {"RING", "ring"}},
	{"xdp:eth0,ring", -EINVAL, {"ring", "value"}},
	{"xdp:eth0,ring=", -EINVAL, {"ring", "value"}},
	{"xdp:eth0,ring=0", -EINVAL, {"ring=0", "512K", "256M"}},
	{"xdp:eth0,ring=-1", -EINVAL, {"ring=-1", "512K", "256M"}},
	{"xdp:eth0,ring=-524288", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring=+524288", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring= 524288", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring=513K", -EINVAL, {"ring", "power of two"}},
	{"xdp:eth0,ring=256K", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring=512M", -EINVAL, {"ring", "256M"}},
	{"xdp:eth0,ring=512KB", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring=512Q", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring=0x80000", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring=512K=512K", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring=many", -EINVAL, {"many", "512K"}},
	{"xdp:eth0,ring=18446744073709551616", -EINVAL, {"ring", "512K"}},
	{"xdp:eth0,ring=18446744073710075904", -EINVAL, {"ring", "512K"}}, /* 2^64 + 512K */
	{"xdp:eth0,ring=17592186044417M", -EINVAL, {"ring", "512K"}},	   /* 2^64 + 1M */
	{"xdp:eth0,ring-total=1", -EINVAL, {"ring-total", "512K"}},
	{"xdp:eth0,ring-total=-1G", -EINVAL, {"ring-total", "512K"}},
	{"xdp:eth0,ring-total=", -EINVAL, {"ring-total", "value"}},
	{"xdp:eth0,hook=tc2", -EINVAL, {"hook=tc2", "auto", "xdp"}},
	{"xdp:eth0,hook=clsact", -EINVAL, {"hook=clsact", "auto", "tc", "packet"}},
	{"xdp:eth0,full=yes", -EINVAL, {"full=yes", "drop", "pass"}},
	{"xdp:eth0,watchdog=1s", -EINVAL, {"watchdog=1s", "2s", "60m", "off"}},
	{"xdp:eth0,watchdog=61m", -EINVAL, {"watchdog=61m", "2s", "60m"}},
	{"xdp:eth0,watchdog=3601", -EINVAL, {"watchdog=3601", "2s", "60m"}},
	{"xdp:eth0,watchdog=99999", -EINVAL, {"watchdog=99999", "2s", "60m"}},
	{"xdp:eth0,watchdog=5h", -EINVAL, {"watchdog=5h", "2s", "60m"}},
	{"xdp:eth0,watchdog=5ss", -EINVAL, {"watchdog=5ss", "2s", "60m"}},
	{"xdp:eth0,watchdog=-5s", -EINVAL, {"watchdog=-5s", "2s", "60m"}},
	{"xdp:eth0,watchdog=", -EINVAL, {"watchdog", "value"}},
	{"xdp:eth0,vlan=5", -EINVAL, {"vlan=5", "on", "off"}},
	{"xdp:eth0,hash=toeplitz", -EINVAL, {"hash=toeplitz", "on", "off"}},
	{"xdp:eth0,join=first", -EINVAL, {"join=first", "on", "off"}},
	{"xdp:eth0,warn=maybe", -EINVAL, {"warn=maybe", "on", "off"}},
	{"xdp:eth0,queues=x", -EINVAL, {"queues=x", "all"}},
	{"xdp:eth0,queues=3-1", -EINVAL, {"queues=3-1", "all"}},
	{"xdp:eth0,queues=0-", -EINVAL, {"queues=0-", "all"}},
	{"xdp:eth0,queues=0+", -EINVAL, {"queues=0+", "all"}},
	{"xdp:eth0,queues=0-99999", -EINVAL, {"queues=0-99999", "all"}},
	{"xdp:eth0,slice=l9", -EINVAL, {"slice=l9", "l4"}},
	{"xdp:eth0,slice=l4+", -EINVAL, {"slice=l4+", "l4"}},
	{"xdp:eth0,slice=l4+x", -EINVAL, {"slice=l4+x", "l4"}},
	{"xdp:eth0,xdp-obj=" PATH_OF_256, -EINVAL, {"xdp-obj"}},
	{"xdp:eth0,loader", -EINVAL, {"loader", "value"}},
	{"xdp:eth0,loader=yes", -EINVAL, {"loader=yes", "on", "off"}},
	{"xdp:eth0,hook", -EINVAL, {"hook", "value"}},
	{"xdp:eth0,xdp-mode=fast", -EINVAL, {"fast", "native", "skb"}},
	{"xdp:eth0,xdp-mode=native1", -EINVAL, {"native1", "native", "skb"}},
	{"xdp:eth0,xdp-mode=-1", -EINVAL, {"-1", "native", "skb"}},
	{"xdp:eth0,ring=512K,nonsense=1", -EINVAL, {"nonsense", "hook"}},
	{"xdp:eth0,sock-fds=", -EINVAL, {"sock-fds"}},
	{"xdp:eth0,sock-fds=2", -EINVAL, {"=2", "from 3 on"}},
	{"xdp:eth0,sock-fds=3+", -EINVAL, {"3+4"}},
	{"xdp:eth0,sock-fds=3-4", -EINVAL, {"3+4"}},
	{"xdp:eth0,sock-fds=99999999999", -EINVAL, {"3+4"}},
	{"xdp:eth0,sock-fds=3+x", -EINVAL, {"3+4"}},
	{"xdp:eth0,prog-fd=x", -EINVAL, {"prog-fd=x", "from 3 on"}},
	{"xdp:eth0,prog-fd=0", -EINVAL, {"from 3 on"}},
	{"xdp:eth0,prog-fd=3+4", -EINVAL, {"prog-fd=3+4"}},
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void expect(const char *device, const struct afxdp_options *wanted)
{
	struct afxdp_options o = {0};
	char err[AFXDP_ERROR_SIZE] = "";

	if (afxdp_options_device(&o, device, err, sizeof(err)))
		fail_msg("%s is refused: %s", device, err);
	assert_string_equal(o.ifname, wanted->ifname);
	assert_int_equal(o.hook, wanted->hook);
	assert_int_equal(o.xdp_mode, wanted->xdp_mode);
	assert_int_equal(o.loader_off, wanted->loader_off);
	assert_int_equal(o.vlan_off, wanted->vlan_off);
	assert_int_equal(o.hash, wanted->hash);
	assert_int_equal(o.warn, wanted->warn);
	assert_int_equal(o.join, wanted->join);
	assert_int_equal(o.ring_size, wanted->ring_size);
	assert_int_equal(o.ring_total, wanted->ring_total);
	assert_int_equal(o.sock_fds.count, wanted->sock_fds.count);
	assert_memory_equal(o.sock_fds.fd, wanted->sock_fds.fd, sizeof(o.sock_fds.fd));
	assert_int_equal(o.prog_fd, wanted->prog_fd);
}

static void expect_refusal(const char *device, int wanted, const char *const *words, size_t n)
{
	struct afxdp_options o = {0};
	char err[AFXDP_ERROR_SIZE] = "";
	int e = afxdp_options_device(&o, device, err, sizeof(err));

	if (e != wanted)
		fail_msg("%s: answer %d, wanted %d (%s)", device, e, wanted, err);
	for (size_t i = 0; i < n && words[i]; i++)
		if (!strstr(err, words[i]))
			fail_msg("%s: \"%s\" does not say \"%s\"", device, err, words[i]);
	if (strchr(err, '\n'))
		fail_msg("%s: more than one line: %s", device, err);
}

static void good_names_are_taken(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(good); i++)
		expect(good[i].device, &good[i].o);
}

static void bad_names_are_refused_with_what_is_valid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		expect_refusal(bad[i].device, bad[i].err, bad[i].words, COUNT(bad[i].words));
}

/* Whatever the length, the message ends inside its buffer. */
static void long_text_does_not_overflow_the_message(void **state)
{
	struct afxdp_options o;
	char device[4096], err[64 + 1];

	(void)state;
	for (size_t size = 1; size < sizeof(err); size++) {
		for (size_t n = 1; n < sizeof(device) - 16; n += 97) {
			snprintf(device, sizeof(device), "xdp:eth0,ring=%0*d", (int)n, 0);
			memset(err, 'x', sizeof(err));
			assert_int_equal(afxdp_options_device(&o, device, err, size), -EINVAL);
			assert_non_null(memchr(err, 0, size));
			assert_int_equal(err[size], 'x');
		}
	}
	memset(device, 'a', sizeof(device));
	device[sizeof(device) - 1] = 0;
	assert_int_equal(afxdp_options_device(&o, device, err, sizeof(err)), -ENODEV);
}

static void every_option_refuses_every_kind_of_nonsense(void **state)
{
	static const char *const options[] = {"hook",	    "xdp-mode", "ring",
					      "ring-total", "loader",	"vlan"};
	static const char *const values[] = {"",
					     "-1",
					     "0",
					     "0x1",
					     "1e9",
					     "NaN",
					     "\xff\xfe",
					     "%s%n",
					     " ",
					     "auto ",
					     "=",
					     "on;off",
					     "99999999999999999999"};
	char device[128];

	(void)state;
	for (size_t i = 0; i < COUNT(options); i++) {
		for (size_t k = 0; k < COUNT(values); k++) {
			snprintf(device, sizeof(device), "xdp:eth0,%s=%s", options[i], values[k]);
			expect_refusal(device, -EINVAL, &options[i], 1);
		}
	}
}

static void environment_gives_defaults_and_the_name_overrides(void **state)
{
	const struct afxdp_options defaults = {.ifname = "eth0",
					       .ring_size = 524288,
					       .xdp_mode = CAPTURE_XDP_SKB};
	const struct afxdp_options over = {.ifname = "eth0",
					   .ring_size = 1048576,
					   .xdp_mode = CAPTURE_XDP_SKB};

	(void)state;
	setenv("PCAP_AFXDP_OPTIONS", "ring=512K,xdp-mode=skb", 1);
	expect("xdp:eth0", &defaults);
	expect("xdp:eth0,ring=1M", &over);
	setenv("PCAP_AFXDP_OPTIONS", "", 1);
	expect("xdp:eth0", &(struct afxdp_options){.ifname = "eth0"});
	unsetenv("PCAP_AFXDP_OPTIONS");
}

static void a_mistake_in_the_environment_is_named(void **state)
{
	static const char *const words[] = {"PCAP_AFXDP_OPTIONS", "rings", "ring-total"};

	(void)state;
	setenv("PCAP_AFXDP_OPTIONS", "rings=512K", 1);
	expect_refusal("xdp:eth0", -EINVAL, words, COUNT(words));
	unsetenv("PCAP_AFXDP_OPTIONS");
}

/* What a message says with these options in the environment. */
static void expect_added(const char *env, const char *message, const char *wanted)
{
	char err[AFXDP_ERROR_SIZE];

	setenv("PCAP_AFXDP_OPTIONS", env, 1);
	snprintf(err, sizeof(err), "%s", message);
	options_add_environment(err, sizeof(err));
	assert_string_equal(err, wanted);
	unsetenv("PCAP_AFXDP_OPTIONS");
}

static void a_refused_option_of_the_environment_is_named(void **state)
{
	(void)state;
	expect_added("ring=1M,hook=tc", "leave hook= out",
		     "leave hook= out (hook= is in PCAP_AFXDP_OPTIONS)");
	expect_added("engine=divert", "engine=divert is at XDP only",
		     "engine=divert is at XDP only (engine= is in PCAP_AFXDP_OPTIONS)");
	expect_added("hosts=/f", "leave src-hosts= out", "leave src-hosts= out");
	expect_added("ring=1M", "no memory", "no memory");
	expect_added(",,hook", "leave hook= out", "leave hook= out");
	expect_added("", "leave hook= out", "leave hook= out");
}

static void set(struct afxdp_options *o, const char *name, const char *value)
{
	char err[AFXDP_ERROR_SIZE];

	if (afxdp_options_set(o, name, value, err, sizeof(err)))
		fail_msg("%s=%s: %s", name, value, err);
}

static void programs_set_what_no_device_name_has(void **state)
{
	static const char *const words[] = {"snaplen", "not an option"};
	struct afxdp_options *o = afxdp_options_new();
	char err[AFXDP_ERROR_SIZE];

	(void)state;
	expect_refusal("xdp:eth0,snaplen=96", -EINVAL, words, COUNT(words));
	assert_int_equal(afxdp_options_set(o, "snap", "96", err, sizeof(err)), -ENOENT);
	assert_null(strstr(err, "snaplen")); /* users read of options of a device */
	assert_int_equal(afxdp_options_set(o, "snaplen", "0", err, sizeof(err)), -EINVAL);
	set(o, "snaplen", "96");
	set(o, "sent", "off");
	set(o, "interface-sent", "7");
	set(o, "place", "exit");
	assert_int_equal(o->snaplen, 96);
	assert_true(o->no_sent);
	assert_int_equal(o->interface_ids[SIDE_SENT], 7);
	assert_int_equal(o->hook, CAPTURE_HOOK_FEXIT);
	afxdp_options_free(o);
}

static void options_can_be_asked_for_their_value(void **state)
{
	struct afxdp_options *o = afxdp_options_new();

	(void)state;
	assert_string_equal(afxdp_options_interface(o), "");
	assert_true(afxdp_options_have(o, "slice", NULL));
	assert_true(afxdp_options_have(o, "loader", "on"));
	set(o, "loader", "off");
	set(o, "slice", "l4+64");
	assert_false(afxdp_options_have(o, "slice", NULL));
	assert_true(afxdp_options_have(o, "slice", "l4+64"));
	assert_false(afxdp_options_have(o, "loader", "on"));
	assert_false(afxdp_options_have(o, "loader", "maybe"));
	assert_false(afxdp_options_have(o, "no such", NULL));
	afxdp_options_free(o);
}

/* Bytes of each of four rings, of 16 MiB at most. */
static uint64_t ring_size_within(uint64_t memory, const char *name, const char *value,
				 const char *device)
{
	struct afxdp_options *o = afxdp_options_new();
	char err[AFXDP_ERROR_SIZE];
	uint64_t size;

	if (name)
		set(o, name, value);
	assert_int_equal(afxdp_options_device(o, device, err, sizeof(err)), 0);
	size = options_ring_size(o, 4, 16u << 20, memory);
	afxdp_options_free(o);
	return size;
}

static uint64_t ring_size(const char *name, const char *value, const char *device)
{
	return ring_size_within(64ull << 30, name, value, device);
}

static void rings_fit_buffer_total_and_those_who_share_it(void **state)
{
	(void)state;
	assert_int_equal(ring_size(NULL, NULL, "eth0"), 16u << 20);
	assert_int_equal(ring_size(NULL, NULL, "eth0,ring-total=32M"), 8u << 20);
	assert_int_equal(ring_size(NULL, NULL, "eth0,ring=64M"), 64u << 20);
	assert_int_equal(ring_size("sharers", "4", "eth0"), 16u << 20);
	assert_int_equal(ring_size("sharers", "8", "eth0"), 8u << 20);
	assert_int_equal(ring_size("sharers", "4", "eth0,ring-total=64M"), 4u << 20);
	assert_int_equal(ring_size("sharers", "4", "eth0,ring=64M"), 64u << 20);
	assert_int_equal(ring_size("buffer", "1M", "eth0"), 16u << 20);
	assert_int_equal(ring_size("buffer", "17M", "eth0"), 32u << 20);
	assert_int_equal(ring_size("buffer", "65M", "eth0"), 128u << 20);
	assert_int_equal(ring_size("buffer", "3M", "eth0,ring=1M"), 4u << 20);
	assert_int_equal(ring_size("buffer", "1G", "eth0"), RING_SIZE_MAX);
}

/* A sixteenth of it for four rings, whoever has not asked for more. */
static void rings_fit_a_small_machine(void **state)
{
	(void)state;
	assert_int_equal(ring_size_within(1u << 30, NULL, NULL, "eth0"), 16u << 20);
	assert_int_equal(ring_size_within(1000u << 20, NULL, NULL, "eth0"), 8u << 20);
	assert_int_equal(ring_size_within(256u << 20, NULL, NULL, "eth0"), 4u << 20);
	assert_int_equal(ring_size_within(1u << 20, NULL, NULL, "eth0"), RING_SIZE_MIN);
	assert_int_equal(ring_size_within(256u << 20, NULL, NULL, "eth0,ring=32M"), 32u << 20);
	assert_int_equal(ring_size_within(256u << 20, NULL, NULL, "eth0,ring-total=64M"),
			 16u << 20);
	assert_int_equal(ring_size_within(256u << 20, "buffer", "17M", "eth0"), 4u << 20);
}

/* All of a process: 16 interfaces with 3 rings of 256 MiB are 12 GiB. */
static void what_waits_for_a_trigger_fits_half_of_the_memory(void **state)
{
	struct afxdp_options *o = afxdp_options_new();
	const uint64_t ring = 256ull << 20, memory = 16ull << 30;
	char err[256] = "";

	(void)state;
	o->pre_trigger = 240ull << 20;
	assert_int_equal(options_check_history(o, 3, ring, true, memory, err, sizeof(err)), 0);
	o->sharers = 10;
	assert_int_equal(options_check_history(o, 3, ring, true, memory, err, sizeof(err)), 0);
	o->sharers = 16;
	assert_int_equal(options_check_history(o, 3, ring, true, memory, err, sizeof(err)),
			 -ENOMEM);
	assert_non_null(strstr(err, "take 48 rings of 256 MiB, more than half of the memory"));
	o->sharers = 2;
	assert_int_equal(options_check_history(o, 2, 512 << 10, false, memory, err, sizeof(err)),
			 -ENOMEM);
	assert_non_null(strstr(err, "do not fit into 4 rings of 512 KiB, the most"));
	afxdp_options_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_names_are_taken),
		cmocka_unit_test(bad_names_are_refused_with_what_is_valid),
		cmocka_unit_test(long_text_does_not_overflow_the_message),
		cmocka_unit_test(every_option_refuses_every_kind_of_nonsense),
		cmocka_unit_test(environment_gives_defaults_and_the_name_overrides),
		cmocka_unit_test(a_mistake_in_the_environment_is_named),
		cmocka_unit_test(a_refused_option_of_the_environment_is_named),
		cmocka_unit_test(programs_set_what_no_device_name_has),
		cmocka_unit_test(options_can_be_asked_for_their_value),
		cmocka_unit_test(rings_fit_buffer_total_and_those_who_share_it),
		cmocka_unit_test(rings_fit_a_small_machine),
		cmocka_unit_test(what_waits_for_a_trigger_fits_half_of_the_memory),
	};
	int failed;

	unsetenv("PCAP_AFXDP_OPTIONS");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	printf("%zu names taken, %zu refused\n", COUNT(good), COUNT(bad));
	printf("%zu passed, %d failed, 0 skipped\n", COUNT(tests) - (size_t)failed, failed);
	return failed != 0;
}
