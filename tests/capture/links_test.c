// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/* Interfaces are known by notices, also when they have gone, however many come and go. */
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/types.h>
#include <net/if_arp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bpf/layout.h"
#include "capture/attach/facts/links.h"
#include "util/clock.h"

static uint64_t now = NS_PER_SEC;

uint64_t __wrap_clock_monotonic(void);
uint64_t __wrap_clock_monotonic(void)
{
	return now;
}

static void tell(struct links *l, int what, unsigned ifindex, int type, const char *name)
{
	_Alignas(struct nlmsghdr) char buf[256] = {0};
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *i;

	h->nlmsg_type = (uint16_t)what;
	i = mnl_nlmsg_put_extra_header(h, sizeof(*i));
	i->ifi_index = (int)ifindex;
	i->ifi_type = (unsigned short)type;
	mnl_attr_put_strz(h, IFLA_IFNAME, name);
	links_hear(l, buf, h->nlmsg_len);
}

static void notices_are_heard(void **state)
{
	struct links l = {.asks = NULL};

	(void)state;
	assert_null(links_find(&l, 7));
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "eth7");
	tell(&l, RTM_NEWLINK, 8, ARPHRD_NONE, "tun8");
	assert_string_equal(links_find(&l, 7)->name, "eth7");
	assert_int_equal(links_find(&l, 8)->type, ARPHRD_NONE);
	assert_null(links_find(&l, 9));
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "wan");
	assert_string_equal(links_find(&l, 7)->name, "wan");
	tell(&l, RTM_DELLINK, 7, ARPHRD_ETHER, "wan");
	assert_true(links_find(&l, 7)->gone);
	assert_int_equal(links_find(&l, 7)->type, ARPHRD_ETHER);
	tell(&l, RTM_NEWLINK, 7, ARPHRD_NONE, "again");
	assert_false(links_find(&l, 7)->gone);
	links_close(&l);
	links_close(&l);
}

/* A bridge says so of a port that has left it. */
static void ports_that_leave_have_not_gone(void **state)
{
	_Alignas(struct nlmsghdr) char buf[256] = {0};
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *i;
	struct links l = {.asks = NULL};

	(void)state;
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "port");
	h->nlmsg_type = RTM_DELLINK;
	i = mnl_nlmsg_put_extra_header(h, sizeof(*i));
	i->ifi_family = AF_BRIDGE;
	i->ifi_index = 7;
	links_hear(&l, buf, h->nlmsg_len);
	assert_false(links_find(&l, 7)->gone);
	links_close(&l);
}

static void there_may_be_ten_thousand(void **state)
{
	const unsigned n = 10000;
	struct links l = {.asks = NULL};
	char name[IFNAMSIZ];

	(void)state;
	for (unsigned i = 1; i <= n; i++) {
		snprintf(name, sizeof(name), "v%u", i);
		tell(&l, RTM_NEWLINK, i, ARPHRD_ETHER, name);
	}
	for (unsigned i = 1; i <= n; i++) {
		snprintf(name, sizeof(name), "v%u", i);
		assert_string_equal(links_find(&l, i)->name, name);
	}
	assert_true(l.room <= 8 * n);
	links_close(&l);
}

static void what_has_gone_is_forgotten(void **state)
{
	struct links l = {.asks = NULL};
	unsigned room;

	(void)state;
	tell(&l, RTM_NEWLINK, 1, ARPHRD_LOOPBACK, "lo");
	for (unsigned i = 2; i < 20000; i++) {
		tell(&l, RTM_NEWLINK, i, ARPHRD_ETHER, "v");
		tell(&l, RTM_DELLINK, i, ARPHRD_ETHER, "v");
		assert_true(links_find(&l, i)->gone); /* for its last records */
		now += NS_PER_SEC;
		if (i == 1000)
			room = l.room;
	}
	assert_int_equal(l.room, room);
	assert_string_equal(links_find(&l, 1)->name, "lo");
	links_close(&l);
}

/* What is told next: "+name" has come, "-name" has gone, "" nothing. */
static void is_told(struct links *l, const char *wanted)
{
	struct link_entry e;
	char got[IFNAMSIZ + 1] = "";

	if (links_next_change(l, &e))
		snprintf(got, sizeof(got), "%c%s", e.gone ? '-' : '+', e.name);
	assert_string_equal(got, wanted);
}

static void what_comes_and_goes_is_told(void **state)
{
	struct links l = {.patterns = "v* x[[:digit:]]"};
	unsigned number;

	(void)state;
	is_told(&l, "");
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "v7");
	tell(&l, RTM_NEWLINK, 8, ARPHRD_ETHER, "w8");
	is_told(&l, "+v7");
	is_told(&l, "");
	number = links_find(&l, 7)->number;
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "v7"); /* it is up, say */
	is_told(&l, "");
	assert_int_equal(links_find(&l, 7)->number, number);
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "x1");
	is_told(&l, "-v7");
	is_told(&l, "+x1");
	assert_true(links_find(&l, 7)->number > number);
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "xx");
	is_told(&l, "-x1");
	tell(&l, RTM_NEWLINK, 8, ARPHRD_ETHER, "v8");
	is_told(&l, "+v8");
	tell(&l, RTM_DELLINK, 8, ARPHRD_ETHER, "v8");
	assert_true(links_find(&l, 8)->gone);
	is_told(&l, "-v8");
	is_told(&l, "");
	links_close(&l);
}

/* However many: nothing is told twice, or forgotten before it was told. */
static void all_that_goes_is_told(void **state)
{
	struct links l = {.patterns = ""};
	struct link_entry e;
	unsigned came = 0, gone = 0;

	(void)state;
	for (unsigned i = 1; i <= 1000; i++)
		tell(&l, RTM_NEWLINK, i, ARPHRD_ETHER, "v");
	while (links_next_change(&l, &e))
		came += !e.gone;
	for (unsigned i = 1; i <= 1000; i++) {
		tell(&l, RTM_DELLINK, i, ARPHRD_ETHER, "v");
		now += NS_PER_SEC;
	}
	for (unsigned i = 2000; i < 8000; i++) /* the table is made anew */
		tell(&l, RTM_NEWLINK, i, ARPHRD_ETHER, "w");
	while (links_next_change(&l, &e))
		gone += e.gone;
	assert_int_equal(came, 1000);
	assert_int_equal(gone, 1000);
	links_close(&l);
}

static void the_program_knows_who_is_not_wanted(void **state)
{
	static uint64_t left_out[LEFT_OUT_PLACES];
	const unsigned same = 7 + LEFT_OUT_PLACES;
	struct links l = {.patterns = "v*", .left_out = left_out};

	(void)state;
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "eth7");
	tell(&l, RTM_NEWLINK, 8, ARPHRD_ETHER, "v8");
	assert_int_equal(left_out[7], 7);
	assert_int_equal(left_out[8], 0);
	/* One that is wanted takes nothing from another in its place. */
	tell(&l, RTM_NEWLINK, same, ARPHRD_ETHER, "v9");
	assert_int_equal(left_out[7], 7);
	tell(&l, RTM_NEWLINK, 7, ARPHRD_ETHER, "v7");
	assert_int_equal(left_out[7], 0);
	tell(&l, RTM_NEWLINK, same, ARPHRD_ETHER, "eth9");
	assert_int_equal(left_out[7], same);
	tell(&l, RTM_DELLINK, same, ARPHRD_ETHER, "eth9");
	assert_int_equal(left_out[7], 0);
	links_close(&l);
}

static void lost_notices_are_made_up_for(void **state)
{
	struct links l;
	struct link_entry e;

	(void)state;
	assert_int_equal(links_open(&l, "", NULL), 0);
	assert_int_equal(links_find(&l, 1)->type, ARPHRD_LOOPBACK);
	memset(l.entry, 0, l.room * sizeof(*l.entry));
	l.used = 0;
	assert_null(links_find(&l, 1));
	links_hear(&l, NULL, 0);
	assert_string_equal(links_find(&l, 1)->name, "lo");
	/* What is not in the answer has gone. */
	tell(&l, RTM_NEWLINK, 900000, ARPHRD_ETHER, "v");
	while (links_next_change(&l, &e))
		;
	links_hear(&l, NULL, 0);
	is_told(&l, "-v");
	assert_true(links_find(&l, 900000)->gone);
	links_close(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notices_are_heard),
		cmocka_unit_test(ports_that_leave_have_not_gone),
		cmocka_unit_test(there_may_be_ten_thousand),
		cmocka_unit_test(what_comes_and_goes_is_told),
		cmocka_unit_test(all_that_goes_is_told),
		cmocka_unit_test(the_program_knows_who_is_not_wanted),
		cmocka_unit_test(what_has_gone_is_forgotten),
		cmocka_unit_test(lost_notices_are_made_up_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
