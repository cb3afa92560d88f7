/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where --listen listens: [ADDRESS:]PORT, both as numbers. */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/* Without an address in text it is that of loopback. Returns false if text is neither form. */
bool address_parse(struct sockaddr_storage *a, socklen_t *length, const char *text);
bool address_is_loopback(const struct sockaddr_storage *a);
#define ADDRESS_TEXT_SIZE 64
void address_format(const struct sockaddr_storage *a, char to[ADDRESS_TEXT_SIZE]);
