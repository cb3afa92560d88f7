/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Options about how packets are written, for the table in options.c. 0, or -1 after telling why. */
#pragma once

struct options;

/* value: the level; NULL: none was given. */
int option_zstd(struct options *o, const char *name, const char *value);
/* value: a command; NULL: tcpdump. */
int option_who(struct options *o, const char *name, const char *value);
int option_process(struct options *o, const char *name, const char *value);
int option_cgroup(struct options *o, const char *name, const char *value);
int option_drops(struct options *o, const char *name, const char *value);
int option_drop_reasons(struct options *o, const char *name, const char *value);
int option_decode(struct options *o, const char *name, const char *value);
int option_pre_trigger(struct options *o, const char *name, const char *value);
int option_trigger(struct options *o, const char *name, const char *value);
