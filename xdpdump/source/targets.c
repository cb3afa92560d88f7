/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/afxdpcapture.h"
#include "xdpdump/os/complain.h"
#include "targets.h"

#define OPTION "--program-names"

/* The XDP programs on the interface. */
struct present {
	const char *ifname;
	struct xdp_program program[PROGRAMS_MAX];
	unsigned n;
};

static int refuse_name(const struct present *p, const char *name, const char *problem)
{
	char there[PROGRAMS_TEXT_SIZE];

	programs_list(p->program, p->n, there, sizeof(there));
	return refuse(-ENOENT, OPTION " %s: %s on %s; there are %s", name, problem, p->ifname,
		      there);
}

static int add(struct targets *t, const struct source_plan *plan, uint32_t id, const char *function)
{
	for (int exit = 0; exit < 2; exit++) {
		struct target *to = &t->at[t->n];

		if (!(exit ? plan->at_exit : plan->at_entry))
			continue;
		if (t->n == TARGETS_MAX)
			return refuse(-E2BIG, OPTION ": at most %d programs at once", PROGRAMS_MAX);
		*to = (struct target){.program = id, .exit = exit};
		snprintf(to->function, sizeof(to->function), "%s", function);
		t->n++;
	}
	return 0;
}

static const struct xdp_program *by_id(const struct present *p, const char *text)
{
	char *end;
	unsigned long id = strtoul(text, &end, 10);

	for (unsigned i = 0; i < p->n && *text && !*end; i++)
		if (p->program[i].id == id)
			return &p->program[i];
	return NULL;
}

static bool is_called(const struct xdp_program *p, const char *name)
{
	return strcmp(p->function, name) == 0 || strcmp(p->name, name) == 0;
}

/* Add the program of this name, or else a function of this name in a program. */
static int add_by_name(struct targets *t, const struct source_plan *plan, const struct present *p,
		       const char *name)
{
	const struct xdp_program *found = NULL;
	bool main = true, again = false;

	for (int pass = 0; pass < 2 && !found; pass++) {
		main = pass == 0;
		for (unsigned i = 0; i < p->n; i++) {
			const struct xdp_program *q = &p->program[i];

			if (!(main ? is_called(q, name) : program_has(q, name)))
				continue;
			again = found;
			found = q;
		}
	}
	if (!found)
		return refuse_name(p, name, "no program or function of that name");
	if (again)
		return refuse_name(p, name, "more than one of that name (give NAME@ID)");
	return add(t, plan, found->id, main ? found->function : name);
}

/* The program in the hook. If that is a dispatcher of one program, the program behind it: with
 * libxdp 1.3.1 on Linux 6.12 such a dispatcher cannot be traced (-EBUSY). xdpdump of xdp-tools
 * takes the same one by default. */
static const struct xdp_program *first_of(const struct present *p)
{
	return &p->program[p->n == 2 ? 1 : 0];
}

/* Add what one word names: "all", "17", "xdp_drop" or "xdp_drop@17". */
static int add_one(struct targets *t, const struct source_plan *plan, const struct present *p,
		   char *word)
{
	char *at = strchr(word, '@');
	const struct xdp_program *q = by_id(p, at ? at + 1 : word);
	int e = 0;

	if (strcmp(word, "all") == 0) {
		for (const struct xdp_program *each = first_of(p); each < p->program + p->n && !e;
		     each++)
			e = add(t, plan, each->id, each->function);
		return e;
	}
	if (!at)
		return q ? add(t, plan, q->id, q->function) : add_by_name(t, plan, p, word);
	if (!q)
		return refuse_name(p, word, "no program with that id");
	*at = 0;
	if (is_called(q, word))
		return add(t, plan, q->id, q->function);
	if (program_has(q, word))
		return add(t, plan, q->id, word);
	return refuse_name(p, word, "no function of that name in that program");
}

static int add_all(struct targets *t, const struct source_plan *plan, const struct present *p)
{
	char *words, *word, *save;
	int e = 0;

	if (!plan->programs)
		return add(t, plan, first_of(p)->id, first_of(p)->function);
	words = strdup(plan->programs);
	if (!words)
		return complain_memory();
	for (word = strtok_r(words, ",", &save); word && !e; word = strtok_r(NULL, ",", &save))
		e = add_one(t, plan, p, word);
	free(words);
	return e || t->n ? e : refuse_name(p, plan->programs, "it names none");
}

int targets_find(struct targets *t, const struct source_plan *plan, const char *ifname)
{
	struct present p = {.ifname = ifname};
	struct afxdp_interface f;
	int n, e;

	t->n = 0;
	if (!plan->programs && !plan->at_exit)
		return 0;
	e = afxdp_look(ifname, &f, sizeof(f));
	if (e == -ENODEV) /* opening the capture will report this */
		return 0;
	if (!e && !f.xdp_program && plan->verdicts)
		return refuse(-ENOENT, "--verdict: %s has no XDP program that could return one",
			      ifname);
	if (!e && !f.xdp_program) {
		note("%s has no XDP program: capturing as without " OPTION " and --rx-capture",
		     ifname);
		return 0;
	}
	n = e ? e : programs_find(f.xdp_program, p.program);
	if (n < 0)
		return refuse(n, "the XDP program of %s cannot be looked at: %s%s", ifname,
			      strerror(-n), n == -EPERM ? " (run as root)" : "");
	p.n = (unsigned)n;
	return add_all(t, plan, &p);
}
