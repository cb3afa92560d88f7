/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp.c: Packet capture at the XDP layer of Linux, devices
 * "xdp:IFACE[,option=value]...".
 *
 * libafxdpcapture does the work; its interface is afxdpcapture.h. This file
 * connects it to a pcap_t.
 */
#include <config.h>

#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/types.h>
#include <net/if.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pcap-int.h"
#include "pcap-afxdp.h"
#include "pcap-afxdp-int.h"

#include "afxdpcapture.h"

static int
pcap_status(int e)
{
	switch (e) {
	case -ENODEV:
		return PCAP_ERROR_NO_SUCH_DEVICE;
	case -EPERM:
	case -EACCES:
		return PCAP_ERROR_PERM_DENIED;
	case -ENETDOWN:
		return PCAP_ERROR_IFACE_NOT_UP;
	default:
		/*
		 * Also for -EOPNOTSUPP: for PCAP_ERROR_CAPTURE_NOTSUP, tcpdump
		 * 4.99.5 prints only the status' own text, without the reason.
		 */
		return PCAP_ERROR;
	}
}

/*
 * Counters are read one after the other, and unread records may be of an
 * earlier filter, so a difference of counters may decrease. What pcap_stats()
 * returns must not.
 */
static u_int
grow(uint64_t *most, uint64_t now)
{
	uint64_t before = __atomic_load_n(most, __ATOMIC_RELAXED);

	/* Several threads may call this at once. */
	while (before < now &&
	       !__atomic_compare_exchange_n(most, &before, now, true,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	return (u_int)(before < now ? now : before);
}

static int
pcap_setfilter_afxdp(pcap_t *p, struct bpf_program *program)
{
	struct afxdp *a = p->priv;
	bool in_user_space;
	int e;

	if (!program) {
		snprintf(p->errbuf, PCAP_ERRBUF_SIZE,
			 "pcap_setfilter() was called without a filter");
		return PCAP_ERROR;
	}
	/* Validates the program, and keeps a copy in the handle. */
	if (pcapint_install_bpf_program(p, program) < 0)
		return PCAP_ERROR;
	e = a->lib->set_filter(a->capture,
			       (const struct sock_filter *)p->fcode.bf_insns,
			       p->fcode.bf_len, p->errbuf, PCAP_ERRBUF_SIZE);
	if (e)
		return PCAP_ERROR;
	pcap_debug_afxdp("%s: filter %s", p->opt.device,
			 a->lib->filter_text(a->capture));
	if (a->lib->filter_log(a->capture))
		pcap_debug_afxdp("%s", a->lib->filter_log(a->capture));
	/*
	 * Not an error, so the function returns 0: pcap_geterr() returns this
	 * text, and no longer that of an earlier filter.
	 */
	p->errbuf[0] = '\0';
	in_user_space = a->lib->filter_level(a->capture) == AFXDP_LEVEL_USER;
	/* Another thread may be in choose(). */
	__atomic_store_n(&a->in_user_space, in_user_space, __ATOMIC_RELAXED);
	if (in_user_space)
		snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "The filter runs %s",
			 a->lib->filter_text(a->capture));
	return 0;
}

static int
pcap_setdirection_afxdp(pcap_t *p, pcap_direction_t direction)
{
	struct afxdp *a = p->priv;

	a->lib->set_directions(a->capture, direction != PCAP_D_OUT,
			       direction != PCAP_D_IN);
	p->direction = direction;
	a->chooses = true; /* also for the run that is being read */
	return 0;
}

static int
pcap_stats_afxdp(pcap_t *p, struct pcap_stat *stats)
{
	struct afxdp *a = p->priv;
	struct afxdp_stats s;
	int e = a->lib->stats(a->capture, &s, sizeof(s));

	if (e) {
		pcapint_fmt_errmsg_for_errno(p->errbuf, PCAP_ERRBUF_SIZE, -e,
					     "Reading statistics");
		return PCAP_ERROR;
	}
	/*
	 * As on other Linux devices: packets that passed the filter, including
	 * those then lost. With a filter in user space every frame counts,
	 * because what it rejects is known only when it is read.
	 */
	stats->ps_recv =
	    grow(&a->received,
		 afxdp_stats_accepted(&s) +
		     __atomic_load_n(&a->refused, __ATOMIC_RELAXED));
	stats->ps_drop = grow(&a->lost, afxdp_stats_lost(&s));
	stats->ps_ifdrop = grow(&a->nic_dropped, s.nic_dropped);
	return 0;
}

static int
pcap_inject_afxdp(pcap_t *p, const void *frame, int size)
{
	struct afxdp *a = p->priv;
	int n;

	if (a->cooked) {
		pcapint_strlcpy(p->errbuf,
				"Sending packets isn't supported on the \"any\" device",
				PCAP_ERRBUF_SIZE);
		return PCAP_ERROR;
	}
	n = a->lib->inject(a->capture, frame, (size_t)size);
	if (n < 0) {
		if (n == -EOPNOTSUPP)
			snprintf(p->errbuf, PCAP_ERRBUF_SIZE,
				 "The loader process opened this device for capturing alone: to send, run as root, or setcap " AFXDP_CAPABILITIES
				 " on this program");
		else if (n == -ENXIO)
			pcapint_strlcpy(p->errbuf, "The interface disappeared",
					PCAP_ERRBUF_SIZE);
		else
			pcapint_fmt_errmsg_for_errno(p->errbuf,
						     PCAP_ERRBUF_SIZE, -n,
						     "send");
		/* As elsewhere: a non-blocking caller looks for EAGAIN. */
		errno = -n;
		return PCAP_ERROR;
	}
	return n;
}

static int
pcap_getnonblock_afxdp(pcap_t *p)
{
	return ((struct afxdp *)p->priv)->nonblock;
}

static int
pcap_setnonblock_afxdp(pcap_t *p, int nonblock)
{
	struct afxdp *a = p->priv;
	int e = a->lib->set_blocking(a->reader, !nonblock);

	if (e) {
		pcapint_fmt_errmsg_for_errno(p->errbuf, PCAP_ERRBUF_SIZE, -e,
					     "eventfd");
		return PCAP_ERROR;
	}
	a->nonblock = nonblock;
	return 0;
}

static void
pcap_breakloop_afxdp(pcap_t *p)
{
	struct afxdp *a = p->priv;

	pcapint_breakloop_common(p);
	if (a->capture)
		a->lib->wake(a->reader);
}

static void
tell_at_end(const pcap_t *p)
{
	const struct afxdp *a = p->priv;
	struct afxdp_stats s;

	if (!a->capture || !pcap_is_debugging_afxdp() ||
	    a->lib->stats(a->capture, &s, sizeof(s)))
		return;
	if (s.injected)
		pcap_debug_afxdp("%s: %llu packets sent by AF_XDP, %llu by a packet socket",
				 p->opt.device, (unsigned long long)s.injected,
				 (unsigned long long)s.injected_packet);
	if (a->nic_time && s.unstamped)
		pcap_debug_afxdp("%s: %llu packets without a time stamp of the interface",
				 p->opt.device,
				 (unsigned long long)s.unstamped);
}

static pthread_mutex_t active_lock = PTHREAD_MUTEX_INITIALIZER;
static struct afxdp *active;
unsigned pcap_closed_afxdp;

static void
enter_active(struct afxdp *a)
{
	static uint64_t numbers;

	pthread_mutex_lock(&active_lock);
	a->number = ++numbers;
	a->other = active;
	active = a;
	pthread_mutex_unlock(&active_lock);
}

static void
leave_active(const struct afxdp *a)
{
	struct afxdp **at = &active;

	pthread_mutex_lock(&active_lock);
	while (*at && *at != a)
		at = &(*at)->other;
	if (*at)
		*at = a->other;
	pthread_mutex_unlock(&active_lock);
	__atomic_fetch_add(&pcap_closed_afxdp, 1, __ATOMIC_RELAXED);
}

bool
pcap_is_open_afxdp(const struct afxdp *a, uint64_t number)
{
	const struct afxdp *at;
	bool is_open;

	pthread_mutex_lock(&active_lock);
	for (at = active; at && at != a; at = at->other)
		;
	is_open = at && at->number == number;
	pthread_mutex_unlock(&active_lock);
	return is_open;
}

void
pcap_close_afxdp(pcap_t *p)
{
	struct afxdp *a = p->priv;

	leave_active(a);
	tell_at_end(p);
	p->fd = -1; /* it belongs to the capture, which closes it */
	p->selectable_fd = -1;
	a->lib->close(a->capture);
	a->capture = NULL;
}

static void
pcap_cleanup_afxdp(pcap_t *p)
{
	pcap_close_afxdp(p);
	pcapint_cleanup_live_common(p);
}

static void
set_operations(pcap_t *p)
{
	struct afxdp *a = p->priv;

	p->set_datalink_op = NULL; /* there is one link type */
	p->linktype =
	    a->lib->has_link_header(a->capture) ? DLT_EN10MB : DLT_RAW;
	a->cooked = a->lib->is_cooked(a->capture);
	if (a->cooked)
		pcap_set_links_any(p);
	p->read_op = pcap_read_afxdp;
	p->inject_op = pcap_inject_afxdp;
	p->setfilter_op = pcap_setfilter_afxdp;
	p->setdirection_op = pcap_setdirection_afxdp;
	p->getnonblock_op = pcap_getnonblock_afxdp;
	p->setnonblock_op = pcap_setnonblock_afxdp;
	p->stats_op = pcap_stats_afxdp;
	p->breakloop_op = pcap_breakloop_afxdp;
	p->cleanup_op = pcap_cleanup_afxdp;
	/* The library answers the loads of inbound, outbound and ifindex. */
	p->bpf_codegen_flags |= BPF_SPECIAL_BASIC_HANDLING;
}

static bool
wants_nic_time(const pcap_t *p)
{
	return p->opt.tstamp_type == PCAP_TSTAMP_ADAPTER ||
	       p->opt.tstamp_type == PCAP_TSTAMP_ADAPTER_UNSYNCED;
}

static const char *
on_if(bool on)
{
	return on ? "on" : "off";
}

/*
 * Set what the application has asked for. Its buffer size is a minimum for the
 * rings.
 */
static int
set_options(pcap_t *p, struct afxdp_options *o)
{
	const struct afxdp *a = p->priv;
	char snaplen[16], buffer[16], delay[16];
	const struct {
		const char *name, *value;
	} given[] = {
	    {"snaplen", snaplen},
	    {"buffer", p->opt.buffer_size > 0 ? buffer : NULL},
	    {"promiscuous", on_if(p->opt.promisc)},
	    {"immediate", on_if(p->opt.immediate)},
	    {"delay", p->opt.timeout > 0 ? delay : NULL},
	    {"coarse-time",
	     on_if(p->opt.tstamp_type == PCAP_TSTAMP_HOST_LOWPREC)},
	    {"nic-time", on_if(wants_nic_time(p))},
	    {"nic-synced", on_if(p->opt.tstamp_type == PCAP_TSTAMP_ADAPTER)},
	    {"filter-follows", "later"},
	};
	int e = 0;

	snprintf(snaplen, sizeof(snaplen), "%d", p->snapshot);
	snprintf(buffer, sizeof(buffer), "%d", p->opt.buffer_size);
	snprintf(delay, sizeof(delay), "%d", p->opt.timeout);
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]) && !e; i++)
		if (given[i].value)
			e = a->lib->options_set(o, given[i].name,
						given[i].value, p->errbuf,
						PCAP_ERRBUF_SIZE);
	for (const char *const *m = a->more; m && *m && !e; m += 2)
		e = a->lib->options_set(o, m[0], m[1], p->errbuf,
					PCAP_ERRBUF_SIZE);
	if (!e)
		e = a->lib->options_device(o, p->opt.device, p->errbuf,
					   PCAP_ERRBUF_SIZE);
	return e;
}

/* The library may write sentences longer than errbuf, such as a list of all
 * options. */
static void
mark_cut(char *errbuf)
{
	static const char rest[] = "... (see pcap-afxdp(7))";

	if (strlen(errbuf) == PCAP_ERRBUF_SIZE - 1)
		memcpy(errbuf + PCAP_ERRBUF_SIZE - sizeof(rest), rest,
		       sizeof(rest));
}

static int
open_capture(pcap_t *p)
{
	struct afxdp *a = p->priv;
	struct afxdp_options *o = a->lib->options_new();
	int e;

	if (!o) {
		pcapint_fmt_errmsg_for_errno(p->errbuf, PCAP_ERRBUF_SIZE,
					     ENOMEM, "malloc");
		return -ENOMEM;
	}
	e = set_options(p, o);
	if (!e)
		e = a->lib->open(&a->capture, o, p->errbuf, PCAP_ERRBUF_SIZE);
	if (!e) {
		a->reader = a->lib->reader(a->capture);
		a->warns = a->lib->options_have(o, "warn", "on");
		/* If frames are kept from the host, each read must reach the
		 * library, as a sign that somebody reads. */
		a->keeps_runs = a->lib->options_have(o, "engine", "tap") &&
				a->lib->options_have(o, "after", "pass");
	}
	a->lib->options_free(o);
	if (e)
		mark_cut(p->errbuf);
	return e;
}

/*
 * Many programs take any status except 0 for a failure. So a note leads to a
 * warning status only if libpcap defines one for it, or with warn=on.
 */
static int
tell_note(pcap_t *p)
{
	struct afxdp *a = p->priv;
	const char *note = a->lib->warning(a->capture);

	bool is_any = !note && p->opt.promisc && a->cooked;

	a->note = note;
	if (is_any)
		note = "Promiscuous mode not supported on the \"any\" device";
	snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "%s", note ? note : "");
	mark_cut(p->errbuf);
	if (!note)
		return 0;
	pcap_debug_afxdp("%s: %s", p->opt.device, note);
	if (is_any)
		return PROMISC_OF_ANY_STATUS;
	if (wants_nic_time(p) && !a->nic_time)
		return PCAP_WARNING_TSTAMP_TYPE_NOTSUP;
	if (p->opt.promisc && !a->lib->is_promiscuous(a->capture))
		return PCAP_WARNING_PROMISC_NOTSUP;
	return a->warns ? PCAP_WARNING : 0;
}

/*
 * pcap_set_protocol_linux() is for the socket of AF_PACKET devices. If it were
 * ignored here, the application would get frames that it does not want.
 */
static int
refuse_protocol(pcap_t *p)
{
	snprintf(p->errbuf, PCAP_ERRBUF_SIZE,
		 "xdp: devices capture all protocols: leave out pcap_set_protocol_linux(), and set a filter such as ether proto 0x%04x",
		 (unsigned)p->opt.protocol);
	return PCAP_ERROR;
}

int
pcap_activate_afxdp(pcap_t *p)
{
	struct afxdp *a = p->priv;
	int e;

	p->errbuf[0] = '\0';
	if (p->opt.rfmon)
		return PCAP_ERROR_RFMON_NOTSUP;
	if (p->opt.protocol && p->opt.protocol != ETH_P_ALL)
		return refuse_protocol(p);
	if (p->snapshot <= 0 || p->snapshot > MAXIMUM_SNAPLEN)
		p->snapshot = MAXIMUM_SNAPLEN;
	pcap_raise_snapshot_any(p);
	e = open_capture(p);
	if (e) /* nothing to undo; the application may activate again */
		return pcap_status(e);
	enter_active(a);
	a->nic_time = a->lib->has_nic_time(a->capture);
	p->bufsize = p->snapshot; /* as on other devices: no packet is longer */
	set_operations(p);
	if (p->opt.timeout < 0) /* as on AF_PACKET devices: do not wait */
		pcap_setnonblock_afxdp(p, 1);
	p->fd = p->selectable_fd = a->lib->fd(a->reader);
	a->lib->rest(a->reader); /* an application may select before it reads */
	if (a->lib->diverted_to(a->capture))
		pcap_debug_afxdp("%s: diverted to %s", p->opt.device,
				 a->lib->diverted_to(a->capture));
	return tell_note(p);
}

/*
 * The host's stamps are taken when the driver hands the frame over, in ns.
 * Those of low precision are the time of the clock's last tick, so that the
 * clock need not be read. Those of the interface are by its own clock, or
 * converted to the host's if the kernel can compare the two clocks.
 */
static int
set_types(pcap_t *p, const char *device)
{
	const struct afxdp *a = p->priv;
	char unread[AFXDP_ERROR_SIZE];
	struct afxdp_options *o;
	int offered = 0;

	p->tstamp_type_list = malloc(5 * sizeof(u_int));
	if (!p->tstamp_type_list)
		return -1;
	p->tstamp_type_list[0] = PCAP_TSTAMP_HOST;
	p->tstamp_type_list[1] = PCAP_TSTAMP_HOST_HIPREC;
	p->tstamp_type_list[2] = PCAP_TSTAMP_HOST_LOWPREC;
	p->tstamp_type_count = 3;
	o = a->lib->options_new();
	if (o && a->lib->options_device(o, device, unread, sizeof(unread)) == 0)
		offered = a->lib->options_offer_nic_time(o);
	if (offered >= 2)
		p->tstamp_type_list[p->tstamp_type_count++] =
		    PCAP_TSTAMP_ADAPTER;
	if (offered >= 1)
		p->tstamp_type_list[p->tstamp_type_count++] =
		    PCAP_TSTAMP_ADAPTER_UNSYNCED;
	a->lib->options_free(o);
	return 0;
}

static int
set_precisions(pcap_t *p)
{
	p->tstamp_precision_list = malloc(2 * sizeof(u_int));
	if (!p->tstamp_precision_list)
		return -1;
	p->tstamp_precision_list[0] = PCAP_TSTAMP_PRECISION_MICRO;
	p->tstamp_precision_list[1] = PCAP_TSTAMP_PRECISION_NANO;
	p->tstamp_precision_count = 2;
	return 0;
}

pcap_t *
pcap_afxdp_create(const char *device, char *errbuf, int *is_ours)
{
	const struct afxdp_api *lib;
	pcap_t *p;

	*is_ours = strncmp(device, AFXDP_PREFIX, strlen(AFXDP_PREFIX)) == 0;
	if (!*is_ours)
		return NULL;
	lib = pcap_load_afxdp(errbuf);
	if (!lib)
		return NULL;
	p = PCAP_CREATE_COMMON(errbuf, struct afxdp);
	if (!p)
		return NULL;
	((struct afxdp *)p->priv)->lib = lib;
	p->activate_op = pcap_activate_afxdp;
	if (set_precisions(p) || set_types(p, device)) {
		pcapint_fmt_errmsg_for_errno(errbuf, PCAP_ERRBUF_SIZE, errno,
					     "malloc");
		pcap_close(p);
		return NULL;
	}
	return p;
}

const char *
pcap_afxdp_interface(const char *device, char *name, size_t size)
{
	const char *ifname;
	size_t length = 0;

	if (!device || strncmp(device, AFXDP_PREFIX, strlen(AFXDP_PREFIX)) != 0)
		return device;
	ifname = device + strlen(AFXDP_PREFIX);
	for (; *ifname && *ifname != ','; ifname++) {
		/* A comma behind a backslash belongs to the name. */
		if (ifname[0] == '\\' && ifname[1] == ',')
			ifname++;
		if (length + 1 >=
		    size) /* the part that fits may be another one's name */
			return device;
		name[length++] = *ifname;
	}
	name[length] = '\0';
	return name;
}
