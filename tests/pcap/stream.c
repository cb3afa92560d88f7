/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The host's own traffic, for tests that watch whether a capture harms it.
 *	stream udp-receive PORT SECONDS		counts datagrams that are whole, until none come
 *	stream udp-send ADDRESS PORT COUNT SIZE RATE
 *	stream tcp-receive PORT SECONDS		counts bytes that are right
 *	stream tcp-send ADDRESS PORT BYTES
 * Each prints one number: what it sent, or received in good order. Port PORT is bound before the
 * line "ready" is printed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SIZE_MAX_UDP  65507
#define IDLE_SECONDS  2 /* of silence after the first datagram end the count */
#define RECEIVE_SPACE (8 << 20)

static uint8_t buffer[1 << 17];

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static struct sockaddr_in address(const char *ip, const char *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};

	if (inet_pton(AF_INET, ip, &a.sin_addr) != 1) {
		fprintf(stderr, "stream: %s is no address\n", ip);
		exit(2);
	}
	return a;
}

static int open_socket(int type, const char *port)
{
	struct sockaddr_in a = address("0.0.0.0", port);
	int one = 1, space = RECEIVE_SPACE, s = socket(AF_INET, type, 0);

	if (s < 0)
		die("socket");
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &space, sizeof(space));
	if (bind(s, (struct sockaddr *)&a, sizeof(a)))
		die("bind");
	return s;
}

static void limit_receive(int s, int seconds)
{
	struct timeval t = {.tv_sec = seconds};

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
}

static uint8_t expected(uint64_t at)
{
	return (uint8_t)(at * 31 + (at >> 16) + 7);
}

static void fill(uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buffer[i] = expected(first + i);
}

/* Right bytes from the start of what was received. */
static size_t right(uint64_t first, size_t n)
{
	size_t i = 0;

	while (i < n && buffer[i] == expected(first + i))
		i++;
	return i;
}

static void udp_receive(const char *port, const char *seconds)
{
	int s = open_socket(SOCK_DGRAM, port);
	uint64_t count = 0;
	ssize_t n;

	limit_receive(s, atoi(seconds));
	puts("ready");
	fflush(stdout);
	while ((n = recv(s, buffer, sizeof(buffer), 0)) >= 0) {
		limit_receive(s, IDLE_SECONDS);
		count += right(0, (size_t)n) == (size_t)n;
	}
	printf("%llu\n", (unsigned long long)count);
}

static void pace(const struct timespec *start, uint64_t sent, uint64_t rate)
{
	uint64_t ns = sent * 1000000000 / rate + (uint64_t)start->tv_nsec;
	struct timespec at = {start->tv_sec + (time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void udp_send(char **arg)
{
	struct sockaddr_in to = address(arg[0], arg[1]);
	uint64_t count = strtoull(arg[2], NULL, 10), rate = strtoull(arg[4], NULL, 10), sent = 0;
	size_t size = strtoull(arg[3], NULL, 10);
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct timespec start;

	if (s < 0 || size > SIZE_MAX_UDP || !rate)
		die("udp-send");
	fill(0, size);
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (uint64_t i = 0; i < count; i++) {
		sent += sendto(s, buffer, size, 0, (struct sockaddr *)&to, sizeof(to)) ==
			(ssize_t)size;
		pace(&start, i + 1, rate);
	}
	printf("%llu\n", (unsigned long long)sent);
}

static void tcp_receive(const char *port, const char *seconds)
{
	int s = open_socket(SOCK_STREAM, port), c;
	uint64_t count = 0;
	ssize_t n;

	limit_receive(s, atoi(seconds));
	if (listen(s, 1))
		die("listen");
	puts("ready");
	fflush(stdout);
	c = accept(s, NULL, NULL);
	if (c < 0)
		die("accept");
	limit_receive(c, atoi(seconds));
	while ((n = recv(c, buffer, sizeof(buffer), 0)) > 0) {
		if (right(count, (size_t)n) != (size_t)n)
			break;
		count += (uint64_t)n;
	}
	printf("%llu\n", (unsigned long long)count);
}

static void tcp_send(char **arg)
{
	struct sockaddr_in to = address(arg[0], arg[1]);
	uint64_t count = strtoull(arg[2], NULL, 10), sent = 0;
	int s = socket(AF_INET, SOCK_STREAM, 0);

	if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof(to)))
		die("connect");
	while (sent < count) {
		size_t part = count - sent < sizeof(buffer) ? count - sent : sizeof(buffer);
		ssize_t n;

		fill(sent, part);
		n = send(s, buffer, part, 0);
		if (n < 0)
			die("send");
		sent += (uint64_t)n;
	}
	close(s);
	printf("%llu\n", (unsigned long long)sent);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "udp-receive") && argc == 4)
		udp_receive(argv[2], argv[3]);
	else if (!strcmp(what, "udp-send") && argc == 7)
		udp_send(argv + 2);
	else if (!strcmp(what, "tcp-receive") && argc == 4)
		tcp_receive(argv[2], argv[3]);
	else if (!strcmp(what, "tcp-send") && argc == 5)
		tcp_send(argv + 2);
	else
		return 2;
	return 0;
}
