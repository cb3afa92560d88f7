# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
dist_man_MANS += man/xdpdump.8
# Parts of other names than a program's.
notrans_dist_man_MANS += man/pcap-afxdp.7 man/libafxdpcapture.3
