/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the filter would run that was given beside --doctor. */
#include <errno.h>
#include <linux/types.h>
#include <string.h>

#include "doctor_checks.h"
#include "xdpdump/cli/expression.h"

void doctor_filter(struct patient *p, const char *text)
{
	char why[1024] = "";
	struct expression e;
	int status;

	if (!text || !*text)
		return;
	if (expression_compile(&e, text, p->plan.interface.is_raw_ip ? LINK_RAW_IP : LINK_ETHERNET,
			       AFXDP_SNAPLEN_MAX, why, sizeof(why))) {
		finding_add(&p->found, VERDICT_BAD, "filter", "%s", why);
		return;
	}
	status = e.n ? afxdp_try_filter(&p->plan, e.insns, e.n, why, sizeof(why)) : 0;
	if (status < 0)
		finding_add(&p->found, VERDICT_NOTE, "filter",
			    "runs in user space, on every frame: %s", why);
	else if (status)
		finding_add(&p->found, VERDICT_OK, "filter",
			    "runs in the kernel, in %d instructions, unless the verifier refuses it",
			    status);
	expression_free(&e);
}
