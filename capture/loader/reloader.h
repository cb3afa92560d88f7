/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * LOADER_SETS: the process that reads the files of addresses and ports again when they change, with
 * the rights of the user who started it, and without any privilege.
 */
#pragma once

/* Runs until the application is gone. Call it when the setup has come over fd. Returns 0, or
 * -errno. */
int reloader_run(int fd);
