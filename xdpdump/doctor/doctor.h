/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --doctor: what a capture on an interface would do, found without attaching anything. */
#pragma once

struct options;

/* Print the findings to standard output. Returns the exit status, which says whether a capture with
 * these options works. */
int doctor_run(const struct options *o);
