// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/*
 * xdp:any beside libpcap's own any, on six kinds of interfaces: the same packets in the same order,
 * without a filter and with many, by both link types.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <pcap/sll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/capture/own_net.h"

/* A block of libpcap's ring is over after that; where a machine is slow it has a packet or two
 * then, and the few blocks are full soon. */
#define TIMEOUT_MS  1000
#define PACKETS_MAX 400
#define FRAME_MAX   1200
#define ROUNDS	    2

static const char *const expressions[] = {
	"",
	"ip",
	"ip6",
	"arp",
	"icmp",
	"udp",
	"tcp",
	"tcp port 80",
	"udp port 53",
	"tcp dst port 80",
	"tcp src port 80",
	"portrange 50-100",
	"udp portrange 1-100",
	"host 10.9.0.2",
	"src host 10.9.0.1",
	"dst host 10.9.0.2",
	"net 10.9.0.0/16",
	"net 10.8.0.0/16",
	"ip6 host fd00::2",
	"ip6 and tcp port 80",
	"ip6 and udp",
	"inbound",
	"outbound",
	"inbound and udp port 53",
	"outbound and tcp",
	"ip[1] == 0 and inbound",
	"tcp or arp",
	"not ip",
	"not (udp or tcp)",
	"ip[8] < 64",
	"ip[6:2] & 0x1fff != 0",
	"ip proto 17",
	"ip6 proto 6",
	"ether proto 0x88b5",
	"ether proto 0x0806",
	"tcp[tcpflags] & tcp-syn != 0",
	"udp[4:2] > 20",
	"link[0:2] == 4 or ip",
	"link[8:2] == 1",
	"host 10.9.0.2 and (tcp port 80 or udp port 53)",
	"ip multicast",
	"port 53 or port 80 or port 443 or port 22 or port 25 or port 110",
};
#define EXPRESSIONS (sizeof(expressions) / sizeof(expressions[0]))
/*
 * With LINUX_SLL libpcap's any loses what it looks up by these for as long as it filters in user
 * space, and there is no knowing when that ends.
 */
static const char *const by_number[] = {
	"ifindex 1",
	"ifindex 4 or ifindex 5",
	"ifindex 3 and inbound and ip",
};
#define NUMBERS (sizeof(by_number) / sizeof(by_number[0]))
#define ALL	(EXPRESSIONS + NUMBERS)

struct packet {
	unsigned len;
	u_char bytes[FRAME_MAX];
};

struct seen {
	pcap_t *p;
	unsigned n;
	struct packet *packet;
};

static unsigned passed, failed, tags_kept;
static int raw, tun, tap;

static void check(bool good, const char *what, const char *link, const char *expression)
{
	passed += good;
	failed += !good;
	printf("%s: %s: %s: \"%s\"\n", good ? "ok" : "FAILED", link, what, expression);
}

/* An interface joins its multicast groups some time after it is up: IGMP, by no test. */
static bool is_report(pcap_t *p, const u_char *bytes, unsigned len)
{
	unsigned at = pcap_datalink(p) == DLT_LINUX_SLL ? SLL_HDR_LEN : SLL2_HDR_LEN;

	return len >= at + 10 && bytes[at] >> 4 == 4 && bytes[at + 9] == IPPROTO_IGMP;
}

static void keep(u_char *user, const struct pcap_pkthdr *h, const u_char *bytes)
{
	struct seen *s = (struct seen *)user;
	struct packet *to = &s->packet[s->n];

	if (h->caplen == h->len && is_report(s->p, bytes, h->len))
		return;
	if (s->n == PACKETS_MAX || h->caplen != h->len || h->len > FRAME_MAX) {
		printf("a packet of %u bytes of which there are %u, or too many\n", h->len,
		       h->caplen);
		failed++;
		return;
	}
	to->len = h->len;
	memcpy(to->bytes, bytes, h->len);
	s->n++;
}

/* What is behind a shorter address is nobody's. */
static void blank_address(struct packet *p, int link)
{
	struct sll_header *sll = (void *)p->bytes;
	struct sll2_header *sll2 = (void *)p->bytes;

	if (link == DLT_LINUX_SLL)
		memset(sll->sll_addr + ntohs(sll->sll_halen), 0, 8 - ntohs(sll->sll_halen));
	else
		memset(sll2->sll2_addr + sll2->sll2_halen, 0, 8 - sll2->sll2_halen);
}

/* With LINUX_SLL2 libpcap leaves a tag out that lies beside the packet. */
static void drop_tag(struct packet *p)
{
	memmove(p->bytes, p->bytes + 22, 2);
	memmove(p->bytes + SLL2_HDR_LEN, p->bytes + SLL2_HDR_LEN + 4, p->len - SLL2_HDR_LEN - 4);
	p->len -= 4;
	tags_kept++;
}

static bool is_same(const struct packet *a, const struct packet *b)
{
	return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

static void print(const char *whose, const struct packet *p)
{
	printf("    %s: %u bytes:", whose, p->len);
	for (unsigned i = 0; i < p->len && i < 48; i++)
		printf(" %02x", p->bytes[i]);
	printf("\n");
}

static bool are_same(struct seen *ours, struct seen *theirs, int link)
{
	for (unsigned i = 0; i < ours->n && i < theirs->n; i++) {
		struct packet *a = &ours->packet[i], *b = &theirs->packet[i];

		if (link == DLT_LINUX_SLL2 && a->len == b->len + 4)
			drop_tag(a);
		blank_address(a, link);
		blank_address(b, link);
		if (is_same(a, b))
			continue;
		printf("    packet %u differs\n", i);
		print("ours", a);
		print("theirs", b);
		return false;
	}
	if (ours->n != theirs->n)
		printf("    %u packets, not %u\n", ours->n, theirs->n);
	return ours->n == theirs->n;
}

/* False: it cannot be set, as the link type does not have that. */
static bool open_one(struct seen *s, const char *device, int link, const char *expression)
{
	char err[PCAP_ERRBUF_SIZE];
	struct bpf_program f;

	s->n = 0;
	s->packet = calloc(PACKETS_MAX, sizeof(*s->packet));
	s->p = pcap_create(device, err);
	if (!s->p || pcap_set_snaplen(s->p, 2000) || pcap_set_timeout(s->p, TIMEOUT_MS) ||
	    pcap_activate(s->p) < 0 || pcap_datalink(s->p) != DLT_LINUX_SLL ||
	    pcap_set_datalink(s->p, link) || pcap_setnonblock(s->p, 1, err)) {
		fprintf(stderr, "%s: %s\n", device, s->p ? pcap_geterr(s->p) : err);
		exit(1);
	}
	if (pcap_compile(s->p, &f, expression, 1, PCAP_NETMASK_UNKNOWN))
		return false;
	if (pcap_setfilter(s->p, &f)) {
		fprintf(stderr, "%s: %s: %s\n", device, expression, pcap_geterr(s->p));
		exit(1);
	}
	pcap_freecode(&f);
	return true;
}

static void read_all(struct seen *s)
{
	while (pcap_dispatch(s->p, -1, keep, (u_char *)s) > 0)
		;
}

static void send_out(const char *ifname, const void *frame, size_t length, int protocol)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET,
				 .sll_ifindex = (int)if_nametoindex(ifname),
				 .sll_protocol = htons((uint16_t)protocol)};

	if (sendto(raw, frame, length, 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		perror(ifname);
}

static size_t put_ip(u_char *at, int proto, int dport, int ttl, int fragment, size_t payload)
{
	size_t total = 20 + 20 + payload;

	memset(at, 0, total);
	at[0] = 0x45;
	at[2] = (u_char)(total >> 8);
	at[3] = (u_char)total;
	at[6] = (u_char)(fragment >> 8);
	at[7] = (u_char)fragment;
	at[8] = (u_char)ttl;
	at[9] = (u_char)proto;
	memcpy(at + 12, "\x0a\x09\x00\x01\x0a\x09\x00\x02", 8);
	at[20] = 0x30;
	at[22] = (u_char)(dport >> 8);
	at[23] = (u_char)dport;
	at[24] = (u_char)((payload + 20) >> 8);
	at[25] = (u_char)(payload + 20);
	at[32] = 0x50;
	at[33] = 2;
	return total;
}

static size_t put_ip6(u_char *at, int proto, int dport)
{
	memset(at, 0, 60);
	at[0] = 0x60;
	at[5] = 20;
	at[6] = (u_char)proto;
	at[7] = 64;
	at[8] = at[24] = 0xfd;
	at[23] = 1;
	at[39] = 2;
	at[42] = (u_char)(dport >> 8);
	at[43] = (u_char)dport;
	at[45] = 20;
	at[52] = 0x50;
	return 60;
}

typedef void sender(const void *frame, size_t length, const char *ifname);

static void by_socket(const void *frame, size_t length, const char *ifname)
{
	const u_char *f = frame;

	send_out(ifname, frame, length, f[12] << 8 | f[13]);
}

static void by_tap(const void *frame, size_t length, const char *ifname)
{
	(void)ifname;
	if (write(tap, frame, length) < 0)
		perror("tap");
}

static void send_ether(sender *send, const char *ifname, const char *to, int type, const void *data,
		       size_t n)
{
	u_char frame[FRAME_MAX] = "\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01";

	if (to)
		memcpy(frame, to, 6);
	frame[12] = (u_char)(type >> 8);
	frame[13] = (u_char)type;
	memcpy(frame + 14, data, n);
	send(frame, 14 + n, ifname);
}

static void send_frames(sender *send, const char *ifname)
{
	u_char p[FRAME_MAX], tagged[FRAME_MAX] = "\x20\x05\x08\x00";
	static const u_char zero[100];
	size_t n;

	send_ether(send, ifname, "\xff\xff\xff\xff\xff\xff", ETH_P_ARP, zero, 28);
	send_ether(send, ifname, NULL, ETH_P_IP, p, put_ip(p, 17, 53, 64, 0, 10));
	send_ether(send, ifname, NULL, ETH_P_IP, p, put_ip(p, 6, 80, 63, 0, 10));
	send_ether(send, ifname, "\x02\x00\x00\x00\x00\x77", ETH_P_IP, p,
		   put_ip(p, 1, 0, 64, 0, 40));
	send_ether(send, ifname, "\x01\x00\x5e\x00\x00\x01", ETH_P_IP, p,
		   put_ip(p, 17, 5353, 1, 0, 600));
	send_ether(send, ifname, NULL, ETH_P_IP, p, put_ip(p, 6, 80, 64, 0x100, 0));
	send_ether(send, ifname, NULL, ETH_P_IPV6, p, put_ip6(p, 6, 80));
	send_ether(send, ifname, NULL, ETH_P_IPV6, p, put_ip6(p, 17, 53));
	send_ether(send, ifname, NULL, 0x88b5, zero, 46);
	send_ether(send, ifname, NULL, 0x0026, zero, 46); /* a length: 802.2 */
	n = put_ip(tagged + 4, 17, 53, 64, 0, 10);
	if (send == by_tap) /* it comes in, and what is sent behind the bridge has it beside */
		send_ether(send, ifname, NULL, ETH_P_8021Q, tagged, 4 + n);
}

static void send_packets(void)
{
	u_char p[FRAME_MAX];
	size_t n;

	n = put_ip(p, 17, 53, 64, 0, 10);
	send_out("tun0", p, n, ETH_P_IP);
	if (write(tun, p, n) < 0)
		perror("tun");
	n = put_ip6(p, 6, 80);
	send_out("tun0", p, n, ETH_P_IPV6);
	if (write(tun, p, n) < 0)
		perror("tun");
}

static int open_tun(const char *name, int mode)
{
	struct ifreq r = {.ifr_flags = (short)(mode | IFF_NO_PI)};
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &r)) {
		perror(name);
		exit(1);
	}
	return fd;
}

static void make_interfaces(void)
{
	veth_pair("");
	tun = open_tun("tun0", IFF_TUN);
	tap = open_tun("tap0", IFF_TAP);
	run("ip link add vc type veth peer name vd");
	run("ip link add ifb0 type ifb && ip link add br0 type bridge");
	run("ip link set vc master br0 && ip link set tap0 master br0");
	run("for i in lo tun0 tap0 vc vd ifb0 br0; do ip link set $i up || exit 1; done");
	raw = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
}

/* By one CPU, so that there is one order. */
static void stay_here(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void compare(const char *expression, const char *name, struct seen *ours,
		    struct seen *theirs, int link)
{
	read_all(ours);
	read_all(theirs);
	check(are_same(ours, theirs, link), "the same packets as of any", name, expression);
}

static const char *expression_of(unsigned i)
{
	return i < EXPRESSIONS ? expressions[i] : by_number[i - EXPRESSIONS];
}

static void try_link(int link, const char *name)
{
	static struct seen ours[ALL], theirs[ALL];
	unsigned taken = 0, n = link == DLT_LINUX_SLL ? EXPRESSIONS : ALL;

	for (unsigned i = 0; i < n; i++) {
		bool here =
			open_one(&ours[i], "xdp:any,ring=512K,loader=off", link, expression_of(i));
		bool there = open_one(&theirs[i], "any", link, expression_of(i));

		if (here != there)
			check(false, "refused by one of the two", name, expression_of(i));
	}
	for (unsigned i = 0; i < ROUNDS; i++) {
		send_frames(by_socket, "va");
		send_frames(by_socket, "vd");
		send_frames(by_socket, "ifb0");
		send_frames(by_socket, "br0");
		send_frames(by_socket, "tap0");
		send_frames(by_tap, "tap0");
		send_frames(by_socket, "lo");
		send_packets();
	}
	usleep(2500 * TIMEOUT_MS);
	for (unsigned i = 0; i < n; i++) {
		compare(expression_of(i), name, &ours[i], &theirs[i], link);
		taken += theirs[i].n != 0 && theirs[i].n != theirs[0].n;
	}
	check(theirs[0].n > 100, "there are many packets", name, "");
	check(taken > n / 2, "filters choose some of them", name, "");
	for (unsigned i = 0; i < n; i++) {
		pcap_close(ours[i].p);
		pcap_close(theirs[i].p);
		free(ours[i].packet);
		free(theirs[i].packet);
	}
	memset(ours, 0, sizeof(ours));
	memset(theirs, 0, sizeof(theirs));
}

/* What that link type refuses is refused, in the same words. */
static void try_refused(void)
{
	static const char *const refused[] = {"vlan 5", "ether dst 02:00:00:00:00:02", "broadcast"};
	struct seen ours, theirs;

	for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		bool here = open_one(&ours, "xdp:any", DLT_LINUX_SLL, refused[i]);
		bool there = open_one(&theirs, "any", DLT_LINUX_SLL, refused[i]);

		check(!here && !there && strcmp(pcap_geterr(ours.p), pcap_geterr(theirs.p)) == 0,
		      "refused as by any", "LINUX_SLL", refused[i]);
		pcap_close(ours.p);
		pcap_close(theirs.p);
		free(ours.packet);
		free(theirs.packet);
	}
}

/* Sent with its tag in the frame: not all kernels' packet sockets give it. */
static void try_tag_in_frame(void)
{
	static const u_char tag[] = {0x81, 0x00, 0x20, 0x05, 0x08, 0x00, 0x45};
	u_char tagged[FRAME_MAX] = "\x20\x05\x08\x00";
	struct seen ours;
	size_t n = put_ip(tagged + 4, 17, 53, 64, 0, 10);

	open_one(&ours, "xdp:any", DLT_LINUX_SLL, "outbound");
	send_ether(by_socket, "va", NULL, ETH_P_8021Q, tagged, 4 + n);
	for (int i = 0; i < 100 && !ours.n; i++) {
		usleep(20000);
		read_all(&ours);
	}
	check(ours.n == 1 && ours.packet->len == SLL_HDR_LEN + 4 + n &&
		      memcmp(ours.packet->bytes + 14, tag, sizeof(tag)) == 0,
	      "a tag in the frame is kept", "LINUX_SLL", "outbound");
	pcap_close(ours.p);
	free(ours.packet);
}

/*
 * Of each pair a frame as soon as it is there; the kernel may not send it yet. When it is read the
 * interface may be gone.
 */
static void try_coming_and_going(void)
{
	static const char *const expression = "inbound and ether proto 0x88b5";
	const char *rounds = getenv("ANY_INTERFACES");
	unsigned n = rounds ? (unsigned)atoi(rounds) : 20, before;
	static const u_char zero[46];
	struct seen ours, theirs;
	char name[IFNAMSIZ];

	open_one(&ours, "xdp:any", DLT_LINUX_SLL, expression);
	open_one(&theirs, "any", DLT_LINUX_SLL, expression);
	before = count_descriptors();
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "c%u", i);
		run("ip link add %s type veth peer name d%u", name, i);
		run("ip link set %s up && ip link set d%u up", name, i);
		send_ether(by_socket, name, NULL, 0x88b5, zero, sizeof(zero));
		run("ip link del %s", name);
		read_all(&ours);
		read_all(&theirs);
	}
	usleep(2500 * TIMEOUT_MS);
	compare(expression, "LINUX_SLL, interfaces that come and go", &ours, &theirs,
		DLT_LINUX_SLL);
	check(ours.n > n / 4, "there are packets of interfaces that were new", "LINUX_SLL", "");
	check(count_descriptors() == before, "no descriptor is left", "LINUX_SLL", "");
	pcap_close(ours.p);
	pcap_close(theirs.p);
	free(ours.packet);
	free(theirs.packet);
}

static int snapshot_of(const char *device, int asked, u_int *kept)
{
	char err[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_open_live(device, asked, 0, TIMEOUT_MS, err);
	static const u_char zero[46];
	struct pcap_pkthdr *h;
	const u_char *bytes;
	int snapshot;

	if (!p) {
		fprintf(stderr, "%s: %s\n", device, err);
		exit(1);
	}
	snapshot = pcap_snapshot(p);
	send_ether(by_socket, "va", NULL, 0x88b5, zero, sizeof(zero));
	*kept = pcap_next_ex(p, &h, &bytes) == 1 ? h->caplen : 0;
	pcap_close(p);
	return snapshot;
}

static void try_short(void)
{
	static const int asked[] = {1, 16, 20, 21, 22};
	u_int ours, theirs;
	char what[32];

	for (unsigned i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		snprintf(what, sizeof(what), "%d", asked[i]);
		check(snapshot_of("xdp:any", asked[i], &ours) ==
			      snapshot_of("any", asked[i], &theirs),
		      "the snapshot length is theirs", "LINUX_SLL", what);
		check(ours && ours == theirs, "and so is what is kept", "LINUX_SLL", what);
	}
}

static void try_sending(void)
{
	struct seen ours;

	open_one(&ours, "xdp:any", DLT_LINUX_SLL, "");
	check(pcap_inject(ours.p, "x", 1) == PCAP_ERROR, "sending is refused", "LINUX_SLL", "");
	pcap_close(ours.p);
	free(ours.packet);
}

int main(void)
{
	own_net();
	make_interfaces();
	stay_here();
	try_link(DLT_LINUX_SLL, "LINUX_SLL");
	try_link(DLT_LINUX_SLL2, "LINUX_SLL2");
	check(tags_kept > 0, "tags are kept", "LINUX_SLL2", "");
	try_refused();
	try_tag_in_frame();
	try_coming_and_going();
	try_sending();
	try_short();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
