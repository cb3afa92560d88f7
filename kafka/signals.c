/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stddef.h>

#include "kafka/signals.h"

volatile sig_atomic_t signals_stop;

static void on_signal(int number)
{
	(void)number;
	if (signals_stop < 2)
		signals_stop++;
}

void signals_catch(void)
{
	struct sigaction a = {.sa_handler = on_signal};

	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
}
