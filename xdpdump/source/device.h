/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the command line says of a device, for the capture library. */
#pragma once

#include <stdbool.h>

#include "xdpdump/plan/plan.h"

struct afxdp_options;

/* An interface's name as a device has it: with a backslash in front of its commas, which options
 * would follow. */
void device_name(char to[DEVICE_NAME_SIZE], const char *ifname);
/* With what the command line says of any device. NULL after telling what is wrong. */
struct afxdp_options *device_new(const struct source_plan *plan);

/*
 * name: of an interface, with or without "xdp:" and options of its own, to which those of the
 * command line are added. What *to had stays. -errno after telling what is wrong.
 */
int device_options(struct afxdp_options *to, const struct source_plan *plan, const char *name);
/* Does an option of this name hold for drops, too? */
bool device_option_is_of_drops(const char *name);
/* As device_options(), for drops: of the command line only such options. */
int device_drops(struct afxdp_options *to, const struct source_plan *plan, const char *name);
/* For commands that open no device: are all names and options valid? -errno after telling if not. */
int devices_check(const struct source_plan *plan);
/* One more option, such as no command line has. -errno after telling what is wrong. */
int device_set(struct afxdp_options *to, const char *name, const char *value);
/* The same of several, as in "sent=off snaplen=96": a blank between them, and none in a value. */
int device_say(struct afxdp_options *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static inline const char *device_on(bool on)
{
	return on ? "on" : "off";
}
