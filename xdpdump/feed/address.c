/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"

#define PORT_MAX 65535

static bool parse_port(in_port_t *port, const char *text)
{
	unsigned long n;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	n = strtoul(text, &end, 10);
	*port = htons((uint16_t)n);
	return !*end && n <= PORT_MAX;
}

static bool parse_v6(struct sockaddr_storage *a, socklen_t *length, const char *host,
		     const char *port)
{
	struct sockaddr_in6 *to = (struct sockaddr_in6 *)a;

	to->sin6_family = AF_INET6;
	*length = sizeof(*to);
	return inet_pton(AF_INET6, host, &to->sin6_addr) == 1 && parse_port(&to->sin6_port, port);
}

static bool parse_v4(struct sockaddr_storage *a, socklen_t *length, const char *host,
		     const char *port)
{
	struct sockaddr_in *to = (struct sockaddr_in *)a;

	to->sin_family = AF_INET;
	*length = sizeof(*to);
	return inet_pton(AF_INET, host, &to->sin_addr) == 1 && parse_port(&to->sin_port, port);
}

bool address_parse(struct sockaddr_storage *a, socklen_t *length, const char *text)
{
	const char *colon = strrchr(text, ':');
	char host[ADDRESS_TEXT_SIZE] = "127.0.0.1";
	size_t n = colon ? (size_t)(colon - text) : 0;

	memset(a, 0, sizeof(*a));
	if (colon && (!n || n >= sizeof(host)))
		return false;
	if (n) {
		memcpy(host, text, n);
		host[n] = 0;
	}
	if (n > 2 && host[0] == '[' && host[n - 1] == ']') {
		host[n - 1] = 0;
		return parse_v6(a, length, host + 1, colon + 1);
	}
	return parse_v4(a, length, host, colon ? colon + 1 : text);
}

bool address_is_loopback(const struct sockaddr_storage *a)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)a;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)a;

	if (a->ss_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
	return ntohl(v4->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

void address_format(const struct sockaddr_storage *a, char to[ADDRESS_TEXT_SIZE])
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)a;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)a;
	char host[INET6_ADDRSTRLEN] = "";

	if (a->ss_family == AF_INET6) {
		inet_ntop(AF_INET6, &v6->sin6_addr, host, sizeof(host));
		snprintf(to, ADDRESS_TEXT_SIZE, "[%s]:%u", host, ntohs(v6->sin6_port));
	} else {
		inet_ntop(AF_INET, &v4->sin_addr, host, sizeof(host));
		snprintf(to, ADDRESS_TEXT_SIZE, "%s:%u", host, ntohs(v4->sin_port));
	}
}
