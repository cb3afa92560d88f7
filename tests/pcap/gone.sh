#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What can happen to the interface under a capture: it goes down, moves, disappears; somebody else
# takes our program off it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping bpftool ethtool

ping_right()
{
	in_left ping -qc "$1" -i 0.02 -W 20 10.99.0.2 > /dev/null
}

# ends_with WORDS: tcpdump ends by itself, unsuccessfully, and says so: within a second or two, but for
# a busy machine.
ends_with()
{
	ended "$tcpdump" 10
	state=$?
	if [ "$state" -ne 1 ]; then
		bad "$1: tcpdump ends with status $state"
	elif grep -q "$1" "$said"; then
		ok "$1: $(grep -h "$1" "$said")"
	else
		bad "$1: tcpdump says something else"
		show "$said"
	fi
}

pairs_options=''
begin()
{
	# shellcheck disable=SC2086 # options
	veth_pair $pairs_options
	start_tcpdump -Q in -Z root -l --immediate-mode icmp || finish
	tcpdump=$pid said=$err printed=$out
	ping_right 3
	wait_for 20 grep -q 'seq 3' "$printed"
}

begin
begun_at=$(date +%s%N)
ip -n "$left" link del va
ends_with "The interface disappeared"
between "deleted: ms until the end" 0 8000 $((($(date +%s%N) - begun_at) / 1000000))
equal "deleted: what came before" 3 "$(grep -c 'echo request' "$printed")"

begin
ip -n "$right" link set vb down
sleep 1.5
check "down: it waits" fails process_gone "$tcpdump"
ip -n "$right" link set vb up
sleep 0.2
ip -n "$right" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb
ping_right 5
settle "$tcpdump"
check "up again: tcpdump ends well" stop "$tcpdump" INT
equal "up again: requests of 3 and 5" 8 "$(grep -c 'echo request' "$printed")"

begin
ip -n "$left" link set va down # no carrier on vb
sleep 1.2
ip -n "$left" link set va up
sleep 0.2
ip -n "$left" neigh replace 10.99.0.2 lladdr 02:74:67:00:00:02 dev va
ping_right 5
settle "$tcpdump"
check "carrier lost and back: tcpdump ends well" stop "$tcpdump" INT
equal "carrier lost and back: requests of 3 and 5" 8 "$(grep -c 'echo request' "$printed")"

# Renamed: the capture holds the interface, not its name.
begin
ip -n "$right" link set vb name vnew
ping_right 5
settle "$tcpdump"
check "renamed: tcpdump ends well" stop "$tcpdump" INT
equal "renamed: requests of 3 and 5" 8 "$(grep -c 'echo request' "$printed")"

begin
new_namespace c
ip -n "$right" link set vb netns "$namespace"
ip -n "$namespace" addr add 10.99.0.2/24 dev vb
ip -n "$namespace" link set vb up
ip -n "$namespace" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb
sleep 0.2
ping_right 5
sleep 1.5
# It may go on there, or end with a word; it may not be silent.
if process_gone "$tcpdump"; then
	ends_with "disappeared"
else
	stop "$tcpdump" INT
	equal "moved to another namespace: it goes on there" 8 "$(grep -c 'echo request' "$printed")"
fi
check "moved: no program stays" no_xdp_program "$namespace" vb

# Smaller frames, larger ones, and more queues; what a native program cannot have the kernel refuses.
pairs_options='numrxqueues 4 numtxqueues 4'
begin
pairs_options=
# What a veth sends by has to have its queue at the other end.
in_left ethtool -L va tx 2 2> "$scratch/ethtool" && in_right ethtool -L vb rx 3 2> "$scratch/ethtool" ||
	bad "queues: $(cat "$scratch/ethtool")"
ping_right 2
for mtu in 1200 3000; do
	ip -n "$right" link set vb mtu $mtu 2> "$scratch/mtu" || bad "mtu $mtu: $(cat "$scratch/mtu")"
	ip -n "$left" link set va mtu $mtu
	in_left ping -qc 1 -s $((mtu - 100)) -M "do" -W 20 10.99.0.2 > "$scratch/ping" || bad "mtu $mtu: a ping passes"
done
in_right ethtool -L vb rx 4 2> "$scratch/ethtool"
ping_right 2
settle "$tcpdump"
check "queues and MTU changed: tcpdump ends well" stop "$tcpdump" INT
equal "queues and MTU changed: requests of 3, 2, 2 large and 2" 9 "$(grep -c 'echo request' "$printed")"
equal "the largest of them" 1 "$(grep -c 'length 2908' "$printed")"

begin
link=$(bpftool link show 2> /dev/null | sed -n "s/^\\([0-9]*\\): xdp  prog $(xdp_program "$right" vb) .*/\\1/p")
if [ -z "$link" ]; then
	bad "detached: no link found"
else
	begun_at=$(date +%s%N)
	bpftool link detach id "$link" > /dev/null 2>&1
	ends_with "detached"
	between "detached: ms until the end" 0 8000 $((($(date +%s%N) - begun_at) / 1000000))
fi

# The peer alone vanishes in another way: its namespace goes.
begin
ip netns del "$left"
ends_with "The interface disappeared"
finish
