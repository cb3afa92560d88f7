/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <string.h>

#include "habit.h"
#include "row.h"
#include "xdpdump/os/complain.h"

int habit_accepted(struct options *o, const struct row *row, const char *name, const char *value)
{
	(void)o;
	if (!row->takes || isupper((unsigned char)row->takes[0]) || strcmp(row->takes, value) == 0)
		return 0;
	complain("%s takes %s alone, not \"%s\": %s", name, row->takes, value, row->help);
	return -1;
}

int habit_answered(struct options *o, const struct row *row, const char *name, const char *value)
{
	(void)o;
	(void)value;
	complain("%s: %s", name, row->help);
	return -1;
}
