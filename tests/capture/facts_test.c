/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Asking after an interface while one is asking already, as pcap_stats() in a signal handler does.
 * And answers that no interface here gives.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <cmocka.h>

#include "util/clock.h"
#include "capture/attach/facts/bond.h"
#include "capture/attach/facts/facts.h"
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/if_bonding.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>

#define LOOPBACK  1 /* the first interface of a network namespace */
#define NO_SUCH	  99999
#define SIGNAL_US 2000
#define AFTER	  100

static struct mnl_socket *asks;
static volatile sig_atomic_t interrupted;

static void ask_again(int number)
{
	struct facts f = {.ifindex = LOOPBACK};
	int saved = errno;

	(void)number;
	interrupted++;
	facts_refresh(&f, asks);
	errno = saved;
}

static void every(suseconds_t us)
{
	const struct itimerval t = {{0, us}, {0, us}};

	setitimer(ITIMER_REAL, &t, NULL);
}

static void requests_that_interrupt_each_other_do_no_lasting_harm(void **state)
{
	const struct sigaction action = {.sa_handler = ask_again, .sa_flags = SA_RESTART};
	struct facts f = {.ifindex = LOOPBACK}, gone = {.ifindex = NO_SUCH};
	uint64_t end = clock_monotonic() + 2 * NS_PER_SEC, failed = 0, asked = 0;

	(void)state;
	asks = facts_open();
	assert_non_null(asks);
	assert_int_equal(facts_refresh(&gone, asks), -ENODEV);
	sigaction(SIGALRM, &action, NULL);
	every(SIGNAL_US);
	for (; clock_monotonic() < end; asked++)
		failed += facts_refresh(&f, asks) != 0;
	every(0);
	print_message("%llu requests, interrupted %d times, %llu of them in vain\n",
		      (unsigned long long)asked, (int)interrupted, (unsigned long long)failed);
	assert_true(interrupted > AFTER);
	assert_true(failed <= 2 * (uint64_t)interrupted); /* the two that met, and no other */
	for (int i = 0; i < AFTER; i++)
		assert_int_equal(facts_refresh(&f, asks), 0);
	assert_int_equal(facts_refresh(&gone, asks), -ENODEV);
	mnl_socket_close(asks);
}

/* In place of the kernel's answer. */
static struct nlmsghdr *answer;

int __real_mnl_cb_run(const void *buf, size_t n, unsigned seq, unsigned portid, mnl_cb_t cb,
		      void *data);
int __wrap_mnl_cb_run(const void *buf, size_t n, unsigned seq, unsigned portid, mnl_cb_t cb,
		      void *data);
int __wrap_mnl_cb_run(const void *buf, size_t n, unsigned seq, unsigned portid, mnl_cb_t cb,
		      void *data)
{
	if (!answer)
		return __real_mnl_cb_run(buf, n, seq, portid, cb, data);
	cb(answer, data);
	return MNL_CB_STOP;
}

/* One that has programs in two slots, as rtnl_xdp_fill() of Linux 6.12 reports them. */
static struct facts with_programs(uint16_t slot, uint32_t id, uint16_t other, uint32_t other_id)
{
	char buf[256] = {0};
	struct facts f = {.ifindex = LOOPBACK};
	struct nlattr *nest;

	answer = mnl_nlmsg_put_header(buf);
	mnl_nlmsg_put_extra_header(answer, sizeof(struct ifinfomsg));
	nest = mnl_attr_nest_start(answer, IFLA_XDP);
	mnl_attr_put_u32(answer, slot, id);
	if (other_id)
		mnl_attr_put_u32(answer, other, other_id);
	mnl_attr_put_u8(answer, IFLA_XDP_ATTACHED, XDP_ATTACHED_MULTI);
	mnl_attr_nest_end(answer, nest);
	assert_int_equal(facts_refresh(&f, NULL), 0);
	answer = NULL;
	return f;
}

static void of_two_programs_that_beside_the_device_counts(void **state)
{
	struct facts f = with_programs(IFLA_XDP_DRV_PROG_ID, 7, IFLA_XDP_HW_PROG_ID, 8);

	(void)state;
	assert_int_equal(f.xdp_prog_id, 7);
	assert_int_equal(f.xdp_attached, XDP_ATTACHED_DRV);
	f = with_programs(IFLA_XDP_SKB_PROG_ID, 7, IFLA_XDP_HW_PROG_ID, 8);
	assert_int_equal(f.xdp_prog_id, 7);
	assert_int_equal(f.xdp_attached, XDP_ATTACHED_SKB);
	f = with_programs(IFLA_XDP_HW_PROG_ID, 8, 0, 0);
	assert_int_equal(f.xdp_prog_id, 8);
	assert_int_equal(f.xdp_attached, XDP_ATTACHED_HW);
}

/* A bond's answer, with the modes of linux/if_bonding.h: 0 round-robin, 1 active-backup, 4 802.3ad.
 */
static bool leaves_out_slaves(const char *kind, uint8_t mode)
{
	char buf[256] = {0};
	struct facts f = {.ifindex = LOOPBACK};
	struct nlattr *info, *nest;

	answer = mnl_nlmsg_put_header(buf);
	mnl_nlmsg_put_extra_header(answer, sizeof(struct ifinfomsg));
	info = mnl_attr_nest_start(answer, IFLA_LINKINFO);
	mnl_attr_put_strz(answer, IFLA_INFO_KIND, kind);
	nest = mnl_attr_nest_start(answer, IFLA_INFO_DATA);
	mnl_attr_put_u8(answer, IFLA_BOND_MODE, mode);
	mnl_attr_nest_end(answer, nest);
	mnl_attr_nest_end(answer, info);
	assert_int_equal(facts_refresh(&f, NULL), 0);
	answer = NULL;
	return f.inactive_slaves;
}

static void of_a_bond_one_slave_may_count(void **state)
{
	(void)state;
	assert_true(leaves_out_slaves("bond", 1));
	assert_false(leaves_out_slaves("bond", 0));
	assert_false(leaves_out_slaves("bond", 4));
	assert_false(leaves_out_slaves("veth", 1));
}

/* Interfaces of a driver, by the features that are on, and those that cannot be changed. */
enum { CTAG = 1, STAG = 2 };
static const char *const feature_names[] = {"rx-vlan-hw-parse", "rx-vlan-stag-hw-parse"};
static const struct card {
	const char *name, *driver;
	uint32_t on, fixed;
} cards[] = {
	{"ixgbe0", "ixgbe", CTAG, 0},	{"ice0", "ice", STAG, 0},
	{"both0", "mlx4_en", 3, 0},	{"azure0", "hv_netvsc", CTAG, CTAG},
	{"plain0", "virtio_net", 0, 0}, {"veth0", "veth", 0, 0},
	{"s0", "virtio_net", 0, CTAG},	{"s1", "ixgbe", CTAG, 0},
	{"bond0", "bonding", 0, 0}, /* its rxvlan was turned off, which reaches no slave */
	{"team0", "team", CTAG, 0}, /* its ports are not known */
};

static const struct card *card_of(const char *name)
{
	for (size_t i = 0; i < sizeof(cards) / sizeof(cards[0]); i++)
		if (strcmp(cards[i].name, name) == 0)
			return &cards[i];
	return NULL;
}

static int answer_ethtool(const struct card *c, void *command)
{
	switch (*(uint32_t *)command) {
	case ETHTOOL_GDRVINFO:
		snprintf(((struct ethtool_drvinfo *)command)->driver, 32, "%s", c->driver);
		return 0;
	case ETHTOOL_GSSET_INFO:
		((struct ethtool_sset_info *)command)->data[0] = 2;
		return 0;
	case ETHTOOL_GSTRINGS:
		for (size_t i = 0; i < 2; i++)
			snprintf((char *)((struct ethtool_gstrings *)command)->data +
					 i * ETH_GSTRING_LEN,
				 ETH_GSTRING_LEN, "%s", feature_names[i]);
		return 0;
	case ETHTOOL_GFEATURES:
		((struct ethtool_gfeatures *)command)->features[0] =
			(struct ethtool_get_features_block){.available = 3 & ~c->fixed,
							    .requested = c->on,
							    .active = c->on};
		return 0;
	}
	return -1;
}

static bool has_cards;
static int backup = -1; /* the slave of bond0 that is one */
static int mode = BOND_MODE_8023AD;

int __real_ioctl(int fd, unsigned long number, void *to);
int __wrap_ioctl(int fd, unsigned long number, void *to);
int __wrap_ioctl(int fd, unsigned long number, void *to)
{
	struct ifreq *r = to;
	const struct card *c = has_cards ? card_of(r->ifr_name) : NULL;

	if (!c)
		return has_cards ? -1 : __real_ioctl(fd, number, to);
	if (number == SIOCETHTOOL)
		return answer_ethtool(c, r->ifr_data);
	if (strcmp(c->name, "bond0") != 0)
		return -1;
	if (number == SIOCBONDINFOQUERY) {
		struct ifbond *bond = (void *)r->ifr_data;

		bond->bond_mode = mode;
		bond->num_slaves = 2;
	} else if (number == SIOCBONDSLAVEINFOQUERY) {
		struct ifslave *slave = (void *)r->ifr_data;

		sprintf(slave->slave_name, "s%d", slave->slave_id);
		slave->state = slave->slave_id == backup ? BOND_STATE_BACKUP : BOND_STATE_ACTIVE;
	}
	return 0;
}

/* One outside 802.3ad's aggregator is a backup as that of active-backup is. */
static void a_slave_of_a_bond_may_be_a_backup(void **state)
{
	(void)state;
	has_cards = true;
	assert_false(bond_leaves_out_backup(-1, "bond0"));
	assert_false(bond_leaves_out_backup(-1, "ixgbe0"));
	backup = 1;
	assert_true(bond_leaves_out_backup(-1, "bond0"));
	/* There ARP monitoring makes one a backup, and the stack has what comes by it. */
	mode = BOND_MODE_XOR;
	assert_false(bond_leaves_out_backup(-1, "bond0"));
	mode = BOND_MODE_8023AD;
	backup = -1;
	has_cards = false;
}

/* keep: NULL where tags stay in the frames. */
static void takes_tags_off(const char *name, const char *keep)
{
	char kind[16];
	struct tags t;

	has_cards = true;
	snprintf(kind, sizeof(kind), "%.*s", (int)strlen(name) - 1, name);
	tags_look(-1, name, kind, &t);
	has_cards = false;
	assert_int_equal(t.stripped, keep != NULL);
	assert_string_equal(t.keep, keep ? keep : "");
}

static void what_takes_tags_off_is_known_and_what_helps(void **state)
{
	(void)state;
	takes_tags_off("ixgbe0", "rxvlan off");
	takes_tags_off("ice0", "rx-vlan-stag-hw-parse off");
	takes_tags_off("both0", "rxvlan off rx-vlan-stag-hw-parse off");
	takes_tags_off("azure0", "");
	takes_tags_off("plain0", NULL);
	takes_tags_off("veth0", "");
	takes_tags_off("bond0", "");
	takes_tags_off("team0", "");
	takes_tags_off("none0", NULL);
}

/* 7 missed and 9 by rx_fifo_errors, of which the missed ones are a part on some cards. */
static uint64_t dropped_by(const char *driver)
{
	const struct rtnl_link_stats64 stats = {.rx_missed_errors = 7, .rx_fifo_errors = 9};
	char buf[512] = {0};
	struct facts f = {.ifindex = LOOPBACK};

	snprintf(f.driver, sizeof(f.driver), "%s", driver);
	answer = mnl_nlmsg_put_header(buf);
	mnl_nlmsg_put_extra_header(answer, sizeof(struct ifinfomsg));
	mnl_attr_put(answer, IFLA_STATS64, sizeof(stats), &stats);
	assert_int_equal(facts_refresh(&f, NULL), 0);
	answer = NULL;
	return f.nic_dropped;
}

static void each_dropped_frame_counts_once(void **state)
{
	(void)state;
	assert_int_equal(dropped_by("ixgbe"), 16);
	assert_int_equal(dropped_by("igb"), 9);
	assert_int_equal(dropped_by("igc"), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_that_interrupt_each_other_do_no_lasting_harm),
		cmocka_unit_test(of_two_programs_that_beside_the_device_counts),
		cmocka_unit_test(of_a_bond_one_slave_may_count),
		cmocka_unit_test(a_slave_of_a_bond_may_be_a_backup),
		cmocka_unit_test(what_takes_tags_off_is_known_and_what_helps),
		cmocka_unit_test(each_dropped_frame_counts_once),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%zu passed, %d failed, 0 skipped\n",
	       sizeof(tests) / sizeof(tests[0]) - (size_t)failed, failed);
	return failed != 0;
}
