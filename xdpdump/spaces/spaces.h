/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Many network namespaces: a process of its own reports those that come and go. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct keeper_orders;
struct news;
struct spaces;

/* A namespace that is captured. */
struct space_name {
	uint32_t netns; /* its inode */
	char *name;	/* "": that of this process */
	uint64_t since; /* ns since 1970 */
};

/*
 * While the privilege is there, and before there are rings: the process would have them in its
 * memory. Of the orders the descriptors are filled in here. -errno after telling why.
 */
int spaces_prepare(struct spaces **s, const struct keeper_orders *o);
/* For another source: to be closed as often as that. */
struct spaces *spaces_share(struct spaces *s);
/*
 * With this filter for the sockets: afxdp_socket_program(); -1: there are none, as no frames are
 * wanted. -errno after telling why.
 */
int spaces_begin(struct spaces *s, int program);
/* Readable when there is news. */
int spaces_fd(const struct spaces *s);
/* The next message, without waiting; NEWS_LEAVE comes with the name. false: there is none. */
bool spaces_next(struct spaces *s, struct news *n);
/* Was nothing on its way when spaces_next() last looked? */
bool spaces_all_heard(const struct spaces *s);
/* Wait for one, for so long. */
void spaces_wait(const struct spaces *s, int timeout_ms);
/* Wait for one that is known to be on its way. false: there is none. */
bool spaces_await(struct spaces *s, int timeout_ms);
/* NULL: it is not captured. Good until the next message. */
struct space_name *spaces_find(const struct spaces *s, uint32_t netns);
unsigned spaces_count(const struct spaces *s);
/* Has the process ended, though it was not to? */
bool spaces_ended(const struct spaces *s);
/* No more is wanted but what has been told: its sockets are closed while we go on. Again is
 * allowed, as is NULL. */
void spaces_stop(struct spaces *s);
/* ... and wait for that. NULL is allowed. */
void spaces_close(struct spaces *s);
