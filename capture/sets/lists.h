/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Lists of addresses and ports that the application passes in a call, in place of files. */
#pragma once

#include "entries.h"
#include "capture/afxdpcapture.h"

/* Get the bits (bpf/sets.h) of the options in names, which are separated by commas. Returns 0, or
 * -EINVAL with err written. */
int lists_name(const char *names, uint32_t *bits, char *err, size_t size);
/* Add what the lists contain. Each must be for an option in asked, and no option may appear twice.
 * -EINVAL, -E2BIG with err written; -ENOMEM. */
int lists_parse(struct set_entries *e, uint32_t asked, const struct afxdp_addresses *lists,
		unsigned n, char *err, size_t size);
