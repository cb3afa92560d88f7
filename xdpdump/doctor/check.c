/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "xdpdump/os/netns.h"
#include "patient.h"

enum result say(enum result r, struct finding *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
	return r;
}

void remedy(const struct patient *p, struct finding *f, const char *format, ...)
{
	const char *netns = p ? p->netns : NULL;
	const char *enter = !netns		      ? ""
			    : strchr(netns, '/')      ? "nsenter --net="
			    : netns_is_process(netns) ? "nsenter --net --target "
						      : "ip netns exec ";
	size_t used = (size_t)snprintf(f->fix, sizeof(f->fix), "%s%s%s", enter, netns ? netns : "",
				       netns ? " " : "");
	va_list args;

	va_start(args, format);
	if (used >= sizeof(f->fix) || (size_t)vsnprintf(f->fix + used, sizeof(f->fix) - used,
							format, args) >= sizeof(f->fix) - used)
		f->fix[0] = 0; /* no command is better than one that is cut off */
	va_end(args);
}
