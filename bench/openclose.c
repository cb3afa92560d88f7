/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * How long a device takes to open, to get its filter, and to close, once and in a fresh process, as
 * a user has it. --bare does with the shortest programs there are what a capture cannot do without:
 * what of the time is the kernel's own.
 */
#include "openclose.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "testprogs/json.h"
#include "testprogs/options.h"

enum { KEY_BARE = 256 };

static const struct option_row rows[] = {
	{'i', "interface", "DEV", "device to open"},
	{'f', "filter", "EXPR", "capture filter"},
	{KEY_BARE, "bare", NULL, "attach programs that do nothing, and open no capture"},
	{0},
};

static const struct program program = {
	"openclose",
	"-i DEV [OPTION]...",
	"Opens and closes a device and reports as JSON what that took.",
	rows,
	false,
};

double openclose_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

void openclose_rest(void)
{
	usleep(100000);
}

static void report(const struct openclose_times *t)
{
	struct json json;

	json_open(&json, stdout);
	json_text(&json, "program", "openclose");
	json_real(&json, "create_ms", t->create, 3);
	json_real(&json, "activate_ms", t->activate, 3);
	json_real(&json, "setfilter_ms", t->setfilter, 3);
	json_real(&json, "close_ms", t->close, 3);
	json_close(&json);
}

int main(int argc, char **argv)
{
	const char *device = NULL, *filter = NULL;
	struct openclose_times t = {0};
	bool bare = false;
	int key;

	while ((key = options_next(&program, argc, argv)) != -1) {
		if (key == 'i')
			device = optarg;
		else if (key == 'f')
			filter = optarg;
		else
			bare = true;
	}
	if (!device)
		usage_error(&program, "-i DEV is missing");
	if (bare ? openclose_bare(device, &t) : openclose_pcap(device, filter, &t))
		return 1;
	report(&t);
	return 0;
}
