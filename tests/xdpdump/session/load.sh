#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Many packets, from two queues, and too many: every one is in the file or counted as lost.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
veth_pair numrxqueues 2 numtxqueues 2
file=$scratch/f.pcapng
cpus=0
[ "$(nproc)" -lt 2 ] || cpus=0,1

# balance NAME: captured and dropped make up what was received.
balance()
{
	equal "$1: captured + dropped" "$(count received "$said")" \
		"$(($(count captured "$said") + $(count dropped "$said")))"
}

start_xdpdump -w "$file"
capture=$pid said=$err
send -n 300000 -r 200000 --cpu "$cpus"
check "it ends well" stop "$capture" INT
balance "two queues"
check "two queues: all there" accounted "$file" --order flow

# The smallest rings, and a reader that is stopped.
start_xdpdump --ring 512K -w "$file"
capture=$pid said=$err
kill -STOP "$capture"
send -n 10000 -r 100000
kill -CONT "$capture"
send_more=10000
in_left "$trafgen" -i va -n "$send_more" -r 20000 --start-seq 10000 > "$scratch/more" 2>&1
check "it ends well" stop "$capture" INT
between "lost with a full ring" 5000 10000 "$(count dropped "$said")"
balance "full ring"
check "full ring: every loss is counted" accounted "$file" --json "$scratch/more"
check "the reason is named" grep -q '^[1-9][0-9]* *of these: ring full' "$said"

# Ended by a signal under full load.
start_xdpdump -w "$file"
capture=$pid said=$err
in_left "$trafgen" -i va -d 2 > "$scratch/sent" 2>&1 &
sender=$!
started="$started $sender"
sleep 1
check "it ends well under load" stop "$capture" INT
ended "$sender" 10
equal "packets in the file" "$(count captured "$said")" "$("$capcheck" "$file" | tr ',' '\n' | sed -n 's/"delivered":\([0-9]*\)/\1/p')"
check "no XDP program is left" no_xdp_program "$right" vb
finish
