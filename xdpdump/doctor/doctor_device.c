/* SPDX-License-Identifier: BSD-3-Clause */
#include <linux/ethtool.h>
#include <stdio.h>
#include <string.h>

#include "doctor_checks.h"

#define FEATURES_MAX 128 /* of the kernel, about 64 so far */

/* Offloads by the names that the kernel has for them. */
struct features {
	unsigned count;
	struct {
		struct ethtool_gstrings head;
		char name[FEATURES_MAX][ETH_GSTRING_LEN];
	} names;
	struct {
		struct ethtool_gfeatures head;
		struct ethtool_get_features_block block[FEATURES_MAX / 32];
	} bits;
};

/* Nothing is known of a device that does not tell. */
static void get_features(struct features *f, const struct patient *p)
{
	struct {
		struct ethtool_sset_info head;
		uint32_t count;
	} set = {.head = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_FEATURES}};
	unsigned count;

	memset(f, 0, sizeof(*f));
	if (doctor_ethtool(p, &set) || !set.head.sset_mask || set.count > FEATURES_MAX)
		return;
	count = set.count;
	f->names.head = (struct ethtool_gstrings){.cmd = ETHTOOL_GSTRINGS,
						  .string_set = ETH_SS_FEATURES,
						  .len = count};
	f->bits.head =
		(struct ethtool_gfeatures){.cmd = ETHTOOL_GFEATURES, .size = (count + 31) / 32};
	if (doctor_ethtool(p, &f->names) == 0 && doctor_ethtool(p, &f->bits) == 0)
		f->count = count;
}

static bool is_on(const struct features *f, const char *name)
{
	for (unsigned i = 0; i < f->count; i++)
		if (strncmp(f->names.name[i], name, ETH_GSTRING_LEN) == 0)
			return f->bits.block[i / 32].active >> i % 32 & 1;
	return false;
}

static void check_link(struct patient *p)
{
	unsigned flags = p->plan.interface.flags;

	if (!(flags & IFF_UP)) {
		finding_add(&p->found, VERDICT_BAD, "link", "%s is down", p->name);
		finding_fix(&p->found, "ip link set %s up", p->name);
	} else if (!(flags & IFF_RUNNING)) {
		finding_add(&p->found, VERDICT_NOTE, "link",
			    "up, without a carrier: nothing will be received");
	} else if (p->interface.speed) {
		finding_add(&p->found, VERDICT_OK, "link", "up, %llu Mb/s",
			    (unsigned long long)p->interface.speed / 1000000);
	} else {
		finding_add(&p->found, VERDICT_OK, "link", "up");
	}
}

static void check_driver(struct patient *p)
{
	char text[INTERFACE_HARDWARE_SIZE];

	interface_hardware(&p->interface, text, sizeof(text));
	finding_add(&p->found, VERDICT_OK, "driver", "%s",
		    text[0] ? text + strlen("driver ") : "does not tell its name");
}

/* Before XDP: a driver that merges frames in hardware refuses the program, or stops doing so. */
static void judge_merging_below(struct patient *p, const char *list)
{
	finding_add(&p->found, VERDICT_NOTE, "offloads",
		    "%s: the device merges frames before XDP; it stops while a program is attached, or refuses the program",
		    list);
	finding_fix(&p->found, "ethtool -K %s lro off rx-gro-hw off", p->name);
}

static void judge_merging_above(struct patient *p, const char *list)
{
	finding_add(&p->found, VERDICT_NOTE, "offloads",
		    "%s: what is captured behind XDP may have been merged, several frames into one",
		    list);
	finding_fix(&p->found, "ethtool -K %s gro off lro off", p->name);
}

static void check_offloads(struct patient *p, const struct features *f)
{
	static const struct {
		const char *feature, *name;
	} shown[] = {{"rx-gro", "gro"},
		     {"rx-lro", "lro"},
		     {"rx-gro-hw", "rx-gro-hw"},
		     {"tx-generic-segmentation", "gso"},
		     {"tx-tcp-segmentation", "tso"},
		     {"rx-vlan-hw-parse", "rxvlan"}};
	bool merges = is_on(f, "rx-lro") || is_on(f, "rx-gro-hw");
	enum afxdp_hook in = p->plan.received;
	char list[160] = "";

	if (!f->count) {
		finding_add(&p->found, VERDICT_OK, "offloads", "not told by the driver");
		return;
	}
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s %s", i ? ", " : "",
			 shown[i].name, is_on(f, shown[i].feature) ? "on" : "off");
	if (in == AFXDP_HOOK_XDP && merges)
		judge_merging_below(p, list);
	else if ((in == AFXDP_HOOK_TC || in == AFXDP_HOOK_PACKET) && (merges || is_on(f, "rx-gro")))
		judge_merging_above(p, list);
	else
		finding_add(&p->found, VERDICT_OK, "offloads", "%s", list);
}

static void check_time_stamps(struct patient *p)
{
	const struct afxdp_interface *f = &p->plan.interface;
	char clock[32] = "a clock of its own";

	if (!f->has_clock) {
		finding_add(&p->found, VERDICT_OK, "time stamps",
			    "the host's, taken in the kernel; the device has none for all frames");
		return;
	}
	if (f->clock >= 0)
		snprintf(clock, sizeof(clock), "its clock /dev/ptp%d", f->clock);
	finding_add(&p->found, VERDICT_OK, "time stamps",
		    "the device stamps frames by %s and %s XDP; xdpdump takes the host's time",
		    clock, f->gives_time ? "tells" : "does not tell");
}

static void check_fcs(struct patient *p, const struct features *f)
{
	if (is_on(f, "rx-fcs")) {
		finding_add(&p->found, VERDICT_NOTE, "FCS",
			    "frames come with their check sequence, 4 bytes more each");
		finding_fix(&p->found, "ethtool -K %s rx-fcs off", p->name);
	} else {
		finding_add(&p->found, VERDICT_OK, "FCS", "not part of what is captured");
	}
}

void doctor_device(struct patient *p)
{
	struct features f;

	get_features(&f, p);
	check_link(p);
	check_driver(p);
	check_offloads(p, &f);
	check_fcs(p, &f);
	check_time_stamps(p);
}
