#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Frames of every size up to an MTU of 9000, and every snapshot length: exactly what was asked for.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping
need_testprog trafgen capcheck
veth_pair
ip -n "$left" link set va mtu 9000
ip -n "$right" link set vb mtu 9000
offloads_off
count=200

# capture SNAPLEN: frames of all sizes, of which each is kept up to that length.
capture()
{
	start_tcpdump -Q in -Z root -s "$1" -w "$scratch/f.pcap" || finish
	tcpdump=$pid said=$err seq=0
	for size in 60 64 65 1514 3407 3408 3409 4095 4096 4097 8192 9014; do
		via=xdp
		[ "$size" -le 3408 ] || via=socket
		in_left testprogs/trafgen -i va -n "$count" -r 20000 -s "$size" --via "$via" \
			--start-seq "$seq" > "$scratch/one" || bad "trafgen -s $size"
		seq=$((seq + count))
	done
	settle "$tcpdump"
	stop "$tcpdump" INT
	testprogs/capcheck --sent "$seq" --dropped "$(tcpdump_count dropped "$said")" \
		--snaplen "$1" "$scratch/f.pcap" > "$scratch/counts" 2> "$scratch/verdict"
	status=$?
	frames=$(json "$scratch/counts" frames)
	short=$(json "$scratch/counts" short_captures)
	if [ "$1" -lt 60 ]; then # cut before the number: they can only be counted
		equal "snaplen $1: frames" "$seq" "$frames"
		equal "snaplen $1: wrong lengths" 0 "$short"
	else
		equal "snaplen $1: status of capcheck, $frames frames" 0 "$status"
		[ "$status" -eq 0 ] || show "$scratch/verdict"
	fi
}

for snaplen in 1 14 64 1500 4096 65535 262144; do
	capture "$snaplen"
done

# Real datagrams of 8 KB, whole: the receiver sees them and so does the file.
start_tcpdump -Q in -Z root -w "$scratch/f.pcap" udp port 5000 || finish
tcpdump=$pid said=$err
start in_right "$build/tests/pcap/stream" udp-receive 5000 10
receiver=$pid received=$out
wait_for 20 grep -q ready "$received"
in_left "$build/tests/pcap/stream" udp-send 10.99.0.2 5000 500 8000 5000 > "$scratch/sent"
ended "$receiver" 20
settle "$tcpdump"
stop "$tcpdump" INT
equal "datagrams of 8000 bytes: received" 500 "$(tail -n 1 "$received")"
equal "datagrams of 8000 bytes: captured" 500 "$(packets "$scratch/f.pcap")"
equal "datagrams of 8000 bytes: cut" 0 "$(tcpdump -nnr "$scratch/f.pcap" 2> /dev/null | grep -vc 'length 8000')"
tcpdump -nnvr "$scratch/f.pcap" 2> /dev/null | grep -q 'bad udp cksum' && bad "a datagram's bytes are wrong"

# A filter that reads beyond the first page of a frame.
start_tcpdump -Q in -Z root -w "$scratch/f.pcap" 'ether[8000] == ether[8001]' || finish
tcpdump=$pid said=$err
in_left testprogs/trafgen -i va -n 50 -r 5000 -s 9000 --via socket > /dev/null
settle "$tcpdump"
stop "$tcpdump" INT
equal "ether[8000] == ether[8001] matches none" 0 "$(packets "$scratch/f.pcap")"
# trafgen's filler: byte n is 31 n + 7
start_tcpdump -Q in -Z root -w "$scratch/f.pcap" "ether[8000] == $(((8000 * 31 + 7) % 256))" || finish
tcpdump=$pid said=$err
in_left testprogs/trafgen -i va -n 50 -r 5000 -s 9000 --via socket > /dev/null
in_left testprogs/trafgen -i va -n 50 -r 5000 -s 7000 --via socket > /dev/null
settle "$tcpdump"
stop "$tcpdump" INT
equal "ether[8000] == its byte matches all that long" 50 "$(packets "$scratch/f.pcap")"
finish
