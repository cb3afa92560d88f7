/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The packet socket of a network namespace. */
#pragma once

/*
 * Open in the caller's namespace with this program as its filter. It receives nothing yet. Returns
 * a descriptor or -errno.
 */
int space_socket_open(int program);
/* Receive all frames from now on. Returns 0 or -errno. */
int space_socket_bind(int fd);
/* Close it in a thread of its own, because the kernel needs about 20 ms. */
void space_socket_close(int fd);
/* Wait until all of them are closed. */
void space_sockets_wait(void);
