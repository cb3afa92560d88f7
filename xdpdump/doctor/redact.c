/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>

#include "redact.h"

#define MAC_LENGTH 17

/* Returns the length of a MAC address, "02:00:00:00:00:0a" or with "-", or 0 if there is none. */
static size_t mac_at(const char *text)
{
	for (size_t i = 0; i < MAC_LENGTH; i++) {
		bool between = i % 3 == 2;

		if (between ? text[i] != text[2] || (text[i] != ':' && text[i] != '-')
			    : !isxdigit((unsigned char)text[i]))
			return 0;
	}
	return MAC_LENGTH;
}

static bool is_ip(const char *text, size_t n)
{
	char word[INET6_ADDRSTRLEN];
	struct in6_addr out;

	memcpy(word, text, n);
	word[n] = 0;
	return inet_pton(AF_INET, word, &out) == 1 || inet_pton(AF_INET6, word, &out) == 1;
}

/* Returns the length of an IP address, or 0 if there is none. A port or the period of a sentence is
 * not part of it. */
static size_t ip_at(const char *text)
{
	size_t n = strspn(text, "0123456789abcdefABCDEF:.");

	for (n = n < INET6_ADDRSTRLEN ? n : INET6_ADDRSTRLEN - 1; n > 2; n--)
		if (!isxdigit((unsigned char)text[n]) && is_ip(text, n))
			return n;
	return 0;
}

static size_t host_at(const char *text, const char *host)
{
	size_t n = strlen(host);

	return n > 1 && strncmp(text, host, n) == 0 && !isalnum((unsigned char)text[n]) ? n : 0;
}

static bool is_kept(const char *line)
{
	return strncmp(line, "version", 7) == 0 || strncmp(line, "driver", 6) == 0;
}

void redact(FILE *to, const char *text)
{
	bool begins = true, kept = is_kept(text);
	struct utsname u = {.nodename = ""};

	uname(&u);
	while (*text) {
		size_t address = begins && !kept ? mac_at(text) : 0;
		size_t host = begins ? host_at(text, u.nodename) : 0;

		if (begins && !kept && !address)
			address = ip_at(text);
		if (address || host) {
			fputs(address ? "ADDRESS" : "HOST", to);
			text += address ? address : host;
			begins = false;
			continue;
		}
		begins = !isalnum((unsigned char)*text) && *text != '_';
		if (*text == '\n')
			kept = is_kept(text + 1);
		putc(*text++, to);
	}
}
