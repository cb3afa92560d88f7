/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The device: link, driver, offloads, time stamps. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "patient.h"
#include "rehearsal.h"
#include "xdpdump/source/patterns.h"

/* Many interfaces share one packet socket: there is no hook or driver to look at. */
static enum result check_many(const struct patient *p, struct finding *f)
{
	char why[sizeof(f->text)];

	if (p->rehearsal->works)
		return say(RESULT_OK, f, "%s: many, captured by one packet socket", p->name);
	rehearsal_reason(p->rehearsal, why, sizeof(why));
	return say(RESULT_FAILURE, f, "%s", why);
}

enum result check_missing(const struct patient *p, struct finding *f)
{
	if (pattern_is(p->name))
		return check_many(p, f);
	remedy(p, f, "%s -D", program_invocation_short_name);
	return say(RESULT_FAILURE, f, "%s: %s", p->name,
		   p->missing == -ENODEV ? "no such interface" : strerror(-p->missing));
}

enum result check_link(const struct patient *p, struct finding *f)
{
	unsigned flags = p->plan.interface.flags;

	if (!(flags & IFF_UP)) {
		remedy(p, f, "ip link set %s up", p->name);
		return say(RESULT_FAILURE, f, "%s is down", p->name);
	}
	if (!(flags & IFF_RUNNING))
		return say(RESULT_WARNING, f, "up, without a carrier: nothing will be received");
	if (!p->interface.speed)
		return say(RESULT_OK, f, "up");
	return say(RESULT_OK, f, "up, %llu Mb/s", (unsigned long long)p->interface.speed / 1000000);
}

enum result check_driver(const struct patient *p, struct finding *f)
{
	char text[INTERFACE_HARDWARE_SIZE];

	interface_hardware(&p->interface, text, sizeof(text));
	return say(RESULT_OK, f, "%s",
		   text[0] ? text + strlen("driver ") : "does not report its name");
}

/* A driver that merges frames in hardware, before XDP, refuses the program or stops merging. */
static enum result judge_merging_below(const struct patient *p, struct finding *f, const char *list)
{
	remedy(p, f, "ethtool -K %s lro off rx-gro-hw off", p->name);
	return say(RESULT_WARNING, f,
		   "%s: the device merges frames before XDP; it stops while a program is attached, or refuses the program (atlantic goes on)",
		   list);
}

static enum result judge_merging_above(const struct patient *p, struct finding *f, const char *list)
{
	remedy(p, f, "ethtool -K %s gro off lro off", p->name);
	return say(RESULT_WARNING, f,
		   "%s: what is captured behind XDP may have been merged, several frames into one",
		   list);
}

enum result check_offloads(const struct patient *p, struct finding *f)
{
	static const struct {
		const char *feature, *name;
	} shown[] = {{"rx-gro", "gro"},
		     {"rx-lro", "lro"},
		     {"rx-gro-hw", "rx-gro-hw"},
		     {"tx-generic-segmentation", "gso"},
		     {"tx-tcp-segmentation", "tso"},
		     {"rx-vlan-hw-parse", "rxvlan"}};
	bool merges = patient_has(p, "rx-lro") || patient_has(p, "rx-gro-hw");
	enum afxdp_hook in = p->plan.received;
	char list[160] = "";

	if (!p->offloads.count)
		return say(RESULT_OK, f, "the driver does not report it");
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s %s", i ? ", " : "",
			 shown[i].name, patient_has(p, shown[i].feature) ? "on" : "off");
	if (in == AFXDP_HOOK_XDP && merges)
		return judge_merging_below(p, f, list);
	if ((in == AFXDP_HOOK_TC || in == AFXDP_HOOK_PACKET) && !patient_is_traced(p) &&
	    (merges || patient_has(p, "rx-gro")))
		return judge_merging_above(p, f, list);
	return say(RESULT_OK, f, "%s", list);
}

enum result check_time_stamps(const struct patient *p, struct finding *f)
{
	const struct afxdp_interface *i = &p->plan.interface;
	char clock[32] = "a clock of its own";

	if (!i->has_clock)
		return say(RESULT_OK, f,
			   "the host's, taken in the kernel; the device has none for all frames");
	if (i->clock >= 0)
		snprintf(clock, sizeof(clock), "its clock /dev/ptp%d", i->clock);
	return say(RESULT_OK, f,
		   "the device stamps frames by %s and reports %s (-j adapter_unsynced)", clock,
		   i->gives_time ? "XDP" : "tc, not XDP");
}

enum result check_fcs(const struct patient *p, struct finding *f)
{
	if (!patient_has(p, "rx-fcs"))
		return say(RESULT_OK, f, "not part of what is captured");
	remedy(p, f, "ethtool -K %s rx-fcs off", p->name);
	return say(RESULT_WARNING, f, "frames come with their check sequence, 4 bytes more each");
}

/*
 * From the source of Linux 6.12. The kernel adds to rx_dropped the frames that no protocol wanted.
 * A capture has these, so rx_dropped does not count what a capture misses.
 */
enum result check_counters(const struct patient *p, struct finding *f)
{
	static const char *const drivers[] = {"ena", "nfp", "sfc", "nicvf", "virtio_net", "mvneta"};

	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (strcmp(drivers[i], p->interface.driver) == 0)
			return say(RESULT_OK, f,
				   "what the device drops is in rx_dropped (ip -s link), with frames that nobody wanted: a capture does not count it");
	return RESULT_NOT_APPLICABLE;
}
