/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* Make a name that nothing else has, on any host: 16 hexadecimal digits. */
#define UNIQUE_ROOM 17
void unique_name(char to[UNIQUE_ROOM]);
