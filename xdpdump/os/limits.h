/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* As many descriptors as this process may have: readers, rings and namespaces take some each. */
void limits_raise_descriptors(void);
