/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Turns what the command line says of a device into options of the capture library. */
#pragma once

#include <stdbool.h>

#include "xdpdump/plan/plan.h"

struct afxdp_options;

/* Write the interface's name as it stands in a device name: with a backslash before each comma,
 * because options follow a comma. */
void device_name(char to[DEVICE_NAME_SIZE], const char *ifname);
/* Returns options with what the command line says of all devices; the caller frees them. Returns
 * NULL after telling what is wrong. */
struct afxdp_options *device_new(const struct source_plan *plan);

/* Add to *to the options in name, which is an interface's name with or without "xdp:" and options
 * of its own, and those of the command line. What *to had stays. Returns 0, or -errno after telling
 * what is wrong. */
int device_options(struct afxdp_options *to, const struct source_plan *plan, const char *name);
/* Does the option of this name also apply to drops? */
bool device_option_is_of_drops(const char *name);
/* device_options() for drops: of the command line only options that apply to drops. */
int device_drops(struct afxdp_options *to, const struct source_plan *plan, const char *name);
/* For commands that do not open devices: are all names and options valid? Returns 0, or -errno
 * after telling what is wrong. */
int devices_check(const struct source_plan *plan);
/* Set one more option, which may be one that the command line does not have. Returns 0, or -errno
 * after telling what is wrong. */
int device_set(struct afxdp_options *to, const char *name, const char *value);
/* Set several, as in "sent=off snaplen=96": with a space between them, and none in a value. */
int device_say(struct afxdp_options *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static inline const char *device_on(bool on)
{
	return on ? "on" : "off";
}
