/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where filter expressions come from. *text is the caller's to free, NULL for an empty one. */
#pragma once

/* The words, one blank between them; words ends with NULL. -1 after telling what is wrong. */
int expression_join(char **text, char **words);
/* A file ("-": standard input), without what follows a # in a line. -1 likewise. */
int expression_read(char **text, const char *path);
