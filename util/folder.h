/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The way to a file. In folders where everybody can create files, such as /tmp, a link may be
 * somebody else's, and lead anywhere. The kernel's fs.protected_symlinks only checks the last name.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

/* Is it sticky, and may others create files in it? */
bool folder_is_shared(const struct stat *folder);
/*
 * Returns a descriptor (O_PATH) of the folder of the path's last name, and sets *name to that; each
 * name on the way is checked. -EPERM: a link on the way belongs to another user, in a shared
 * folder; other -errno as from open(2).
 */
int folder_open(const char *path, const char **name);
