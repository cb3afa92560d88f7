#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# kill -9 in mid-capture leaves nothing in the system, and a file that can be read.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump tshark ping
veth_pair
file=$scratch/f.pcapng

for round in 1 2 3; do
	start_xdpdump -P -w "$file"
	capture=$pid
	kill_amidst is_longer 5000000 "$file"
	equal "round $round: status" 137 $?
	check "round $round: no XDP program is left" wait_for 5 no_xdp_program "$right" vb
	equal "round $round: promiscuity" 0 "$(promiscuity "$right" vb)"
	check "round $round: the host's traffic goes on" in_left ping -qc 3 -i 0.05 -W 5 10.99.0.2
	ended "$sender" 20
	whole=$("$capcheck" --cut-is-fine "$file" | tr ',' '\n' | sed -n 's/"frames":\([0-9]*\)/\1/p')
	between "round $round: packets in the file" 1000 100000 "${whole:-0}"
	equal "round $round: the same for tcpdump" "$whole" "$(packets "$file")"
	equal "round $round: the same for tshark" "$whole" \
		"$(tshark -r "$file" -T fields -e frame.number 2> /dev/null | wc -l)"
done
start_xdpdump -c 1 -w "$file" icmp
capture=$pid
check "a new capture: one packet is sent" in_left ping -qc 1 -W 5 10.99.0.2
check "a new capture ends with it" ended "$capture" 20
finish
