/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <signal.h>

/* How often SIGINT or SIGTERM has come. */
extern volatile sig_atomic_t signals_stop;

/* From now on these interrupt a read() that waits; SIGPIPE and SIGXFSZ (ulimit -f) become errors of
 * write(). */
void signals_catch(void);
/* From now on they end the program at once, as before. */
void signals_release(void);
