#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Several captures of ours on one interface: each has all frames, with its own filter and length, and
# they come and go, kill -9 included, in any order without the others losing a frame.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ping
need_testprog trafgen capcheck
veth_pair
offloads_off

# start_ours FILE [ARGUMENT...]: a capture on $device; its process in $pid.
device=xdp:vb,ring=4M
start_ours()
{
	file=$1
	shift
	start_tcpdump -Z root -w "$scratch/$file" "$@"
}

# has_all NAME FILE: all $sent numbered frames, in order, none corrupt.
has_all()
{
	testprogs/capcheck --sent "$sent" --dropped 0 --order flow "$2" > "$scratch/counts" 2> "$scratch/verdict"
	state=$?
	equal "$1: status of capcheck, $(json "$scratch/counts" delivered) of $sent frames" 0 $state
	[ "$(json "$scratch/counts" delivered)" = "$sent" ] || show "$scratch/verdict"
}

# Three at once, by auto: the first has XDP, the others tc, and they say so.
start_ours 1.pcap icmp || finish
first=$pid
PCAP_AFXDP_DEBUG=1 start_ours 2.pcap -s 60 'icmp[0] == 8' || finish
second=$pid said=$err
start_ours 3.pcap 'icmp[0] == 0' || finish
third=$pid
check "the second one says where it is" says 'capturing behind it, at tc' "$said"
check "and behind whom" says 'held by' "$said"
ping_right 20
settle $second $first $third
for process in $second $first $third; do
	stop "$process" INT
done
equal "first: all" 40 "$(packets "$scratch/1.pcap")"
equal "second: requests" 20 "$(packets "$scratch/2.pcap")"
equal "third: replies" 20 "$(packets "$scratch/3.pcap")"
nothing_left "$right" vb

# Under load, while others come and are killed; one that holds XDP, one at tc.
rate=5000 seconds=8
sent=$((rate * seconds))
start_ours x.pcap -Q in || finish
at_xdp=$pid
start_ours t.pcap -Q in || finish
at_tc=$pid
start in_left testprogs/trafgen -i va -n $sent -r $rate --via socket -s mix
sender=$pid sent_err=$err
victims=0
while [ -e "/proc/$sender" ] && ! process_gone "$sender"; do
	present=''
	for option in ring=1M hook=tc,ring=1M hook=packet,ring=1M; do
		device=xdp:vb,$option
		start_ours "victim.$option" -Q in udp || continue
		victims=$((victims + 1))
		if [ $((victims % 2)) -eq 0 ]; then
			present="$pid $present"
		else
			present="$present $pid"
		fi
	done
	for victim in $present; do
		kill -KILL "$victim"
		ended "$victim" 5
	done
done
ended "$sender" 5
equal "the sender ends well" 0 $?
[ -s "$sent_err" ] && show "$sent_err"
between "captures that came and were killed meanwhile" 6 1000 $victims
settle "$at_tc" "$at_xdp"
stop "$at_tc" INT
stop "$at_xdp" INT
has_all "the one with XDP" "$scratch/x.pcap"
has_all "the one at tc" "$scratch/t.pcap"
nothing_left "$right" vb

# The holder of XDP dies: who was at tc stays, who comes next has XDP.
device=xdp:vb,ring=1M
start_ours 1.pcap icmp || finish
first=$pid
start_ours 2.pcap icmp || finish
second=$pid
kill -KILL "$first"
ended "$first" 5
check "a killed holder leaves XDP" wait_for 3 no_xdp_program "$right" vb
start_ours 3.pcap icmp || finish
third=$pid
check "the next one has XDP" fails no_xdp_program "$right" vb
ping_right 10
settle "$second" "$third"
stop "$second" INT
stop "$third" INT
equal "the one at tc" 20 "$(packets "$scratch/2.pcap")"
equal "the next one" 20 "$(packets "$scratch/3.pcap")"

# As many as an interface may have.
captures=''
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	start_ours "$number.pcap" icmp || break
	captures="$captures $pid"
done
equal "captures at once" 16 "$(echo "$captures" | wc -w)"
ping_right 10
sleep 0.3
for process in $captures; do
	kill -INT "$process"
done
for process in $captures; do
	ended "$process" 10
done
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	packets "$scratch/$number.pcap"
done | sort | uniq -c > "$scratch/each"
equal "each has every frame" '16 20' "$(xargs < "$scratch/each")"
nothing_left "$right" vb
finish
