# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += man/xdpdump.8
dist_man_MANS += man/pcap-afxdp.7
dist_man_MANS += man/libafxdpcapture.3
