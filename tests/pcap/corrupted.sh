#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Something in the capturing process writes into the memory of the rings, at full rate: the capture ends with one
# sentence or goes on. It never crashes, hangs, or has more packets than were sent.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump
need_testprog trafgen
veth_pair
frames=300000

# scribbled WHERE COMMAND...: it captures while a thread of its own writes into its rings.
scribbled()
{
	where=$1
	shift
	preload=$(library_environment | sed -n 's/^LD_PRELOAD=//p')
	# shellcheck disable=SC2046 # one word each
	start ip netns exec "$right" env $(library_environment) "LD_PRELOAD=${preload:+$preload:}$build/tests/pcap/scribbler.so" \
		"SCRIBBLE=0.3,$where" "$@"
	reader=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said" || { bad "$* does not start"; show "$said"; return 1; }
	wait_for 10 in_left grep -q up /sys/class/net/va/operstate
	in_left testprogs/trafgen -i va -n $frames -s mix > "$scratch/sent"
}

# judge NAME SENTENCE: how it ended.
judge()
{
	process_gone "$reader" || kill -INT "$reader"
	ended "$reader" 20
	status=$?
	captured=$(sed -n 's/^\([0-9]*\) packets\{0,1\} captured.*/\1/p' "$said")
	if [ "$status" -gt 1 ] || grep -q 'ERROR: .*Sanitizer\|runtime error' "$said"; then
		bad "$1: exit status $status"
		show "$said"
	elif [ "$status" -eq 1 ] && ! grep -q "$2" "$said"; then
		bad "$1: it ends without the sentence"
		show "$said"
	elif [ -z "$captured" ] || [ "$captured" -gt "$frames" ]; then
		bad "$1: '$captured' packets captured of $frames"
		show "$said"
	else
		ok "$1: status $status, $captured packets captured of $frames"
	fi
	noticed=$((noticed + status))
}

noticed=0
for where in pages records both; do
	for round in $(seq "$CORRUPTED_ROUNDS"); do
		scribbled $where tcpdump -i xdp:vb,ring=1M -Q in -Z root -w "$scratch/f.pcap" &&
			judge "tcpdump, $where $round" 'Ring corrupted: something in this program'
		scribbled $where tcpdump -i xdp:vb,ring=1M -nn -q -Q in 'udp or arp' &&
			judge "tcpdump prints, $where $round" 'Ring corrupted: something in this program'
		scribbled $where "$build/xdpdump/xdpdump" -i vb --ring 1M -w "$scratch/f.pcapng" &&
			judge "xdpdump, $where $round" 'ring corrupted: something in this process'
		scribbled $where "$build/xdpdump/xdpdump" -i vb --ring 1M &&
			judge "xdpdump prints, $where $round" 'ring corrupted: something in this process'
	done
done
between "captures that ended with the sentence" "$CORRUPTED_ROUNDS" 1000 "$noticed"
finish
