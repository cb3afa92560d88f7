/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What Wireshark lets its user set for a capture: options of ours, each with its widget. */
#pragma once

/* Print them in the sentences of the extcap protocol. */
void extcap_config(void);
