/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A network namespace that ends with the process, with a veth pair in it. */
#pragma once

/* Leave for a new namespace. Ends the process with status 77 where that is not allowed. */
void own_net(void);
/* Run a command there by the shell; ends the process when it fails. */
void run(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* va and vb, both up; frames sent into va arrive at vb. options: of ip link, for both. */
void veth_pair(const char *options);

/* Of this process; the one that counts them is among them. */
unsigned count_descriptors(void);
