/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * When it is said that a driver does not run the XDP program: what the interface has counted is in
 * files here, and what the program was offered in rings of ordinary memory.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "capture/attach/proof.h"
#include "fake_ring.h"

static struct proof proof;
static struct ring_set *rings;
static uint64_t no_ring[SIDES];

static void set(int file, unsigned long n)
{
	char text[24];
	int length = snprintf(text, sizeof(text), "%lu\n", n);

	assert_int_equal(ftruncate(file, 0), 0);
	assert_int_equal(pwrite(file, text, (size_t)length, 0), length);
}

static void received(unsigned long all, unsigned long multicast)
{
	set(proof.received, all);
	set(proof.multicast, multicast);
}

static int begin(void **state)
{
	(void)state;
	rings = fake_rings(2, RING_SIZE_MIN);
	no_ring[SIDE_RECEIVED] = no_ring[SIDE_SENT] = 0;
	proof = (struct proof){.received = memfd_create("rx_packets", MFD_CLOEXEC),
			       .multicast = memfd_create("multicast", MFD_CLOEXEC)};
	received(1000, 10);
	proof_begin(&proof, rings, no_ring, false);
	return 0;
}

static int end(void **state)
{
	(void)state;
	proof_close(&proof);
	fake_rings_free(rings);
	return 0;
}

static void frames_that_do_not_come_are_seen(void **state)
{
	uint64_t n, missed;

	(void)state;
	received(1020, 10);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
	received(1040, 10);
	assert_int_equal(proof_look(&proof), PROOF_NONE);
	proof_count(&proof, &n, &missed);
	assert_int_equal(n, 40);
	assert_int_equal(missed, 40);
	rings->ring[1].control->side[SIDE_RECEIVED].offered = 4; /* by tc, since */
	proof_count(&proof, &n, &missed);
	assert_int_equal(missed, 36);
}

static void a_burst_is_one_refresh(void **state)
{
	(void)state;
	received(5000, 10);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
}

static void a_quiet_link_is_not_judged(void **state)
{
	(void)state;
	for (unsigned i = 1; i <= 31; i++) {
		received(1000 + i, 10);
		assert_int_equal(proof_look(&proof), PROOF_WAITS);
	}
	received(1032, 10);
	assert_int_equal(proof_look(&proof), PROOF_NONE);
}

static void multicast_is_set_aside(void **state)
{
	(void)state;
	for (unsigned i = 1; i < 10; i++) {
		received(1000 + 100 * i, 10 + 100 * i);
		assert_int_equal(proof_look(&proof), PROOF_WAITS);
	}
}

static void one_frame_is_enough(void **state)
{
	(void)state;
	received(1020, 10);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
	received(2000, 10);
	rings->ring[1].control->side[SIDE_RECEIVED].offered = 1;
	assert_int_equal(proof_look(&proof), PROOF_CAME);
}

static void a_frame_without_a_ring_has_come(void **state)
{
	(void)state;
	no_ring[SIDE_RECEIVED] = 1;
	assert_int_equal(proof_look(&proof), PROOF_CAME);
}

/* What the host sends does not prove that it receives. */
static void sent_frames_prove_nothing(void **state)
{
	(void)state;
	rings->ring[0].control->side[SIDE_SENT].offered = no_ring[SIDE_SENT] = 50;
	received(1020, 10);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
	received(1040, 10);
	assert_int_equal(proof_look(&proof), PROOF_NONE);
}

static void a_counter_may_begin_again(void **state)
{
	(void)state;
	received(1031, 10);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
	received(3, 0);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
	received(20, 0);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
	received(35, 0);
	assert_int_equal(proof_look(&proof), PROOF_NONE);
}

/* Received frames left out, before the gate, behind it, or before somebody reads what is diverted.
 */
static void what_is_not_counted_is_not_judged(void **state)
{
	static const uint32_t why[] = {EPB_FLAG_INBOUND, RING_GATE_BEGINS, RING_GATE_ENDS, 0};
	unsigned long n = 1000;

	(void)state;
	proof.when_armed = true;
	for (unsigned i = 0; i < sizeof(why) / sizeof(why[0]); i++) {
		rings->ring[0].control->unwanted = why[i];
		rings->ring[0].control->armed = rings->ring[1].control->armed = why[i] != 0;
		for (unsigned k = 0; k < 4; k++) {
			received(n += 40, 10);
			assert_int_equal(proof_look(&proof), PROOF_WAITS);
		}
	}
	rings->ring[0].control->unwanted = EPB_FLAG_OUTBOUND;
	rings->ring[0].control->armed = rings->ring[1].control->armed = 1;
	received(n += 40, 10);
	assert_int_equal(proof_look(&proof), PROOF_WAITS);
	received(n += 40, 10);
	assert_int_equal(proof_look(&proof), PROOF_NONE);
}

static void what_is_gone_ends_it(void **state)
{
	(void)state;
	assert_int_equal(ftruncate(proof.received, 0), 0);
	assert_int_equal(proof_look(&proof), PROOF_ENDED);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(frames_that_do_not_come_are_seen),
		CASE(a_burst_is_one_refresh),
		CASE(a_quiet_link_is_not_judged),
		CASE(multicast_is_set_aside),
		CASE(one_frame_is_enough),
		CASE(a_frame_without_a_ring_has_come),
		CASE(sent_frames_prove_nothing),
		CASE(a_counter_may_begin_again),
		CASE(what_is_not_counted_is_not_judged),
		CASE(what_is_gone_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
