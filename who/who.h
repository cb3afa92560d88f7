/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Tells which processes held the socket of a packet when the packet was captured.
 *
 * 	who_open(&w, ...)			with privilege
 * 	looker_serve(socket, looks)		in a separate process, which keeps some privilege
 * 	who_connect(w, other end)
 * 	who_begin(w)				then privileges may be dropped
 * 	who_read(w, time of a packet)
 * 	who_label(w, socket, time, &label)
 */
#pragma once

#include <stddef.h>

#include "choice.h"
#include "looker.h"

struct epb_socket;
struct who;

/* Returns 0, or -errno with the reason in err. */
int who_open(struct who **w, bool command_lines, char *err, size_t size);
void who_close(struct who *w);
/*
 * Before who_begin(): only packets of these processes are wanted. *w takes over *c. who_others()
 * returns a map for the capture, with sockets that surely belong to others. Returns 0 or -errno.
 */
int who_choose(struct who *w, struct choice *c);
int who_others(const struct who *w);
/* What looker_serve() needs in the other process. */
struct looks who_looks(const struct who *w);
/* Takes over the socket, and makes the first look. Returns 0 or -errno. */
int who_connect(struct who *w, int socket);
/* Call it with privilege, when packets are about to come: earlier events may have been too many.
 * Returns 0 or -errno. */
int who_begin(struct who *w);
/*
 * Look until everything up to this time, in ns since 1970, is known. Sleeps so that looks take at
 * most an eighth of the time. Returns 0; -errno: the other process has ended.
 */
int who_read(struct who *w, uint64_t time);
/* Call it if there was no look for a long time: makes room for further events. */
int who_beat(struct who *w);
/* When who_beat() is due, in ns of CLOCK_MONOTONIC. */
uint64_t who_due(const struct who *w);
/* Get the processes that the frame belongs to. They are valid until the next who_read() or
 * who_beat(). */
void who_label(struct who *w, const struct epb_socket *s, uint64_t time, struct who_holders *to);
/* Is the frame wanted? If its socket surely is not, the kernel leaves out its later frames. */
enum chosen who_wants(struct who *w, const struct epb_socket *s, uint64_t time,
		      const struct who_holders *h);
/* Get what else is known of such a process; it is asked for once. */
void who_ask(struct who *w, struct process *p);
/* Converts a time in ns since 1970 into CLOCK_MONOTONIC. */
uint64_t who_time(const struct who *w, uint64_t time);

/* Pause between two looks that take this much CPU time, both in ns. */
uint64_t who_pause(uint64_t ns);

struct who_figures {
	uint64_t looks, look_ns; /* number of looks, and duration of the last one */
	uint64_t events_lost, refused;
	unsigned sockets, processes;
};
void who_figures(const struct who *w, struct who_figures *f);
/* Frames that the kernel left out; and at most how many of these were of sockets that belonged to a
 * wanted process by then. */
void who_left_out(const struct who *w, uint64_t *left_out, uint64_t *missed);
