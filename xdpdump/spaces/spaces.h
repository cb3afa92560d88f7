/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Captures in many network namespaces: the keeper, a process, reports those that come and go. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct keeper_orders;
struct news;
struct spaces;

/* A namespace that is captured. */
struct space_name {
	uint32_t netns; /* its inode */
	char *name;	/* "": this process is in it */
	uint64_t since; /* ns since 1970 */
};

/*
 * Start the keeper. Call it with privilege, and before there are rings, which the keeper would
 * share. The descriptors of the orders are set here. Returns 0, or -errno after a complaint.
 */
int spaces_prepare(struct spaces **s, const struct keeper_orders *o);
/* For another source: each one calls spaces_close(). */
struct spaces *spaces_share(struct spaces *s);
/*
 * Begin to look, with this filter for the sockets: afxdp_socket_program(); -1: there are no
 * sockets, because no frames are wanted. Returns 0, or -errno after a complaint.
 */
int spaces_begin(struct spaces *s, int program);
/* The descriptor is readable when there is news; -1 after spaces_stop(). */
int spaces_fd(const struct spaces *s);
/* Get the next message without waiting; NEWS_LEAVE gets the name. false: there is none. */
bool spaces_next(struct spaces *s, struct news *n);
/* When spaces_next() last found nothing, was nothing waiting in the keeper either? */
bool spaces_all_heard(const struct spaces *s);
/* Wait for a message, but no longer than timeout_ms. */
void spaces_wait(const struct spaces *s, int timeout_ms);
/* Wait for a message that is known to be on its way. Returns false if there is none. */
bool spaces_await(struct spaces *s, int timeout_ms);
/* Returns NULL if it is not captured. Valid until the next message. */
struct space_name *spaces_find(const struct spaces *s, uint32_t netns);
unsigned spaces_count(const struct spaces *s);
/* Has the keeper ended although nobody stopped it? */
bool spaces_ended(const struct spaces *s);
/*
 * Want no more news than are on their way: the keeper closes its sockets while we go on. May be
 * called again; NULL is allowed.
 */
void spaces_stop(struct spaces *s);
/* End the keeper if this is the last source, and wait for its end. NULL is allowed. */
void spaces_close(struct spaces *s);
