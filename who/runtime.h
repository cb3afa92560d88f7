/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What those who started a container call it, from files that Docker, containerd, CRI-O, podman and
 * Kubernetes keep. None of these programs is asked.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Gets the name of the container with that id. root: precedes all paths, "" except in tests. False:
 * it is not known, and name is "". */
bool runtime_name(const char *root, const char *id, char *name, size_t size);
