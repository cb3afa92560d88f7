#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The interface goes away, goes down, or loses the program, in mid-capture.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ping
veth_pair
file=$scratch/f.pcapng

start_xdpdump -w "$file" icmp
capture=$pid said=$err
in_left ping -qc 3 -i 0.05 10.99.0.2 > /dev/null
ip -n "$right" link set vb down
sleep 0.3
check "it survives that the interface goes down" fails process_gone "$capture"
ip -n "$right" link set vb up
ip -n "$right" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb
wait_for 5 in_left ping -qc 1 -W 1 10.99.0.2
in_left ping -qc 3 -i 0.05 10.99.0.2 > /dev/null
ip -n "$right" link del vb
ended "$capture" 10
equal "status when the interface is deleted" 1 $?
check "the reason" grep -q '^xdpdump: vb has disappeared$' "$said"
between "packets from before and after" 7 60 "$(count captured "$said")"
equal "packets in the file" "$(count captured "$said")" "$(packets "$file")"
finish
