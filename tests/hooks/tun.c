/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The far end of a tun or tap device that it makes: answers every ICMP echo request.
 *
 *	tun tun|tap NAME [TYPE]
 *
 * TYPE: of its link, a number of ARPHRD_..., for frames of which nothing else is true.
 */
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int open_device(const char *name, short type)
{
	struct ifreq request = {.ifr_flags = (short)(type | IFF_NO_PI)};
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return fd;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	return ioctl(fd, TUNSETIFF, &request) ? -1 : fd;
}

static void swap(void *a, void *b, size_t size)
{
	unsigned char kept[ETH_ALEN];

	memcpy(kept, a, size);
	memcpy(a, b, size);
	memcpy(b, kept, size);
}

/* Make the request a reply; 0 where it is none. */
static int answer(unsigned char *frame, size_t length, size_t link_header)
{
	struct iphdr *ip = (void *)(frame + link_header);
	struct icmphdr *icmp = (void *)(ip + 1);

	if (length < link_header + sizeof(*ip) + sizeof(*icmp) || ip->version != 4 ||
	    ip->protocol != IPPROTO_ICMP || icmp->type != ICMP_ECHO)
		return 0;
	if (link_header)
		swap(frame, frame + ETH_ALEN, ETH_ALEN);
	swap(&ip->saddr, &ip->daddr, sizeof(ip->saddr));
	icmp->type = ICMP_ECHOREPLY;
	/* The type went from 8 to 0: so much more is in the sum, in one's complement. */
	icmp->checksum = (uint16_t)(icmp->checksum + 8 + (icmp->checksum >= 0xffff - 8));
	return 1;
}

int main(int argc, char **argv)
{
	static unsigned char frame[65536];
	int is_tap = argc >= 3 && strcmp(argv[1], "tap") == 0;
	int fd = argc >= 3 ? open_device(argv[2], is_tap ? IFF_TAP : IFF_TUN) : -1;

	if (fd < 0 || (argc > 3 && ioctl(fd, TUNSETLINK, atol(argv[3])))) {
		perror("tun");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	for (;;) {
		ssize_t n = read(fd, frame, sizeof(frame));

		if (n < 0)
			continue; /* down: until it is up */
		if (answer(frame, (size_t)n, is_tap ? ETH_HLEN : 0) && write(fd, frame, n) < 0)
			perror("tun: write");
	}
}
