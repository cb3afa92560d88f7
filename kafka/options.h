/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIST_MAX 64

struct names {
	const char *name[LIST_MAX];
	size_t count;
};

enum key { KEY_NOT_SAID, KEY_STREAM, KEY_FLOW };
enum full { FULL_BY_INPUT, FULL_WAIT, FULL_DROP };

/* Strings are those of the command line. */
struct options {
	const char *address;
	char *const *rest; /* behind it, up to a NULL */
	/* put */
	const char *host, *session;
	enum full full;
	enum key key;
	const char *spool;
	bool spool_anyway;
	uint64_t stream, queue, section_size, heartbeat, end_wait, stats_interval, state_fd;
	/* get, ls: times in ns since 1970 */
	uint64_t since, until, slack;
	struct names hosts, interfaces, sessions;
	bool follow, mixed_links;
	const char *write, *temporary;
	/* all */
	const char *kafka_conf;
	bool no_index, json, quiet, verbose, help, version;
};

enum { PUT = 1, GET = 2, LS = 4 };

/* argv[0] is the command's name. 0, or -1 after a complaint. With help or version there may be no
 * address. */
int options_parse(struct options *o, unsigned command, int argc, char **argv);
void options_print(unsigned command);

/* Is something of that time, from the first to the last ns, asked for? */
bool options_have_time(const struct options *o, uint64_t first, uint64_t last);
/* Is it among them? An empty list has all. */
bool names_have(const struct names *n, const char *name);
/* Note in *seen, a bit for each, that it was there. */
void names_see(const struct names *n, const char *name, uint64_t *seen);
