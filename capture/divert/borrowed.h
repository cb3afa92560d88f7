/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * sock-fds=, prog-fd=: a capture in a process without privilege. Another process with privilege has
 * opened the sockets, loaded the program that redirects frames to them, and passed both on as
 * descriptors. There are no rings then, and the kernel does not filter.
 */
#pragma once

#include "capture/attach/attachment.h"

/* Check the interface and the descriptors, and warn of options without effect. With err written:
 * -EINVAL: options that do not go together; -EBADF: another kind of descriptor; -EBUSY: the XDP
 * hook is held; or as attachment_check_interface() and default_route_spare(). */
int borrowed_open(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);
/* Attach the program, if there is one, after the sockets are bound. -errno with err written. */
int borrowed_attach(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);
