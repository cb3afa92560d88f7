/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The way to a file: in folders where everybody makes some, such as /tmp, a link may be somebody
 * else's, and lead anywhere. fs.protected_symlinks of the kernel looks at the last name alone.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

/* Is it sticky, and may others make files in it? */
bool folder_is_shared(const struct stat *folder);
/*
 * A descriptor (O_PATH) of the folder that the path's last name is in, which *name is set to; every
 * name on the way was looked at. -EPERM: a link on it is another user's, in a shared folder; other
 * -errno, as of open(2).
 */
int folder_open(const char *path, const char **name);
