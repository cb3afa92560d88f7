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

/* Behind what is there already. None is better than one that was cut. */
static void append(struct finding *f, const char *format, va_list args)
{
	size_t used = strlen(f->fix), room = sizeof(f->fix) - used;

	if ((size_t)vsnprintf(f->fix + used, room, format, args) >= room)
		f->fix[0] = 0;
}

void remedy(const struct patient *p, struct finding *f, const char *format, ...)
{
	const char *enter = !p->netns			 ? ""
			    : strchr(p->netns, '/')	 ? "nsenter --net="
			    : netns_is_process(p->netns) ? "nsenter --net --target "
							 : "ip netns exec ";
	va_list args;

	if (p->netns)
		snprintf(f->fix, sizeof(f->fix), "%s%s ", enter, p->netns);
	va_start(args, format);
	append(f, format, args);
	va_end(args);
}

void remedy_here(struct finding *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append(f, format, args);
	va_end(args);
}
