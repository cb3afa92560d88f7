/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the kernel or a driver says of an XDP program that this thread tries to attach. */
#pragma once

#include <stdbool.h>

struct words_bpf;

struct words {
	struct words_bpf *bpf; /* NULL: the kernel does not tell (Linux 6.12 does) */
	int link;
};

/* From here on, until words_end(). False: there will be none. */
bool words_listen(struct words *w);
/* "": nothing was said. Valid until words_end(). */
const char *words_text(const struct words *w);
void words_end(struct words *w);
