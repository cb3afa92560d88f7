/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* Raise the limit of descriptors to its maximum: readers, rings and namespaces take several. */
void limits_raise_descriptors(void);
