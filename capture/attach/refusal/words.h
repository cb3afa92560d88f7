/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the kernel or a driver says about an XDP program that this thread tries to attach. */
#pragma once

#include <stdbool.h>

struct words_bpf;

struct words {
	struct words_bpf *bpf; /* NULL: the kernel does not tell (it does since Linux 6.12) */
	int link;
};

/* Listen from now on, until words_end(). False: this is not possible. */
bool words_listen(struct words *w);
/* What was said; "": nothing. Valid until words_end(). */
const char *words_text(const struct words *w);
void words_end(struct words *w);
