/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To be preloaded: gives every interface a clock of its own, as far as ioctl() tells, where
 * FAKE_CLOCK names a file that holds its state. The kernel is asked all the same: a loader that it
 * would kill for the question dies.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	struct hwtstamp_config config;
	int sets;    /* how often it was configured */
	int refusal; /* errno of such a try; 0: none */
} * state;

/* Before the loader is confined: from then on it opens nothing. */
__attribute__((constructor)) static void open_state(void)
{
	const char *path = getenv("FAKE_CLOCK");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *p = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	state = p == MAP_FAILED ? NULL : p;
	close(fd);
}

static int configure(const struct hwtstamp_config *wanted)
{
	if (state->refusal) {
		errno = state->refusal;
		return -1;
	}
	state->config = *wanted;
	state->sets++;
	return 0;
}

static int tell_clock(struct ethtool_ts_info *i)
{
	i->so_timestamping = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
	i->rx_filters = 1 << HWTSTAMP_FILTER_NONE | 1 << HWTSTAMP_FILTER_ALL;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct ifreq *r;
	va_list args;
	long result;

	va_start(args, request);
	r = va_arg(args, struct ifreq *);
	va_end(args);
	result = syscall(SYS_ioctl, fd, request, r);
	if (!state)
		return (int)result;
	switch (request) {
	case SIOCETHTOOL:
		if (*(unsigned *)r->ifr_data == ETHTOOL_GET_TS_INFO)
			return tell_clock((void *)r->ifr_data);
		return (int)result;
	case SIOCGHWTSTAMP:
		*(struct hwtstamp_config *)r->ifr_data = state->config;
		return 0;
	case SIOCSHWTSTAMP:
		return configure((void *)r->ifr_data);
	default:
		return (int)result;
	}
}
