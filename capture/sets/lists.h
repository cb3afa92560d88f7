/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Lists of addresses and ports that the application gives by a call, in place of files. */
#pragma once

#include "entries.h"
#include "capture/afxdpcapture.h"

/* Bits of the options that are named here, with commas between: by bpf/sets.h. -EINVAL with err
 * written. */
int lists_name(const char *names, uint32_t *bits, char *err, size_t size);
/* Add what they have, each of an option that is asked, and once. -EINVAL with err written; -ENOMEM;
 * -E2BIG. */
int lists_parse(struct set_entries *e, uint32_t asked, const struct afxdp_addresses *lists,
		unsigned n, char *err, size_t size);
