/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * sock-fds=, prog-fd=: a capture in a process without privilege. Another process, with privilege,
 * has opened the sockets, loaded the program that redirects frames to them, and passed both on as
 * descriptors. There are no rings then, and the kernel does not filter.
 */
#pragma once

#include "capture/attach/attachment.h"

/* Check the interface and the descriptors, and warn of options without effect. Returns 0, or with
 * err written -EINVAL: options that do not go together; -EBADF: a descriptor of another kind;
 * -EBUSY: the XDP hook is held; or an error of attachment_check_interface() or
 * default_route_spare(). */
int borrowed_open(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);
/* Attach the program, if there is one, after the sockets are bound. Returns 0, or -errno with err
 * written. */
int borrowed_attach(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);
