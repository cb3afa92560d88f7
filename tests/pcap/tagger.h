/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* BPF programs that put VLAN tags beside frames, and send them on; for the life of the process. */
#pragma once

/* A frame with a mark (SO_MARK) leaves the device with that tag, TPID << 16 | TCI, beside it. */
int tag_by_mark(const char *device);
/* What comes in at one device is sent by another, with its tag beside it as it came. */
int send_on(const char *from, const char *to);
