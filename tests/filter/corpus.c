/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Expressions from libpcap's own files, read when the test runs. What stands between quotes in its
 * test suite, and in bold or in a display in pcap-filter(7), is an expression if libpcap compiles
 * it for Ethernet. Host names become addresses first, so that no name server is ever asked.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static bool is_keyword(const char *word, size_t n)
{
	static const char *const keyword[] = {
		"src",		"dst",
		"host",		"net",
		"mask",		"port",
		"portrange",	"less",
		"greater",	"len",
		"and",		"or",
		"not",		"ether",
		"ip",		"ip6",
		"arp",		"rarp",
		"tcp",		"udp",
		"icmp",		"icmp6",
		"sctp",		"igmp",
		"igrp",		"pim",
		"vrrp",		"carp",
		"ah",		"esp",
		"proto",	"protochain",
		"multicast",	"broadcast",
		"vlan",		"mpls",
		"pppoed",	"pppoes",
		"geneve",	"gateway",
		"llc",		"stp",
		"ipx",		"netbeui",
		"iso",		"clnp",
		"esis",		"isis",
		"decnet",	"atalk",
		"aarp",		"lat",
		"moprc",	"mopdl",
		"sca",		"loopback",
		"inbound",	"outbound",
		"tcpflags",	"tcp-fin",
		"tcp-syn",	"tcp-rst",
		"tcp-push",	"tcp-ack",
		"tcp-urg",	"icmptype",
		"icmpcode",	"icmp6type",
		"icmp6code",	"link",
		"lsh",		"rsh",
		"ppp",		"radio",
		"vxlan",	"inbound",
		"ftp",		"ftp-data",
		"http",		"https",
		"domain",	"ssh",
		"telnet",	"smtp",
		"icmp-echo",	"icmp-echoreply",
		"icmp-unreach", "tcp-ece",
		"tcp-cwr",	"csnp",
		"psnp",		"l1",
		"l2",		"iih",
		"lsp",		"snp",
	};

	for (size_t i = 0; i < sizeof(keyword) / sizeof(keyword[0]); i++)
		if (strlen(keyword[i]) == n && !memcmp(keyword[i], word, n))
			return true;
	return false;
}

/* A name that the resolver would be asked for. */
static bool is_name(const char *word, size_t n)
{
	bool hex = true;

	if (!isalpha((unsigned char)word[0]) || is_keyword(word, n))
		return false;
	for (size_t i = 0; i < n; i++)
		hex = hex && (isxdigit((unsigned char)word[i]) || strchr(":.", word[i]));
	return !hex;
}

/* Escapes of the shell and of troff go, names become addresses. False if it is too long. */
static bool normalise(char *to, size_t size, const char *from, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n;) {
		size_t word = 0;

		while (i + word < n &&
		       (isalnum((unsigned char)from[i + word]) || strchr("-_.:", from[i + word])))
			word++;
		if (len + word + 16 > size)
			return false;
		if (word && is_name(from + i, word)) {
			len += (size_t)snprintf(to + len, size - len, "10.0.1.%zu", word);
		} else if (word) {
			memcpy(to + len, from + i, word);
			len += word;
		} else if (from[i] != '\\' && from[i] != '"') {
			to[len++] = from[i];
		}
		i += word ? word : 1;
	}
	to[len] = 0;
	return len >= 2;
}

static bool add(struct corpus *corpus, const char *text, size_t n)
{
	char expression[400];
	struct program program;

	if (!normalise(expression, sizeof(expression), text, n))
		return false;
	for (unsigned i = 0; i < corpus->n; i++)
		if (!strcmp(corpus->expression[i], expression))
			return false;
	if (!program_compile(&program, expression, false))
		return false;
	free(program.f);
	if (corpus->n == corpus->size) {
		corpus->size = corpus->size ? 2 * corpus->size : 64;
		corpus->expression =
			realloc(corpus->expression, corpus->size * sizeof(*corpus->expression));
	}
	corpus->expression[corpus->n++] = strdup(expression);
	return true;
}

static void read_suite_line(struct corpus *corpus, const char *line)
{
	for (const char *at = line; *at; at++) {
		const char *end;

		if (*at != '\'' && *at != '"')
			continue;
		end = strchr(at + 1, *at);
		if (!end)
			return;
		corpus->from_suite += add(corpus, at + 1, (size_t)(end - at - 1));
		at = end;
	}
}

/* Font changes are marked in the source of the page and gone in the formatted one. */
static void read_page_line(struct corpus *corpus, const char *line)
{
	char plain[400];
	size_t n = 0;

	for (const char *at = line; *at && *at != '\n' && n < sizeof(plain) - 1; at++) {
		if (!strncmp(at, "\\fB", 3) || !strncmp(at, "\\fP", 3) || !strncmp(at, "\\fR", 3) ||
		    !strncmp(at, "\\fI", 3)) {
			if (at[2] == 'B')
				n = 0;
			else
				corpus->from_page += add(corpus, plain, n);
			at += 2;
		} else {
			plain[n++] = *at;
		}
	}
	if (!strncmp(line, ".B ", 3))
		corpus->from_page += add(corpus, plain + 3, n - 3);
	else if (line[0] != '.')
		corpus->from_page += add(corpus, plain, n);
}

static bool read_lines(struct corpus *corpus, const char *path, bool command,
		       void (*read)(struct corpus *, const char *))
{
	FILE *in = command ? popen(path, "r") : fopen(path, "r");
	char line[2000];

	if (!in)
		return false;
	while (fgets(line, sizeof(line), in))
		read(corpus, line);
	if (command)
		pclose(in);
	else
		fclose(in);
	return true;
}

void corpus_read(struct corpus *corpus)
{
	const char *source = getenv("LIBPCAP_SOURCE");
	char path[1000];

	*corpus = (struct corpus){0};
	if (source && *source) {
		snprintf(path, sizeof(path), "%s/testprogs/TESTrun", source);
		if (!read_lines(corpus, path, false, read_suite_line))
			printf("%s has no test suite for expressions\n", source);
		snprintf(path, sizeof(path), "%s/pcap-filter.manmisc.in", source);
		read_lines(corpus, path, false, read_page_line);
	} else {
		read_lines(corpus, "gzip -dc /usr/share/man/man7/pcap-filter.7.gz 2>/dev/null",
			   true, read_page_line);
	}
	printf("corpus: %u expressions of libpcap's test suite, %u of pcap-filter(7)\n",
	       corpus->from_suite, corpus->from_page);
}

void corpus_free(struct corpus *corpus)
{
	for (unsigned i = 0; i < corpus->n; i++)
		free(corpus->expression[i]);
	free(corpus->expression);
	*corpus = (struct corpus){0};
}
