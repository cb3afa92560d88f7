/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "interfaces.h"
#include "util/harmless.h"
#include "util/json.h"
#include "util/offloads.h"
#include "util/uapi.h"

static bool ask(int s, const char *name, unsigned long what, struct ifreq *r)
{
	*r = (struct ifreq){.ifr_ifindex = 0};
	memcpy(r->ifr_name, name, strnlen(name, IFNAMSIZ - 1));
	return ioctl(s, what, r) == 0;
}

static void get_driver(struct interface *i, int s)
{
	struct ethtool_drvinfo d = {.cmd = ETHTOOL_GDRVINFO};

	if (offloads_ethtool(s, i->name, &d))
		return;
	snprintf(i->driver, sizeof(i->driver), "%.32s", d.driver);
	snprintf(i->version, sizeof(i->version), "%.32s", d.version);
	snprintf(i->firmware, sizeof(i->firmware), "%.32s", d.fw_version);
	snprintf(i->bus, sizeof(i->bus), "%.32s", d.bus_info);
}

/* The first call returns the length of the masks behind the settings, as a negative number. */
static void get_speed(struct interface *i, int s)
{
	struct {
		struct ethtool_link_settings settings;
		uint32_t masks[3 * 127];
	} l = {.settings = {.cmd = ETHTOOL_GLINKSETTINGS}};

	if (offloads_ethtool(s, i->name, &l) || l.settings.link_mode_masks_nwords >= 0)
		return;
	l.settings.link_mode_masks_nwords = (int8_t)-l.settings.link_mode_masks_nwords;
	if (offloads_ethtool(s, i->name, &l) || l.settings.speed == (uint32_t)SPEED_UNKNOWN)
		return;
	i->speed = l.settings.speed * 1000000ULL;
}

int interface_get(struct interface *i, const char *name)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq r;

	if (s < 0)
		return -errno;
	*i = (struct interface){.index = if_nametoindex(name)};
	snprintf(i->name, sizeof(i->name), "%s", name);
	if (i->index) {
		i->loopback = ask(s, name, SIOCGIFFLAGS, &r) && r.ifr_flags & IFF_LOOPBACK;
		if (ask(s, name, SIOCGIFHWADDR, &r)) {
			i->hatype = r.ifr_hwaddr.sa_family;
			memcpy(i->mac, r.ifr_hwaddr.sa_data, sizeof(i->mac));
		}
		get_driver(i, s);
		get_speed(i, s);
	}
	close(s);
	return i->index ? 0 : -ENODEV;
}

void interface_hardware(const struct interface *i, char *text, size_t size)
{
	if (!i->driver[0]) {
		text[0] = 0;
		return;
	}
	snprintf(text, size, "driver %s%s%s%s%s%s%s", i->driver, i->version[0] ? " " : "",
		 i->version, i->firmware[0] ? ", firmware " : "", i->firmware,
		 i->bus[0] ? ", bus " : "", i->bus);
}

void interface_program(const char *ifname, struct xdp_program *p)
{
	struct afxdp_interface f;

	*p = (struct xdp_program){.id = 0};
	if (afxdp_look(ifname, &f, sizeof(f)) || !f.xdp_program)
		return;
	if (program_find(p, f.xdp_program))
		*p = (struct xdp_program){.id = f.xdp_program};
}

void interface_programs(const char *ifname, char *text, size_t size)
{
	struct xdp_program programs[PROGRAMS_MAX];
	struct afxdp_interface f;
	int n = 0;

	if (afxdp_look(ifname, &f, sizeof(f)) == 0 && f.xdp_program)
		n = programs_find(f.xdp_program, programs);
	programs_list(programs, n > 0 ? (unsigned)n : 0, text, size);
}

static const char *native_xdp(const struct afxdp_interface *f)
{
	if (!f->has_xdp_features)
		return "unknown";
	return f->xdp_features & NETDEV_XDP_ACT_BASIC ? "yes" : "no";
}

/*
 * The kernel's name of a program, and its id in columns 51 to 55, because scripts cut it from there
 * in the list of xdp-tools' xdpdump, as its tests do.
 */
#define PROGRAM_COLUMNS "%-21s %-5u"

/* The programs of a dispatcher are listed for --program-names; only root can see them. */
static void print_text(const struct interface *i, const struct afxdp_interface *f,
		       const struct xdp_program *programs, int n)
{
	char holder[64] = "<No XDP program loaded!>";

	if (n)
		snprintf(holder, sizeof(holder), PROGRAM_COLUMNS,
			 programs->name[0] ? programs->name : "program", programs->id);
	harmless_print(stdout, "%-8u  %-16s  %-32s  %02x:%02x:%02x:%02x:%02x:%02x  %-10s  %s\n",
		       i->index, i->name, holder, i->mac[0], i->mac[1], i->mac[2], i->mac[3],
		       i->mac[4], i->mac[5], native_xdp(f), i->driver[0] ? i->driver : "-");
	for (int k = 1; k < n; k++)
		harmless_print(stdout, "%-8s  %-16s  " PROGRAM_COLUMNS "  %s\n", "", " =>",
			       programs[k].name, programs[k].id, programs[k].function);
}

static void print_json(const struct interface *i, const struct afxdp_interface *f,
		       const struct xdp_program *programs, int n)
{
	printf("{\"index\":%u", i->index);
	json_member(stdout, "interface", i->name);
	printf(",\"schema\":" JSON_SCHEMA ",\"mac\":\"%02x:%02x:%02x:%02x:%02x:%02x\"", i->mac[0],
	       i->mac[1], i->mac[2], i->mac[3], i->mac[4], i->mac[5]);
	json_member(stdout, "native_xdp", native_xdp(f));
	json_member(stdout, "driver", i->driver);
	fputs(",\"programs\":[", stdout);
	for (int k = 0; k < n; k++) {
		printf("%s{\"id\":%u", k ? "," : "", programs[k].id);
		json_member(stdout, "function", programs[k].function);
		putchar('}');
	}
	fputs("]}\n", stdout);
}

/*
 * The program in the hook, and those it calls if it is a dispatcher; without names if we may not
 * look at them.
 */
static void print_one(const struct interface *i, const struct afxdp_interface *f, bool json)
{
	struct xdp_program programs[PROGRAMS_MAX] = {{.id = f->xdp_program}};
	int n = f->xdp_program ? programs_find(f->xdp_program, programs) : 0;

	if (f->xdp_program && n < 1)
		n = 1;
	(json ? print_json : print_text)(i, f, programs, n);
}

int interfaces_list(bool json)
{
	struct if_nameindex *all = if_nameindex();
	struct interface i;
	struct afxdp_interface f;

	if (!all)
		return -errno;
	if (!json)
		printf("%-8s  %-16s  %-21s %-10s  %-17s  %-10s  %s\n", "if_index", "if_name",
		       "XDP program", "ID", "MAC", "Native XDP", "Driver");
	for (struct if_nameindex *n = all; n->if_index; n++)
		if (interface_get(&i, n->if_name) == 0 &&
		    afxdp_look(n->if_name, &f, sizeof(f)) == 0)
			print_one(&i, &f, json);
	if_freenameindex(all);
	return 0;
}
