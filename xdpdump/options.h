/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line. One table gives getopt_long() its options and --help its text. */
#ifndef XDPDUMP_OPTIONS_H
#define XDPDUMP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum direction { DIRECTION_IN, DIRECTION_OUT, DIRECTION_BOTH };
enum action { ACTION_CAPTURE, ACTION_LIST, ACTION_DUMP, ACTION_VERSION, ACTION_HELP };

struct options {
	enum action action;
	enum direction direction;
	const char *interface; /* as given: with or without "xdp:" and options behind it */
	const char *write;     /* NULL: text */
	const char *expression_file;
	char *expression; /* NULL: none */
	uint64_t count;	  /* 0: no limit */
	uint32_t snaplen;
	unsigned verbose;
	unsigned dump_level; /* -d, -dd, -ddd */
	bool promiscuous, hex;
	char engine[256]; /* ",option=value..." for capture_parse_device() */
};

/* 0, or -1 after telling the user what is wrong. To be freed in both cases. */
int options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);
void options_help(void);

#endif
