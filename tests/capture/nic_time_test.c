/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Time stamps of the interface: their configuration on a driver of our own, their way to the user.
 */
#include <errno.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "capture/afxdpcapture.h"
#include "util/clock.h"
#include "capture/attach/facts/nic_time.h"

#define IFINDEX 7
#define NAME	"port7"

/* The driver. */
static struct hwtstamp_config config;
static int get_error, set_error, name_error, sets;

int __wrap_ioctl(int fd, unsigned long request, struct ifreq *r);
static int64_t nic_now, host_now; /* what both clocks say */
static int64_t monotonic_now;
static int precise_error, extended_error, plain_error, comparisons;

uint64_t __wrap_clock_monotonic(void);
uint64_t __wrap_clock_monotonic(void)
{
	return (uint64_t)monotonic_now;
}

static struct ptp_clock_time ptp_time(int64_t ns)
{
	return (struct ptp_clock_time){.sec = ns / NS_PER_SEC, .nsec = (uint32_t)(ns % NS_PER_SEC)};
}

/* The host's clock before and behind each of the card's; the fourth look is the quickest. */
static void fill_plain(struct ptp_sys_offset *o)
{
	int64_t at = host_now - 3 * 5000 - 100;

	assert_true(o->n_samples >= 4 && o->n_samples <= PTP_MAX_SAMPLES);
	for (unsigned i = 0; i < o->n_samples; i++) {
		o->ts[2 * i] = ptp_time(at);
		o->ts[2 * i + 1] = ptp_time(nic_now + (i == 3 ? 0 : 1000000));
		at += i == 3 ? 200 : 5000;
	}
	o->ts[2 * o->n_samples] = ptp_time(at);
}

/* One look of those offered is quicker than the others, and so the best. */
static int compare_clocks(unsigned long request, void *data)
{
	struct ptp_sys_offset_precise *p = data;
	struct ptp_sys_offset_extended *x = data;

	comparisons++;
	errno = request == PTP_SYS_OFFSET_PRECISE    ? precise_error
		: request == PTP_SYS_OFFSET_EXTENDED ? extended_error
						     : plain_error;
	if (errno)
		return -1;
	if (request == PTP_SYS_OFFSET) {
		fill_plain(data);
		return 0;
	}
	if (request == PTP_SYS_OFFSET_PRECISE) {
		p->device = ptp_time(nic_now);
		p->sys_realtime = ptp_time(host_now);
		return 0;
	}
	for (unsigned i = 0; i < x->n_samples; i++) {
		int64_t late = i == 3 ? 0 : 5000;

		x->ts[i][0] = ptp_time(host_now - 100);
		x->ts[i][1] = ptp_time(nic_now + late);
		x->ts[i][2] = ptp_time(host_now + 100 + late);
	}
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, struct ifreq *r)
{
	if (request == PTP_SYS_OFFSET_PRECISE || request == PTP_SYS_OFFSET_EXTENDED ||
	    request == PTP_SYS_OFFSET)
		return compare_clocks(request, r);

	int e = request == SIOCGIFNAME	   ? name_error
		: request == SIOCGHWTSTAMP ? get_error
					   : set_error;

	assert_int_equal(fd, 3);
	if (request == SIOCGIFNAME)
		assert_int_equal(r->ifr_ifindex, IFINDEX);
	else
		assert_string_equal(r->ifr_name, NAME);
	if (e) {
		errno = e;
		return -1;
	}
	if (request == SIOCGIFNAME)
		strcpy(r->ifr_name, NAME);
	else if (request == SIOCGHWTSTAMP)
		memcpy(r->ifr_data, &config, sizeof(config));
	else
		memcpy(&config, r->ifr_data, sizeof(config)), sets++;
	return 0;
}

static int begin(void **state)
{
	(void)state;
	config = (struct hwtstamp_config){0, HWTSTAMP_TX_ON, HWTSTAMP_FILTER_PTP_V2_EVENT};
	get_error = set_error = name_error = sets = 0;
	return 0;
}

static void all_frames_are_stamped_and_what_was_returns(void **state)
{
	struct stamp_change c;

	(void)state;
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_ALL, &c), 0);
	assert_int_equal(config.rx_filter, HWTSTAMP_FILTER_ALL);
	assert_int_equal(config.tx_type, HWTSTAMP_TX_ON); /* PTP's: not ours to change */
	assert_int_equal(c.ifindex, IFINDEX);
	stamp_restore(3, &c);
	assert_int_equal(config.rx_filter, HWTSTAMP_FILTER_PTP_V2_EVENT);
	stamp_restore(3, &c);
	assert_int_equal(sets, 2);
}

static void what_is_so_already_is_left_alone(void **state)
{
	struct stamp_change c;

	(void)state;
	config.rx_filter = HWTSTAMP_FILTER_ALL;
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_ALL, &c), 0);
	stamp_restore(3, &c);
	assert_int_equal(sets, 0);
}

static void a_card_that_stamps_ptp_alone_is_asked_for_that(void **state)
{
	struct stamp_change c;

	(void)state;
	config.rx_filter = HWTSTAMP_FILTER_NONE;
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_PTP_V2_EVENT, &c), 0);
	assert_int_equal(config.rx_filter, HWTSTAMP_FILTER_PTP_V2_EVENT);
	stamp_restore(3, &c);
	assert_int_equal(config.rx_filter, HWTSTAMP_FILTER_NONE);
	assert_int_equal(sets, 2);
	config.rx_filter = HWTSTAMP_FILTER_NTP_ALL; /* another's */
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_PTP_V2_EVENT, &c), 0);
	assert_int_equal(config.rx_filter, HWTSTAMP_FILTER_NTP_ALL);

	config.rx_filter = HWTSTAMP_FILTER_ALL; /* more than asked for */
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_PTP_V2_EVENT, &c), 0);
	assert_int_equal(sets, 2);
}

static void what_somebody_else_has_set_stays(void **state)
{
	struct stamp_change c;

	(void)state;
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_ALL, &c), 0);
	config.rx_filter = HWTSTAMP_FILTER_NONE;
	stamp_restore(3, &c);
	assert_int_equal(sets, 1);
	assert_int_equal(config.rx_filter, HWTSTAMP_FILTER_NONE);
}

static void what_cannot_be_put_back_is_not_changed(void **state)
{
	struct stamp_change c;

	(void)state;
	get_error = EOPNOTSUPP;
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_ALL, &c), -EOPNOTSUPP);
	stamp_restore(3, &c);
	get_error = 0;
	set_error = ERANGE;
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_ALL, &c), -ERANGE);
	stamp_restore(3, &c);
	name_error = ENODEV;
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_ALL, &c), -ENODEV);
	stamp_restore(3, &c);
	assert_int_equal(sets, 0);
}

static void an_interface_that_is_gone_is_no_matter(void **state)
{
	struct stamp_change c;

	(void)state;
	assert_int_equal(stamp_enable(3, IFINDEX, HWTSTAMP_FILTER_ALL, &c), 0);
	name_error = ENODEV;
	stamp_restore(3, &c);
	assert_int_equal(sets, 1);
}

/* A record as the program writes it, with the options behind the fixed ones that are asked for. */
static const struct epb_header *record(uint64_t host, uint64_t stamp, int drops, int hash)
{
	static uint8_t room[256] __attribute__((aligned(8)));
	struct epb_header *h = (void *)room;
	uint8_t *at = room + sizeof(*h);
	uint32_t *frame = (void *)at;

	memset(room, 0, sizeof(room));
	h->caplen = h->len = 12;
	/* Bytes that look like the option are none of it. */
	frame[0] = EPB_OPT_NIC_TIME;
	frame[1] = 1;
	at += 12 + sizeof(struct epb_options);
	if (drops) {
		*(struct epb_dropcount *)at = (struct epb_dropcount){EPB_OPT_DROPCOUNT, 5, 0};
		at += sizeof(struct epb_dropcount);
	}
	if (hash) {
		*(struct epb_hash *)at = (struct epb_hash){EPB_OPT_HASH, 5, {1, 2, 3, 4}, {0}};
		at += sizeof(struct epb_hash);
	}
	if (stamp) {
		*(struct epb_nic_time *)at =
			(struct epb_nic_time){EPB_OPT_NIC_TIME, (uint32_t)stamp,
					      (uint32_t)(stamp >> 32)};
		at += sizeof(struct epb_nic_time);
	}
	at += sizeof(struct epb_end);
	h->type = EPB_TYPE;
	h->total_length = (uint32_t)(at - room);
	h->time_high = (uint32_t)(host >> 32);
	h->time_low = (uint32_t)host;
	return h;
}

static void the_stamp_is_found_beside_other_options(void **state)
{
	const uint64_t host = 1795242618993915990, stamp = 5000000123;

	(void)state;
	for (int n = 0; n < 4; n++) {
		struct nic_clock c = {0};

		assert_int_equal(nic_clock_time(&c, record(host, stamp, n & 1, n & 2)), stamp);
		assert_int_equal(c.missing, 0);
		assert_int_equal(nic_clock_time(&c, record(host, 0, n & 1, n & 2)), stamp);
		assert_int_equal(c.missing, 1);
	}
}

/*
 * A clock behind the host's, and one ahead; each frame without a stamp goes by the last with one.
 */
static void frames_without_a_stamp_are_moved_to_the_clock(void **state)
{
	struct nic_clock c = {0};

	(void)state;
	assert_int_equal(nic_clock_time(&c, record(1000, 0, 0, 0)),
			 1000); /* nothing is known yet */
	assert_int_equal(nic_clock_time(&c, record(2000, 500, 0, 0)), 500);
	assert_int_equal(nic_clock_time(&c, record(2100, 0, 0, 0)), 600);
	assert_int_equal(nic_clock_time(&c, record(3000, 9000, 0, 0)), 9000);
	assert_int_equal(nic_clock_time(&c, record(3010, 0, 0, 0)), 9010);
	assert_int_equal(c.missing, 3);
}

static int64_t error_now(struct nic_clock *c)
{
	return (int64_t)nic_clock_time(c, record((uint64_t)host_now, (uint64_t)nic_now, 0, 0)) -
	       host_now;
}

/* An interface's clock that is 1000 s behind, and goes faster than the host's by 50 millionths. */
static void converted_stamps_follow_the_host(void **state)
{
	const int64_t start = 1795242618 * NS_PER_SEC, behind = 1000 * NS_PER_SEC;
	struct nic_clock c = {.synced = true, .ptp = 5};
	int64_t error, worst = 0;

	(void)state;
	precise_error = EOPNOTSUPP;
	extended_error = 0;
	for (int64_t t = 0; t < 100; t++) { /* tenths of a second */
		host_now = start + t * NS_PER_SEC / 10;
		nic_now = host_now - behind + t * NS_PER_SEC / 10 / 20000;
		if (t == 0)
			assert_int_equal(nic_clock_compare(&c), 0);
		monotonic_now = host_now;
		error = error_now(&c);
		if (t > 10 && llabs(error) > worst)
			worst = llabs(error);
	}
	assert_true(worst <= 10); /* ns; once the drift is known */
	assert_int_equal(c.missing, 0);
	assert_int_equal(nic_clock_time(&c, record(77, 0, 0, 0)), 77);
	assert_int_equal(c.missing, 1);
}

static void the_hardware_compares_where_it_can(void **state)
{
	struct nic_clock c = {.synced = true, .ptp = 5};

	(void)state;
	precise_error = comparisons = 0;
	host_now = 5000 * NS_PER_SEC;
	nic_now = 3000 * NS_PER_SEC;
	assert_int_equal(nic_clock_compare(&c), 0);
	assert_int_equal(comparisons, 1);
	assert_int_equal(nic_clock_time(&c, record(1, (uint64_t)nic_now + 7, 0, 0)), host_now + 7);
	precise_error = extended_error = plain_error = ENOTTY;
	assert_int_equal(nic_clock_compare(&c), -ENOTTY);
}

/* Drivers without gettimex64(). */
static void the_plain_form_will_do(void **state)
{
	struct nic_clock c = {.synced = true, .ptp = 5};

	(void)state;
	precise_error = extended_error = EOPNOTSUPP;
	plain_error = 0;
	host_now = 5000 * NS_PER_SEC;
	nic_now = 3000 * NS_PER_SEC;
	assert_int_equal(nic_clock_compare(&c), 0);
	assert_int_equal(nic_clock_time(&c, record(1, (uint64_t)nic_now + 7, 0, 0)), host_now + 7);
}

/* Either clock is set, ahead and back: no drift comes of it, and a second later all is well. */
static void steps_of_the_clocks_are_followed(void **state)
{
	static const int64_t steps[][2] = {{500, 0},
					   {-900, 0},
					   {0, 3600},
					   {0, -7200},
					   {2000000000, 0}};
	struct nic_clock c = {.synced = true, .ptp = 5};

	(void)state;
	precise_error = comparisons = 0;
	host_now = 1795242618 * NS_PER_SEC;
	nic_now = 3000 * NS_PER_SEC;
	monotonic_now = 50 * NS_PER_SEC;
	assert_int_equal(nic_clock_compare(&c), 0);
	for (int i = 0; i < 5; i++) {
		host_now += (steps[i][1] + 1) * NS_PER_SEC;
		nic_now += (steps[i][0] + 1) * NS_PER_SEC;
		monotonic_now += NS_PER_SEC;
		assert_int_equal(error_now(&c), 0);
		assert_int_equal(c.drift, 0);
	}
	assert_int_equal(comparisons, 6);
}

/* A reader that is far behind does not compare for each record. */
static void old_records_cost_no_comparison(void **state)
{
	struct nic_clock c = {.synced = true, .ptp = 5};

	(void)state;
	precise_error = comparisons = 0;
	host_now = 1795242618 * NS_PER_SEC;
	nic_now = 3000 * NS_PER_SEC;
	assert_int_equal(nic_clock_compare(&c), 0);
	for (int i = 0; i < 100; i++) {
		host_now -= NS_PER_SEC;
		nic_now -= NS_PER_SEC;
		assert_int_equal(error_now(&c), 0);
	}
	assert_int_equal(comparisons, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(all_frames_are_stamped_and_what_was_returns, begin),
		cmocka_unit_test_setup(what_is_so_already_is_left_alone, begin),
		cmocka_unit_test_setup(a_card_that_stamps_ptp_alone_is_asked_for_that, begin),
		cmocka_unit_test_setup(what_somebody_else_has_set_stays, begin),
		cmocka_unit_test_setup(what_cannot_be_put_back_is_not_changed, begin),
		cmocka_unit_test_setup(an_interface_that_is_gone_is_no_matter, begin),
		cmocka_unit_test(the_stamp_is_found_beside_other_options),
		cmocka_unit_test(frames_without_a_stamp_are_moved_to_the_clock),
		cmocka_unit_test(converted_stamps_follow_the_host),
		cmocka_unit_test(the_hardware_compares_where_it_can),
		cmocka_unit_test(the_plain_form_will_do),
		cmocka_unit_test(steps_of_the_clocks_are_followed),
		cmocka_unit_test(old_records_cost_no_comparison),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL),
	    n = sizeof(tests) / sizeof(tests[0]);

	print_message("%d passed, %d failed, 0 skipped\n", n - failed, failed);
	return failed != 0;
}
