/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* -dddd: the code that is made of an expression for the XDP program. */
#include <errno.h>
#include <linux/types.h>
#include <stdio.h>

#include "bpf/marker.h"
#include "filter/filter.h"
#include "expression.h"

int expression_dump_ebpf(const char *text, struct expression_terms terms, char *err, size_t size)
{
	struct filter_options options = {.ctx = FILTER_XDP, .stack_top = FILTER_STACK_TOP};
	struct filter_code code = {0};
	char why[256] = "";
	struct expression e;
	int status = expression_compile(&e, text ? text : "", terms, err, size);

	if (status)
		return status;
	status = -EOPNOTSUPP;
	for (; status == -EOPNOTSUPP && options.level <= FILTER_LEVEL_HELPER; options.level++)
		status = filter_translate(e.insns, e.n, &options, &code, why, sizeof(why));
	if (!status)
		/* errors of stdout are seen when it is flushed */
		filter_dump(stdout, e.insns, e.n, &code, expression_line);
	else
		snprintf(err, size, "%s%s",
			 status == -EOPNOTSUPP ? "the filter would run in user space: " : "", why);
	filter_code_free(&code);
	expression_free(&e);
	return status;
}
