#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Two queues, two CPUs, two rings: one stream comes out, complete, in the order of its stamps.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump
need_testprog trafgen capcheck
[ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] || skip_all "needs two CPUs"
veth_pair numtxqueues 2 numrxqueues 2
frames=$QUEUES_FRAMES

# run_both SENDER_OPTION...: from both CPUs at once, numbers apart.
send_both()
{
	start in_left testprogs/trafgen -i va -n "$frames" --cpu 0 --flows 8 --src 198.18.0.1 "$@"
	first=$pid first_sent=$out
	start in_left testprogs/trafgen -i va -n "$frames" --cpu 1 --flows 8 --src 198.19.0.1 \
		--start-seq "$frames" "$@"
	second=$pid second_sent=$out
	ended "$first" 60
	ended "$second" 60
}

account()
{
	settle "$tcpdump"
	stop "$tcpdump" INT
	testprogs/capcheck --json "$first_sent" --json "$second_sent" --order none \
		--dropped "$(tcpdump_count dropped "$said")" "$scratch/f.pcap" \
		> "$scratch/counts" 2> "$scratch/verdict"
	equal "$1: status of capcheck" 0 $?
	show "$scratch/verdict"
	equal "$1: sent = delivered + dropped" \
		$(($(json "$first_sent" sent) + $(json "$second_sent" sent))) \
		$(($(json "$scratch/counts" delivered) + $(json "$scratch/counts" dropped)))
	equal "$1: corrupt or twice" "0 0" \
		"$(json "$scratch/counts" corrupt) $(json "$scratch/counts" duplicates)"
	# Late is what took longer than the window from stamp to publication: rare, and no more.
	between "$1: stamps that go back, of $((frames * 2))" 0 $((frames / 2000)) \
		"$(json "$scratch/counts" time_backwards)"
}

start_tcpdump -Q in -Z root -w "$scratch/f.pcap" || finish
tcpdump=$pid said=$err
send_both -r 100000
account "100000/s on each"
equal "100000/s on each: drops" 0 "$(json "$scratch/counts" dropped)"
# Within each sender the order is that of sending.
for half in 0 1; do
	tcpdump -r "$scratch/f.pcap" -w "$scratch/half.pcap" "src net 198.$((18 + half)).0.0/16" 2> /dev/null
	testprogs/capcheck --sent "$frames" --dropped 0 --order all "$scratch/half.pcap" \
		> "$scratch/counts" 2> "$scratch/verdict"
	equal "order of sender $half: reordered" "0, in flows 0" \
		"$(json "$scratch/counts" reordered), in flows $(json "$scratch/counts" flow_reordered)"
done

start_tcpdump -Q in -Z root -w "$scratch/f.pcap" || finish
tcpdump=$pid said=$err
send_both
account "flat out"

# One queue that moves from CPU to CPU: RPS-like, one flow over two rings.
start_tcpdump -Q in -Z root -w "$scratch/f.pcap" || finish
tcpdump=$pid said=$err
start in_left testprogs/trafgen -i va -n "$frames" -r 100000 --cpu 0,1
sender=$pid first_sent=$out
ended "$sender" 60
settle "$tcpdump"
stop "$tcpdump" INT
testprogs/capcheck --json "$first_sent" --order none --dropped "$(tcpdump_count dropped "$said")" \
	"$scratch/f.pcap" > "$scratch/counts" 2> "$scratch/verdict"
equal "a sender that moves: status of capcheck" 0 $?
show "$scratch/verdict"
between "a sender that moves: reordered of $frames" 0 $((frames / 500)) "$(json "$scratch/counts" reordered)"
finish
