#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: which socket each frame is of, as far as this kernel tells.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
kernel_since 5 18 || skip_all "needs Linux 5.18"
exec "$build/tests/capture/socket_test"
