/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * With the option who, which socket is each frame of? Here are the sockets: this program has made
 * each of them, in a network namespace of its own, and their peers in another. It knows the cookie
 * that a record must have, and that none may have another one.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/ip_icmp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/options/options.h"
#include "own_net.h"
#include "util/clock.h"

#define SEEN_MAX 512
#define WAIT_NS	 (10 * NS_PER_SEC)
#define HERE4	 "10.9.0.1"
#define THERE4	 "10.9.0.2"
#define HERE6	 "fd09::1"
#define THERE6	 "fd09::2"
#define BEYOND4	 "10.8.0.2"
#define SYN	 0x02
#define ACK	 0x10
#define FIN	 0x01

/* What a record says, and of which frame. here: the port on this side. */
struct seen {
	bool sent;
	uint8_t protocol, flags; /* of ICMP the type */
	uint16_t here, there;
	uint32_t length, how;
	uint64_t cookie;
};

static struct afxdp_capture *capture;
static struct seen seen[SEEN_MAX];
static unsigned seen_count, passed, failed;
static int here_net, there_net;
static bool has_tcx, has_casts; /* from 6.6 and 6.2 on: of what is sent, and of UDP */
static const char *hook;

static void verdict(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void verdict(bool good, const char *format, ...)
{
	va_list args;

	printf("%s: %s: ", good ? "ok" : "FAILED", hook);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	passed += good;
	failed += !good;
}

static void die(const char *what)
{
	fprintf(stderr, "socket_test: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int need(int result, const char *what)
{
	if (result < 0)
		die(what);
	return result;
}

/* Where the transport header is; NULL: not IP. */
static const uint8_t *transport(const uint8_t *f, uint8_t *protocol)
{
	unsigned type = f[12] << 8 | f[13];
	const uint8_t *ip = f + 14;

	if (type == 0x8100) {
		type = f[16] << 8 | f[17];
		ip += 4;
	}
	*protocol = type == 0x0800 ? ip[9] : ip[6];
	if (type == 0x0800)
		return (ip[6] << 8 | ip[7]) & 0x1fff ? NULL : ip + (*ip & 15) * 4;
	return type == 0x86dd ? ip + 40 : NULL;
}

static void take(const struct epb_header *r)
{
	struct epb_lengths l = {r->total_length, r->caplen, 0};
	struct seen *s = &seen[seen_count];
	struct epb_socket socket;
	const uint8_t *t;

	*s = (struct seen){.sent = epb_is_sent(r), .length = r->len};
	t = transport(epb_frame(r), &s->protocol);
	if (!t || seen_count == SEEN_MAX - 1)
		return;
	s->here = (uint16_t)(s->sent ? t[0] << 8 | t[1] : t[2] << 8 | t[3]);
	s->there = (uint16_t)(s->sent ? t[2] << 8 | t[3] : t[0] << 8 | t[1]);
	s->flags = s->protocol == IPPROTO_TCP ? t[13] : s->protocol == IPPROTO_ICMP ? t[0] : 0;
	if (s->protocol == IPPROTO_ICMP)
		s->here = s->there = 0;
	if (!afxdp_socket_of(r, &l, &socket)) {
		if (s->sent && !has_tcx)
			return;
		verdict(false, "each record has a socket or says that it has none");
		return;
	}
	s->how = socket.how;
	s->cookie = (uint64_t)socket.cookie_high << 32 | socket.cookie_low;
	seen_count++;
}

static void read_records(void)
{
	struct afxdp_reader *r = afxdp_reader(capture);
	const struct epb_header *at;
	struct afxdp_run run;

	while (afxdp_run(r, &run)) {
		for (at = run.first; afxdp_run_has(&run, at); at = epb_next(at))
			take(at);
		afxdp_run_done(r, &run, at);
	}
}

/* Frames like this one: flags that are set, and of which protocol and ports; 0: any. */
static const struct seen *find(const struct seen *like)
{
	for (unsigned i = 0; i < seen_count; i++)
		if (seen[i].sent == like->sent && seen[i].protocol == like->protocol &&
		    (!like->here || seen[i].here == like->here) &&
		    (!like->there || seen[i].there == like->there) &&
		    (seen[i].flags & like->flags) == like->flags &&
		    (like->flags & SYN || !(seen[i].flags & SYN)) && seen[i].length >= like->length)
			return &seen[i];
	return NULL;
}

/* The first record of such a frame; NULL: none came. */
static const struct seen *await(const struct seen *like)
{
	uint64_t end = clock_monotonic() + WAIT_NS;
	const struct seen *s;

	read_records();
	while (!(s = find(like)) && clock_monotonic() < end) {
		afxdp_wait(afxdp_reader(capture), 100);
		read_records();
	}
	return s;
}

/* It has this socket; or is also right. */
static void expect_one_of(const char *what, struct seen like, uint32_t how, uint32_t or,
			  uint64_t cookie)
{
	const struct seen *s;

	if (like.sent && !has_tcx)
		return;
	if (!has_casts && EPB_SOCKET_HOW(how) == EPB_SOCKET_BOUND)
		how = or = EPB_SOCKET_UNSURE;
	s = await(&like);
	if (!has_casts && s && EPB_SOCKET_HOW(s->how) != EPB_SOCKET_ESTABLISHED &&
	    s->how != EPB_SOCKET_LISTENER)
		cookie = 0;
	if (!s)
		verdict(false, "%s: no such frame came", what);
	else if ((s->how == how || s->how == or) && s->cookie == cookie)
		verdict(true, "%s", what);
	else
		verdict(false, "%s: %#x with cookie %llu, and it is %#x with %llu", what, how,
			(unsigned long long)cookie, s->how, (unsigned long long)s->cookie);
}

static void expect(const char *what, struct seen like, uint32_t how, uint64_t cookie)
{
	expect_one_of(what, like, how, how, cookie);
}

static uint64_t cookie_of(int fd)
{
	uint64_t cookie = 0;
	socklen_t length = sizeof(cookie);

	need(getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length), "SO_COOKIE");
	return cookie;
}

static void in_net(int net)
{
	need(setns(net, CLONE_NEWNET), "setns");
}

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static socklen_t address(union address *a, int family, const char *text, uint16_t port)
{
	memset(a, 0, sizeof(*a));
	a->any.sa_family = (sa_family_t)family;
	if (family == AF_INET6) {
		inet_pton(AF_INET6, text, &a->v6.sin6_addr);
		a->v6.sin6_port = htons(port);
		return sizeof(a->v6);
	}
	inet_pton(AF_INET, text, &a->v4.sin_addr);
	a->v4.sin_port = htons(port);
	return sizeof(a->v4);
}

/* A socket in that namespace, bound to text and port; NULL: not bound. */
static int make(int net, int family, int type, const char *text, uint16_t port)
{
	union address a;
	int fd, on = 1;

	in_net(net);
	fd = need(socket(family, type | SOCK_CLOEXEC, 0), "socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (text)
		need(bind(fd, &a.any, address(&a, family, text, port)), text);
	in_net(here_net);
	return fd;
}

static int try_connect(int fd, int family, const char *text, uint16_t port)
{
	union address a;

	return connect(fd, &a.any, address(&a, family, text, port));
}

static void send_to(int fd, int family, const char *text, uint16_t port, size_t n)
{
	static const char data[4096];
	union address a;

	need((int)sendto(fd, data, n, 0, &a.any, address(&a, family, text, port)), "sendto");
}

static void tcp_out(void)
{
	int l = make(there_net, AF_INET, SOCK_STREAM, THERE4, 1001);
	int fd = make(here_net, AF_INET, SOCK_STREAM, HERE4, 1000), peer;
	uint64_t cookie = cookie_of(fd);
	struct seen tcp = {.protocol = IPPROTO_TCP, .here = 1000};
	char data[100] = {0};

	need(listen(l, 1), "listen");
	need(try_connect(fd, AF_INET, THERE4, 1001), "connect");
	peer = need(accept(l, NULL, NULL), "accept");
	tcp.sent = true;
	tcp.flags = SYN;
	expect("TCP, the SYN that is sent", tcp, EPB_SOCKET_OWN, cookie);
	tcp.sent = false;
	expect("TCP, the answer to it", tcp, EPB_SOCKET_ESTABLISHED, cookie);
	tcp.flags = 0;
	tcp.length = 14 + 20 + 20 + 100;
	need((int)write(peer, data, sizeof(data)), "write");
	expect("TCP, data that come", tcp, EPB_SOCKET_ESTABLISHED, cookie);
	/* This side closes first: what is left of it waits. Nothing is unread, or it would reset. */
	need((int)recv(fd, data, sizeof(data), MSG_WAITALL), "recv");
	close(fd);
	need((int)read(peer, data, 1), "the end");
	close(peer);
	tcp.length = 0;
	tcp.flags = FIN;
	/* The kernel may have made less of it by then. */
	expect_one_of("TCP, the peer's FIN to a socket that is closed", tcp, EPB_SOCKET_TIME_WAIT,
		      EPB_SOCKET_ESTABLISHED | EPB_SOCKET_NOT_OPEN, cookie);
	close(l);
}

static void tcp_in(int family, const char *here, const char *there, uint16_t port)
{
	int l = make(here_net, family, SOCK_STREAM, here, port);
	int peer = make(there_net, family, SOCK_STREAM, there, (uint16_t)(port + 1)), fd;
	struct seen tcp = {.protocol = IPPROTO_TCP, .here = port, .there = (uint16_t)(port + 1)};
	uint64_t cookie, listener = cookie_of(l);
	char early[77] = {0};

	need(listen(l, 1), "listen");
	need(try_connect(peer, family, here, port), "connect");
	need((int)write(peer, early, sizeof(early)), "write before accept");
	fd = need(accept(l, NULL, NULL), "accept");
	cookie = cookie_of(fd);
	tcp.flags = SYN;
	expect("TCP, a SYN to a listener", tcp, EPB_SOCKET_LISTENER, listener);
	tcp.sent = true;
	expect("TCP, the answer to it, of what will be accepted", tcp, EPB_SOCKET_REQUEST, cookie);
	tcp.sent = false;
	tcp.flags = ACK;
	expect("TCP, what ends the handshake", tcp, EPB_SOCKET_REQUEST, cookie);
	tcp.length = 14 + (family == AF_INET ? 20 : 40) + 20 + sizeof(early);
	/* It may be there before the kernel has looked at what ends the handshake. Where no program
	 * sees what is sent nobody has asked for the cookie yet. */
	expect_one_of("TCP, what comes before accept()", tcp,
		      EPB_SOCKET_ESTABLISHED | EPB_SOCKET_NOT_OPEN, EPB_SOCKET_REQUEST,
		      has_tcx ? cookie : 0);
	need((int)write(fd, early, sizeof(early)), "write");
	tcp.sent = true;
	expect("TCP, what the accepted one sends", tcp, EPB_SOCKET_OWN, cookie);
	tcp.length = 0;
	need((int)recv(peer, early, sizeof(early), MSG_WAITALL), "recv");
	close(peer);
	tcp.sent = false;
	tcp.flags = FIN;
	expect("TCP, a FIN to the accepted one", tcp, EPB_SOCKET_ESTABLISHED, cookie);
	close(fd);
	close(l);
}

static void udp_connected(int family, const char *here, const char *there, uint16_t port, int peers)
{
	const char *at_peer = peers == AF_INET ? THERE4 : THERE6;
	int peer = make(there_net, peers, SOCK_DGRAM, at_peer, (uint16_t)(port + 1));
	int fd = make(here_net, family, SOCK_DGRAM, here, port);
	struct seen udp = {.protocol = IPPROTO_UDP, .here = port};
	uint64_t cookie = cookie_of(fd);

	need(try_connect(fd, family, there, (uint16_t)(port + 1)), "connect");
	need((int)send(fd, "1", 1, 0), "send");
	send_to(peer, peers, peers == AF_INET ? HERE4 : HERE6, port, 1);
	udp.sent = true;
	expect("UDP, connected, sent", udp, EPB_SOCKET_OWN, cookie);
	udp.sent = false;
	expect("UDP, connected, received", udp, EPB_SOCKET_CONNECTED, cookie);
	close(fd);
	close(peer);
}

static void udp_others(void)
{
	int peer = make(there_net, AF_INET, SOCK_DGRAM, THERE4, 2101);
	int bound = make(here_net, AF_INET, SOCK_DGRAM, "0.0.0.0", 2100);
	struct seen udp = {.protocol = IPPROTO_UDP, .here = 2100};
	const struct seen *first;
	uint64_t cookie;

	send_to(peer, AF_INET, HERE4, 2100, 1);
	first = await(&udp);
	cookie = cookie_of(bound);
	/* Somebody else may have asked before us: of all sockets of the host. */
	verdict(first && (!first->cookie || first->cookie == cookie),
		"UDP, to a socket whose cookie this program has not asked for");
	seen_count = 0;
	send_to(peer, AF_INET, HERE4, 2100, 1);
	expect("UDP, from anybody", udp, EPB_SOCKET_BOUND, cookie);
	send_to(peer, AF_INET, HERE4, 2199, 1);
	udp.here = 2199;
	expect("UDP, to a port that nobody has", udp, EPB_SOCKET_NONE, 0);
	send_to(peer, AF_INET, "224.0.0.251", 2100, 20);
	udp.here = 2100;
	udp.length = 14 + 20 + 8 + 20;
	expect("UDP, multicast", udp, EPB_SOCKET_MANY, 0);
	close(bound);
	close(peer);
}

static void tcp_closed(void)
{
	int peer = make(there_net, AF_INET, SOCK_STREAM, THERE4, 2201);
	struct seen tcp = {.protocol = IPPROTO_TCP, .here = 2200, .flags = SYN};

	if (try_connect(peer, AF_INET, HERE4, 2200) == 0)
		verdict(false, "a port that nobody has is open");
	expect("TCP, to a port that nobody has", tcp, EPB_SOCKET_NONE, 0);
	close(peer);
}

/* Neither has a port: they are sent, and what comes is not looked for. */
static void others(void)
{
	struct seen s = {.protocol = 253, .sent = true};
	struct icmphdr echo = {.type = ICMP_ECHO};
	union address a;
	int raw, ping;

	in_net(here_net);
	raw = need(socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, 253), "raw socket");
	send_to(raw, AF_INET, THERE4, 0, 32);
	expect("raw, sent", s, EPB_SOCKET_OWN, cookie_of(raw));
	close(raw);
	ping = need(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMP), "ping socket");
	need((int)sendto(ping, &echo, sizeof(echo), 0, &a.any, address(&a, AF_INET, THERE4, 0)),
	     "ping");
	s.protocol = IPPROTO_ICMP;
	s.flags = ICMP_ECHO;
	expect("ping, sent", s, EPB_SOCKET_OWN, cookie_of(ping));
	s.sent = false;
	s.flags = ICMP_ECHOREPLY;
	expect("ping, the answer", s, EPB_SOCKET_UNASKED, 0);
	close(ping);
}

/* The host listens on all its addresses. What it passes on to another is not the listener's. */
static void forwarded(void)
{
	int peer = make(there_net, AF_INET, SOCK_DGRAM, THERE4, 2301);
	int bound = make(here_net, AF_INET, SOCK_DGRAM, "0.0.0.0", 2300);
	struct seen udp = {.protocol = IPPROTO_UDP, .here = 2300};

	cookie_of(bound);
	send_to(peer, AF_INET, BEYOND4, 2300, 1);
	expect("UDP, to an address beyond the host", udp, EPB_SOCKET_FORWARDED, 0);
	/* Not any more: the address is given to the host. The kernel has told it by then. */
	run("ip addr add " BEYOND4 "/32 dev va");
	afxdp_poll(afxdp_reader(capture));
	seen_count = 0;
	send_to(peer, AF_INET, BEYOND4, 2300, 1);
	expect("UDP, to an address that is new", udp, EPB_SOCKET_BOUND, cookie_of(bound));
	run("ip addr add " BEYOND4 "/32 dev lo");
	run("ip addr del " BEYOND4 "/32 dev lo");
	afxdp_poll(afxdp_reader(capture));
	seen_count = 0;
	send_to(peer, AF_INET, BEYOND4, 2300, 1);
	expect("UDP, to an address that one of two interfaces has given up", udp, EPB_SOCKET_BOUND,
	       cookie_of(bound));
	run("ip addr del " BEYOND4 "/32 dev va");
	afxdp_poll(afxdp_reader(capture));
	seen_count = 0;
	send_to(peer, AF_INET, BEYOND4, 2300, 1);
	expect("UDP, to an address that was the host's", udp, EPB_SOCKET_FORWARDED, 0);
	close(bound);
	close(peer);
}

/* One of several sockets gets each frame: that is said. */
static void shared(void)
{
	int peer = make(there_net, AF_INET, SOCK_DGRAM, THERE4, 2401), on = 1;
	struct seen udp = {.protocol = IPPROTO_UDP, .here = 2400};
	int fd = make(here_net, AF_INET, SOCK_DGRAM, NULL, 0);
	uint64_t cookie = cookie_of(fd);
	union address a;

	need(setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)), "SO_REUSEPORT");
	need(bind(fd, &a.any, address(&a, AF_INET, HERE4, 2400)), "bind");
	send_to(peer, AF_INET, HERE4, 2400, 1);
	expect("UDP, a port that sockets may share", udp, EPB_SOCKET_BOUND | EPB_SOCKET_SHARES_PORT,
	       cookie);
	close(fd);
	close(peer);
}

/* What conntrack sees goes to the host's sockets. What NAT may give to another does not. */
static void translated(void)
{
	int peer = make(there_net, AF_INET, SOCK_DGRAM, THERE4, 2501);
	int bound = make(here_net, AF_INET, SOCK_DGRAM, "0.0.0.0", 2500);
	struct seen udp = {.protocol = IPPROTO_UDP, .here = 2500};
	uint64_t cookie = cookie_of(bound);

	run("iptables -A INPUT -m conntrack --ctstate INVALID -j DROP");
	send_to(peer, AF_INET, HERE4, 2500, 1);
	expect("UDP, where conntrack is", udp, EPB_SOCKET_BOUND, cookie);
	run("iptables -t nat -A PREROUTING -p udp --dport 2500 -j DNAT --to " BEYOND4);
	seen_count = 0;
	send_to(peer, AF_INET, HERE4, 2500, 1);
	expect("UDP, that NAT gives to another", udp, EPB_SOCKET_UNSURE, 0);
	run("iptables -t nat -F; iptables -F");
	close(bound);
	close(peer);
}

static uint64_t left_out(int map, uint64_t cookie)
{
	uint32_t slot = cookie % EPB_OTHERS;
	struct epb_other other = {0};

	need(bpf_map_lookup_elem(map, &slot, &other), "map");
	return other.frames;
}

/* Frames of some sockets are left out, of which the caller says as they come and go. */
static void chosen(int map)
{
	int peer = make(there_net, AF_INET, SOCK_DGRAM, THERE4, 2601);
	int fd = make(here_net, AF_INET, SOCK_DGRAM, HERE4, 2600);
	int other = make(here_net, AF_INET, SOCK_DGRAM, HERE4, 2602);
	struct seen udp = {.protocol = IPPROTO_UDP, .here = 2600}, another = udp;
	struct epb_other entry = {.cookie = cookie_of(other)};
	uint64_t cookie = cookie_of(fd);
	uint32_t slot = (uint32_t)(entry.cookie % EPB_OTHERS);

	another.here = 2602;
	need(bpf_map_update_elem(map, &slot, &entry, BPF_ANY), "map");
	send_to(peer, AF_INET, HERE4, 2602, 1);
	send_to(other, AF_INET, THERE4, 2601, 1);
	send_to(peer, AF_INET, HERE4, 2600, 1);
	expect("a socket that is not left out", udp, EPB_SOCKET_BOUND, cookie);
	verdict(!find(&another), "one that is");
	another.sent = true;
	verdict(!find(&another) || !has_tcx, "nor what it sends");
	verdict(left_out(map, entry.cookie) == (has_tcx ? 2 : 1), "and both are counted");
	another.sent = false;
	another.how = EPB_SOCKET_BOUND;
	another.cookie = entry.cookie;
	entry.cookie += EPB_OTHERS; /* another one of this place */
	need(bpf_map_update_elem(map, &slot, &entry, BPF_ANY), "map");
	seen_count = 0;
	send_to(peer, AF_INET, HERE4, 2602, 1);
	expect("a socket that is left out no longer", another, EPB_SOCKET_BOUND, another.cookie);
	close(other);
	close(fd);
	close(peer);
}

static void open_capture(const char *options, int others)
{
	char device[64], number[16], err[AFXDP_ERROR_SIZE];
	struct afxdp_options *o = afxdp_options_new();

	snprintf(number, sizeof(number), "%d", others);
	snprintf(device, sizeof(device), "va,ring=512K,loader=off,%s", options);
	if (!o || afxdp_options_device(o, device, err, sizeof(err)) ||
	    afxdp_options_set(o, "who", "on", err, sizeof(err)) ||
	    (others >= 0 && afxdp_options_set(o, "who-others", number, err, sizeof(err))) ||
	    afxdp_open(&capture, o, err, sizeof(err))) {
		fprintf(stderr, "%s: %s\n", device, err);
		exit(1);
	}
	afxdp_options_free(o);
	seen_count = 0;
	hook = options;
}

/* Kept by a process that sleeps until this one ends. */
static void make_net(void)
{
	char path[64], byte;
	int ready[2], end[2];
	pid_t pid;

	need(pipe2(ready, O_CLOEXEC), "pipe");
	need(pipe2(end, O_CLOEXEC), "pipe");
	pid = need(fork(), "fork");
	if (!pid) {
		close(end[1]);
		if (unshare(CLONE_NEWNET) == 0)
			byte = (char)write(ready[1], "1", 1);
		_exit(read(end[0], &byte, 1) < 0);
	}
	if (read(ready[0], &byte, 1) != 1)
		die("no second namespace");
	run("ip link add va type veth peer name vb netns %d", pid);
	here_net = need(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "namespace");
	snprintf(path, sizeof(path), "/proc/%d/ns/net", pid);
	there_net = need(open(path, O_RDONLY | O_CLOEXEC), "namespace");
	run("ip link set lo up; sysctl -qw net.ipv4.ping_group_range='0 0' net.ipv4.ip_forward=1");
	run("ip addr add " HERE4 "/24 dev va && ip addr add " HERE6
	    "/64 dev va nodad && ip link set va up");
	in_net(there_net);
	run("ip addr add " THERE4 "/24 dev vb && ip addr add " THERE6
	    "/64 dev vb nodad && ip link set vb up");
	run("ip route add 10.8.0.0/16 via " HERE4 "; ip route add 224.0.0.0/4 dev vb");
	in_net(here_net);
	run("ip route add 10.8.0.0/16 via " THERE4); /* it goes on to somebody */
}

int main(void)
{
	static const char *const hooks[] = {"hook=xdp", "hook=tc"};

	unsigned major = 0, minor = 0;
	struct utsname u;
	int map;

	own_net();
	uname(&u);
	if (sscanf(u.release, "%u.%u", &major, &minor) != 2)
		die(u.release);
	has_tcx = major * 100 + minor >= 606;
	has_casts = major * 100 + minor >= 602;
	setvbuf(stdout, NULL, _IOLBF, 0);
	make_net();
	map = need(bpf_map_create(BPF_MAP_TYPE_ARRAY, "others", sizeof(uint32_t),
				  sizeof(struct epb_other), EPB_OTHERS,
				  &(struct bpf_map_create_opts){.sz = sizeof(
									struct bpf_map_create_opts),
								.map_flags = BPF_F_MMAPABLE}),
		   "map");
	for (unsigned i = 0; i < (has_tcx ? 2 : 1); i++) {
		if (has_casts) {
			open_capture(hooks[i], map);
			chosen(map);
			afxdp_close(capture);
		}
		open_capture(hooks[i], -1);
		tcp_out();
		tcp_in(AF_INET, HERE4, THERE4, 1100);
		tcp_in(AF_INET6, HERE6, THERE6, 1200);
		udp_connected(AF_INET, HERE4, THERE4, 2000, AF_INET);
		udp_connected(AF_INET6, HERE6, THERE6, 2010, AF_INET6);
		udp_connected(AF_INET6, "::ffff:" HERE4, "::ffff:" THERE4, 2020, AF_INET);
		udp_others();
		tcp_closed();
		others();
		forwarded();
		shared();
		/* The last: hooks of NAT stay. */
		if (i == 1 && system("iptables -V > /dev/null 2>&1") == 0)
			translated();
		afxdp_close(capture);
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
