#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Four captures at once on one interface under load, of which one is killed every second, and another
# takes its place: what was sent, the survivor delivers or counts; in the end nothing is left.
# KILLED_SECONDS: how long.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need_testprog trafgen pcapread
veth_pair
seconds=$KILLED_SECONDS rate=${KILLED_RATE:-50000}

# start_reader OPTIONS ARGUMENT...: a capture of $right that has begun; its process in $pid.
start_reader()
{
	options=$1
	shift
	rm -f "$scratch/ready"
	start_capture "$build/testprogs/pcapread" -i "xdp:vb,$options" --nano -Q in --ready "$scratch/ready" "$@"
	wait_for 20 test -e "$scratch/ready" || {
		bad "a capture on xdp:vb,$options does not start"
		show "$err"
	}
}

alone()
{
	[ -z "$(ip netns pids "$right")" ]
}

start_reader ring=16M -t 300
survivor=$pid counts=$out said=$err
victims=''
for options in hook=tc,ring=1M hook=packet,ring=1M ring=1M; do
	start_reader $options -t 300
	victims="$victims $pid"
done
start in_left testprogs/trafgen -i va -n $((rate * seconds)) -r "$rate" -s mix --flows 16
sender=$pid sent=$out
killed=0
while ! process_gone "$sender"; do
	sleep 1
	victim=${victims# }
	victim=${victim%% *}
	kill -KILL "$victim"
	ended "$victim" 5 2> "$scratch/killed"
	killed=$((killed + 1))
	# By turns with another hook, and with a filter in the kernel.
	case $((killed % 3)) in
	0) start_reader hook=tc,ring=1M -t 300 -f udp ;;
	1) start_reader hook=packet,ring=1M -t 300 -f 'udp port 9' ;;
	2) start_reader ring=1M -t 300 ;;
	esac
	victims="${victims#* "$victim"} $pid"
done
ended "$sender" 5
equal "the sender ends well" 0 $?
check "captures killed in $seconds s: $killed" [ "$killed" -ge $((seconds / 2)) ]
for victim in $victims; do
	kill -KILL "$victim"
	ended "$victim" 5 2> "$scratch/killed"
done
all_read "$survivor"
equal "the survivor ends well" 0 $?
[ -s "$said" ] && show "$said"
delivered=$(json "$counts" frames) dropped=$(json "$counts" ps_drop)
equal "sent = $delivered delivered + $dropped counted" "$(json "$sent" sent)" $((delivered + dropped))
equal "frames not as they were sent" 0 "$(json "$counts" corrupt)"
check "no process is left" wait_for 5 alone
nothing_left "$right" vb
finish
