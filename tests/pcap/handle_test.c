/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A handle of the pcap API from creation to close: statuses, filters, counts, and what stays. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/capture/own_net.h"
#include "live.h"
#include "testprogs/no_error.h"
#include "tests/ranges.h"

#define KIND_1 "ether proto 0x88b5 and ether[18] = 1"
#define KIND_2 "ether proto 0x88b5 and ether[18] = 2"

static void link_type_and_snapshot_are_right(void **state)
{
	pcap_t *p = live_open(NULL);
	int *types, n;

	(void)state;
	assert_int_equal(pcap_datalink(p), DLT_EN10MB);
	n = pcap_list_datalinks(p, &types);
	assert_int_equal(n, 1);
	assert_int_equal(types[0], DLT_EN10MB);
	pcap_free_datalinks(types);
	assert_int_equal(pcap_set_datalink(p, DLT_EN10MB), 0);
	assert_int_equal(pcap_snapshot(p), 262144); /* 0 and below is the most */
	live_close(p);
	p = live_open(&(struct open_options){.snaplen = 77});
	assert_int_equal(pcap_snapshot(p), 77);
	live_close(p);
	p = live_open(&(struct open_options){.snaplen = 10000000});
	assert_int_equal(pcap_snapshot(p), 262144);
	live_close(p);
}

/* Any list of types has the host's; what is not in it is refused with a warning. */
static void time_stamp_types_are_listed(void **state)
{
	pcap_t *p = live_create(&(struct open_options){0});
	int has_host = 0;
	int *types, n = pcap_list_tstamp_types(p, &types);

	(void)state;
	assert_true(n > 0);
	for (int i = 0; i < n; i++) {
		has_host |= types[i] == PCAP_TSTAMP_HOST;
		assert_int_equal(pcap_set_tstamp_type(p, types[i]), 0);
	}
	assert_true(has_host);
	pcap_free_tstamp_types(types);
	assert_int_equal(pcap_set_tstamp_type(p, PCAP_TSTAMP_ADAPTER),
			 PCAP_WARNING_TSTAMP_TYPE_NOTSUP);
	assert_int_equal(pcap_set_tstamp_type(p, PCAP_TSTAMP_ADAPTER_UNSYNCED),
			 PCAP_WARNING_TSTAMP_TYPE_NOTSUP);
	assert_int_equal(pcap_set_tstamp_precision(p, 9), PCAP_ERROR_TSTAMP_PRECISION_NOTSUP);
	assert_int_equal(pcap_get_tstamp_precision(p), PCAP_TSTAMP_PRECISION_MICRO);
	live_close(p);
}

/* Frames that were lost of 1500 large ones that nobody read meanwhile: 2 MiB of them. */
static unsigned lost_unread(const char *device, int buffer_size)
{
	pcap_t *p = live_create(&(struct open_options){.device = device});
	struct pcap_stat s;

	no_error(pcap_set_buffer_size(p, buffer_size));
	if (pcap_activate(p) < 0)
		fail_msg("%s: %s", device, pcap_geterr(p));
	live_filter(p, KIND_1);
	live_send_sized(1500, 1, 1400);
	live_await(p, 1500);
	assert_int_equal(pcap_stats(p, &s), 0);
	assert_int_equal(s.ps_recv, 1500);
	live_close(p);
	return s.ps_drop;
}

/* dumpcap asks for 2 MiB: that is no wish for less than there is. */
static void a_buffer_size_makes_rings_larger_and_never_smaller(void **state)
{
	(void)state;
	assert_true(lost_unread("xdp:vb,ring=1M", 65536) > 0);
	assert_int_equal(lost_unread("xdp:vb,ring=1M", 8 << 20), 0);
	assert_int_equal(lost_unread("xdp:vb,ring=8M", 65536), 0);
	assert_int_equal(lost_unread("xdp:vb", 2 << 20), 0);
}

static void snapshot_and_length_are_told(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.snaplen = 77});
	struct count c = {0};

	(void)state;
	live_send_sized(1, 0, 1000);
	live_read(p, &c, 1, PATIENCE);
	assert_int_equal(c.header.caplen, 77);
	assert_int_equal(c.header.len, 1000);
	live_filter(p, KIND_1);
	live_send_sized(1, 1, 1000);
	live_read(p, &c, 2, PATIENCE);
	assert_int_equal(c.frames, 2);
	assert_int_equal(c.header.caplen, 77);
	assert_int_equal(c.header.len, 1000);
	live_close(p);
}

/* A filter looks at whole frames, however little of them is kept. */
static void a_filter_sees_beyond_the_snapshot(void **state)
{
	static const char *const filters[] = {"ether[900] = 0 and ether[18] = 1",
					      "ether[900] = 1 and ether[18] = 1", KIND_1};
	pcap_t *p = live_open(&(struct open_options){.snaplen = 20});
	struct count c = {0};

	(void)state;
	live_send_sized(1, 1, 1000); /* kept whole, for this filter */
	live_filter(p, filters[0]);
	live_read(p, &c, 1, PATIENCE);
	assert_int_equal(c.frames, 1);
	assert_int_equal(c.header.caplen, 20);
	live_send_sized(1, 1, 1000);
	live_read(p, &c, 2, PATIENCE);
	assert_int_equal(c.frames, 2);
	live_filter(p, filters[1]);
	live_send_sized(1, 1, 1000);
	live_read(p, &c, 3, 200);
	assert_int_equal(c.frames, 2);
	live_close(p);
}

static void stamps_are_those_of_sending(int nano)
{
	pcap_t *p = live_open(&(struct open_options){.nano = nano});
	uint64_t unit = nano ? 1 : 1000, before, after, fine = 0;

	assert_int_equal(pcap_get_tstamp_precision(p), nano);
	for (int i = 0; i < 50; i++) {
		struct count c = {0};
		uint64_t stamp;

		before = wall_ns();
		live_send(1, 0);
		after = wall_ns();
		live_read(p, &c, 1, PATIENCE);
		stamp = (uint64_t)c.header.ts.tv_sec * NS_PER_SEC +
			(uint64_t)c.header.ts.tv_usec * unit;
		assert_in_range(c.header.ts.tv_usec, 0, NS_PER_SEC / unit - 1);
		assert_true(stamp + unit > before && stamp <= after);
		fine += stamp % 1000 != 0;
	}
	assert_true(nano ? fine > 25 : fine == 0);
	live_close(p);
}

static void stamps_are_right_in_microseconds(void **state)
{
	(void)state;
	stamps_are_those_of_sending(0);
}

static void stamps_are_right_in_nanoseconds(void **state)
{
	(void)state;
	stamps_are_those_of_sending(1);
}

static void what_was_queued_meets_the_new_filter(void **state)
{
	pcap_t *p = live_open(NULL);
	struct count c = {0};
	bool by_kernel;

	(void)state;
	live_send(10, 1);
	live_send(10, 2);
	live_await(p, 20);
	live_filter(p, KIND_1);
	/* A machine that is too busy to load it in time has it here. */
	by_kernel = !strstr(pcap_geterr(p), "user space");
	live_read(p, &c, 10, PATIENCE);
	live_read(p, &c, 11, 100);
	assert_int_equal(c.kinds[1], 10);
	assert_int_equal(c.kinds[2], 0);
	live_send(10, 2);
	live_send(20, 1);
	/* 10 of the first 20 were rejected, and ps_recv does not fall. The ten have met that
	 * filter, too. */
	live_await(p, 30);
	live_filter(p, KIND_2);
	live_send(5, 1);
	live_send(5, 2);
	live_read(p, &c, by_kernel ? 15 : 25, PATIENCE);
	live_read(p, &c, 26, 100);
	assert_int_equal(c.kinds[1], 10);
	/* The ten of kind 2 were sent under the other filter, by which the kernel kept none. */
	assert_int_equal(c.kinds[2], by_kernel ? 5 : 15);
	live_close(p);
}

static void change_filters_often(const char *device, unsigned rounds)
{
	pcap_t *p = live_open(&(struct open_options){.device = device});
	struct count c = {0};
	unsigned fds;

	no_error(pcap_setdirection(p, PCAP_D_IN));
	live_filter(p, KIND_1);
	fds = fds_open();
	for (unsigned i = 0; i < rounds; i++) {
		live_filter(p, KIND_2);
		live_send(1, 1);
		live_send(1, 2);
		live_filter(p, KIND_1);
		live_send(1, 1);
		live_send(1, 2);
		if (i % 16 == 0)
			live_read(p, &c, c.frames + 1, 200);
	}
	live_read(p, &c, rounds, PATIENCE);
	live_read(p, &c, 2 * rounds + 1, 100);
	assert_int_equal(c.kinds[2], 0); /* read under filter 1 alone */
	/* Beside a load the kernel comes to a frame sent under filter 2 when filter 1 holds again.
	 */
	assert_in_range(c.kinds[1], rounds, 2 * rounds);
	assert_int_equal(fds_open(), fds);
	live_close(p);
}

static void filters_change_a_thousand_times(void **state)
{
	uint64_t start = clock_ns(), bound;

	(void)state;
	change_filters_often("xdp:vb,ring=1M", 25); /* bound to the device: dear to exchange */
	bound = clock_ns();
	change_filters_often("xdp:vb,ring=1M,vlan=off", 475);
	print_message("an exchange takes %.2f ms, with vlan=off %.2f ms\n",
		      (double)(bound - start) / 1e6 / 50, (double)(clock_ns() - bound) / 1e6 / 950);
}

struct changing {
	struct count c;
	pcap_t *p;
	unsigned wrong;
	uint8_t wanted;
};

/* Each frame brings the other filter. */
static void change_in_callback(u_char *data, const struct pcap_pkthdr *h, const u_char *frame)
{
	struct changing *x = (void *)data;

	live_count((u_char *)&x->c, h, frame);
	x->wrong += frame[18] != x->wanted;
	x->wanted = 3 - x->wanted;
	live_filter(x->p, x->wanted == 1 ? KIND_1 : KIND_2);
}

static void a_filter_set_in_a_callback_holds_for_the_next_frame(void **state)
{
	struct changing x = {.p = live_open(NULL), .wanted = 1};

	(void)state;
	live_filter(x.p, KIND_1);
	for (int i = 0; i < 50; i++) {
		live_send(1, 1);
		live_send(1, 2);
		live_send(1, 1);
		no_error(pcap_dispatch(x.p, -1, change_in_callback, (u_char *)&x));
	}
	assert_int_equal(x.wrong, 0);
	assert_true(x.c.frames >= 50);
	live_close(x.p);
}

static int done;

static void *change_filters(void *p)
{
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
		live_filter(p, KIND_1);
		live_filter(p, "ether proto 0x88b5");
	}
	return NULL;
}

/* Both filters take kind 1: none of it may be missing. */
static void another_thread_may_set_filters(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.device = "xdp:vb,ring=16M"});
	uint64_t end = clock_ns() + 3 * PATIENCE * NS_PER_MS;
	struct count c = {0};
	pthread_t thread;

	(void)state;
	live_filter(p, KIND_1);
	done = 0;
	pthread_create(&thread, NULL, change_filters, p);
	for (int i = 0; i < 200; i++) {
		live_send(100, 1);
		live_send(10, 2);
		no_error(pcap_dispatch(p, -1, live_count, (u_char *)&c));
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	while (c.kinds[1] < 20000 && clock_ns() < end)
		no_error(pcap_dispatch(p, -1, live_count, (u_char *)&c));
	assert_int_equal(c.kinds[1], 20000);
	assert_int_equal(c.disorder, 0);
	live_close(p);
}

static void bad_filters_are_refused_and_the_old_one_stays(void **state)
{
	struct bpf_insn jump = {.code = 0x05, .k = 1000}, none = {.code = 0x28, .k = 12};
	struct bpf_program programs[] = {{1, &jump}, {1, &none}, {0, NULL}};
	pcap_t *p = live_open(NULL);
	struct count c = {0};

	(void)state;
	live_filter(p, KIND_1);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pcap_setfilter(p, &programs[i]), -1);
		assert_true(strlen(pcap_geterr(p)) > 0);
	}
	live_send(3, 2);
	live_send(3, 1);
	live_read(p, &c, 3, PATIENCE);
	live_read(p, &c, 4, 100);
	assert_int_equal(c.kinds[1], 3);
	assert_int_equal(c.kinds[2], 0);
	live_close(p);
}

static void stats_count_what_passed_the_filter(void **state)
{
	pcap_t *p = live_open(NULL);
	struct pcap_stat s;
	struct count c = {0};

	(void)state;
	assert_int_equal(pcap_stats(p, &s), 0);
	assert_int_equal(s.ps_recv + s.ps_drop + s.ps_ifdrop, 0);
	live_filter(p, KIND_1);
	live_send(30, 1);
	live_send(50, 2);
	live_read(p, &c, 30, PATIENCE);
	live_read(p, &c, 31, 100);
	assert_int_equal(pcap_stats(p, &s), 0);
	assert_int_equal(s.ps_recv, 30);
	assert_int_equal(s.ps_drop, 0);
	assert_int_equal(pcap_stats(p, &s), 0); /* cumulative, and asking costs nothing */
	assert_int_equal(s.ps_recv, 30);
	live_close(p);
}

static void promiscuity_is_counted_and_given_back(void **state)
{
	pcap_t *p;
	int before = live_promiscuity();

	(void)state;
	assert_int_equal(before, 0);
	p = live_open(NULL);
	assert_int_equal(live_promiscuity(), before + 1);
	live_close(p);
	assert_int_equal(live_promiscuity(), before);
	p = live_open(&(struct open_options){.no_promisc = 1});
	assert_int_equal(live_promiscuity(), before);
	live_close(p);
	run("ip link set vb promisc on"); /* somebody else's wish */
	p = live_open(NULL);
	assert_int_equal(live_promiscuity(), before + 2);
	live_close(p);
	assert_int_equal(live_promiscuity(), before + 1);
	run("ip link set vb promisc off");
}

/* The next frame that the peer sees, by a handle of the ordinary kind. */
static void expect_frame(pcap_t *peer, const uint8_t *frame, size_t length)
{
	struct pcap_pkthdr *h;
	const u_char *got;
	int n = 0;

	for (int tries = 0; n == 0 && tries < 20; tries++)
		n = pcap_next_ex(peer, &h, &got);
	assert_int_equal(n, 1);
	assert_int_equal(h->caplen, length);
	assert_memory_equal(got, frame, length);
}

static void frames_can_be_sent(void **state)
{
	uint8_t frame[60] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, 0x88, 0xb5};
	pcap_t *p = live_open(NULL), *peer = live_open(&(struct open_options){.device = "va"});

	(void)state;
	live_filter(peer, "ether proto 0x88b5");
	assert_int_equal(pcap_inject(p, frame, sizeof(frame)), sizeof(frame));
	expect_frame(peer, frame, sizeof(frame));
	assert_int_equal(pcap_sendpacket(p, frame, sizeof(frame)), 0);
	expect_frame(peer, frame, sizeof(frame));
	assert_true(pcap_inject(p, frame, 0) < 0);
	live_close(peer);
	live_close(p);
}

/* The socket of the packet hook is bound: it learns that the interface was down. */
static void frames_can_be_sent_again(void **state)
{
	static const char *const devices[] = {"xdp:vb", "xdp:vb,hook=packet"};
	uint8_t frame[60] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, 0x88, 0xb5};

	(void)state;
	for (int i = 0; i < 2; i++) {
		pcap_t *p = live_open(&(struct open_options){.device = devices[i]});

		run("ip link set vb down");
		assert_true(pcap_inject(p, frame, sizeof(frame)) < 0);
		run("ip link set vb up");
		assert_int_equal(pcap_inject(p, frame, sizeof(frame)), sizeof(frame));
		live_close(p);
	}
}

static void directions_are_kept_apart(void **state)
{
	static const pcap_direction_t directions[] = {PCAP_D_IN, PCAP_D_OUT, PCAP_D_INOUT};
	static const unsigned wanted[] = {4, 3, 7};
	uint8_t frame[60] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, 0x88, 0xb5, [18] = 2};
	pcap_t *p = live_open(NULL), *other = live_open(&(struct open_options){.device = "vb"});

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct count c = {0};

		if (pcap_setdirection(p, directions[i])) {
			print_message("direction %d: %s\n", i, pcap_geterr(p));
			continue;
		}
		live_send(4, 1);
		for (int k = 0; k < 3; k++)
			assert_int_equal(pcap_inject(other, frame, sizeof(frame)), sizeof(frame));
		live_read(p, &c, wanted[i], PATIENCE);
		live_read(p, &c, wanted[i] + 1, 100);
		assert_int_equal(c.kinds[1], directions[i] == PCAP_D_OUT ? 0 : 4);
		assert_int_equal(c.kinds[2], directions[i] == PCAP_D_IN ? 0 : 3);
	}
	live_close(other);
	live_close(p);
}

/* libpcap's nonblocktest: with no descriptor to be had, blocking mode cannot come back. */
static void blocking_needs_no_descriptor(void **state)
{
	char err[PCAP_ERRBUF_SIZE] = "";
	struct rlimit old, tight;
	pcap_t *p = live_open(NULL);
	int fill[64], n = 0;

	(void)state;
	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	getrlimit(RLIMIT_NOFILE, &old);
	tight = old;
	tight.rlim_cur = fds_open() + 20;
	setrlimit(RLIMIT_NOFILE, &tight);
	while (n < 64 && (fill[n] = open("/dev/null", O_RDONLY)) >= 0)
		n++;
	assert_int_equal(pcap_setnonblock(p, 0, err), 0);
	assert_int_equal(pcap_getnonblock(p, err), 0);
	while (n > 0)
		close(fill[--n]);
	setrlimit(RLIMIT_NOFILE, &old);
	live_close(p);
}

/* Every step of opening may find the table full; none may leave anything behind. */
static void no_descriptors_is_an_error_and_leaves_nothing(void **state)
{
	const struct open_options defaults = {0};
	unsigned before = fds_open(), opened = 0;
	struct rlimit old, tight;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &old);
	for (unsigned room = 0; room < 48 && !opened; room++) {
		pcap_t *p = live_create(&defaults);

		tight = old;
		tight.rlim_cur = before - 3 + room; /* ".", ".." and the directory were counted */
		setrlimit(RLIMIT_NOFILE, &tight);
		opened = pcap_activate(p) >= 0;
		if (!opened && !*pcap_geterr(p))
			fail_msg("no message with room for %u descriptors", room);
		setrlimit(RLIMIT_NOFILE, &old);
		live_close(p);
		assert_int_equal(fds_open(), before);
	}
	assert_true(opened);
	assert_int_equal(live_promiscuity(), 0);
}

static void nothing_is_left_of_a_hundred_handles(void **state)
{
	unsigned before;
	pcap_t *p = live_open(NULL);

	(void)state;
	live_close(p);
	before = fds_open();
	for (int i = 0; i < 100; i++) {
		p = live_open(NULL);
		if (i % 2)
			live_filter(p, KIND_1);
		live_close(p);
	}
	assert_int_equal(fds_open(), before);
	assert_int_equal(live_promiscuity(), 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child was left to the application */
}

static void *open_and_close(void *device)
{
	for (int i = 0; i < 25; i++) {
		char err[PCAP_ERRBUF_SIZE];
		pcap_t *p = pcap_create(device, err);

		no_error(pcap_set_promisc(p, 1));
		if (pcap_activate(p) < 0) {
			fprintf(stderr, "%s: %s\n", (char *)device, pcap_geterr(p));
			exit(1);
		}
		pcap_close(p);
	}
	return NULL;
}

/* In a process of its own: what goes wrong here may end it. */
static void threads_may_open_at_once(void **state)
{
	static char names[4][32] = {"xdp:m0,ring=512K", "xdp:m1,ring=512K", "xdp:m2,ring=512K",
				    "xdp:m3,ring=512K"};
	pthread_t threads[4];
	int status;
	pid_t pid;

	(void)state;
	run("ip link add m0 type veth peer name m1 && ip link add m2 type veth peer name m3");
	run("for i in 0 1 2 3; do ip link set m$i up; done");
	fflush(NULL);
	pid = fork();
	if (!pid) {
		for (int i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, open_and_close, names[i]);
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	run("ip link del m0 && ip link del m2");
}

static void the_end_of_the_interface_reaches_nonblocking_readers(void **state)
{
	char err[PCAP_ERRBUF_SIZE];
	pcap_t *p;
	uint64_t end;
	struct count c = {0};
	int n = 0;

	(void)state;
	run("ip link add g0 type veth peer name g1 && ip link set g0 up && ip link set g1 up");
	p = live_open(&(struct open_options){.device = "xdp:g0"});
	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 0);
	run("ip link del g0");
	end = clock_ns() + PATIENCE * NS_PER_MS;
	while (n >= 0 && clock_ns() < end) {
		n = pcap_dispatch(p, -1, live_count, (u_char *)&c);
		sleep_ms(10);
	}
	assert_int_equal(n, PCAP_ERROR);
	assert_string_equal(pcap_geterr(p), "The interface disappeared");
	live_close(p);
}

/* It has read from the handle, and so may nobody else. */
static void two_processes_with_one_handle_are_told(void **state)
{
	struct count c = {0};
	int n = 0, status;
	uint64_t end;
	pcap_t *p;
	pid_t pid;

	(void)state;
	p = live_open(NULL);
	live_send(1000, 1);
	live_await(p, 1000);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		live_read(p, &c, 1000, PATIENCE);
		_exit(c.frames != 1000);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	end = clock_ns() + PATIENCE * NS_PER_MS;
	while (n >= 0 && clock_ns() < end) {
		live_send(100, 1);
		n = pcap_dispatch(p, -1, live_count, (u_char *)&c);
	}
	assert_int_equal(n, PCAP_ERROR);
	assert_non_null(strstr(pcap_geterr(p), "Another process has read from this handle"));
	live_close(p);
}

/* Does the expression, compiled for the handle, take this frame of the application's? */
static bool takes(pcap_t *p, const char *expression, const uint8_t *frame, unsigned length)
{
	struct pcap_pkthdr h = {.caplen = length, .len = length};
	struct bpf_program f;
	bool taken;

	if (pcap_compile(p, &f, expression, 1, PCAP_NETMASK_UNKNOWN))
		fail_msg("%s: %s", expression, pcap_geterr(p));
	taken = pcap_offline_filter(&f, &h, frame) != 0;
	pcap_freecode(&f);
	return taken;
}

/* The frames of this handle have their tags in them. Nothing in a frame says which way it went. */
static void a_program_is_for_frames_in_memory_too(void **state)
{
	static const uint8_t tagged[64] = {2, 0,    0, 0, 0, 2, 2, 0,	 0, 0, 0,
					   1, 0x81, 0, 0, 5, 8, 0, 0x45, 0, 0, 46};
	static const char *const none[] = {"vlan 6", "inbound", "outbound", "ifindex 1"};
	pcap_t *p = live_open(NULL);

	(void)state;
	assert_true(takes(p, "vlan 5 and ip", tagged, sizeof(tagged)));
	assert_true(takes(p, "ether src 2:0:0:0:0:1", tagged, sizeof(tagged)));
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(takes(p, none[i], tagged, sizeof(tagged)));
	live_close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(link_type_and_snapshot_are_right),
		LIVE_TEST(time_stamp_types_are_listed),
		LIVE_TEST(a_buffer_size_makes_rings_larger_and_never_smaller),
		LIVE_TEST(snapshot_and_length_are_told),
		LIVE_TEST(a_filter_sees_beyond_the_snapshot),
		LIVE_TEST(stamps_are_right_in_microseconds),
		LIVE_TEST(stamps_are_right_in_nanoseconds),
		LIVE_TEST(what_was_queued_meets_the_new_filter),
		LIVE_TEST(filters_change_a_thousand_times),
		LIVE_TEST(a_program_is_for_frames_in_memory_too),
		LIVE_TEST(a_filter_set_in_a_callback_holds_for_the_next_frame),
		LIVE_TEST(another_thread_may_set_filters),
		LIVE_TEST(bad_filters_are_refused_and_the_old_one_stays),
		LIVE_TEST(stats_count_what_passed_the_filter),
		LIVE_TEST(promiscuity_is_counted_and_given_back),
		LIVE_TEST(frames_can_be_sent),
		LIVE_TEST(frames_can_be_sent_again),
		LIVE_TEST(directions_are_kept_apart),
		LIVE_TEST(blocking_needs_no_descriptor),
		LIVE_TEST(no_descriptors_is_an_error_and_leaves_nothing),
		LIVE_TEST(nothing_is_left_of_a_hundred_handles),
		LIVE_TEST(threads_may_open_at_once),
		LIVE_TEST(the_end_of_the_interface_reaches_nonblocking_readers),
		LIVE_TEST(two_processes_with_one_handle_are_told),
	};

	return LIVE_RUN(tests);
}
