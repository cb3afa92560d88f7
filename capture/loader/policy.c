/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/options/options.h"
#include "policy.h"

#define LOADER_CONF LOADER_CONF_FOLDER "/loader.conf"

#define BLANK	  " \t\r\n"
#define LINE_SIZE 1024

struct policy {
	char interfaces[LINE_SIZE]; /* in the format of PCAP_AFXDP */
	bool tc_alone;		    /* not XDP, because attaching that resets many cards */
};

bool policy_applies(void)
{
	/* The second test would be enough. Root's processes are never AT_SECURE because of
	 * capabilities. */
	return getauxval(AT_SECURE) || getuid() != 0;
}

__attribute__((format(printf, 3, 4))) static int refuse(char *err, size_t size, const char *format,
							...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err, size, format, args);
	va_end(args);
	return -EPERM;
}

/* The option that does more than capture; NULL: none. */
static const char *beyond_capturing(const struct afxdp_options *o)
{
	if (o->engine == CAPTURE_ENGINE_DIVERT)
		return "engine=divert keeps frames from the host";
	if (o->after_drop)
		return "after=drop keeps frames from the host";
	if (o->rest_drop)
		return "rest=drop keeps frames from the host";
	if (o->join)
		return "join=on changes a dispatcher that is root's";
	if (o->xdp_obj[0])
		return "xdp-obj= loads a program";
	if (o->sock_fds.count || o->prog_fd)
		return "sock-fds= and prog-fd= bring a program";
	if (o->who || o->who_others)
		return "who=on tells which sockets others have";
	return NULL;
}

/* Process a line: a word and its value. False: it is not a valid line. */
static bool take_line(struct policy *p, char *line)
{
	char *save, *name, *value;

	line[strcspn(line, "#")] = 0;
	name = strtok_r(line, BLANK, &save);
	if (!name)
		return true;
	value = strtok_r(NULL, BLANK, &save);
	if (!value || strtok_r(NULL, BLANK, &save))
		return false;
	if (strcmp(name, "interfaces") == 0) {
		strcpy(p->interfaces, value); /* it fits, because a line does */
		return true;
	}
	p->tc_alone = strcmp(value, "tc") == 0;
	return strcmp(name, "hook") == 0 && (p->tc_alone || strcmp(value, "any") == 0);
}

/* Is it a symbolic link to something that does not exist? */
static bool leads_nowhere(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && stat(path, &st);
}

static bool is_missing(int e)
{
	return e == ENOENT && !leads_nowhere(LOADER_CONF_FOLDER) && !leads_nowhere(LOADER_CONF);
}

/* Without the file everything is allowed. A file that cannot be understood allows nothing. */
static int read_policy(struct policy *p, char *err, size_t size)
{
	FILE *f = fopen(LOADER_CONF, "re");
	char line[LINE_SIZE];
	unsigned n = 0;
	bool good = true;
	int e = errno;

	*p = (struct policy){.interfaces = "all"};
	if (!f && is_missing(e))
		return 0;
	if (!f)
		return refuse(err, size, "the loader process cannot read " LOADER_CONF ": %s",
			      strerror(e));
	while (good && fgets(line, sizeof(line), f)) {
		n++;
		good = (strchr(line, '\n') || feof(f)) && take_line(p, line);
	}
	good = good && !ferror(f);
	fclose(f);
	return good ? 0
		    : refuse(err, size,
			     LOADER_CONF ", line %u: give interfaces LIST, hook any or hook tc", n);
}

/* Checks the interface's name, even if an alternative name was given. If it cannot be looked up, it
 * is not allowed. */
static int check_interface(const struct policy *p, unsigned index, char *err, size_t size)
{
	char name[IF_NAMESIZE];

	if (strcmp(p->interfaces, "all") == 0)
		return 0;
	if (!index || !if_indextoname(index, name))
		return refuse(err, size,
			      "no such interface, or the loader process cannot look it up: %s",
			      strerror(errno));
	if (afxdp_is_listed(p->interfaces, name))
		return 0;
	return refuse(err, size,
		      "%s: " LOADER_CONF " lets users capture on %s alone; root may change that",
		      name, p->interfaces);
}

int policy_check(struct afxdp_options *o, char *err, size_t size)
{
	const char *why = beyond_capturing(o);
	struct policy p;
	int e;

	if (geteuid() != getuid() || getegid() != getgid())
		return refuse(err, size,
			      "the loader process is set-user-ID or set-group-ID: root has to type "
			      "chmod ug-s, and setcap " AFXDP_CAPABILITIES);
	if (why)
		return refuse(err, size,
			      "for users the loader process only captures, and %s: leave it out, "
			      "or run as root",
			      why);
	if (options_are_any(o))
		return refuse(err, size,
			      "for users the loader process captures on one interface: name it, or "
			      "run as root");
	e = read_policy(&p, err, size);
	if (!e)
		e = check_interface(&p, if_nametoindex(o->ifname), err, size);
	if (e || !p.tc_alone)
		return e;
	if (o->hook == CAPTURE_HOOK_XDP)
		return refuse(err, size,
			      LOADER_CONF " lets users capture at tc alone: leave hook=xdp out");
	if (o->hook == CAPTURE_HOOK_AUTO)
		o->hook = CAPTURE_HOOK_TC;
	return 0;
}

int policy_check_opened(int ifindex, char *err, size_t size)
{
	struct policy p;
	int e = read_policy(&p, err, size);

	return e ? e : check_interface(&p, (unsigned)ifindex, err, size);
}
