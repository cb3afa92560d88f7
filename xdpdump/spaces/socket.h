/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The packet socket of a network namespace. */
#pragma once

/* In the namespace of the caller, with this program for its filter; it sees nothing yet. -errno. */
int space_socket_open(int program);
/* All frames from here on. -errno. */
int space_socket_bind(int fd);
/* Beside other work, as the kernel needs some 20 ms. */
void space_socket_close(int fd);
/* Until none is being closed. */
void space_sockets_wait(void);
