/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Network interfaces as a person or a file header describes them. Asking changes nothing. */
#pragma once

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "programs.h"

#define INTERFACE_HARDWARE_SIZE 160

struct interface {
	char name[IFNAMSIZ];
	unsigned index;
	bool loopback;
	uint8_t mac[6];
	uint16_t hatype;				     /* ARPHRD_... */
	uint64_t speed;					     /* bits per second; 0: not known */
	char driver[33], version[33], firmware[33], bus[33]; /* "": not known */
};

/* Returns 0; -ENODEV: no such interface; or another -errno. What is not known stays empty. */
int interface_get(struct interface *i, const char *name);
/* Writes "driver veth 1.0, firmware ..., bus 0000:01:00.0", as far as known, or "". */
void interface_hardware(const struct interface *i, char *text, size_t size);
/* The program in the XDP hook. id 0: there is none; empty names: we may not look at it. */
void interface_program(const char *ifname, struct xdp_program *p);
/* The text of programs_list(); empty: there is none, or we have no privilege to ask. */
void interface_programs(const char *ifname, char *text, size_t size);
/* Print all interfaces to standard output, as a table or a JSON object each. 0 or -errno. */
int interfaces_list(bool json);
