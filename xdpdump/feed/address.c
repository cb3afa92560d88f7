/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <netdb.h>
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

bool address_parse(struct sockaddr_storage *a, socklen_t *length, const char *text)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)a;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)a;
	const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
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
		a->ss_family = AF_INET6;
		*length = sizeof(*v6);
		return inet_pton(AF_INET6, host + 1, &v6->sin6_addr) == 1 &&
		       parse_port(&v6->sin6_port, port);
	}
	a->ss_family = AF_INET;
	*length = sizeof(*v4);
	return inet_pton(AF_INET, host, &v4->sin_addr) == 1 && parse_port(&v4->sin_port, port);
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
	char host[INET6_ADDRSTRLEN] = "", port[sizeof("65535")] = "";

	getnameinfo((const struct sockaddr *)a, sizeof(*a), host, sizeof(host), port, sizeof(port),
		    NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(to, ADDRESS_TEXT_SIZE, a->ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}
