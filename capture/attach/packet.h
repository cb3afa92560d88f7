/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A packet socket that receives nothing: it holds promiscuous mode, and sends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns a descriptor or -errno. Promiscuous mode ends when the last descriptor that asked for it
 * is closed. */
int packet_open(unsigned ifindex, bool promiscuous);
/*
 * Send to the interface that fd is bound to. Returns the number of bytes sent, or -errno; -ENXIO:
 * the interface has disappeared. Tries once more if the interface was down before.
 */
int packet_send(int fd, const void *frame, size_t length);
/* Has the interface of packet_open() disappeared? Another one may have its number by now. */
bool packet_is_gone(int fd);
/* SO_COOKIE of the socket, by which the programs recognize its frames; 0: fd is not a socket. */
uint64_t packet_cookie(int fd);
