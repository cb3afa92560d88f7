#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# kill -9 of a capturing program: nothing of it stays, and the host's traffic does not notice.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping
need_testprog trafgen capcheck
veth_pair
stream=$build/tests/pcap/stream

no_processes()
{
	! ip netns pids "$right" | grep -q -v -x "$receiver"
}

is_under_way()
{
	[ "$(wc -c < "$1")" -gt 500000 ]
}

# die NAME FILE: the capturing program $pid, in the middle of traffic.
die()
{
	capture=$pid
	start in_right "$stream" udp-receive 5000 20
	receiver=$pid received=$out
	wait_for 20 grep -q ready "$received"
	start in_left ping -q -c 100 -i 0.01 -W 20 10.99.0.2
	ping=$pid pinged=$out
	start in_left "$stream" udp-send 10.99.0.2 5000 20000 200 20000
	sender=$pid sent=$out
	start in_left testprogs/trafgen -i va -n 150000 -r 50000
	wait_for 20 is_under_way "$2" || bad "$1: nothing comes into its file"
	kill -KILL "$capture"
	check "$1: its program leaves the interface" wait_for 10 no_xdp_program "$right" vb
	equal "$1: promiscuity is back" 0 "$(promiscuity "$right" vb)"
	ended "$capture" 20
	ended "$ping" 20
	ended "$sender" 20
	ended "$receiver" 30
	equal "$1: pings answered of 100" 100 "$(sed -n 's/.* \([0-9]*\) received.*/\1/p' "$pinged")"
	equal "$1: datagrams of $(cat "$sent")" "$(cat "$sent")" "$(tail -n 1 "$received")"
	check "$1: no helper process stays" wait_for 10 no_processes
	testprogs/capcheck --cut-is-fine --order flow --sent 150000 --dropped 0 "$2" \
		> "$scratch/counts" 2> "$scratch/verdict"
	between "$1: frames that can be read from its file" 1000 150000 "$(json "$scratch/counts" frames)"
	equal "$1: corrupt ones" 0 "$(json "$scratch/counts" corrupt)"
}

start_tcpdump -Q in -Z root -w "$scratch/f.pcap" || finish
equal "promiscuity while it captures" 1 "$(promiscuity "$right" vb)"
die tcpdump "$scratch/f.pcap"

if [ -x "$build/xdpdump/xdpdump" ]; then
	start ip netns exec "$right" "$build/xdpdump/xdpdump" -i vb -w "$scratch/f.pcapng"
	wait_for 20 grep -q 'listening on' "$err"
	die xdpdump "$scratch/f.pcapng"
else
	skip "xdpdump is not built"
fi

# The next capture finds a clean interface.
start_tcpdump -Q in -Z root -c 3 || finish
in_left ping -qc 3 -i 0.05 10.99.0.2 > /dev/null
check "the next capture works" ended "$pid" 20
finish
