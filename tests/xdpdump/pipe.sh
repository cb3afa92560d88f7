#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016 # commands in quotes are for inner shells
# -w - into tcpdump and tshark: packets come through at once, also a single one.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need tcpdump tshark ping mkfifo
veth_pair
mkfifo "$scratch/pipe"

now_ms()
{
	echo $(($(date +%s%N) / 1000000))
}

# lines FILE N: has it that many?
lines()
{
	[ "$(grep -c 'ICMP' "$1")" -ge "$2" ]
}

# through READER...: a reader of the pipe prints each packet within the time.
through()
{
	start "$@"
	reader=$pid printed=$out
	start sh -c 'exec ip netns exec "$0" "$1" -i vb -w - icmp > "$2"' "$right" "$xdpdump" "$scratch/pipe"
	started_capturing
	capture=$pid said=$err
	in_left ping -qc 1 10.99.0.2 > /dev/null
	check "$1: first packet arrives" wait_for 20 lines "$printed" 1
	slowest=0
	for packet in 2 3 4 5 6; do
		sleep 0.1
		before=$(now_ms)
		in_left ping -qc 1 10.99.0.2 > /dev/null
		until lines "$printed" "$packet" || [ $(($(now_ms) - before)) -gt 5000 ]; do
			:
		done
		took=$(($(now_ms) - before))
		[ "$took" -le "$slowest" ] || slowest=$took
	done
	between "$1: slowest of five packets, ping's own time included, in ms" 0 300 "$slowest"
	check "$1: xdpdump ends well" stop "$capture" INT
	check "$1 sees the end" ended "$reader" 20
	equal "$1: packets" "$(count captured "$said")" "$(grep -c ICMP "$printed")"
}

through tcpdump -lnn -r "$scratch/pipe"
through sh -c 'exec tshark -ln -r - < "$0"' "$scratch/pipe"

# The reader goes: that is an error, told in one line, and nothing is left.
start head -c 100 "$scratch/pipe"
start sh -c 'exec ip netns exec "$0" "$1" -i vb -w - > "$2"' "$right" "$xdpdump" "$scratch/pipe"
started_capturing
capture=$pid said=$err
in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
ended "$capture" 5
equal "status when the reader has gone" 1 $?
check "the reason" grep -q '^xdpdump: standard output: Broken pipe$' "$said"
check "no XDP program is left" no_xdp_program "$right" vb

# The same while nothing comes: told at once, for packets and for text.
for format in '-w -' ''; do
	start sh -c 'exec sleep 60 < "$0"' "$scratch/pipe"
	reader=$pid
	start sh -c 'exec ip netns exec "$0" "$1" -i vb $2 > "$3"' "$right" "$xdpdump" "$format" "$scratch/pipe"
	started_capturing
	capture=$pid said=$err
	settle "$capture"
	stop "$reader" TERM
	before=$(now_ms)
	ended "$capture" 5
	equal "$format: status when the reader goes and nothing comes" 1 $?
	between "$format: ms until the end" 0 1000 $(($(now_ms) - before))
	equal "$format: the reason, once" 1 "$(grep -c '^xdpdump: standard output: Broken pipe$' "$said")"
done

# A reader that reads nothing: one signal waits for it, the second ends.
start sh -c 'exec sleep 60 < "$0"' "$scratch/pipe"
reader=$pid
start sh -c 'exec ip netns exec "$0" "$1" -i vb -w - > "$2"' "$right" "$xdpdump" "$scratch/pipe"
started_capturing
capture=$pid said=$err
in_left ping -qfc 2000 -s 1000 -w 10 10.99.0.2 > /dev/null
kill -INT "$capture"
sleep 0.3
check "one SIGINT waits for the reader" fails process_gone "$capture"
kill -INT "$capture"
ended "$capture" 5
equal "status after the second" 1 $?
check "no XDP program is left" no_xdp_program "$right" vb
stop "$reader" TERM

# Both signals at once, when nothing is being written and nobody reads what fills the pipe: its last
# words have no room.
start sh -c 'exec sleep 60 < "$0"' "$scratch/pipe"
reader=$pid
start sh -c 'exec ip netns exec "$0" "$1" -i vb -w - > "$2"' "$right" "$xdpdump" "$scratch/pipe"
started_capturing
capture=$pid said=$err
settle "$capture"
dd if=/dev/zero of="$scratch/pipe" oflag=nonblock bs=1 count=200000 2> "$scratch/filled"
kill -STOP "$capture"
kill -INT "$capture"
kill -TERM "$capture"
kill -CONT "$capture"
ended "$capture" 5
equal "status after both at once" 1 $?
check "both at once: the reason" grep -q 'given up at the second signal' "$said"
stop "$reader" TERM
finish
