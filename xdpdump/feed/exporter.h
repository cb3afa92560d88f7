/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The process between: it starts pcapng-kafka again and again, each time with a new pipe as its
 * input. */
#pragma once

struct feed_plan;

struct exporter {
	const struct feed_plan *plan;
	const char *program;
	const char *session; /* one for all runs and all streams of a capture */
	unsigned stream, of; /* of so many; of: 0 where the capture is one stream */
};

/*
 * In a process that has given up its privileges; does not return. socket: the writing ends of pipes
 * go there, and its end is that of who captures. memory: of the state.
 */
void exporter_run(const struct exporter *x, int socket, int memory) __attribute__((noreturn));
/* On the other side: the next pipe, or -EAGAIN, or another -errno. */
int exporter_receive(int socket);
