/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What somebody else holds who looks at a capture. Apart, because pcap/bpf.h and linux/bpf.h do not
 * go together. */
#pragma once

/* A descriptor of the link by which a program is in the XDP hook of this interface. -1: there is
 * none. */
int link_of(const char *interface);
