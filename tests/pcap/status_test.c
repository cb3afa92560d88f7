/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What pcap_activate() returns, and what pcap_geterr() has to say of it. */
#include <linux/if_ether.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <cmocka.h>

#include "tests/capture/own_net.h"
#include "live.h"
#include "testprogs/no_error.h"

/* Activate, expect that status and words in the message, and that the handle can be closed. */
static void expect_status(const char *device, int wanted, const char *words)
{
	pcap_t *p = live_create(&(struct open_options){.device = device});
	int status = pcap_activate(p);

	if (status != wanted)
		fail_msg("%s: %s (%s), wanted %s", device, pcap_statustostr(status), pcap_geterr(p),
			 pcap_statustostr(wanted));
	if (words && !strstr(pcap_geterr(p), words))
		fail_msg("%s: \"%s\" does not say \"%s\"", device, pcap_geterr(p), words);
	print_message("%s: %s\n", device, pcap_geterr(p));
	live_close(p);
}

static void statuses_tell_what_is_wrong(void **state)
{
	(void)state;
	expect_status("xdp:", PCAP_ERROR_NO_SUCH_DEVICE, "interface");
	expect_status("xdp:nosuch", PCAP_ERROR_NO_SUCH_DEVICE, "nosuch");
	expect_status("xdp:abcdefghijklmnopq", PCAP_ERROR_NO_SUCH_DEVICE, "abcdefghijklmnopq");
	expect_status("xdp:any,hook=xdp", PCAP_ERROR, "packet socket");
	expect_status("xdp:vb,ring=1", PCAP_ERROR, "ring=1");
	expect_status("xdp:vb,rings=1", PCAP_ERROR, "rings");
	expect_status("xdp:vb,rings=1", PCAP_ERROR, "... (see pcap-afxdp(7))");
	run("ip link add down0 type veth peer name down1");
	expect_status("xdp:down0", PCAP_ERROR_IFACE_NOT_UP, "ip link set down0 up");
	run("ip link del down0");
}

/* A capture that runs is a success, whatever there is to say of it; who wants a status asks. */
static void notes_are_no_warnings(void **state)
{
	(void)state;
	expect_status("xdp:vb", 0, "segmentation offload; hook=tc avoids that");
	expect_status("xdp:vb,warn=off", 0, "segmentation offload");
	expect_status("xdp:vb,hash=on,hook=tc", 0, "no hashes of vb");
	expect_status("xdp:vb,warn=on", PCAP_WARNING, "segmentation offload");
	expect_status("xdp:vb,warn=on,hook=tc", 0, NULL);
	setenv("PCAP_AFXDP_OPTIONS", "warn=on,veth=xdp", 1);
	expect_status("xdp:vb", PCAP_WARNING, "segmentation offload");
	expect_status("xdp:vb,warn=off", 0, "segmentation offload");
	setenv("PCAP_AFXDP_OPTIONS", "veth=xdp", 1);
	expect_status("xdp:vb,warn=maybe", PCAP_ERROR, "warn=maybe: not a value; valid are");
}

static void on_tick(int signal)
{
	(void)signal;
}

/* Open, filter in the kernel, read and count, without a word. */
static void open_and_use(const char *device)
{
	pcap_t *p = live_create(&(struct open_options){.device = device, .no_promisc = 1});
	struct count c = {0};
	struct pcap_stat s;
	int status = pcap_activate(p);

	if (status || *pcap_geterr(p))
		fail_msg("%s: %s: %s", device, pcap_statustostr(status), pcap_geterr(p));
	live_filter(p, "ether[18] = 1 or tcp port 80");
	assert_string_equal(pcap_geterr(p), "");
	live_send(1, 1);
	live_read(p, &c, 1, PATIENCE);
	assert_int_equal(c.kinds[1], 1);
	no_error(pcap_stats(p, &s));
	live_close(p);
}

/* The kernel stops loading a program for each, and the trials by which libbpf sees what it can. */
static void signals_keep_no_capture_from_opening(void **state)
{
	const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	struct sigaction tick = {.sa_handler = on_tick}, before; /* no SA_RESTART */

	(void)state;
	assert_int_equal(sigaction(SIGALRM, &tick, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	open_and_use("vb");
	open_and_use("xdp:vb,hook=tc");
	open_and_use("xdp:vb,hook=tc,loader=off");
	open_and_use("xdp:vb,hook=packet");
	open_and_use("xdp:vb,hook=xdp");
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
}

#define INSNS_MAX 262144u /* man/pcap-afxdp.7 */

/* One more, each of which returns. */
static struct bpf_insn *too_long(void)
{
	struct bpf_insn *f = calloc(INSNS_MAX + 1, sizeof(*f));

	assert_non_null(f);
	for (unsigned i = 0; i <= INSNS_MAX; i++)
		f[i].code = BPF_RET | BPF_K;
	return f;
}

/* libpcap's own check lets it pass. */
static void a_filter_that_is_too_long_is_told(void **state)
{
	struct bpf_program f = {INSNS_MAX + 1, too_long()};
	pcap_t *p = live_open(&(struct open_options){.device = "xdp:vb,hook=tc"});

	(void)state;
	assert_int_equal(pcap_setfilter(p, &f), -1);
	assert_non_null(strstr(pcap_geterr(p), "262145 instructions, not 1 to 262144"));
	f.bf_len = INSNS_MAX;
	assert_int_equal(pcap_setfilter(p, &f), 0);
	pcap_freecode(&f);
	live_close(p);
}

/* What a failed try said is not there any more. */
static void notes_of_a_failed_try_are_gone(void **state)
{
	pcap_t *p = live_create(&(struct open_options){.device = "xdp:vb,hook=tc"});

	(void)state;
	run("ip link set vb down");
	assert_int_equal(pcap_activate(p), PCAP_ERROR_IFACE_NOT_UP);
	run("ip link set vb up");
	assert_int_equal(pcap_activate(p), 0);
	assert_string_equal(pcap_geterr(p), "");
	live_close(p);
}

/* All interfaces are none of which the mode could be set: said as for libpcap's own "any". */
static void promiscuity_of_any_is_a_note(void **state)
{
	struct open_options o = {.device = "xdp:any,ring=1M"}, plain = {.device = "any"};
	pcap_t *p, *any;

	(void)state;
	for (int asked = 0; asked <= 1; asked++) {
		o.no_promisc = plain.no_promisc = !asked;
		p = live_create(&o);
		any = live_create(&plain);
		assert_int_equal(pcap_activate(p), pcap_activate(any));
		assert_string_equal(pcap_geterr(p),
				    asked ? "Promiscuous mode not supported on the \"any\" device"
					  : "");
		assert_int_equal(pcap_bufsize(p), pcap_snapshot(p));
		live_close(p);
		live_close(any);
	}
}

/* The owner of borrowed sockets sets up the interface: that it is not promiscuous has its status. */
static void promiscuity_that_cannot_be_had_is_a_warning(void **state)
{
	struct open_options o = {0};
	char name[64];
	pcap_t *p;

	(void)state;
	for (int asked = 0; asked <= 1; asked++) {
		snprintf(name, sizeof(name), "xdp:vb,engine=divert,ring=1M,sock-fds=%d",
			 socket(AF_XDP, SOCK_RAW, 0));
		o.device = name;
		o.no_promisc = !asked;
		p = live_create(&o);
		assert_int_equal(pcap_activate(p), asked ? PCAP_WARNING_PROMISC_NOTSUP : 0);
		if (asked)
			assert_non_null(strstr(pcap_geterr(p), "not promiscuous"));
		live_close(p);
	}
}

/* libpcap allows another try after a failure. */
static void activate_may_be_tried_again(void **state)
{
	pcap_t *p;

	(void)state;
	run("ip link set vb down");
	p = live_create(&(struct open_options){0});
	assert_int_equal(pcap_activate(p), PCAP_ERROR_IFACE_NOT_UP);
	assert_int_equal(pcap_activate(p), PCAP_ERROR_IFACE_NOT_UP);
	run("ip link set vb up");
	if (pcap_activate(p) < 0)
		fail_msg("%s", pcap_geterr(p));
	assert_int_equal(pcap_activate(p), PCAP_ERROR_ACTIVATED);
	live_close(p);
}

static void monitor_mode_is_refused(void **state)
{
	pcap_t *p = live_create(&(struct open_options){0});

	(void)state;
	assert_int_equal(pcap_can_set_rfmon(p), 0);
	assert_int_equal(pcap_set_protocol_linux(p, ETH_P_ARP), 0);
	assert_int_equal(pcap_activate(p), PCAP_ERROR);
	no_error(pcap_set_rfmon(p, 1));
	assert_int_equal(pcap_activate(p), PCAP_ERROR_RFMON_NOTSUP);
	assert_null(strstr(pcap_geterr(p), "protocol")); /* nothing of the error before */
	live_close(p);
}

static void a_protocol_is_refused_by_name(void **state)
{
	pcap_t *p = live_create(&(struct open_options){0});

	(void)state;
	assert_int_equal(pcap_set_protocol_linux(p, ETH_P_ARP), 0);
	assert_int_equal(pcap_activate(p), PCAP_ERROR);
	assert_non_null(strstr(pcap_geterr(p), "ether proto 0x0806"));
	assert_int_equal(pcap_set_protocol_linux(p, ETH_P_ALL), 0);
	assert_int_equal(pcap_activate(p), 0);
	live_close(p);
}

/* X has one of two values after each comparison: without a loader, too much to load. */
static void set_a_filter_for_user_space(pcap_t *p)
{
	enum { COMPARISONS = 60 };
	struct bpf_insn code[3 * COMPARISONS + 2];
	struct bpf_program program = {.bf_insns = code};
	unsigned n = 0;

	for (unsigned i = 0; i < COMPARISONS; i++) {
		code[n++] = (struct bpf_insn)BPF_STMT(BPF_LD | BPF_B | BPF_ABS, i % 14);
		code[n++] = (struct bpf_insn)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, i, 0, 1);
		code[n++] = (struct bpf_insn)BPF_STMT(BPF_LDX | BPF_IMM, i + 1);
	}
	code[n++] = (struct bpf_insn)BPF_STMT(BPF_MISC | BPF_TXA, 0);
	code[n++] = (struct bpf_insn)BPF_STMT(BPF_RET | BPF_A, 0);
	program.bf_len = n;
	assert_int_equal(pcap_setfilter(p, &program), 0);
}

static void words_of_a_filter_end_with_it(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.device = "xdp:vb,loader=off"});

	(void)state;
	assert_int_equal(pcap_setfilter(p, NULL), PCAP_ERROR);
	assert_non_null(strstr(pcap_geterr(p), "without a filter"));
	set_a_filter_for_user_space(p);
	assert_non_null(strstr(pcap_geterr(p), "The filter runs in user space"));
	live_filter(p, "udp");
	assert_string_equal(pcap_geterr(p), "");
	live_close(p);
}

static void expect_growth(pcap_t *p, struct pcap_stat *last)
{
	struct pcap_stat s;

	assert_int_equal(pcap_stats(p, &s), 0);
	if (s.ps_recv < last->ps_recv || s.ps_drop < last->ps_drop || s.ps_ifdrop < last->ps_ifdrop)
		fail_msg("from %u, %u, %u to %u, %u, %u", last->ps_recv, last->ps_drop,
			 last->ps_ifdrop, s.ps_recv, s.ps_drop, s.ps_ifdrop);
	*last = s;
}

static atomic_bool asked_enough;
static atomic_uint went_back;

/* pcap_stats() is asked by other threads than the one that reads. */
static void *keep_asking(void *handle)
{
	struct pcap_stat last = {0}, s = {0};

	while (!atomic_load(&asked_enough) && pcap_stats(handle, &s) == 0) {
		went_back += s.ps_recv < last.ps_recv || s.ps_drop < last.ps_drop ||
			     s.ps_ifdrop < last.ps_ifdrop;
		last = s;
	}
	return NULL;
}

static void counts_of_one_only_grow(const char *device, int snaplen)
{
	pcap_t *p = live_open(
		&(struct open_options){.device = device, .timeout_ms = 5, .snaplen = snaplen});
	struct pcap_stat last = {0};
	char err[PCAP_ERRBUF_SIZE];
	struct count c = {0};
	pthread_t thread;

	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	asked_enough = false;
	assert_int_equal(pthread_create(&thread, NULL, keep_asking, p), 0);
	for (unsigned i = 0; i < 60; i++) {
		if (i % 12 == 0)
			set_a_filter_for_user_space(p);
		else if (i % 12 == 4)
			live_filter(p, "ether[18] = 1");
		else if (i % 12 == 8)
			live_filter(p, "ip6");
		expect_growth(p, &last);
		live_send(10, i % 3);
		expect_growth(p, &last);
		for (int k = 0; k < 3; k++) {
			assert_true(pcap_dispatch(p, 4, live_count, (u_char *)&c) >= 0);
			expect_growth(p, &last);
		}
		no_error(pcap_setdirection(p, i % 2 ? PCAP_D_IN : PCAP_D_INOUT));
	}
	asked_enough = true;
	pthread_join(thread, NULL);
	assert_int_equal(went_back, 0);
	assert_true(last.ps_recv > 0 && last.ps_recv <= 600);
	live_close(p);
}

/* Whatever filter there is, in the kernel and in user space, and whatever is unread. */
static void counts_only_grow(void **state)
{
	(void)state;
	counts_of_one_only_grow("xdp:vb,loader=off", 0);
	counts_of_one_only_grow("xdp:vb,loader=off,hook=tc", 60);
	counts_of_one_only_grow("xdp:vb,loader=off,hook=packet", 60);
}

/* Records bear the number of their filter: before these come round, the application has to read. */
static void many_filters_wait_for_a_reader(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.device = "xdp:vb,loader=off"});
	struct count c = {0};
	unsigned n = 0;

	(void)state;
	do
		live_filter(p, ++n % 2 ? "ether[18] = 1" : "ether[18] = 2");
	while (!*pcap_geterr(p) && n < 300);
	assert_non_null(strstr(pcap_geterr(p), "too many filters were set without a read"));
	/* The filter set last works all the same; and after a read the kernel takes the next one. */
	live_send(10, 1);
	live_send(10, 2);
	live_read(p, &c, 10, PATIENCE);
	assert_int_equal(c.kinds[n % 2 ? 1 : 2], 10);
	assert_int_equal(c.frames, 10);
	live_filter(p, "ether[18] = 1");
	assert_string_equal(pcap_geterr(p), "");
	live_close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(statuses_tell_what_is_wrong),
		LIVE_TEST(notes_are_no_warnings),
		LIVE_TEST(signals_keep_no_capture_from_opening),
		LIVE_TEST(a_filter_that_is_too_long_is_told),
		LIVE_TEST(notes_of_a_failed_try_are_gone),
		LIVE_TEST(promiscuity_of_any_is_a_note),
		LIVE_TEST(promiscuity_that_cannot_be_had_is_a_warning),
		LIVE_TEST(activate_may_be_tried_again),
		LIVE_TEST(monitor_mode_is_refused),
		LIVE_TEST(a_protocol_is_refused_by_name),
		LIVE_TEST(words_of_a_filter_end_with_it),
		LIVE_TEST(counts_only_grow),
		LIVE_TEST(many_filters_wait_for_a_reader),
	};

	return LIVE_RUN(tests);
}
