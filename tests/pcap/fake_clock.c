/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * To be preloaded: gives every interface a clock of its own, as far as ioctl() tells, where
 * FAKE_CLOCK names a file that holds its state. The kernel is asked all the same: a loader that it
 * would kill for the question dies.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CLOCK_NUMBER 99
#define CLOCK_PATH   "/dev/ptp99"
#define BEHIND_S     1000

static struct {
	struct hwtstamp_config config;
	int sets;    /* how often it was configured */
	int refusal; /* errno of such a try; 0: none */
	int leaves;  /* another capture ends after the first look, and turns them off */
	int looks;   /* how often it was compared with the host's */
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

static int tell_configuration(struct hwtstamp_config *c)
{
	*c = state->config;
	if (state->leaves)
		state->config.rx_filter = HWTSTAMP_FILTER_NONE;
	state->leaves = 0;
	return 0;
}

static int tell_clock(struct ethtool_ts_info *i)
{
	i->so_timestamping = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
	i->phc_index = CLOCK_NUMBER;
	i->rx_filters = 1 << HWTSTAMP_FILTER_NONE | 1 << HWTSTAMP_FILTER_ALL;
	return 0;
}

static void time_of(struct ptp_clock_time *t, int64_t behind)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*t = (struct ptp_clock_time){.sec = now.tv_sec - behind, .nsec = (__u32)now.tv_nsec};
}

static int compare(struct ptp_sys_offset_extended *e)
{
	state->looks++;
	for (unsigned i = 0; i < e->n_samples; i++) {
		time_of(&e->ts[i][0], 0);
		time_of(&e->ts[i][1], BEHIND_S);
		time_of(&e->ts[i][2], 0);
	}
	return 0;
}

/* The clock's device is the file of its state. */
int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	if (state && strcmp(path, CLOCK_PATH) == 0)
		path = state->refusal == ENODEV ? "/nosuch" : getenv("FAKE_CLOCK");
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
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
	/* That the process may is not the driver's matter. */
	if (request == SIOCSHWTSTAMP && result < 0 && errno == EPERM)
		return -1;
	switch (request) {
	case SIOCETHTOOL:
		if (*(unsigned *)r->ifr_data == ETHTOOL_GET_TS_INFO)
			return tell_clock((void *)r->ifr_data);
		return (int)result;
	case PTP_SYS_OFFSET_EXTENDED:
		return compare((void *)r);
	case SIOCGHWTSTAMP:
		return tell_configuration((void *)r->ifr_data);
	case SIOCSHWTSTAMP:
		return configure((void *)r->ifr_data);
	default:
		return (int)result;
	}
}
