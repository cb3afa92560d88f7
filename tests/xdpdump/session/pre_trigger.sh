#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Until the trigger the rings keep the newest packets by themselves: xdpdump takes no CPU time, and what it then
# writes is whole, in order, and with what was overwritten all that was sent.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump ping python3
cpus=0
[ "$(nproc)" -lt 2 ] || cpus=0,1
veth_pair numtxqueues 2 numrxqueues 2
file=$scratch/f.pcapng

begin()
{
	start_xdpdump "$@" -w "$file"
	capture=$pid said=$err
}

# ticks PID: of CPU time that it has taken.
ticks()
{
	echo $(($(cut -d ' ' -f 14-15 "/proc/$1/stat" | tr ' ' '+')))
}

# in_file N: so many packets, at least?
# shellcheck disable=SC2317 # by wait_for
in_file()
{
	[ "$(packets "$file")" -ge "$1" ]
}

overwritten()
{
	sed -n 's/^\([0-9]*\) packets not kept: overwritten before the trigger$/\1/p' "$said" | grep . || echo 0
}

# whole NAME SENT: $file and what $said tells of it are all that was sent.
whole()
{
	over=$(overwritten) lost=$(count dropped "$said") captured=$(count captured "$said")
	equal "$1: captured and overwritten and dropped" "$2" $((captured + over + lost))
	equal "$1: packets in the file" "$captured" "$(packets "$file")"
	if python3 "$(dirname "$0")/pre_trigger.py" "$file" "$over" "$lost" > "$scratch/faults"; then
		ok "$1: from the oldest on nothing is missing, in order ($captured, and $over were overwritten)"
	else
		bad "$1: the file is not whole"
		show "$scratch/faults"
	fi
}

# A million a second, as far as the machine goes, by two CPUs: nobody reads.
begin --pre-trigger 8M -Q in
before=$(ticks "$capture")
send -n 1000000 -r 1000000 --cpu "$cpus"
after=$(ticks "$capture")
between "a million a second: ticks of CPU meanwhile" 0 3 $((after - before))
sent=$(json "$scratch/sent" sent)
kill -USR1 "$capture"
check "SIGUSR1: how much is kept" wait_for 5 grep -q 'waits for the trigger with [0-9]* packets, [0-9.]* MiB' "$said"
held=$(sed -n 's/.* waits for the trigger with \([0-9]*\) packets.*/\1/p' "$said")
check "SIGUSR1: nobody has read for it" [ "$(ticks "$capture")" -le $((after + 2)) ]
kill -USR2 "$capture"
check "it is written" wait_for 10 in_file "$held"
check "it ends well" stop "$capture" INT
equal "what was kept is what is written" "$held" "$(count captured "$said")"
check "more than the size that was asked for" [ "$(wc -c < "$file")" -ge 8388608 ]
check "some was overwritten" [ "$(overwritten)" -gt 0 ]
whole "a million a second" "$sent"

# While it comes, at any moment.
round=0
while [ "$round" -lt "$PRE_TRIGGER_ROUNDS" ] && [ "$failed" = 0 ]; do
	round=$((round + 1))
	begin --pre-trigger 1M -Q in
	in_left "$trafgen" -i va -n 60000 -r 100000 --cpu "$cpus" > "$scratch/sent" 2>&1 &
	sender=$!
	sleep "0.$(shuf -i 10-55 -n 1)"
	kill -USR2 "$capture"
	wait "$sender"
	settle "$capture"
	stop "$capture" INT || bad "round $round: it does not end well"
	whole "round $round" "$(json "$scratch/sent" sent)"
done

# The kernel waits for --trigger: the 50,000th frame of these.
begin --pre-trigger 1M -Q in --trigger 'udp port 7' -c 5 'udp port 7 or udp port 9'
send -n 60000 -r 100000 -s 1400 --start-seq 1 --match 50000 7
check "--trigger: it ends by itself, after 5" ended "$capture" 10
captured=$(count captured "$said")
tcpdump -nn -r "$file" > "$scratch/text" 2> /dev/null
equal "--trigger: it is the fifth from the end" "$((captured - 4))" "$(grep -n '198.19.0.2.7:' "$scratch/text" | cut -d : -f 1)"
between "--trigger: packets before it" 700 50000 $((captured - 5))
check "--trigger: nothing is missing" python3 "$(dirname "$0")/pre_trigger.py" "$file" "$(overwritten)" 0
equal "--trigger: all that came before it" 49999 $((captured - 5 + $(overwritten)))

# At tc, of two interfaces and both directions: one of them has it.
begin -i lo --hook tc -Q inout --pre-trigger 1M --trigger 'icmp[icmptype] = 0 and src 127.0.0.1' icmp
in_left ping -qc 20 -i 0.02 10.99.0.2 > /dev/null
equal "two interfaces: it waits" 0 "$(packets "$file")"
in_right ping -qc 1 127.0.0.1 > /dev/null
check "two interfaces: it came" wait_for 5 in_file 42
check "two interfaces: it ends well" stop "$capture" INT
equal "two interfaces: nothing else" 42 "$(count captured "$said")"

# An interface goes: what was kept of it is there still.
ip -n "$left" link add vc type veth peer name vd netns "$right"
ip -n "$left" link set vc up
ip -n "$right" link set vd up
begin -i vd --pre-trigger 1M -Q in icmp
in_left ping -qc 10 -i 0.02 10.99.0.2 > /dev/null
ip -n "$left" addr add 10.98.0.1/24 dev vc
ip -n "$right" addr add 10.98.0.2/24 dev vd
in_left ping -qc 10 -i 0.02 10.98.0.2 > /dev/null
ip -n "$right" link del vd
check "an interface goes: it is told" wait_for 5 grep -q 'vd has disappeared: the capture goes on' "$said"
sleep 1.5
kill -USR2 "$capture"
check "an interface goes: it ends well" stop "$capture" INT
equal "an interface goes: packets of both" 20 "$(packets "$file")"

# What cannot be.
refused()
{
	what=$1
	shift
	run_xdpdump -i vb -w "$scratch/made" "$@"
	equal "$what: status" 1 "$state"
	check "$what: says why" grep -q "^xdpdump: .*$what" "$err"
}
refused 'only the kernel can wait for --trigger' --pre-trigger 1M --trigger icmp ip protochain 17
refused '--engine divert keeps frames from the host, but until the trigger nobody reads' --pre-trigger 1M --engine divert
refused '--after drop keeps frames from the host, but until the trigger nobody reads' --pre-trigger 1M --after drop
fits='do not fit into [0-9]* rings of [0-9]* KiB, the most that --ring-total allows'
refused "$fits: give a larger --ring-total or a smaller --pre-trigger" --pre-trigger 64M --ring-total 16M
check "no XDP program is left" no_xdp_program "$right" vb
finish
