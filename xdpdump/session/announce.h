/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a capture prints on standard error when it begins. */
#pragma once

struct options;
struct sources;

/* Print the notes of the open sources, and where each captures. In a trial: no places, and each
 * note on its own line. */
void announce(const struct sources *all, const struct options *o);
