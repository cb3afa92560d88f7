/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp-plain.c: Captures on interfaces by their plain names at the XDP
 * layer, if PCAP_AFXDP lists them, as if libpcap itself did it there.
 *
 * The handle is the one that libpcap makes for the interface, with its lists
 * and its private data; only the activate operation is replaced. If this module
 * cannot do what is asked, it puts the handle back as libpcap made it, and
 * calls libpcap's own activate.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv */
#endif
#include <config.h>

#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pcap-int.h"
#include "pcap-afxdp-int.h"
#include "pcap-afxdp-plain.h"

#include "afxdpcapture.h"

/*
 * In a program with file capabilities or set-user-ID, the user who sets the
 * variable does not have the program's privilege.
 */
#define LIST secure_getenv("PCAP_AFXDP")

struct plain {
	struct afxdp
	    ours; /* first: pcap-afxdp.c sees this as the private data */
	/* The handle's members as libpcap made them. */
	void *priv;
	activate_op_t activate;
	cleanup_op_t cleanup;
};

static void
put_back(pcap_t *p)
{
	struct plain *a = p->priv;

	p->priv = a->priv;
	p->activate_op = a->activate;
	p->cleanup_op = a->cleanup;
	free(a);
}

/*
 * Only libpcap's activate can free its private data, which it does when it
 * fails. So activate gets an interface name that it refuses as too long before
 * it does anything else. Who frees the handle's own name depends on libpcap's
 * version: up to 1.10.1 pcap_close() has already done so; up to 1.10.6 activate
 * has freed the substitute and set the member to NULL, so this function frees
 * the name; later ones free it when this function has returned.
 */
static void
plain_cleanup(pcap_t *p)
{
	char *refused = strdup("the name of no interface"),
	     *device = p->opt.device;

	pcap_close_afxdp(p);
	put_back(p);
	if (!refused) {
		p->cleanup_op(p);
		return;
	}
	p->opt.device = refused;
	p->activate_op(p);
	if (!p->opt.device) {
		free(device);
		return;
	}
	free(refused);
	p->opt.device = device;
}

static bool
has_file(const char *device, const char *name)
{
	char path[sizeof("/sys/class/net//") + IFNAMSIZ + 32];

	snprintf(path, sizeof(path), "/sys/class/net/%.*s/%s", IFNAMSIZ, device,
		 name);
	return access(path, F_OK) == 0;
}

static int
hardware_type(const char *device)
{
	struct ifreq r = {.ifr_name = ""};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), err;

	if (s < 0)
		return -1;
	memcpy(r.ifr_name, device, strnlen(device, IFNAMSIZ - 1));
	err = ioctl(s, SIOCGIFHWADDR, &r);
	close(s);
	return err ? -1 : r.ifr_hwaddr.sa_family;
}

/*
 * Does libpcap treat its frames as what ours are, Ethernet or raw IP? The same
 * tests as in pcap-linux.c.
 */
static bool
has_our_link_type(const char *device)
{
	switch (hardware_type(device)) {
	case ARPHRD_ETHER:
		return strncmp(device, "isdn", 4) != 0 &&
		       strncmp(device, "isdY", 4) != 0 &&
		       strncmp(device, "cdma_rmnet", 10) != 0 &&
		       !has_file(device, "dsa/tagging");
	case ARPHRD_LOOPBACK:
	case ARPHRD_NONE:
	case ARPHRD_TUNNEL:
	case ARPHRD_SIT:
	case -1: /* activate will say what is wrong */
		return true;
	default:
		return false;
	}
}

/* Returns what the application asked for that is not possible here, or NULL. */
static const char *
why_not_ours(const pcap_t *p)
{
	if (p->opt.rfmon)
		return "monitor mode was asked for";
	if (p->opt.protocol)
		return "a protocol was asked for";
	if (p->opt.tstamp_type == PCAP_TSTAMP_ADAPTER ||
	    p->opt.tstamp_type == PCAP_TSTAMP_ADAPTER_UNSYNCED)
		return "time stamps of the interface were asked for";
	if (!has_our_link_type(p->opt.device))
		return "its link type is neither Ethernet nor raw IP";
	return NULL;
}

/*
 * Choosing DOCSIS changes nothing but the number of the link type: libpcap's
 * own device does the same.
 */
static int
plain_set_datalink(pcap_t *p, int dlt)
{
	p->linktype = dlt;
	return 0;
}

/* Offer the link types that AF_PACKET devices offer. */
static void
set_link_types(pcap_t *p)
{
	if (((const struct afxdp *)p->priv)->cooked)
		return;
	p->set_datalink_op = plain_set_datalink;
	if (p->linktype != DLT_EN10MB ||
	    hardware_type(p->opt.device) != ARPHRD_ETHER ||
	    has_file(p->opt.device, "wireless"))
		return;
	p->dlt_list = malloc(2 * sizeof(*p->dlt_list));
	/* As with libpcap's own device: without memory there is no choice. */
	if (!p->dlt_list)
		return;
	p->dlt_list[0] = DLT_EN10MB;
	p->dlt_list[1] = DLT_DOCSIS;
	p->dlt_count = 2;
}

/* PCAP_AFXDP_OPTIONS may name another hook, which is then used. */
static const char *const options[] = {
    "hook", "tc", "tags-beside", "on", NULL,
};

static bool
is_any(const char *device)
{
	return strcmp(device, AFXDP_ANY) == 0;
}

static int
plain_activate(pcap_t *p)
{
	const struct afxdp *a = p->priv;
	const char *why = why_not_ours(p);
	int status = why ? PCAP_ERROR : pcap_activate_afxdp(p);

	if (status >= 0) {
		p->cleanup_op = plain_cleanup;
		set_link_types(p);
		if (a->lib->has_tags_beside(a->capture))
			p->bpf_codegen_flags |= BPF_SPECIAL_VLAN_HANDLING;
		pcap_debug_afxdp("%s: captured at the XDP layer, by %s",
				 p->opt.device, a->lib->hooks(a->capture));
		return status;
	}
	if (!why)
		why = p->errbuf[0] ? p->errbuf : pcap_statustostr(status);
	pcap_debug_afxdp("%s: captured by AF_PACKET: %s", p->opt.device, why);
	put_back(p);
	p->errbuf[0] = 0; /* a status without a message leaves it */
	return p->activate_op(p);
}

static bool
is_listed(const struct afxdp_api *lib, const char *list, const char *device)
{
	char what[AFXDP_ERROR_SIZE];

	if (!lib->check_list(list, what, sizeof(what)))
		pcap_debug_afxdp("PCAP_AFXDP: %s", what);
	if (lib->is_listed(list, device))
		return true;
	pcap_debug_afxdp("%.64s: not in PCAP_AFXDP", device);
	return false;
}

/*
 * Returns the library if the device is one to use it for, else NULL: then
 * libpcap's own capture is used.
 */
static const struct afxdp_api *
library_for(const char *device)
{
	const struct afxdp_api *lib;
	char why[PCAP_ERRBUF_SIZE];
	const char *list = LIST;

	if (!list || !*list)
		return NULL;
	lib = pcap_load_afxdp(why);
	if (!lib)
		pcap_debug_afxdp("%.64s: captured by AF_PACKET: %s", device,
				 why);
	return lib && is_listed(lib, list, device) ? lib : NULL;
}

pcap_t *
pcap_afxdp_plain_create(const char *device, char *errbuf, int *is_ours)
{
	const struct afxdp_api *lib = library_for(device);
	struct plain *a;
	pcap_t *p;

	*is_ours = lib != NULL;
	if (!*is_ours)
		return NULL;
	p = pcapint_create_interface(device, errbuf);
	if (!p)
		return NULL;
	a = calloc(1, sizeof(*a));
	if (!a) {
		pcapint_fmt_errmsg_for_errno(errbuf, PCAP_ERRBUF_SIZE, errno,
					     "malloc");
		pcap_close(p);
		return NULL;
	}
	*a = (struct plain){.ours = {.lib = lib,
				     .more = is_any(device) ? NULL : options},
			    .priv = p->priv,
			    .activate = p->activate_op,
			    .cleanup = p->cleanup_op};
	p->priv = a;
	p->activate_op = plain_activate;
	p->cleanup_op = plain_cleanup;
	return p;
}

/* libpcap itself lists them. */
int
pcap_afxdp_plain_findalldevs(pcap_if_list_t *list, char *errbuf)
{
	(void)list;
	(void)errbuf;
	return 0;
}
