/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pcap-afxdp.c: Packet capture at the XDP layer of Linux, devices "xdp:IFACE[,option=value]...".
 *
 * This is the glue between a pcap_t and the capture engine (capture/capture.h), which does the
 * work. It is the only file that sees libpcap's internals; graft/ puts it into a libpcap source
 * tree.
 */
#include <config.h>

#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/types.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pcap-int.h"
#include "pcap-afxdp.h"

#include "capture.h"

/* From 1.10.5 on libpcap's internal functions have a prefix of their own. */
#ifndef pcapint_charset_fopen
#define pcapint_add_dev		    add_dev
#define pcapint_breakloop_common    pcap_breakloop_common
#define pcapint_cleanup_live_common pcap_cleanup_live_common
#define pcapint_find_dev	    find_dev
#define pcapint_install_bpf_program install_bpf_program
#endif

struct afxdp {
	struct capture *capture;
	int nonblock;
	bool nic_time;
	struct timespec waiting_since;
};

/* For bug reports and tests: PCAP_AFXDP_DEBUG=1 tells on stderr what is otherwise not visible. */
static void debug(const char *format, ...)
{
	const char *wanted = getenv("PCAP_AFXDP_DEBUG");
	va_list args;

	if (!wanted || !*wanted || strcmp(wanted, "0") == 0)
		return;
	va_start(args, format);
	fputs("pcap-afxdp: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}

static int pcap_status(int err)
{
	switch (err) {
	case -ENODEV:
		return PCAP_ERROR_NO_SUCH_DEVICE;
	case -EPERM:
	case -EACCES:
		return PCAP_ERROR_PERM_DENIED;
	case -ENETDOWN:
		return PCAP_ERROR_IFACE_NOT_UP;
#ifdef PCAP_ERROR_CAPTURE_NOTSUP
	case -EOPNOTSUPP:
		return PCAP_ERROR_CAPTURE_NOTSUP;
#endif
	default:
		return PCAP_ERROR;
	}
}

static int is_wanted(const pcap_t *p, const struct epb_header *r)
{
	return epb_options(r)->flags &
	       (p->direction == PCAP_D_IN ? EPB_FLAG_INBOUND : EPB_FLAG_OUTBOUND);
}

/*
 * Pass on one record; 0 if the filter in user space did not want it. The record's own length may
 * exceed the snapshot length: what came before the first read is kept whole, for a filter to see.
 */
static inline int deliver(pcap_t *p, const struct capture_run *run, const struct epb_header *r,
			  pcap_handler callback, u_char *user)
{
	struct afxdp *a = p->priv;
	struct pcap_pkthdr h;
	uint64_t time;

	h.caplen = r->caplen;
	if (p->direction != PCAP_D_INOUT && !is_wanted(p, r))
		return 0; /* queued before the direction was set */
	if (run->refine) {
		h.caplen = capture_refine(a->capture, r);
		if (h.caplen == 0)
			return 0;
	}
	if (h.caplen > (bpf_u_int32)p->snapshot)
		h.caplen = (bpf_u_int32)p->snapshot;
	h.len = r->len;
	time = a->nic_time ? capture_time(a->capture, r) : epb_time(r);
	h.ts.tv_sec = (time_t)(time / 1000000000);
	h.ts.tv_usec = (suseconds_t)(time % 1000000000);
	if (p->opt.tstamp_precision != PCAP_TSTAMP_PRECISION_NANO)
		h.ts.tv_usec /= 1000;
	callback(user, &h, epb_frame(r));
	return 1;
}

/* The next run; a look at the rings is taken where what was seen before is read. */
static int first_run(pcap_t *p, struct capture_run *run)
{
	struct afxdp *a = p->priv;

	if (capture_run_seen(a->capture, run))
		return 1;
	if (!a->nonblock)
		capture_gather(a->capture, p->opt.timeout);
	return !p->break_loop && capture_run(a->capture, run);
}

/* Deliver what is there, max packets at most. */
static int read_records(pcap_t *p, int max, pcap_handler callback, u_char *user)
{
	struct afxdp *a = p->priv;
	const struct epb_header *r;
	struct capture_run run;
	int n = 0, more = !p->break_loop && first_run(p, &run);

	while (more) {
		for (r = run.first; capture_run_has(&run, r);) {
			const struct epb_header *next = epb_next(r);

			__builtin_prefetch(next);
			n += deliver(p, &run, r, callback, user);
			r = next;
			if (n == max || p->break_loop)
				break;
		}
		capture_run_done(a->capture, &run, r);
		more = n < max && !p->break_loop && capture_run_seen(a->capture, &run);
	}
	return n;
}

/* What is left of the timeout that began with this read, in ms; -1: no limit. */
static int time_left(const pcap_t *p)
{
	const struct afxdp *a = p->priv;
	struct timespec now;
	long long passed;

	if (p->opt.timeout <= 0)
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	passed = (now.tv_sec - a->waiting_since.tv_sec) * 1000LL +
		 (now.tv_nsec - a->waiting_since.tv_nsec) / 1000000;
	return passed < p->opt.timeout ? p->opt.timeout - (int)passed : 0;
}

/*
 * Sleep until there may be records, or just see that all is well where the application does not
 * want to sleep. 1: look; 0: none came in time; PCAP_ERROR.
 */
static int wait_for_records(pcap_t *p)
{
	struct afxdp *a = p->priv;
	int left = a->nonblock ? 0 : time_left(p);
	int err = left ? capture_wait(a->capture, left) : capture_poll(a->capture);

	if (!left && !err)
		err = -ETIME;
	switch (err) {
	case 0:
	case -EINTR: /* the caller looks at break_loop */
		return 1;
	case -ETIME:
		return 0;
	case -ENODEV:
		snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "The interface disappeared");
		return PCAP_ERROR;
	case -ENOLINK:
		snprintf(p->errbuf, PCAP_ERRBUF_SIZE,
			 "The capture program was detached from the interface by another program");
		return PCAP_ERROR;
	default:
		snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "Waiting for packets: %s", strerror(-err));
		return PCAP_ERROR;
	}
}

static int afxdp_read(pcap_t *p, int max, pcap_handler callback, u_char *user)
{
	struct afxdp *a = p->priv;
	int n, look = 1;

	if (PACKET_COUNT_IS_UNLIMITED(max))
		max = INT_MAX;
	clock_gettime(CLOCK_MONOTONIC, &a->waiting_since);
	for (;;) {
		n = read_records(p, max, callback, user);
		if (n != 0)
			break; /* with break_loop set: the next read returns it */
		if (p->break_loop) {
			p->break_loop = 0;
			n = PCAP_ERROR_BREAK;
			break;
		}
		if (look <= 0) {
			n = look;
			break;
		}
		look = wait_for_records(p);
	}
	capture_rest(a->capture);
	return n;
}

static int afxdp_setfilter(pcap_t *p, struct bpf_program *program)
{
	struct afxdp *a = p->priv;
	int err;

	/* Validates, and keeps a copy for whoever looks at the handle. */
	if (pcapint_install_bpf_program(p, program) < 0)
		return PCAP_ERROR;
	err = capture_set_filter(a->capture, (const struct sock_filter *)p->fcode.bf_insns,
				 p->fcode.bf_len, p->errbuf, PCAP_ERRBUF_SIZE);
	if (err)
		return PCAP_ERROR;
	debug("%s: filter %s", p->opt.device, capture_filter_text(a->capture));
	if (capture_filter_log(a->capture))
		debug("%s", capture_filter_log(a->capture));
	return 0;
}

static int afxdp_setdirection(pcap_t *p, pcap_direction_t direction)
{
	struct afxdp *a = p->priv;

	capture_set_directions(a->capture, direction != PCAP_D_OUT, direction != PCAP_D_IN);
	p->direction = direction;
	return 0;
}

static int afxdp_stats(pcap_t *p, struct pcap_stat *stats)
{
	struct afxdp *a = p->priv;
	struct capture_stats s;
	int err = capture_stats(a->capture, &s);

	if (err) {
		snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "Reading statistics: %s", strerror(-err));
		return PCAP_ERROR;
	}
	/* As on other Linux devices: what passed the filter, with what was then lost. */
	stats->ps_recv = (u_int)capture_stats_received(&s);
	stats->ps_drop = (u_int)capture_stats_lost(&s);
	stats->ps_ifdrop = (u_int)s.nic_dropped;
	return 0;
}

static int afxdp_inject(pcap_t *p, const void *frame, int size)
{
	struct afxdp *a = p->priv;
	int n = capture_inject(a->capture, frame, (size_t)size);

	if (n < 0) {
		snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "send: %s", strerror(-n));
		errno = -n; /* as on other devices: who does not block looks for EAGAIN */
		return PCAP_ERROR;
	}
	return n;
}

static int afxdp_getnonblock(pcap_t *p)
{
	return ((struct afxdp *)p->priv)->nonblock;
}

static int afxdp_setnonblock(pcap_t *p, int nonblock)
{
	struct afxdp *a = p->priv;
	int err = capture_set_blocking(a->capture, !nonblock);

	if (err) {
		snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "eventfd: %s", strerror(-err));
		return PCAP_ERROR;
	}
	a->nonblock = nonblock;
	return 0;
}

static void afxdp_breakloop(pcap_t *p)
{
	struct afxdp *a = p->priv;

	pcapint_breakloop_common(p);
	if (a->capture)
		capture_wake(a->capture);
}

static void tell_at_end(const pcap_t *p)
{
	const struct afxdp *a = p->priv;
	struct capture_stats s;

	if (capture_stats(a->capture, &s))
		return;
	if (s.injected)
		debug("%s: %llu packets sent by AF_XDP, %llu by a packet socket", p->opt.device,
		      (unsigned long long)s.injected, (unsigned long long)s.injected_packet);
	if (a->nic_time && s.unstamped)
		debug("%s: %llu packets without a time stamp of the interface", p->opt.device,
		      (unsigned long long)s.unstamped);
}

static void afxdp_cleanup(pcap_t *p)
{
	struct afxdp *a = p->priv;

	tell_at_end(p);
	p->fd = -1; /* it is the capture's to close */
	p->selectable_fd = -1;
	capture_close(a->capture);
	a->capture = NULL;
	pcapint_cleanup_live_common(p);
}

static void set_operations(pcap_t *p)
{
	const struct afxdp *a = p->priv;

	p->linktype = capture_has_link_header(a->capture) ? DLT_EN10MB : DLT_RAW;
	p->read_op = afxdp_read;
	p->inject_op = afxdp_inject;
	p->setfilter_op = afxdp_setfilter;
	p->setdirection_op = afxdp_setdirection;
	p->set_datalink_op = NULL; /* there is one link type */
	p->getnonblock_op = afxdp_getnonblock;
	p->setnonblock_op = afxdp_setnonblock;
	p->stats_op = afxdp_stats;
	p->breakloop_op = afxdp_breakloop;
	p->cleanup_op = afxdp_cleanup;
#ifdef BPF_SPECIAL_BASIC_HANDLING
	/* inbound, outbound and ifindex: the engine answers these loads. */
	p->bpf_codegen_flags |= BPF_SPECIAL_BASIC_HANDLING;
#endif
}

/* The application's buffer size is a floor for the rings, not a wish for small ones. */
static void raise_ring_size(const pcap_t *p, struct capture_options *o)
{
	uint64_t size = o->ring_size ? o->ring_size : CAPTURE_RING_SIZE_DEFAULT;

	if (p->opt.buffer_size <= 0 || (uint64_t)p->opt.buffer_size <= size)
		return;
	while (size < (uint64_t)p->opt.buffer_size && size < RING_SIZE_MAX)
		size *= 2;
	o->ring_size = size;
}

static bool wants_nic_time(const pcap_t *p)
{
	return p->opt.tstamp_type == PCAP_TSTAMP_ADAPTER ||
	       p->opt.tstamp_type == PCAP_TSTAMP_ADAPTER_UNSYNCED;
}

static int open_capture(pcap_t *p)
{
	struct afxdp *a = p->priv;
	struct capture_options o = {.snaplen = (uint32_t)p->snapshot,
				    .promiscuous = p->opt.promisc != 0,
				    .immediate = p->opt.immediate != 0,
				    .coarse_time = p->opt.tstamp_type == PCAP_TSTAMP_HOST_LOWPREC,
				    .nic_time = wants_nic_time(p),
				    .nic_synced = p->opt.tstamp_type == PCAP_TSTAMP_ADAPTER,
				    .filter_follows = true};
	int err = capture_parse_device(p->opt.device, &o, p->errbuf, PCAP_ERRBUF_SIZE);

	if (err)
		return err;
	raise_ring_size(p, &o);
	return capture_open(&a->capture, &o, p->errbuf, PCAP_ERRBUF_SIZE);
}

static int afxdp_activate(pcap_t *p)
{
	struct afxdp *a = p->priv;
	int err;

	if (p->opt.rfmon)
		return PCAP_ERROR_RFMON_NOTSUP;
	if (p->snapshot <= 0 || p->snapshot > MAXIMUM_SNAPLEN)
		p->snapshot = MAXIMUM_SNAPLEN;
	err = open_capture(p);
	if (err) /* nothing to undo; the application may activate again */
		return pcap_status(err);
	a->nic_time = capture_has_nic_time(a->capture);
	set_operations(p);
	p->fd = p->selectable_fd = capture_fd(a->capture);
	capture_rest(a->capture); /* an application may select before it reads */
	if (capture_sockets(a->capture))
		debug("%s: diverted to %s", p->opt.device, capture_sockets(a->capture));
	if (!capture_warning(a->capture))
		return 0;
	snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "%s", capture_warning(a->capture));
	debug("%s: %s", p->opt.device, p->errbuf);
	return wants_nic_time(p) && !a->nic_time ? PCAP_WARNING_TSTAMP_TYPE_NOTSUP : PCAP_WARNING;
}

/*
 * The host's stamps are taken when the driver hands the frame over, in ns; those of low precision
 * are the time of the clock's last tick, for which it need not be read. Those of the interface
 * are by its own clock, or converted to the host's where the kernel can compare the two.
 */
static int set_types(pcap_t *p, const char *device)
{
	p->tstamp_type_list = malloc(5 * sizeof(u_int));
	if (!p->tstamp_type_list)
		return -1;
	p->tstamp_type_list[0] = PCAP_TSTAMP_HOST;
	p->tstamp_type_list[1] = PCAP_TSTAMP_HOST_HIPREC;
	p->tstamp_type_list[2] = PCAP_TSTAMP_HOST_LOWPREC;
	p->tstamp_type_count = 3;
	if (capture_offers_nic_time(device, true))
		p->tstamp_type_list[p->tstamp_type_count++] = PCAP_TSTAMP_ADAPTER;
	if (capture_offers_nic_time(device, false))
		p->tstamp_type_list[p->tstamp_type_count++] = PCAP_TSTAMP_ADAPTER_UNSYNCED;
	return 0;
}

static int set_precisions(pcap_t *p)
{
	p->tstamp_precision_list = malloc(2 * sizeof(u_int));
	if (!p->tstamp_precision_list)
		return -1;
	p->tstamp_precision_list[0] = PCAP_TSTAMP_PRECISION_MICRO;
	p->tstamp_precision_list[1] = PCAP_TSTAMP_PRECISION_NANO;
	p->tstamp_precision_count = 2;
	return 0;
}

pcap_t *afxdp_create(const char *device, char *errbuf, int *is_ours)
{
	pcap_t *p;

	*is_ours = strncmp(device, CAPTURE_PREFIX, strlen(CAPTURE_PREFIX)) == 0;
	if (!*is_ours)
		return NULL;
	p = PCAP_CREATE_COMMON(errbuf, struct afxdp);
	if (!p)
		return NULL;
	p->activate_op = afxdp_activate;
	if (set_precisions(p) || set_types(p, device)) {
		snprintf(errbuf, PCAP_ERRBUF_SIZE, "malloc: %s", strerror(errno));
		pcap_close(p);
		return NULL;
	}
	return p;
}

/* Add "xdp:IFACE" for an interface that is listed already. */
static int add_interface(pcap_if_list_t *list, const char *ifname, char *errbuf)
{
	char name[sizeof(CAPTURE_PREFIX) + IFNAMSIZ], description[64];
	pcap_if_t *ordinary = pcapint_find_dev(list, ifname);

	/* Loopback has no native XDP; what libpcap does not list, such as "any", is no interface.
	 */
	if (!ordinary || ordinary->flags & PCAP_IF_LOOPBACK)
		return 0;
	snprintf(name, sizeof(name), CAPTURE_PREFIX "%s", ifname);
	snprintf(description, sizeof(description), "%s at the XDP layer", ifname);
	/* Without PCAP_IF_RUNNING libpcap sorts it behind all ordinary devices. */
	if (!pcapint_add_dev(list, name, ordinary->flags & PCAP_IF_UP, description, errbuf))
		return -1;
	return 0;
}

/*
 * Only with PCAP_AFXDP_LIST=1 in the environment: Wireshark opens every device that is listed, and
 * opening one of these attaches an XDP program.
 */
int afxdp_findalldevs(pcap_if_list_t *list, char *errbuf)
{
	const char *wanted = getenv("PCAP_AFXDP_LIST");
	struct if_nameindex *all;
	int err = 0;

	if (!wanted || strcmp(wanted, "1") != 0)
		return 0;
	all = if_nameindex();
	if (!all) {
		snprintf(errbuf, PCAP_ERRBUF_SIZE, "if_nameindex: %s", strerror(errno));
		return -1;
	}
	for (struct if_nameindex *i = all; i->if_index && !err; i++)
		err = add_interface(list, i->if_name, errbuf);
	if_freenameindex(all);
	return err;
}
