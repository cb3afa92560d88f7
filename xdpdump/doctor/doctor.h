/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --doctor: what a capture on an interface would do, found without attaching anything. */
#pragma once

struct options;

/* Print it to standard output. The exit status: does a capture with these options work? */
int doctor_run(const struct options *o);
