/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * To be preloaded: an interface's driver refuses XDP programs, and says of itself what real ones
 * say. FAKE_XDP=ERRNO is what BPF_LINK_CREATE returns for the XDP hook. FAKE_DRIVER=NAME is what
 * ethtool -i says, and without FAKE_XDP the table below refuses as that driver does. Nothing else
 * reads it. FAKE_LRO=1: LRO is on; FAKE_QUEUES=NOW:MOST, combined, or FAKE_APART=NOW:MOST, so many
 * for receiving and as many for sending; FAKE_CPUS=N: there are so many; FAKE_SPARE=N: the card has
 * so many queues for sending left; FAKE_VFS=N: SR-IOV; FAKE_SPLIT=1: interrupts for receiving and
 * for sending; FAKE_FIXED=1: the host fixes guest offloads; FAKE_TAGS=ON:FIXED: of 1, 802.1Q's, and
 * 2, 802.1ad's, what it takes off frames, and what of that cannot be changed; FAKE_ZERO_COPY=1: it
 * says that it has zero-copy, and no queue has it. That the interface is a veth is not seen.
 * FAKE_LINK=FILE: as long as it is there, the link is down. The MTU and all else are the kernel's.
 * FAKE_COUNTS=FILE: struct counts, written there at once; it is mapped before a process confines
 * itself. FAKE_DOWN=MS: so long the link is down after a reset. FAKE_OTHERS=IFINDEX: at each
 * refusal another thread asks the driver of that interface, the real one, for the same.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NETDEV_ZERO_COPY 8 /* NETDEV_XDP_ACT_XSK_ZEROCOPY of linux/netdev.h */

enum rule {
	NEVER_HAS_XDP,
	LRO,
	MTU_ABOVE,	/* limit */
	MORE_THAN_HALF, /* of the queues there can be are in use */
	SUM_ABOVE_MOST, /* those for receiving and those for sending */
	APART,
	CPUS_ABOVE, /* limit */
	SPARE_BELOW_CPUS,
	SPARE_BELOW_HALF_THE_CPUS,
	VFS,
	SPARE_BELOW_TWICE_THE_CPUS,
	SPLIT,
	FIXED,
};

/* By the source of Linux 6.12, below drivers/net/ethernet/ unless it begins otherwise. */
static const struct row {
	const char *driver;
	enum rule rule;
	unsigned limit;
	int error;
	int hides; /* its xdp_features are 0 as long as that is so */
} table[] = {
	/* mellanox/mlx5/core/en_main.c, mlx5e_xdp_allowed() */
	{"mlx5_core", LRO, 0, EINVAL, 1},
	/* intel/ice/ice_main.c, ice_xdp_setup_prog(): every failure of its rings */
	{"ice", SPARE_BELOW_HALF_THE_CPUS, 0, ENOMEM, 0},
	/* without ndo_bpf: net/core/dev.c, dev_xdp_mode_supported() of the core's own errno */
	{"iavf", NEVER_HAS_XDP, 0, EOPNOTSUPP, 1},
	/* intel/ixgbe/ixgbe_main.c, ixgbe_xdp_setup(): SR-IOV, RSC, MAX_XDP_QUEUES */
	{"ixgbe", VFS, 0, EINVAL, 0},
	{"ixgbe", LRO, 0, EINVAL, 0},
	{"ixgbe", CPUS_ABOVE, 128, ENOMEM, 0},
	/* intel/ixgbevf/ixgbevf_main.c, ixgbevf_xdp_setup(): a buffer of 3072 bytes, and the header
	 */
	{"ixgbevf", MTU_ABOVE, 3050, EINVAL, 0},
	/* intel/igc/igc_xdp.c, igc_xdp_set_prog() */
	{"igc", MTU_ABOVE, 1500, EOPNOTSUPP, 0},
	/* broadcom/bnxt/bnxt_xdp.c, bnxt_xdp_set() */
	{"bnxt_en", APART, 0, EOPNOTSUPP, 0},
	/* amazon/ena/ena_xdp.c, ena_xdp_set(); ena_netdev.c, ena_init_xdp_features() */
	{"ena", MORE_THAN_HALF, 0, EINVAL, 1},
	{"ena", MTU_ABOVE, 3498, EINVAL, 0},
	/* google/gve/gve_main.c, verify_xdp_configuration() */
	{"gve", LRO, 0, EOPNOTSUPP, 0},
	{"gve", MTU_ABOVE, 2032, EOPNOTSUPP, 0},
	{"gve", MORE_THAN_HALF, 0, EINVAL, 0},
	/* drivers/net/hyperv/netvsc_bpf.c, netvsc_xdp_set() */
	{"hv_netvsc", LRO, 0, EOPNOTSUPP, 0},
	/* freescale/dpaa2/dpaa2-eth.c, dpaa2_eth_setup_xdp(): xdp_mtu_valid() */
	{"fsl_dpaa2_eth", MTU_ABOVE, 3500, EINVAL, 0},
	/* cavium/thunder/nicvf_main.c, nicvf_xdp_setup() */
	{"nicvf", MTU_ABOVE, 1508, EOPNOTSUPP, 0},
	{"nicvf", SUM_ABOVE_MOST, 0, ENOMEM, 1},
	/* stmicro/stmmac/stmmac_xdp.c, stmmac_xdp_set_prog() */
	{"st_gmac", MTU_ABOVE, 1500, EOPNOTSUPP, 0},
	/* freescale/enetc/enetc.c, enetc_setup_xdp_prog() */
	{"fsl_enetc", SPARE_BELOW_CPUS, 0, EBUSY, 0},
	/* marvell/mvpp2/mvpp2_main.c, mvpp2_xdp_setup(): two queues for sending per CPU; and
	 * without pools per CPU, which a large MTU ends: mvpp2_bm_switch_buffers() */
	{"mvpp2", SPARE_BELOW_TWICE_THE_CPUS, 0, EOPNOTSUPP, 0},
	{"mvpp2", MTU_ABOVE, 1500, EOPNOTSUPP, 1},
	/* pensando/ionic/ionic_lif.c, ionic_xdp_config() */
	{"ionic", SPLIT, 0, EOPNOTSUPP, 0},
	/* drivers/net/virtio_net.c, virtnet_xdp_set() */
	{"virtio_net", FIXED, 0, EOPNOTSUPP, 0},
	/* drivers/net/xen-netfront.c, xennet_xdp_set() */
	{"vif", MTU_ABOVE, 3840, EINVAL, 0},
};

/* What the program asked of the XDP hook, and how often the driver took the link down for it. */
static struct counts {
	uint32_t creates, updates, resets;
} none, *counts = &none;

/* Which drivers reset the interface for a program: for the first, or for each. */
static const struct {
	const char *driver;
	int each;
} resets[] = {
	/* intel/igc/igc_xdp.c, igc_xdp_set_prog() of Linux 6.12: closed and opened at every set */
	{"igc", 1},
	/* broadcom/bnxt/bnxt_xdp.c, bnxt_xdp_set(): likewise */
	{"bnxt_en", 1},
	/* intel/ice/ice_main.c, ice_xdp_setup_prog(): only where there was none */
	{"ice", 0},
	/* intel/i40e/i40e_main.c, i40e_xdp_setup(): likewise, all of its function */
	{"i40e", 0},
};

__attribute__((constructor)) static void map_counts(void)
{
	const char *path = getenv("FAKE_COUNTS");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *p = fd < 0 ? MAP_FAILED
			 : mmap(NULL, sizeof(none), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p != MAP_FAILED)
		counts = p;
	if (fd >= 0)
		close(fd);
}

static unsigned said(const char *variable)
{
	const char *text = getenv(variable);

	return text ? (unsigned)atoi(text) : 0;
}

static struct timespec asked; /* the driver, for a program */

static int is_down(void)
{
	const char *file = getenv("FAKE_LINK");
	struct timespec now;

	if (file && access(file, F_OK) == 0)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return asked.tv_sec &&
	       (now.tv_sec - asked.tv_sec) * 1000 + (now.tv_nsec - asked.tv_nsec) / 1000000 <
		       (long)said("FAKE_DOWN");
}

static void count(uint32_t *operations, int first)
{
	const char *driver = getenv("FAKE_DRIVER");

	__atomic_fetch_add(operations, 1, __ATOMIC_RELAXED);
	clock_gettime(CLOCK_MONOTONIC, &asked);
	for (size_t i = 0; driver && i < sizeof(resets) / sizeof(resets[0]); i++)
		if (strcmp(resets[i].driver, driver) == 0 && (first || resets[i].each))
			__atomic_fetch_add(&counts->resets, 1, __ATOMIC_RELAXED);
}

static void read_queues(unsigned *now, unsigned *most)
{
	const char *together = getenv("FAKE_QUEUES"), *apart = getenv("FAKE_APART");

	*now = *most = 1;
	sscanf(together ? together : apart ? apart : "", "%u:%u", now, most);
}

static unsigned mtu_of(unsigned ifindex)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq r = {.ifr_flags = 0};

	if (!if_indextoname(ifindex, r.ifr_name) || ioctl(s, SIOCGIFMTU, &r))
		r.ifr_mtu = 0;
	close(s);
	return (unsigned)r.ifr_mtu;
}

static int is_against(enum rule rule, unsigned limit, unsigned ifindex)
{
	unsigned now, most;

	read_queues(&now, &most);
	switch (rule) {
	case NEVER_HAS_XDP:
		return 1;
	case LRO:
		return said("FAKE_LRO") != 0;
	case MTU_ABOVE:
		return mtu_of(ifindex) > limit;
	case MORE_THAN_HALF:
		return 2 * now > most;
	case SUM_ABOVE_MOST:
		return 2 * now > most;
	case APART:
		return getenv("FAKE_APART") != NULL;
	case CPUS_ABOVE:
		return said("FAKE_CPUS") > limit;
	case SPARE_BELOW_CPUS:
		return said("FAKE_SPARE") < said("FAKE_CPUS");
	case SPARE_BELOW_HALF_THE_CPUS:
		return said("FAKE_SPARE") < said("FAKE_CPUS") / 2;
	case SPARE_BELOW_TWICE_THE_CPUS:
		return said("FAKE_SPARE") < said("FAKE_CPUS") * 2;
	case SPLIT:
		return said("FAKE_SPLIT") != 0;
	case VFS:
		return said("FAKE_VFS") != 0;
	case FIXED:
		return said("FAKE_FIXED") != 0;
	}
	return 0;
}

/* 0: the driver takes the program. */
static int refusal_of(unsigned ifindex, int *hides)
{
	const char *number = getenv("FAKE_XDP"), *driver = getenv("FAKE_DRIVER");

	*hides = 0;
	if (number)
		return atoi(number);
	for (size_t i = 0; driver && i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(table[i].driver, driver) == 0 &&
		    is_against(table[i].rule, table[i].limit, ifindex)) {
			*hides = table[i].hides;
			return table[i].error;
		}
	return 0;
}

/* An attribute among others, in room bytes; NULL: it is not there. */
static struct nlattr *find_attribute(void *attributes, size_t room, int type)
{
	struct nlattr *a = attributes;

	while (room >= sizeof(*a) && a->nla_len >= sizeof(*a) &&
	       (size_t)NLA_ALIGN(a->nla_len) <= room) {
		if ((a->nla_type & NLA_TYPE_MASK) == type)
			return a;
		room -= (size_t)NLA_ALIGN(a->nla_len);
		a = (void *)((char *)a + NLA_ALIGN(a->nla_len));
	}
	return NULL;
}

/* The family netdev, Linux 6.3: NETDEV_A_DEV_IFINDEX, NETDEV_A_DEV_XDP_FEATURES. */
static void fake_features(struct nlmsghdr *h)
{
	char *begin = (char *)NLMSG_DATA(h) + GENL_HDRLEN;
	size_t room = h->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	struct nlattr *ifindex, *features;
	uint64_t value;
	uint32_t number;
	int hides;

	if (h->nlmsg_type <= GENL_ID_CTRL || h->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN)
		return;
	ifindex = find_attribute(begin, room, 1);
	features = find_attribute(begin, room, 3);
	if (!ifindex || !features)
		return;
	memcpy(&number, ifindex + 1, sizeof(number));
	memcpy(&value, features + 1, sizeof(value));
	refusal_of(number, &hides);
	if (said("FAKE_ZERO_COPY"))
		value |= NETDEV_ZERO_COPY;
	if (hides)
		value = 0;
	memcpy(features + 1, &value, sizeof(value));
}

/* IFLA_INFO_KIND of a veth, out of sight: a card is of no kind. */
static void hide_kind(char *message, size_t length)
{
	static const struct {
		struct nlattr head;
		char kind[sizeof("veth")];
	} wanted = {{sizeof(struct nlattr) + sizeof("veth"), 1}, "veth"};
	struct nlattr *a = memmem(message, length, &wanted, wanted.head.nla_len);

	if (a)
		a->nla_type = 0x3fff; /* which nobody knows */
}

ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	ssize_t n = syscall(SYS_recvmsg, fd, m, flags);
	socklen_t size = sizeof(int);
	int domain = 0, protocol = 0;

	if (n < (ssize_t)NLMSG_HDRLEN || !getenv("FAKE_DRIVER") ||
	    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) || domain != AF_NETLINK ||
	    getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size))
		return n;
	if (protocol == NETLINK_GENERIC)
		fake_features(m->msg_iov[0].iov_base);
	else if (protocol == NETLINK_ROUTE)
		hide_kind(m->msg_iov[0].iov_base, (size_t)n);
	return n;
}

static void fake_queues(struct ethtool_channels *c)
{
	const char *together = getenv("FAKE_QUEUES");
	unsigned now, most;

	if (!together && !getenv("FAKE_APART"))
		return;
	read_queues(&now, &most);
	*c = (struct ethtool_channels){.cmd = c->cmd};
	if (together) {
		c->combined_count = now;
		c->max_combined = most;
	} else {
		c->rx_count = c->tx_count = now;
		c->max_rx = c->max_tx = most;
	}
}

/* By the places that the kernel's names for them have. */
static void fake_tags(struct ethtool_gfeatures *f, int s, const char *ifname)
{
	static const char *const wanted[] = {"rx-vlan-hw-parse", "rx-vlan-stag-hw-parse"};
	static struct {
		struct ethtool_gstrings head;
		char name[256][ETH_GSTRING_LEN];
	} names = {.head = {.cmd = ETHTOOL_GSTRINGS, .string_set = ETH_SS_FEATURES}};
	struct ifreq r = {.ifr_data = (void *)&names};
	unsigned on = 0, fixed = 0;

	if (!getenv("FAKE_TAGS") || sscanf(getenv("FAKE_TAGS"), "%u:%u", &on, &fixed) != 2)
		return;
	memcpy(r.ifr_name, ifname, sizeof(r.ifr_name));
	syscall(SYS_ioctl, s, SIOCETHTOOL, &r);
	for (unsigned i = 0; i < f->size * 32 && i < 256; i++)
		for (unsigned k = 0; k < 2; k++) {
			struct ethtool_get_features_block *b = &f->features[i / 32];
			unsigned bit = 1u << i % 32;

			if (strncmp(names.name[i], wanted[k], ETH_GSTRING_LEN) != 0)
				continue;
			b->active = on >> k & 1 ? b->active | bit : b->active & ~bit;
			b->available = fixed >> k & 1 ? b->available & ~bit : b->available | bit;
		}
}

static int fake_ethtool(int s, const struct ifreq *r, int result)
{
	const char *driver = getenv("FAKE_DRIVER");
	void *command = r->ifr_data;

	if (!driver)
		return result;
	switch (*(uint32_t *)command) {
	case ETHTOOL_GDRVINFO:
		snprintf(((struct ethtool_drvinfo *)command)->driver, 32, "%s", driver);
		return 0;
	case ETHTOOL_GFLAGS:
		((struct ethtool_value *)command)->data = getenv("FAKE_LRO") ? ETH_FLAG_LRO : 0;
		return 0;
	case ETHTOOL_GLINK:
		((struct ethtool_value *)command)->data = !is_down();
		return 0;
	case ETHTOOL_GCHANNELS:
		fake_queues(command);
		return 0;
	case ETHTOOL_GFEATURES:
		fake_tags(command, s, r->ifr_name);
		return result;
	}
	return result;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *to;
	int result;

	va_start(args, request);
	to = va_arg(args, void *);
	va_end(args);
	result = (int)syscall(SYS_ioctl, fd, request, to);
	return request == SIOCETHTOOL ? fake_ethtool(fd, to, result) : result;
}

static int is_at_xdp(int link)
{
	struct bpf_link_info info = {0};
	union bpf_attr attr = {.info = {.bpf_fd = (uint32_t)link,
					.info_len = sizeof(info),
					.info = (uintptr_t)&info}};

	return syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) == 0 &&
	       info.type == BPF_LINK_TYPE_XDP;
}

static typeof(syscall) *real;

static void *ask(void *request)
{
	long link = real(SYS_bpf, BPF_LINK_CREATE, request, sizeof(union bpf_attr));

	if (link >= 0) /* it was to refuse */
		close((int)link);
	return NULL;
}

/* Its words go to the same tracepoint. */
static void others_ask(const union bpf_attr *refused, unsigned size)
{
	union bpf_attr attr = {.map_type = 0};
	pthread_t thread;

	if (!getenv("FAKE_OTHERS"))
		return;
	memcpy(&attr, refused, size < sizeof(attr) ? size : sizeof(attr));
	attr.link_create.target_ifindex = said("FAKE_OTHERS");
	if (pthread_create(&thread, NULL, ask, &attr) == 0)
		pthread_join(thread, NULL);
}

long syscall(long number, ...)
{
	long w[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		w[i] = va_arg(args, long);
	va_end(args);
	if (!real)
		real = (typeof(syscall) *)dlsym(RTLD_NEXT, "syscall");
	if (number == SYS_bpf && w[0] == BPF_LINK_CREATE) {
		const union bpf_attr *attr = (const void *)w[1];
		int at_xdp = attr->link_create.attach_type == BPF_XDP;
		int hides, e = at_xdp ? refusal_of(attr->link_create.target_ifindex, &hides) : 0;

		if (e) {
			others_ask(attr, (unsigned)w[2]);
			errno = e;
			return -1;
		}
		if (at_xdp)
			count(&counts->creates, 1);
	}
	if (number == SYS_bpf && w[0] == BPF_LINK_UPDATE &&
	    is_at_xdp(((const union bpf_attr *)w[1])->link_update.link_fd))
		count(&counts->updates, 0);
	return real(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}
