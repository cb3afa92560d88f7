/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The commands: each returns the exit status of the program. */
#ifndef KAFKA_COMMANDS_H
#define KAFKA_COMMANDS_H

#include "kafka/options.h"

int put_run(const struct options *o);
int get_run(const struct options *o);
int ls_run(const struct options *o);

#endif
