/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Landlock (Linux 5.13): writing, making and removing files is for the places alone. */
#pragma once

struct places;

/*
 * This thread and those that it starts, for good; no_new_privs is set. What is open stays open.
 * 0, also where the kernel has no Landlock; -errno, with *place if it comes from the way to that
 * file.
 */
int landlock_confine(const struct places *p, const char **place);
