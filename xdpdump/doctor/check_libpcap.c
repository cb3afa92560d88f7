/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Is the installed libpcap that has xdp: devices older than the system's own? It is a copy, which
 * system updates do not replace.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "util/line.h"

/* The libpcap of Debian 12, and of later ones; what is not installed has no version. */
#define ASK_SYSTEM                                                                                 \
	"dpkg-query -W -f '${source:Version}\\n' libpcap0.8 libpcap0.8t64 2> /dev/null | sed '/^$/d'"
#define VERSION_MAX 64

/* What the command prints first. false: it printed nothing, or is not there. */
static bool ask(const char *command, char line[VERSION_MAX])
{
	FILE *f = popen(command, "re");
	bool there = f && fgets(line, VERSION_MAX, f);

	if (f)
		pclose(f);
	line[there ? strcspn(line, "\n") : 0] = 0;
	return there;
}

/* A version goes into a command: only what Debian's may have. */
static bool is_version(const char *text)
{
	return *text && !text[strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz"
					   "ABCDEFGHIJKLMNOPQRSTUVWXYZ.+~:-")];
}

static bool is_newer(const char *system, const char *ours)
{
	char command[2 * VERSION_MAX + 64], line[VERSION_MAX];

	if (!is_version(system) || !is_version(ours))
		return false;
	snprintf(command, sizeof(command), "dpkg --compare-versions '%s' gt '%s' && echo newer",
		 system, ours);
	return ask(command, line);
}

enum result check_libpcap(const struct patient *p, struct finding *f)
{
	char ours[VERSION_MAX], system[VERSION_MAX];

	(void)p;
	if (!line_of(LIBPCAP_VERSION_FILE, NULL, ours, sizeof(ours)))
		return RESULT_NOT_APPLICABLE;
	if (!ask(ASK_SYSTEM, system))
		return say(RESULT_OK, f, "the copy with xdp: devices is of %s", ours);
	if (!is_newer(system, ours))
		return say(RESULT_OK, f, "the copy with xdp: devices is of %s, the system's own %s",
			   ours, system);
	return say(RESULT_WARNING, f,
		   "the system's own is %s, and the copy with xdp: devices of %s: what was mended since is not in it; build and install it again, or update the package pcap-afxdp",
		   system, ours);
}
