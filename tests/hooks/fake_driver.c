/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * To be preloaded: an interface's driver refuses XDP programs, and says of itself what real ones
 * say. FAKE_XDP=ERRNO is what BPF_LINK_CREATE returns for the XDP hook. FAKE_DRIVER=NAME is what
 * ethtool -i says; FAKE_LRO=1: LRO is on; FAKE_QUEUES=NOW:MOST, combined, or FAKE_APART=NOW:MOST,
 * so many for receiving and as many for sending. All else is the kernel's.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void fake_queues(struct ethtool_channels *c)
{
	const char *together = getenv("FAKE_QUEUES"), *apart = getenv("FAKE_APART");
	unsigned now, most;

	if (sscanf(together ? together : apart ? apart : "", "%u:%u", &now, &most) != 2)
		return;
	*c = (struct ethtool_channels){.cmd = c->cmd};
	if (together) {
		c->combined_count = now;
		c->max_combined = most;
	} else {
		c->rx_count = c->tx_count = now;
		c->max_rx = c->max_tx = most;
	}
}

static int fake_ethtool(void *command, int result)
{
	const char *driver = getenv("FAKE_DRIVER");

	if (!driver)
		return result;
	switch (*(uint32_t *)command) {
	case ETHTOOL_GDRVINFO:
		snprintf(((struct ethtool_drvinfo *)command)->driver, 32, "%s", driver);
		return 0;
	case ETHTOOL_GFLAGS:
		((struct ethtool_value *)command)->data = getenv("FAKE_LRO") ? ETH_FLAG_LRO : 0;
		return 0;
	case ETHTOOL_GCHANNELS:
		fake_queues(command);
		return 0;
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
	return request == SIOCETHTOOL ? fake_ethtool(((struct ifreq *)to)->ifr_data, result)
				      : result;
}

long syscall(long number, ...)
{
	static typeof(syscall) *real;
	const char *refusal = getenv("FAKE_XDP");
	long w[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		w[i] = va_arg(args, long);
	va_end(args);
	if (refusal && number == SYS_bpf && w[0] == BPF_LINK_CREATE) {
		const union bpf_attr *attr = (const void *)w[1];

		if (attr->link_create.attach_type == BPF_XDP) {
			errno = atoi(refusal);
			return -1;
		}
	}
	if (!real)
		real = (typeof(syscall) *)dlsym(RTLD_NEXT, "syscall");
	return real(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}
