/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The process between xdpdump and pcapng-kafka: it starts that program again and again, each time
 * with a new pipe as its input.
 */
#pragma once

struct feed_plan;

struct exporter {
	const struct feed_plan *plan;
	const char *program;
	const char *session; /* the same for all runs and all streams of a capture */
	unsigned stream, of; /* number of this stream, and how many there are; of 0: only one */
};

/*
 * Runs in a process that has given up its privileges; does not return. socket: the writing ends of
 * pipes are sent to it; only the capturing process has its other end. memory: a descriptor of the
 * state.
 */
void exporter_run(const struct exporter *x, int socket, int memory) __attribute__((noreturn));
/* In the capturing process: returns the next pipe; -EAGAIN: none now; or another -errno. */
int exporter_receive(int socket);
