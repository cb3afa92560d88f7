/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A packet socket that receives nothing: it holds promiscuity and sends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The descriptor, or -errno. Promiscuity lasts until the last descriptor that asked is closed. */
int packet_open(unsigned ifindex, bool promiscuous);
/*
 * To the interface that fd is bound to: bytes sent, or -errno; -ENXIO: it has disappeared. Tries
 * again once if the interface was down before.
 */
int packet_send(int fd, const void *frame, size_t length);
/* Has the interface of the opening disappeared? Another one may have its number by now. */
bool packet_is_gone(int fd);
/* SO_COOKIE of the socket, by which the programs know its frames; 0: fd is no socket. */
uint64_t packet_cookie(int fd);
