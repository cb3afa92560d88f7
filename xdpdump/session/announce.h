/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a capture prints on standard error when it begins. */
#pragma once

struct options;
struct sources;

/* They are open. In a trial: the notes alone, a line each. */
void announce(const struct sources *all, const struct options *o);
