/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a capture with other rings has left in a spool, and no stream of this one sends. */
#pragma once

/*
 * Complains of it. spool: DIR:SIZE. streams: that have a folder each, from 0 on; 0: one has the
 * spool itself. place: where they send it.
 */
void left_behind_warn(const char *spool, unsigned streams, const char *place);
