/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A packet socket that receives nothing: it holds promiscuity and sends. */
#ifndef PCAP_AFXDP_PACKET_H
#define PCAP_AFXDP_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The descriptor, or -errno. Promiscuity is counted by the kernel and ends with the descriptor. */
int packet_open(unsigned ifindex, bool promiscuous);
/* Bytes sent, or -errno. */
int packet_send(int fd, unsigned ifindex, const void *frame, size_t length);
/* By which the programs know its frames; 0: fd is none. */
uint64_t packet_cookie(int fd);

#endif
