/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a capture does in another way than users may expect, gathered and printed in one line. */
#pragma once

#include <stdbool.h>

/* One sentence without its end. The same again is one. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Tell what there is, and forget it. apart: in a line each. */
void notes_tell(bool apart);
