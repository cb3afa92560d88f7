/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "check.h"
#include "patient.h"

static bool is_missing(const struct patient *p)
{
	return p->missing;
}

static bool has_ethernet(const struct patient *p)
{
	return !p->missing && p->plan.interface.is_ethernet;
}

static const struct check checks[] = {
#define CHECK(name, function, applies) {name, function, applies},
#include "checks.def"
};

_Static_assert(sizeof(checks) / sizeof(checks[0]) <= CHECKS_MAX, "room for what each finds");

/* If the capture works all the same, a failure is only a warning. */
static enum result temper(enum result r, const struct patient *p)
{
	return r == RESULT_FAILURE && p->rehearsal->works ? RESULT_WARNING : r;
}

unsigned checks_run(const struct patient *p, struct finding list[CHECKS_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		const struct check *c = &checks[i];
		struct finding *f = &list[n];

		if (!(c->applies ? c->applies(p) : !p->missing))
			continue;
		*f = (struct finding){.name = c->name};
		f->result = temper(c->run(p, f), p);
		n += f->result != RESULT_NOT_APPLICABLE;
	}
	return n;
}
