#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# xdp:vb beside the ordinary vb, at the same time, on the same traffic: the same packets in the same
# order, with the same lengths, 99 % of them stamped within a millisecond.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping
need_testprog trafgen capcheck
veth_pair
offloads_off
stream=$build/tests/pcap/stream

# begin NAME OPTION...: both, with the same options. The ordinary device hands out what is left in its
# last block only after a second, unless it is told to be immediate.
begin()
{
	comparison=$1
	shift
	start_tcpdump -Q in -Z root -w "$scratch/xdp.pcap" "$@" || finish
	xdp=$pid xdp_said=$err
	device=vb start_tcpdump -Q in -Z root --immediate-mode -B 65536 -w "$scratch/vb.pcap" "$@" || finish
	vb=$pid vb_said=$err
}

end()
{
	settle "$xdp" "$vb"
	stop "$xdp" INT
	stop "$vb" INT
	equal "$comparison: dropped by kernel" "0 and 0" \
		"$(tcpdump_count dropped "$xdp_said") and $(tcpdump_count dropped "$vb_said")"
	testprogs/capcheck --compare --tolerance 1 "$scratch/xdp.pcap" "$scratch/vb.pcap" \
		> "$scratch/counts" 2> "$scratch/verdict"
	state=$?
	equal "$comparison: status of the comparison, $(packets "$scratch/vb.pcap") packets" 0 $state
	show "$scratch/verdict"
	between "$comparison: packets" "$1" "$2" "$(packets "$scratch/xdp.pcap")"
}

tcp_transfer()
{
	start in_right "$stream" tcp-receive 5001 20
	receiver=$pid
	wait_for 20 grep -q ready "$out"
	in_left "$stream" tcp-send 10.99.0.2 5001 "$1" > /dev/null
	ended "$receiver" 20
}

begin "generated frames of several sizes"
in_left testprogs/trafgen -i va -n 50000 -s mix -r 20000 --flows 16 > /dev/null
end 50000 50000

begin "in nanoseconds" --time-stamp-precision=nano
in_left testprogs/trafgen -i va -n 20000 -r 20000 > /dev/null
end 20000 20000
equal "in nanoseconds: magic of the file" "$(od -An -tx4 -N4 "$scratch/vb.pcap")" \
	"$(od -An -tx4 -N4 "$scratch/xdp.pcap")"

begin "ping and TCP"
in_left ping -qc 50 -i 0.01 10.99.0.2 > /dev/null
tcp_transfer 2000000
end 1000 10000

begin "cut to 100 bytes" -s 100
tcp_transfer 1000000
end 500 10000

begin "with a filter" 'tcp[tcpflags] & (tcp-syn|tcp-fin) != 0 or icmp[icmptype] == 8'
in_left ping -qc 20 -i 0.01 10.99.0.2 > /dev/null
tcp_transfer 100000
end 22 23

begin "by port, of which every hundredth" udp dst port 7777
in_left testprogs/trafgen -i va -n 50000 -r 50000 --match 100 7777 > /dev/null
end 500 500

# Exactly as many as were asked for, and the same ones.
begin "-c 100" -c 100 udp
in_left testprogs/trafgen -i va -n 1000 -r 5000 > /dev/null
wait_for 20 process_gone "$xdp"
wait_for 20 process_gone "$vb"
end 100 100

# Decoded text, with addresses and checksums, is the same but for the stamps.
begin "as text" icmp
in_left ping -qc 10 -i 0.01 -s 300 10.99.0.2 > /dev/null
end 10 10
for file in xdp vb; do
	tcpdump -tnnvvXr "$scratch/$file.pcap" > "$scratch/$file.txt" 2> /dev/null
done
check "as text: the same" cmp "$scratch/xdp.txt" "$scratch/vb.txt"
finish
