#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The system's tcpdump on xdp:vb, as a user would type it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping
veth_pair

start_tcpdump -Q in -Z root -w "$scratch/f.pcap" icmp || finish
tcpdump=$pid said=$err
check "XDP program is attached" fails no_xdp_program "$right" vb
equal "promiscuity by membership" 1 "$(promiscuity "$right" vb)"
check "ping is answered" in_left ping -qc 10 -i 0.02 -W 20 10.99.0.2
settle "$tcpdump"
check "tcpdump ends well on SIGINT" stop "$tcpdump" INT
equal "captured by its own count" 10 "$(tcpdump_count captured "$said")"
equal "received by filter" 10 "$(tcpdump_count received "$said")"
equal "dropped by kernel" 0 "$(tcpdump_count dropped "$said")"
equal "echo requests in the file" 10 "$(tcpdump -nnr "$scratch/f.pcap" 'icmp[0] == 8' 2> /dev/null | wc -l)"
check "no XDP program is left" no_xdp_program "$right" vb
equal "promiscuity is gone" 0 "$(promiscuity "$right" vb)"

# -c ends it by itself.
start_tcpdump -Q in -Z root -c 5 icmp || finish
tcpdump=$pid printed=$out
check "ping is answered" in_left ping -qc 10 -i 0.02 -W 20 10.99.0.2
check "tcpdump -c 5 ends by itself" ended "$tcpdump" 20
equal "tcpdump -c 5 prints" 5 "$(grep -c 'ICMP echo request' "$printed")"

# As Debian runs it: the filter is set after the privileges are dropped to user tcpdump.
if id tcpdump > /dev/null 2>&1; then
	start_tcpdump -Q in --immediate-mode -l icmp || finish
	tcpdump=$pid printed=$out
	in_left ping -qc 5 -i 0.02 -W 20 10.99.0.2 > /dev/null
	wait_for 20 grep -q 'seq 5' "$printed"
	stop "$tcpdump" INT
	equal "tcpdump as user tcpdump prints" 5 "$(grep -c 'ICMP echo request' "$printed")"
else
	skip "no user tcpdump"
fi
finish
