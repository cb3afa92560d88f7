/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What becomes of options that other programs have: ../habits.def. */
#pragma once

struct options;
struct row;

/* It is so anyway. row->takes: the only value, or, in capitals, any. */
int habit_accepted(struct options *o, const struct row *row, const char *name, const char *value);
/* -1 after telling what to type: row->help. */
int habit_answered(struct options *o, const struct row *row, const char *name, const char *value);
