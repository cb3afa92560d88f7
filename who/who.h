/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Which processes held the socket of a packet at that moment.
 *
 *	who_open(&w, ...)			with privilege
 *	looker_serve(socket, looks)		in a process of its own, which keeps some
 *	who_connect(w, other end)
 *	who_begin(w)				then privileges may be dropped
 *	who_read(w, time of a packet)
 *	who_label(w, socket, time, &label)
 */
#pragma once

#include <stddef.h>

#include "choice.h"
#include "looker.h"

struct epb_socket;
struct who;

/* -errno; err: in words. */
int who_open(struct who **w, bool command_lines, char *err, size_t size);
void who_close(struct who *w);
/*
 * Before who_begin(): only what these processes have is wanted. It is the who's from here on.
 * who_others() is for the capture: a map of sockets that surely are others'. -errno.
 */
int who_choose(struct who *w, struct choice *c);
int who_others(const struct who *w);
/* For looker_serve() in the other process. */
struct looks who_looks(const struct who *w);
/* The socket is its from here on. The first look. -errno. */
int who_connect(struct who *w, int socket);
/* With privilege, when packets are about to come: what came before may have been too much. -errno.
 */
int who_begin(struct who *w);
/*
 * Look until all up to this time, in ns since 1970, is known. Sleeps so that looks take no more
 * than an eighth of the time. -errno: the other process has ended.
 */
int who_read(struct who *w, uint64_t time);
/* If there was no look for long: what has come meanwhile needs room. */
int who_beat(struct who *w);
/* When that is due, in ns of CLOCK_MONOTONIC. */
uint64_t who_due(const struct who *w);
/* Whose the frame is. The processes are good until the next who_read() or who_beat(). */
void who_label(struct who *w, const struct epb_socket *s, uint64_t time, struct who_holders *to);
/* Is it wanted? Of a socket that surely is not, later frames are left out by the kernel. */
enum chosen who_wants(struct who *w, const struct epb_socket *s, uint64_t time,
		      const struct who_holders *h);
/* What else is known of one of these, asked for once. */
void who_ask(struct who *w, struct process *p);
/* CLOCK_MONOTONIC of a time in ns since 1970. */
uint64_t who_time(const struct who *w, uint64_t time);

/* Between two looks that take so many ns of CPU time. */
uint64_t who_pause(uint64_t ns);

struct who_figures {
	uint64_t looks, look_ns; /* how often, and how long the last took */
	uint64_t events_lost, refused;
	unsigned sockets, processes;
};
void who_figures(const struct who *w, struct who_figures *f);
/* Frames left out by the kernel; of these, at most, of sockets that had come to who is wanted. */
void who_left_out(const struct who *w, uint64_t *left_out, uint64_t *missed);
