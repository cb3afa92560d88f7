/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Apart from progcost.c, for pcap/bpf.h and linux/bpf.h do not go together. */
#include <linux/filter.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progcost_filter.h"

int progcost_compile(const char *expression, struct sock_filter **filter, unsigned *n)
{
	struct bpf_program program;
	pcap_t *dead = pcap_open_dead(DLT_EN10MB, 262144);
	int err = -1;

	*filter = NULL;
	if (dead && !pcap_compile(dead, &program, expression, 1, PCAP_NETMASK_UNKNOWN)) {
		*n = program.bf_len;
		*filter = calloc(*n, sizeof(**filter));
		if (*filter)
			memcpy(*filter, program.bf_insns, *n * sizeof(**filter));
		err = *filter ? 0 : -1;
		pcap_freecode(&program);
	} else if (dead) {
		fprintf(stderr, "progcost: %s\n", pcap_geterr(dead));
	}
	if (dead)
		pcap_close(dead);
	return err;
}
