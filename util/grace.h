/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Waiting for programs in the kernel that are at work on a frame. */
#pragma once

/* Those that run as this is called have ended when it returns. */
void grace_wait(void);
