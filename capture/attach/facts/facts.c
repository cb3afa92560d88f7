/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Interface facts by rtnetlink (link attributes), generic netlink "netdev" (XDP features, 6.3) and
 * ethtool (offload flags).
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/genetlink.h>
#include <linux/if_link.h>
#include <linux/net_tstamp.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bond.h"
#include "dropped.h"
#include "facts.h"
#include "bpf/layout.h"

#define REQUEST_SIZE 256   /* enough for any request made here */
#define ANSWER_SIZE  16384 /* enough for any message of an answer */
#define DUMPS_MOST   8

/*
 * From linux/netdev.h (uapi since 6.3; the metadata attribute since 6.7), which the headers of
 * older distributions lack.
 */
#define NETDEV_CMD_DEV_GET		      1
#define NETDEV_A_DEV_IFINDEX		      1
#define NETDEV_A_DEV_XDP_FEATURES	      3
#define NETDEV_A_DEV_XDP_RX_METADATA_FEATURES 5
#define NETDEV_XDP_ACT_XSK_ZEROCOPY	      8
#define NETDEV_XDP_RX_METADATA_TIMESTAMP      1
#define NETDEV_XDP_RX_METADATA_HASH	      2
#define NETDEV_XDP_RX_METADATA_VLAN_TAG	      4
/* From linux/if_link.h: those of IPv6 since 5.19, those of IPv4 since 6.3. */
#define LINK_GSO_MAX_SIZE      41
#define LINK_GRO_MAX_SIZE      58
#define LINK_GSO_IPV4_MAX_SIZE 63
#define LINK_GRO_IPV4_MAX_SIZE 64
#define GSO_LEGACY_SIZE	       65536u
/* From linux/if_tunnel.h, which defines struct ifreq again. */
#define IFLA_GRE_REMOTE		  7
#define IFLA_GRE_COLLECT_METADATA 18
/* From the kernel's own linux/ethtool.h; ethtool(8) gets the names from the driver. */
#define RSS_HASH_TOEPLITZ (1 << 0)
#define RSS_HASH_XOR	  (1 << 1)
#define RSS_HASH_CRC32	  (1 << 2)

/* Send one request through s and hand each message of the answer to cb. */
static int request_by(struct mnl_socket *s, struct nlmsghdr *h, mnl_cb_t cb, void *data)
{
	static unsigned count;
	char buf[ANSWER_SIZE];
	unsigned seq = h->nlmsg_seq = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	int n;

	/* Discard what is left of a request that another one has interrupted, such as in a signal
	 * handler. */
	while (recv(mnl_socket_get_fd(s), buf, sizeof(buf), MSG_DONTWAIT) > 0)
		;
	if (mnl_socket_sendto(s, h, h->nlmsg_len) < 0)
		return -errno;
	do {
		n = mnl_socket_recvfrom(s, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			n = MNL_CB_OK;
		else if (n >= 0)
			n = mnl_cb_run(buf, n, seq, mnl_socket_get_portid(s), cb, data);
	} while (n > MNL_CB_STOP);
	return n < 0 ? -errno : 0;
}

static struct mnl_socket *open_socket(int bus, int flags)
{
	struct mnl_socket *s = mnl_socket_open2(bus, SOCK_CLOEXEC | flags);

	if (s && mnl_socket_bind(s, 0, MNL_SOCKET_AUTOPID) < 0) {
		mnl_socket_close(s);
		s = NULL;
	}
	return s;
}

static int request(int bus, struct nlmsghdr *h, mnl_cb_t cb, void *data)
{
	struct mnl_socket *s = open_socket(bus, 0);
	int e;

	if (!s)
		return -errno;
	e = request_by(s, h, cb, data);
	mnl_socket_close(s);
	return e;
}

/*
 * Goes by the slot: if there are programs in two slots (XDP_ATTACHED_MULTI), IFLA_XDP_PROG_ID is
 * missing. If one is in the device and another one beside it, the latter counts.
 */
static int on_xdp(const struct nlattr *a, void *data)
{
	struct facts *f = data;
	uint8_t slot;

	switch (mnl_attr_get_type(a)) {
	case IFLA_XDP_DRV_PROG_ID:
		slot = XDP_ATTACHED_DRV;
		break;
	case IFLA_XDP_SKB_PROG_ID:
		slot = XDP_ATTACHED_SKB;
		break;
	case IFLA_XDP_HW_PROG_ID:
		slot = XDP_ATTACHED_HW;
		break;
	default:
		return MNL_CB_OK;
	}
	if (slot == XDP_ATTACHED_HW && f->xdp_prog_id)
		return MNL_CB_OK;
	f->xdp_prog_id = mnl_attr_get_u32(a);
	f->xdp_attached = slot;
	return MNL_CB_OK;
}

struct far_end {
	uint32_t address; /* 0: none */
	bool by_packet;	  /* each packet has its own, and the device adds no header */
};

static int on_far_end(const struct nlattr *a, void *data)
{
	struct far_end *end = data;

	switch (mnl_attr_get_type(a)) {
	case IFLA_GRE_REMOTE:
		end->address = ntohl(mnl_attr_get_u32(a));
		break;
	case IFLA_GRE_COLLECT_METADATA:
		end->by_packet = true;
		break;
	}
	return MNL_CB_OK;
}

/*
 * GRE with many far ends has its outer header as link header (ipgre_header_ops). A received frame
 * begins with it; in a sent frame it is only half filled in.
 */
static bool has_outer_header(const struct nlattr *info)
{
	struct far_end end = {.address = 0};

	mnl_attr_parse_nested(info, on_far_end, &end);
	return !end.by_packet && (!end.address || IN_MULTICAST(end.address));
}

/* BOND_MODE_ACTIVEBACKUP of linux/if_bonding.h, which cannot be included with net/if.h. */
#define ACTIVE_BACKUP 1

static int on_bond(const struct nlattr *a, void *data)
{
	uint8_t *mode = data;

	if (mnl_attr_get_type(a) == IFLA_BOND_MODE)
		*mode = mnl_attr_get_u8(a);
	return MNL_CB_OK;
}

/* In 802.3ad mode only some bonds have such slaves: get_offloads() asks. */
static bool has_inactive_slaves(const struct nlattr *info)
{
	uint8_t mode = 0;

	mnl_attr_parse_nested(info, on_bond, &mode);
	return mode == ACTIVE_BACKUP;
}

static int on_link_info(const struct nlattr *a, void *data)
{
	struct facts *f = data;

	switch (mnl_attr_get_type(a)) {
	case IFLA_INFO_KIND:
		snprintf(f->kind, sizeof(f->kind), "%s", mnl_attr_get_str(a));
		break;
	case IFLA_INFO_DATA: /* comes after the kind */
		f->outer_header = strcmp(f->kind, "gre") == 0 && has_outer_header(a);
		f->inactive_slaves = strcmp(f->kind, "bond") == 0 && has_inactive_slaves(a);
		break;
	}
	return MNL_CB_OK;
}

static int on_link_attr(const struct nlattr *a, void *data)
{
	struct facts *f = data;
	struct rtnl_link_stats64 stats;
	size_t n = mnl_attr_get_payload_len(a);

	switch (mnl_attr_get_type(a)) {
	case IFLA_MTU:
		f->mtu = mnl_attr_get_u32(a);
		break;
	case IFLA_NUM_RX_QUEUES:
		f->rx_queues = mnl_attr_get_u32(a);
		break;
	case IFLA_PROMISCUITY:
		f->promiscuous = mnl_attr_get_u32(a) > 0;
		break;
	case IFLA_MASTER:
		f->master = mnl_attr_get_u32(a);
		break;
	case IFLA_IFNAME:
		snprintf(f->name, sizeof(f->name), "%s", mnl_attr_get_str(a));
		break;
	case IFLA_NUM_TX_QUEUES:
		f->tx_queues = mnl_attr_get_u32(a);
		break;
	case LINK_GSO_MAX_SIZE:
	case LINK_GRO_MAX_SIZE:
	case LINK_GSO_IPV4_MAX_SIZE:
	case LINK_GRO_IPV4_MAX_SIZE:
		f->has_big_frames |= mnl_attr_get_u32(a) > GSO_LEGACY_SIZE;
		break;
	case IFLA_LINKINFO:
		return mnl_attr_parse_nested(a, on_link_info, f);
	case IFLA_XDP:
		return mnl_attr_parse_nested(a, on_xdp, f);
	case IFLA_STATS64: /* unaligned, and longer in newer kernels */
		memset(&stats, 0, sizeof(stats));
		memcpy(&stats, mnl_attr_get_payload(a), n < sizeof(stats) ? n : sizeof(stats));
		f->nic_missed = stats.rx_missed_errors;
		f->nic_dropped = stats.rx_fifo_errors;
		if (!dropped_is_all_fifo(f->driver))
			f->nic_dropped += f->nic_missed;
		break;
	}
	return MNL_CB_OK;
}

static int on_link(const struct nlmsghdr *h, void *data)
{
	struct facts *f = data;
	const struct ifinfomsg *i = mnl_nlmsg_get_payload(h);

	f->ifindex = (unsigned)i->ifi_index;
	f->type = i->ifi_type;
	f->flags = i->ifi_flags;
	f->master = 0;
	f->xdp_prog_id = 0;
	f->xdp_attached = XDP_ATTACHED_NONE;
	return mnl_attr_parse(h, sizeof(*i), on_link_attr, f);
}

struct mnl_socket *facts_open(void)
{
	/* The kernel answers at once. Non-blocking, because another request may have read the
	 * answer. */
	return open_socket(NETLINK_ROUTE, SOCK_NONBLOCK);
}

int facts_refresh(struct facts *f, struct mnl_socket *s)
{
	char buf[REQUEST_SIZE] = {0}; /* padding is sent as well */
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *i;

	h->nlmsg_type = RTM_GETLINK;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	i = mnl_nlmsg_put_extra_header(h, sizeof(*i));
	i->ifi_index = (int)f->ifindex;
	return s ? request_by(s, h, on_link, f) : request(NETLINK_ROUTE, h, on_link, f);
}

void facts_find_master(struct facts *f)
{
	struct facts master = {.ifindex = f->master};

	f->master_xdp = 0;
	if (!f->master || facts_refresh(&master, NULL))
		return;
	f->master_xdp = master.xdp_prog_id;
	memcpy(f->master_name, master.name, sizeof(f->master_name));
}

static struct nlmsghdr *genl_request(char *buf, uint16_t family, uint8_t command)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *g;

	h->nlmsg_type = family;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	g = mnl_nlmsg_put_extra_header(h, sizeof(*g));
	g->cmd = command;
	g->version = 1;
	return h;
}

static int on_family_attr(const struct nlattr *a, void *data)
{
	if (mnl_attr_get_type(a) == CTRL_ATTR_FAMILY_ID)
		*(uint16_t *)data = mnl_attr_get_u16(a);
	return MNL_CB_OK;
}

static int on_family(const struct nlmsghdr *h, void *data)
{
	return mnl_attr_parse(h, sizeof(struct genlmsghdr), on_family_attr, data);
}

static int on_netdev_attr(const struct nlattr *a, void *data)
{
	struct facts *f = data;
	uint64_t features;

	switch (mnl_attr_get_type(a)) {
	case NETDEV_A_DEV_XDP_FEATURES:
		f->xdp_features = mnl_attr_get_u64(a);
		f->has_xdp_features = true;
		break;
	case NETDEV_A_DEV_XDP_RX_METADATA_FEATURES:
		features = mnl_attr_get_u64(a);
		f->gives_vlan = features & NETDEV_XDP_RX_METADATA_VLAN_TAG;
		f->gives_time = features & NETDEV_XDP_RX_METADATA_TIMESTAMP;
		f->gives_hash = features & NETDEV_XDP_RX_METADATA_HASH;
		break;
	}
	return MNL_CB_OK;
}

static int on_netdev(const struct nlmsghdr *h, void *data)
{
	return mnl_attr_parse(h, sizeof(struct genlmsghdr), on_netdev_attr, data);
}

/* Kernels before 6.3 lack the family: then nothing is known, which is not an error. */
static void get_xdp_features(struct facts *f)
{
	char buf[REQUEST_SIZE] = {0};
	struct nlmsghdr *h = genl_request(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	uint16_t family = 0;

	mnl_attr_put_strz(h, CTRL_ATTR_FAMILY_NAME, "netdev");
	if (request(NETLINK_GENERIC, h, on_family, &family) || !family)
		return;
	h = genl_request(buf, family, NETDEV_CMD_DEV_GET);
	mnl_attr_put_u32(h, NETDEV_A_DEV_IFINDEX, f->ifindex);
	request(NETLINK_GENERIC, h, on_netdev, f);
}

static bool ethtool(int s, const char *ifname, void *command)
{
	struct ifreq r = {.ifr_data = command};

	memcpy(r.ifr_name, ifname, strnlen(ifname, IFNAMSIZ - 1));
	return ioctl(s, SIOCETHTOOL, &r) == 0;
}

/* Some clocks only stamp frames of PTP: better than none. */
static int best_stamps(uint32_t filters)
{
	static const int best[] = {HWTSTAMP_FILTER_ALL, HWTSTAMP_FILTER_PTP_V2_EVENT};

	for (size_t i = 0; i < sizeof(best) / sizeof(best[0]); i++)
		if (filters & 1u << best[i])
			return best[i];
	return HWTSTAMP_FILTER_NONE;
}

static void get_clock(int s, const char *ifname, struct facts *f)
{
	const unsigned wanted = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
	struct ethtool_ts_info i = {.cmd = ETHTOOL_GET_TS_INFO, .phc_index = -1};

	f->stamps = HWTSTAMP_FILTER_NONE;
	if (ethtool(s, ifname, &i) && (i.so_timestamping & wanted) == wanted)
		f->stamps = best_stamps(i.rx_filters);
	f->has_clock = f->stamps == HWTSTAMP_FILTER_ALL;
	f->clock = f->stamps ? i.phc_index : -1;
}

/* Asked without room for the table, the driver only says how large it is, and which hash indexes
 * it. */
static void get_hash_function(int s, const char *ifname, struct facts *f)
{
	struct ethtool_rxfh h = {.cmd = ETHTOOL_GRSSH};

	f->hash_function = EPB_HASH_UNKNOWN;
	if (!f->gives_hash || !ethtool(s, ifname, &h))
		return;
	if (h.hfunc & RSS_HASH_TOEPLITZ)
		f->hash_function = EPB_HASH_TOEPLITZ;
	else if (h.hfunc & RSS_HASH_XOR)
		f->hash_function = EPB_HASH_XOR;
	else if (h.hfunc & RSS_HASH_CRC32)
		f->hash_function = EPB_HASH_CRC32;
}

/* If a driver reports no channels, all queues that it was made with are in use. */
static void get_queues(int s, const char *ifname, struct facts *f)
{
	struct ethtool_channels c = {.cmd = ETHTOOL_GCHANNELS};
	unsigned most = f->rx_queues;

	f->queues = f->rx_queues;
	if (ethtool(s, ifname, &c) && c.combined_count + c.rx_count) {
		f->queues = c.combined_count + c.rx_count;
		most = c.max_combined > c.max_rx ? c.max_combined : c.max_rx;
		f->tx_queues = c.combined_count + c.tx_count;
		f->queues_apart = !c.combined_count;
	}
	f->most_queues = most;
	f->all_queues = f->queues >= most;
}

static void get_driver(int s, const char *ifname, struct facts *f)
{
	struct ethtool_drvinfo i = {.cmd = ETHTOOL_GDRVINFO};

	if (ethtool(s, ifname, &i))
		memcpy(f->driver, i.driver, strnlen(i.driver, sizeof(f->driver) - 1));
}

void facts_count_queues(const char *ifname, struct facts *f)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (s < 0)
		return;
	get_queues(s, ifname, f);
	close(s);
}

static void get_offloads(const char *ifname, struct facts *f)
{
	struct ethtool_value v = {.cmd = ETHTOOL_GFLAGS};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (s < 0)
		return;
	if (ethtool(s, ifname, &v)) {
		f->inserts_vlan = v.data & ETH_FLAG_TXVLAN;
		f->merges = v.data & ETH_FLAG_LRO;
	}
	get_queues(s, ifname, f);
	get_driver(s, ifname, f);
	if (dropped_is_all_fifo(f->driver))
		f->nic_dropped -= f->nic_missed;
	get_clock(s, ifname, f);
	get_hash_function(s, ifname, f);
	tags_look(s, ifname, f->kind, &f->tags);
	if (strcmp(f->kind, "bond") == 0)
		f->inactive_slaves |= bond_leaves_out_backup(s, ifname);
	close(s);
}

/*
 * According to the source of Linux 6.12, for drivers that tell bound programs something: with other
 * drivers, filters are swapped by tail call. igc_xdp.c, igc_xdp_set_prog(); bnxt_xdp.c,
 * bnxt_xdp_set().
 */
bool facts_resets_at_swap(const struct facts *f)
{
	return strcmp(f->driver, "igc") == 0 || strcmp(f->driver, "bnxt_en") == 0;
}

/* If an interface comes during a dump, the dump is incomplete: ask again. */
static bool any_has_big_frames(void)
{
	char buf[REQUEST_SIZE];
	struct facts each = {.ifindex = 0};
	int e = -EINTR;

	for (int i = 0; i < DUMPS_MOST && e == -EINTR; i++) {
		struct nlmsghdr *h;

		memset(buf, 0, sizeof(buf));
		h = mnl_nlmsg_put_header(buf);
		h->nlmsg_type = RTM_GETLINK;
		h->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
		mnl_nlmsg_put_extra_header(h, sizeof(struct ifinfomsg));
		e = request(NETLINK_ROUTE, h, on_link, &each);
	}
	return each.has_big_frames;
}

void facts_of_any(struct facts *f)
{
	*f = (struct facts){.type = ARPHRD_VOID,
			    .flags = IFF_UP,
			    .clock = -1,
			    .has_big_frames = any_has_big_frames()};
}

int facts_get(const char *ifname, struct facts *f)
{
	int e;

	memset(f, 0, sizeof(*f));
	f->ifindex = if_nametoindex(ifname);
	if (!f->ifindex)
		return errno ? -errno : -ENODEV;
	e = facts_refresh(f, NULL);
	if (e)
		return e;
	facts_find_master(f);
	get_xdp_features(f);
	get_offloads(ifname, f);
	return 0;
}

bool facts_is_ethernet(const struct facts *f)
{
	return f->type == ARPHRD_ETHER || f->type == ARPHRD_LOOPBACK;
}

bool facts_may_have_zero_copy(const struct facts *f)
{
	return !f->has_xdp_features || f->xdp_features & NETDEV_XDP_ACT_XSK_ZEROCOPY;
}

bool facts_is_raw_ip(const struct facts *f)
{
	switch (f->type) {
	case ARPHRD_NONE: /* tun, WireGuard */
	case ARPHRD_PPP:
	case ARPHRD_RAWIP:
	case ARPHRD_TUNNEL:
	case ARPHRD_TUNNEL6:
	case ARPHRD_SIT:
		return true;
	case ARPHRD_IPGRE:
		return !f->outer_header;
	default:
		return false;
	}
}

/*
 * A VRF receives what one of its ports has received before, and shows it only to packet sockets.
 * What vti, vti6 and xfrm receive still begins with the link header of the device below at tc.
 */
bool facts_needs_packet_socket(const struct facts *f)
{
	static const char *const kinds[] = {"vrf", "vti", "vti6", "xfrm"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(f->kind, kinds[i]) == 0)
			return true;
	return false;
}

void facts_describe_holder(const struct facts *f, char *text, size_t size)
{
	struct bpf_prog_info info = {0};
	uint32_t length = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(f->xdp_prog_id);

	if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &length) == 0 && info.name[0])
		snprintf(text, size, "%s (id %u)", info.name, f->xdp_prog_id);
	else
		snprintf(text, size, "program id %u", f->xdp_prog_id);
	if (fd >= 0)
		close(fd);
}
