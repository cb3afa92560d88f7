#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Event loops that others wrote wait for xdp: devices: they count what they count on AF_PACKET, and no
# read holds a loop up. The table has how often each was woken, beside AF_PACKET's.
# CLIENTS=all: also one in Rust.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair ping
loops=$drivers/loops
# A read that sleeps holds a loop up for its time-out; a busy machine for less.
to_ms=1500
patience_late=750
# Echo requests of each of three bursts; each is answered.
pings=50
frames=$((3 * 2 * pings))

bursts()
{
	for _ in 1 2 3; do
		in_left ping -qc "$pings" -i 0.002 -W 5 10.99.0.2 > "$scratch/ping" ||
			bad "ping is answered while a capture runs"
		sleep 0.3 # longer than what a loop does as traffic ends
	done
}

# value NAME: the word behind it in what the driver said.
value()
{
	tr ' ' '\n' < "$out" | sed -n "/^$1$/{n;p;}"
}

# loop NAME "WORD..." COMMAND...: COMMAND DEVICE WORD..., on each device.
# shellcheck disable=SC2086 # words
loop()
{
	name=$1 words=$2
	shift 2
	for device in ${devices:?}; do
		client="$name, $device"
		by_device "$device" "$@" "$device" $words "$frames"
		bursts
		ended "$pid" 60 > "$scratch/ended"
		equal "$client: counts what passes" "$frames" "$(value counted)"
		[ -n "$(value counted)" ] || show "$err"
		judge_loop
		row "$client" "$version" yes "$(value counted)/$frames" "-" "$(value wakes) wakes, $(value vain) vain, $about"
	done
}

# Who waits for packets alone was never told that its time is up before it was; others were not held up.
judge_loop()
{
	late=$(value late) early=$(value early)
	about=${late:+late $late ms}${early:+early $early}
	if [ -n "$early" ]; then
		equal "$client: no time-out ends before its time" 0 "$early"
	else
		between "$client: no read holds it up, ms" 0 "$patience_late" "${late:-99999}"
	fi
}

# both_ways NAME COMMAND...: a handle that blocks, with a long time-out, and in the long form one that
# does not.
both_ways()
{
	both=$1
	shift
	loop "$both" "$to_ms block" "$@"
	! is_long || loop "$both, not blocking" '10 nonblock' "$@"
}

# --- from Debian ---

# loop_in_c NAME PACKAGE LIBRARY
loop_in_c()
{
	packaged "$1" "/usr/include/$4" "$2" || return
	compile -o "$scratch/loop_$1" "$loops/loop_$1.c" "$3" -lpcap || { bad "$1: does not compile"; return; }
	both_ways "$1" "$scratch/loop_$1"
}

loop_asyncio()
{
	packaged asyncio "$python" python3 || return
	both_ways asyncio "$python" "$loops/loop_asyncio.py"
}

loop_gopacket()
{
	go_program gopacket "$loops/gopacket_timeouts.go" || return
	loop 'gopacket, 10 ms' 10 "$scratch/gopacket"
	loop 'gopacket, 5 s' 5000 "$scratch/gopacket"
}

# --- from registries ---

loop_tokio()
{
	command -v cargo > /dev/null || { left_out tokio 'no cargo'; return; }
	version=$(sed -n 's/^tokio = .*"=\([^"]*\)".*/\1/p' "$loops/tokio/Cargo.toml")
	made tokio "tokio-$version" crate loops/tokio || return
	loop tokio '10 nonblock' "$cache/tokio-$version/target/release/loop_tokio"
}

# --- two devices at once, by scapy ---

# shellcheck disable=SC2154 # left and right are of ../lib.sh
second_pair()
{
	new_namespace c
	far=$namespace
	ip -n "$right" link add wb address 02:74:67:00:00:03 type veth peer name wc address 02:00:00:00:00:0c netns "$far"
	ip -n "$right" addr add 10.98.0.2/24 dev wb
	ip -n "$far" addr add 10.98.0.3/24 dev wc
	ip -n "$right" link set wb up
	ip -n "$far" link set wc up
	ip -n "$right" neigh replace 10.98.0.3 lladdr 02:00:00:00:00:0c dev wb
	ip -n "$far" neigh replace 10.98.0.2 lladdr 02:74:67:00:00:03 dev wc
}

# The middle's host has no address, and answers nothing.
make_middle()
{
	ip -n "$right" addr flush dev vb
	ip -n "$right" addr flush dev wb
	ip -n "$far" addr add 10.99.0.3/24 dev wc
	ip -n "$far" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev wc
	ip -n "$left" neigh replace 10.99.0.3 lladdr 02:00:00:00:00:0c dev va
}

# scapy_by WHAT FIRST SECOND: for 4 seconds, while pings run as $ping_two has it.
scapy_by()
{
	by_device "$2" "$python" -W ignore "$loops/scapy_two.py" "$1" "$2" "$3" 4
	"$ping_two"
	ended "$pid" 60 > "$scratch/ended"
}

ping_each()
{
	in_left ping -qc 100 -i 0.01 -W 5 10.99.0.2 > "$scratch/ping" 2>&1 &
	ip netns exec "$far" ping -qc 100 -i 0.01 -W 5 10.98.0.2 > "$scratch/ping2" 2>&1
	wait $!
}

# Slowly enough for a bridge in Python.
ping_across()
{
	in_left ping -qc 100 -i 0.02 -W 5 10.99.0.3 > "$scratch/ping" 2>&1
}

# scapy_on WHAT OPTIONS: by plain names where OPTIONS is "plain".
scapy_on()
{
	case $2 in
	plain) scapy_by "$1" vb wb ;;
	*) scapy_by "$1" "xdp:vb$2" "xdp:wb$2" ;;
	esac
}

sniff_two()
{
	client="scapy on two${1:+, ${1#,}}" ping_two=ping_each
	scapy_on sniff "$1"
	equal "$client: sees all of both" 400 "$(value counted)"
	[ -n "$(value counted)" ] || show "$err"
	row "$client" "$version" yes "$(value counted)/400" - -
}

bridge_two()
{
	client="scapy's bridge${1:+, ${1#,}}" ping_two=ping_across
	scapy_on bridge "$1"
	received=$(sed -n 's/.* \([0-9]*\) received.*/\1/p' "$scratch/ping")
	equal "$client: forwards each echo and its reply" 100 "${received:-none}"
	row "$client" "$version" yes "$(value counted)/200" - "${received:-0}/100"
}

loop_scapy()
{
	packaged scapy /usr/lib/python3/dist-packages/scapy python3-scapy || return
	second_pair
	sniff_two plain
	sniff_two ''
	! is_long || sniff_two ,hook=tc
	make_middle
	bridge_two plain
	bridge_two ''
	! is_long || bridge_two ,hook=tc
}

LOOPS=${LOOPS:-'libevent libuv asyncio gopacket tokio scapy'}
for one in $LOOPS; do
	case $one in
	libevent) loop_in_c libevent libevent-dev -levent event2/event.h ;;
	libuv) loop_in_c libuv libuv1-dev -luv uv.h ;;
	tokio) if is_long; then loop_tokio; fi ;;
	*) "loop_$one" ;;
	esac
done
nothing_left "$right" vb
finish_table
