/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Device names: xdp:IFACE[,option=value]... */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/options/options.h"
#include "capture/options/option.h"

/* Set one option from "name=value", and put that in front of what is wrong with it. */
static int set_option(struct afxdp_options *o, char *text, char *err, size_t size)
{
	char *value = strchr(text, '='), why[AFXDP_ERROR_SIZE];
	int e;

	if (value)
		*value++ = 0;
	e = options_set_of_device(o, text, value, why, sizeof(why));
	if (!e)
		return 0;
	if (e == -ENOENT || !value || !*value)
		snprintf(err, size, "%.64s: %s", text, why);
	else
		snprintf(err, size, "%s=%.64s: %s", text, value, why);
	return -EINVAL;
}

/* option=value[,option=value]...; cuts the text into parts in place. */
static int set_options(struct afxdp_options *o, char *text, char *err, size_t size)
{
	char *save, *part;
	int e;

	for (part = strtok_r(text, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
		e = set_option(o, part, err, size);
		if (e)
			return e;
	}
	return 0;
}

static int set_default_options(struct afxdp_options *o, char *err, size_t size)
{
	const char *env = secure_getenv("PCAP_AFXDP_OPTIONS");
	char *text = env ? strdup(env) : NULL;
	char why[AFXDP_ERROR_SIZE];
	int e;

	if (!env)
		return 0;
	if (!text) {
		snprintf(err, size, "out of memory");
		return -ENOMEM;
	}
	e = set_options(o, text, why, sizeof(why));
	if (e)
		snprintf(err, size, "PCAP_AFXDP_OPTIONS: %s", why);
	free(text);
	return e;
}

/* Does a word of the text begin with this name, of so many bytes, and "="? */
static bool has_option(const char *text, const char *name, size_t length)
{
	const char *at = text;

	for (; (at = strchr(at, '=')); at++) {
		size_t before = (size_t)(at - text);

		if (before >= length && strncmp(at - length, name, length) == 0 &&
		    (before == length || at[-(long)length - 1] == ' '))
			return true;
	}
	return false;
}

void options_add_environment(char *err, size_t size)
{
	const char *env = secure_getenv("PCAP_AFXDP_OPTIONS");
	size_t used = strlen(err), length;

	for (; env && *env; env += env[length] ? length + 1 : length) {
		length = strcspn(env, "=,");
		if (env[length] == '=' && has_option(err, env, length)) {
			snprintf(err + used, size - used, " (%.*s= is in PCAP_AFXDP_OPTIONS)",
				 (int)length, env);
			return;
		}
	}
}

/* The comma that ends the name: one after a backslash belongs to the name. */
static char *end_of_name(char *text)
{
	while (*text && *text != ',')
		text += text[0] == '\\' && text[1] == ',' ? 2 : 1;
	return *text ? text : NULL;
}

static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (text[0] != '\\' || text[1] != ',')
			*to++ = *text;
	*to = 0;
}

static int set_ifname(struct afxdp_options *o, const char *name, char *err, size_t size)
{
	if (!*name) {
		snprintf(err, size, "name an interface, as in " AFXDP_PREFIX "eth0");
		return -ENODEV;
	}
	if (strlen(name) >= IFNAMSIZ) {
		snprintf(err, size, "%.32s%s: no such interface, names have at most %d characters",
			 name, strlen(name) > 32 ? "..." : "", IFNAMSIZ - 1);
		return -ENODEV;
	}
	strcpy(o->ifname, name);
	return 0;
}

int afxdp_options_device(struct afxdp_options *o, const char *device, char *err, size_t size)
{
	char *text, *comma;
	int e;

	if (strncmp(device, AFXDP_PREFIX, strlen(AFXDP_PREFIX)) == 0)
		device += strlen(AFXDP_PREFIX);
	text = strdup(device);
	if (!text) {
		snprintf(err, size, "out of memory");
		return -ENOMEM;
	}
	comma = end_of_name(text);
	if (comma)
		*comma++ = 0;
	unescape(text);
	e = set_ifname(o, text, err, size);
	if (!e)
		e = set_default_options(o, err, size);
	if (!e && comma)
		e = set_options(o, comma, err, size);
	free(text);
	return e;
}

static bool is_ring_size(uint64_t n)
{
	return n == 0 || (n >= RING_SIZE_MIN && n <= RING_SIZE_MAX && (n & (n - 1)) == 0);
}

static bool is_flow_table(uint32_t n)
{
	return n == 0 || (n >= CAPTURE_FLOWS_MIN && n <= CAPTURE_FLOWS_MAX);
}

static bool is_watchdog(uint64_t ns)
{
	return ns == 0 || ns == CAPTURE_WATCHDOG_OFF ||
	       (ns >= CAPTURE_WATCHDOG_MIN && ns <= CAPTURE_WATCHDOG_MAX);
}

static bool is_pre_trigger(uint64_t n)
{
	return n == 0 || (n >= CAPTURE_PRE_TRIGGER_MIN && n <= CAPTURE_PRE_TRIGGER_MAX);
}

bool options_are_valid(const struct afxdp_options *o)
{
	return memchr(o->ifname, 0, sizeof(o->ifname)) &&
	       memchr(o->interfaces, 0, sizeof(o->interfaces)) && o->ifname[0] && !o->xdp_obj[0] &&
	       options_are_words(o) && is_ring_size(o->ring_size) &&
	       (o->ring_total == 0 || o->ring_total >= RING_SIZE_MIN) && o->snaplen &&
	       o->snaplen <= AFXDP_SNAPLEN_MAX && o->slice.depth <= SLICE_L4 &&
	       o->slice.more <= AFXDP_SNAPLEN_MAX && is_flow_table(o->flow_table) &&
	       o->sets_lines <= CAPTURE_SETS_LINES_MAX && o->sets_asked <= SETS_ALL &&
	       o->flows_max <= CAPTURE_NOT_FLOWS_MAX && !o->sets_asked == !o->sets_lines &&
	       is_watchdog(o->watchdog) && is_pre_trigger(o->pre_trigger) &&
	       /* Sockets and descriptors belong to the process that names them. */
	       !options_ask_for_sockets(o) && !o->sock_fds.count && !o->prog_fd &&
	       !(o->no_sent && o->no_received);
}
