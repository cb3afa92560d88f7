#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The host's own traffic under capture: every byte and every datagram that was sent arrives.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping
veth_pair
stream=$build/tests/pcap/stream
bytes=$TRAFFIC_BYTES

# under NAME: TCP both ways, UDP and ping at once.
under()
{
	start in_right "$stream" udp-receive 5000 20
	udp=$pid udp_got=$out
	start in_right "$stream" tcp-receive 5001 30
	tcp=$pid tcp_got=$out
	start in_left "$stream" tcp-receive 5002 30
	back=$pid back_got=$out
	for file in "$udp_got" "$tcp_got" "$back_got"; do
		wait_for 20 grep -q ready "$file"
	done
	start in_left "$stream" tcp-send 10.99.0.2 5001 "$bytes"
	tcp_sender=$pid
	start in_right "$stream" tcp-send 10.99.0.1 5002 "$bytes"
	back_sender=$pid
	start in_left "$stream" udp-send 10.99.0.2 5000 20000 1000 10000
	udp_sender=$pid udp_sent=$out
	in_left ping -qc 100 -i 0.01 -W 20 10.99.0.2 > "$scratch/ping"
	for pid in "$tcp_sender" "$back_sender" "$udp_sender" "$udp" "$tcp" "$back"; do
		ended "$pid" 60
	done
	equal "$1: bytes by TCP" "$bytes" "$(tail -n 1 "$tcp_got")"
	equal "$1: bytes by TCP, the other way" "$bytes" "$(tail -n 1 "$back_got")"
	equal "$1: datagrams" "$(cat "$udp_sent")" "$(tail -n 1 "$udp_got")"
	equal "$1: pings answered" 100 "$(sed -n 's/.* \([0-9]*\) received.*/\1/p' "$scratch/ping")"
}

start_tcpdump -Z root -w "$scratch/f.pcap" -s 128 || finish
tcpdump=$pid said=$err
under "all captured"
stop "$tcpdump" INT
between "frames captured" 10000 100000000 "$(tcpdump_count captured "$said")"

device=xdp:vb,ring=512K start_tcpdump -Z root -w /dev/null || finish
tcpdump=$pid said=$err
kill -STOP "$tcpdump"
under "a reader that does not read"
kill -CONT "$tcpdump"
stop "$tcpdump" INT
between "frames lost for the capture alone" 1 100000000 "$(tcpdump_count dropped "$said")"

start_tcpdump -Z root -w "$scratch/f.pcap" udp port 9 || finish
tcpdump=$pid
under "none matches"
stop "$tcpdump" INT
equal "none matches: captured" 0 "$(packets "$scratch/f.pcap")"
finish
