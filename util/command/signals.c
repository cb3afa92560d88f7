/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stddef.h>

#include "util/command/signals.h"
#include "util/again.h"

volatile sig_atomic_t signals_stop;

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (signals_stop < 2 && !signal_comes_again(number, info))
		signals_stop++;
}

void signals_catch(void)
{
	struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void signals_release(void)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}
