/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Waits for programs in the kernel that are working on a frame. */
#pragma once

/* Programs that run when this is called have ended when it returns. */
void grace_wait(void);
