/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* pcapng-kafka: captures into Kafka and out of it again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "kafka/client.h"
#include "kafka/commands.h"
#include "util/command/say.h"

static const struct command {
	const char *name;
	unsigned bit;
	int (*run)(const struct options *o);
	const char *usage, *help;
} commands[] = {
	{"put", PUT, put_run, "put [OPTION]... kafka://BROKERS/TOPIC [FILE]",
	 "put packets of FILE, or of standard input, into a topic"},
	{"get", GET, get_run, "get [OPTION]... kafka://BROKERS/TOPIC [EXPRESSION]",
	 "get packets out of a topic, as one pcapng file"},
	{"ls", LS, ls_run, "ls [OPTION]... kafka://BROKERS/TOPIC", "list the captures in a topic"},
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int print_help(const struct command *only)
{
	const char *name = program_invocation_short_name;

	for (size_t i = 0; i < COMMANDS; i++) {
		const struct command *c = &commands[i];

		if (only && only != c)
			continue;
		printf("%s %s\n    %s\n", name, c->usage, c->help);
		if (only)
			options_print(c->bit);
	}
	if (!only)
		printf("BROKERS are HOST[:PORT][,HOST[:PORT]...]. %s COMMAND --help shows the "
		       "options, %s(1) explains them.\n",
		       name, name);
	return printed();
}

static int print_version(void)
{
	printf("%s (%s)\nlibrdkafka %s\n", program_invocation_short_name, PACKAGE_VERSION_TEXT,
	       rd_kafka_version_str());
	return printed();
}

static int run_command(const struct command *c, int argc, char **argv)
{
	struct options o;

	if (options_parse(&o, c->bit, argc, argv))
		return EXIT_FAILURE;
	if (o.help)
		return print_help(c);
	return o.version ? print_version() : c->run(&o);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return print_help(NULL);
	if (strcmp(word, "--version") == 0)
		return print_version();
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(word, commands[i].name) == 0)
			return run_command(&commands[i], argc - 1, argv + 1);
	complain(*word ? "there is no command '%s': put, get or ls"
		       : "put, get or ls? %s --help shows more",
		 *word ? word : program_invocation_short_name);
	return EXIT_FAILURE;
}
