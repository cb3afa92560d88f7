/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "xdpdump/os/complain.h"
#include "option_values.h"
#include "options.h"
#include "row.h"

/* The program is loaded anyway if the hook is XDP, and this makes a veth use XDP. Scripts look for
 * this message. */
int option_load_xdp_program(struct options *o, const char *name, const char *value)
{
	static const struct row veth = {.name = "veth"};

	(void)value;
	complain("Will load a capture only XDP program!");
	return row_device(o, &veth, name, "xdp");
}

int option_load_xdp_mode(struct options *o, const char *name, const char *value)
{
	static const struct row xdp_mode = {.name = "xdp-mode"};

	if (strcmp(value, "hw") == 0)
		return refuse(-1,
			      "%s hw: a program in the network card cannot hand frames to the host",
			      name);
	if (strcmp(value, "native") != 0 && strcmp(value, "skb") != 0 &&
	    strcmp(value, "unspecified") != 0)
		return refuse(-1, "%s takes native, skb or unspecified, not \"%s\"", name, value);
	return strcmp(value, "unspecified") == 0 ? 0 : row_device(o, &xdp_mode, name, value);
}

/* In tcpdump, -p has no value and turns promiscuous mode off. Typed here, it takes the next option
 * for its value. */
int option_programs(struct options *o, const char *name, const char *value)
{
	o->source.programs = value;
	if (!*value)
		return refuse(-1,
			      "%s needs the names or ids of XDP programs, or all (-D lists them)",
			      name);
	if (*value != '-')
		return 0;
	return refuse(-1,
		      "%s needs the names or ids of XDP programs, not \"%s\"; promiscuous mode, which tcpdump -p turns off, is off without -P",
		      name, value);
}

/* Set a bit for each word of the list. Returns 0, or -1 if the list has an unknown or empty
 * word. */
static int read_words(uint32_t *bits, const char *const *words, const char *value)
{
	*bits = 0;
	for (const char *at = value;; at++) {
		size_t n = strcspn(at, ",");
		unsigned i = 0;

		while (words[i] && (strlen(words[i]) != n || strncmp(words[i], at, n) != 0))
			i++;
		if (!words[i])
			return -1;
		*bits |= 1u << i;
		at += n;
		if (!*at)
			return 0;
	}
}

int option_rx_capture(struct options *o, const char *name, const char *value)
{
	static const char *const words[] = {"entry", "exit", NULL};
	uint32_t bits;

	if (read_words(&bits, words, value))
		return refuse(-1, "%s takes entry, exit or entry,exit, not \"%s\"", name, value);
	o->rx_capture = true;
	o->source.at_entry = bits & 1;
	o->source.at_exit = bits & 2;
	return 0;
}

/* The words are in the order of enum xdp_action. */
int option_verdict(struct options *o, const char *name, const char *value)
{
	static const char *const words[] = {"aborted", "drop", "pass", "tx", "redirect", NULL};

	if (read_words(&o->source.verdicts, words, value) == 0)
		return 0;
	return refuse(-1,
		      "%s takes aborted, drop, pass, tx, redirect, or several with commas, not \"%s\"",
		      name, value);
}
