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

/* The strings point into the command line. */
struct options {
	const char *address;
	char *const *rest; /* the arguments after the address, up to a NULL */
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

/* argv[0] is the command's name. Returns 0, or -1 after an error message. With help or version
 * there may be no address. */
int options_parse(struct options *o, unsigned command, int argc, char **argv);
void options_print(unsigned command);

/* Does the time from first to last (ns) overlap the time that was asked for? */
bool options_have_time(const struct options *o, uint64_t first, uint64_t last);
/* Is the name in the list? An empty list has every name. */
bool names_have(const struct names *n, const char *name);
/* If the name is in the list, sets its bit in *seen. */
void names_see(const struct names *n, const char *name, uint64_t *seen);
