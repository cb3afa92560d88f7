/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The files of addresses and ports of a capture, and the process that reads them again. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>

#include "capture_private.h"
#include "util/clock.h"

static const char ended[] =
	"the process that reads files of addresses has ended: open the device again";

static bool has_files(const struct afxdp_options *o)
{
	return o->not_flows[0] || (SETS_LISTS_ASKED(o->sets_asked) && !o->lists[0]);
}

/* An empty file may mean that a list could not be downloaded. */
void files_warn(struct afxdp_capture *c)
{
	char text[AFXDP_ERROR_SIZE];

	sets_describe_empty(&c->sets, &c->options, text, sizeof(text));
	if (text[0])
		attachment_warn(&c->attachment, "%s", text);
	flow_file_describe(&c->sets.flow_file, c->options.not_flows, text, sizeof(text));
	if (text[0])
		attachment_warn(&c->attachment, "%s", text);
}

static void warn_of_reloader(struct afxdp_capture *c, const char *why)
{
	attachment_warn(&c->attachment,
			"files of addresses and ports are not read again when they change: %s",
			why);
}

/* Once privileges are dropped, no process can make a map or open the files, so this begins
 * before. */
void files_keep(struct afxdp_capture *c)
{
	struct loader_sets s = {.options = c->options,
				.read_at = c->sets.read_at,
				.map = c->attachment.sets,
				.flow_file = c->sets.flow_file};
	char why[AFXDP_ERROR_SIZE];

	if (has_files(&c->options) && !c->options.loader_off &&
	    loader_start_sets(&c->reloader, &s, why, sizeof(why)))
		warn_of_reloader(c, why);
}

void files_await(struct afxdp_capture *c)
{
	char why[AFXDP_ERROR_SIZE];

	if (c->reloader.socket >= 0 && loader_started(&c->reloader, why, sizeof(why)))
		warn_of_reloader(c, why);
}

/* Checked once a second at most, because readers ask whenever they have slept. */
static bool has_ended(const struct afxdp_capture *c)
{
	struct pollfd p = {.fd = c->reloader.alive}; /* -1 if there is no such process */
	struct sets_said *said = c->sets.said;
	uint64_t now = said ? clock_monotonic() : 0;

	if (!said || now - __atomic_load_n(&said->looked, __ATOMIC_RELAXED) < NS_PER_SEC)
		return false;
	__atomic_store_n(&said->looked, now, __ATOMIC_RELAXED); /* it orders nothing */
	return poll(&p, 1, 0) > 0;
}

const char *files_hear(const struct afxdp_capture *c, const char *other)
{
	return sets_hear(&c->sets, other, has_ended(c) ? ended : NULL);
}

static int reload_here(struct afxdp_capture *c, char *err, size_t size)
{
	int e = sets_renew(&c->sets, &c->options, err, size);

	if (!e)
		e = sets_read_flows(&c->sets, &c->options, true, err, size);
	if (!e && !err[0])
		sets_describe_empty(&c->sets, &c->options, err, size);
	return e;
}

int afxdp_addresses_reload(struct afxdp_capture *c, bool wait, char *err, size_t size)
{
	int e;

	err[0] = 0;
	if (!has_files(&c->options)) {
		snprintf(err, size, "no file of addresses or ports was given: hosts=FILE");
		return -ENOENT;
	}
	if (c->reloader.alive < 0)
		return reload_here(c, err, size);
	e = loader_renew(&c->reloader, wait, err, size);
	if (e == -EPIPE)
		snprintf(err, size, "%s", ended);
	return e;
}

int afxdp_addresses_replace(struct afxdp_capture *c, const struct afxdp_addresses *lists,
			    unsigned n, char *err, size_t size)
{
	if (!c->options.lists[0]) {
		snprintf(err, size, "no list was asked for: set the option lists=");
		return -ENOENT;
	}
	return sets_replace(&c->sets, &c->options, lists, n, err, size);
}
