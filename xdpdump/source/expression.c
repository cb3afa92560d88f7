/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* This file includes pcap/bpf.h, not linux/bpf.h. struct sock_filter and struct bpf_insn have the
 * same layout. */
#include <errno.h>
#include <linux/filter.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

_Static_assert(sizeof(struct sock_filter) == sizeof(struct bpf_insn), "one classic instruction");

static int compile(struct bpf_program *program, const char *text, struct expression_terms terms,
		   char *err, size_t size)
{
	static const int links[] = {DLT_EN10MB, DLT_RAW, DLT_LINUX_SLL2};
	pcap_t *p = pcap_open_dead(links[terms.link], (int)terms.snaplen);
	int e = 0;

	if (!p) {
		snprintf(err, size, "out of memory");
		return -ENOMEM;
	}
	if (pcap_compile(p, program, text ? text : "", !terms.as_written, PCAP_NETMASK_UNKNOWN)) {
		snprintf(err, size, "filter \"%s\": %s", text ? text : "", pcap_geterr(p));
		e = -EINVAL;
	}
	pcap_close(p);
	return e;
}

int expression_compile(struct expression *e, const char *text, struct expression_terms terms,
		       char *err, size_t size)
{
	struct bpf_program program;
	int status;

	*e = (struct expression){0};
	if (!text)
		return 0;
	status = compile(&program, text, terms, err, size);
	if (status)
		return status;
	e->insns = calloc(program.bf_len, sizeof(*e->insns));
	if (e->insns) {
		e->n = program.bf_len;
		memcpy(e->insns, program.bf_insns, e->n * sizeof(*e->insns));
	} else {
		snprintf(err, size, "out of memory");
		status = -ENOMEM;
	}
	pcap_freecode(&program);
	return status;
}

void expression_free(struct expression *e)
{
	free(e->insns);
	*e = (struct expression){0};
}

bool expression_asks_for_vlan(const char *text)
{
	static const char in_words[] = "abcdefghijklmnopqrstuvwxyz0123456789-._";
	size_t n;

	for (; text && *text; text += n + strcspn(text + n, in_words)) {
		n = strspn(text, in_words);
		if (n == strlen("vlan") && strncmp(text, "vlan", n) == 0)
			return true;
	}
	return false;
}

const char *expression_compiler(void)
{
	return pcap_lib_version();
}

const char *expression_line(const struct sock_filter *insns, unsigned i)
{
	char *line = bpf_image((const struct bpf_insn *)&insns[i], (int)i);

	for (char *tab = line; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	return line;
}

int expression_dump(const char *text, struct expression_terms terms, int level, char *err,
		    size_t size)
{
	struct bpf_program program;
	int e = compile(&program, text, terms, err, size);

	if (e)
		return e;
	bpf_dump(&program, level);
	pcap_freecode(&program);
	return 0;
}
