/* SPDX-License-Identifier: BSD-3-Clause */
/* xdpdump: capture packets at the XDP layer. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "expression.h"
#include "interfaces.h"
#include "options.h"
#include "report.h"
#include "session.h"

static int list_interfaces(void)
{
	int e = interfaces_list();

	if (e)
		complain("listing interfaces: %s", strerror(-e));
	return e ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int dump_expression(const struct options *o)
{
	char err[1024];

	if (expression_dump(o->expression, o->snaplen, (int)o->dump_level, err, sizeof(err)) == 0)
		return EXIT_SUCCESS;
	complain("%s", err);
	return EXIT_FAILURE;
}

/* Text that was printed to standard output is there when it has left the process. */
static int printed(void)
{
	if (fflush(stdout) == 0)
		return EXIT_SUCCESS;
	complain("standard output: %s", strerror(errno));
	return EXIT_FAILURE;
}

static int run(const struct options *o)
{
	switch (o->action) {
	case ACTION_LIST:
		return list_interfaces();
	case ACTION_DUMP:
		return dump_expression(o);
	case ACTION_VERSION:
		printf("xdpdump (%s)\n%s\n", PACKAGE_VERSION_TEXT, expression_compiler());
		return printed();
	case ACTION_HELP:
		options_help();
		return printed();
	default:
		return session_run(o);
	}
}

int main(int argc, char **argv)
{
	struct options o;
	int status = EXIT_FAILURE;

	if (options_parse(&o, argc, argv) == 0)
		status = run(&o);
	options_free(&o);
	return status;
}
