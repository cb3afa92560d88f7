#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What can happen to an interface under a capture at tc, or by a packet socket: it goes on where that
# is possible, or ends with the right error. Never silence. (For XDP see tests/pcap/gone.sh.)
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ping bpftool ethtool

# begin: a capture on a fresh pair, which has seen three requests.
begin()
{
	veth_pair numrxqueues 4 numtxqueues 4
	in_right ethtool -L vb rx 1 tx 1 2> "$scratch/ethtool"
	in_left ethtool -L va rx 1 tx 1 2> "$scratch/ethtool"
	device=xdp:vb,hook=$hook,ring=4M
	start_tcpdump -Z root -Q in -l --immediate-mode "$@" icmp || finish
	tcpdump=$pid said=$err printed=$out
	ping_right 3
	wait_for 5 grep -q 'seq 3' "$printed"
}

# ends_with WORDS: by itself within 3 s, unsuccessfully, and says so.
ends_with()
{
	ended "$tcpdump" 3 > "$scratch/ended"
	state=$?
	if [ "$state" -ne 1 ]; then
		bad "$hook: $1: tcpdump ends with status $state"
	elif grep -q "$1" "$said"; then
		ok "$hook: $(grep -h "$1" "$said" | cut -c 1-100)"
	else
		bad "$hook: $1: tcpdump says something else"
		show "$said"
	fi
	equal "$hook: what came before" 3 "$(grep -c 'echo request' "$printed")"
}

# goes_on NAME: five more requests.
goes_on()
{
	ping_right 5
	wait_for 3 has_lines 8 'echo request' "$printed"
	check "$hook: $1: tcpdump ends well" stop "$tcpdump" INT
	equal "$hook: $1: requests of 3 and 5" 8 "$(grep -c 'echo request' "$printed")"
}

again()
{
	ip -n "$right" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev "${1:-vb}"
	ip -n "$left" neigh replace 10.99.0.2 lladdr 02:74:67:00:00:02 dev va
}

for hook in tc packet; do
	begin
	ip -n "$left" link del va
	ends_with "The interface disappeared"

	begin
	ip -n "$right" link set vb down
	sleep 1.2
	check "$hook: down: it waits" fails process_gone "$tcpdump"
	ip -n "$right" link set vb up
	again
	goes_on "down and up"

	begin
	ip -n "$right" link set vb name vnew
	sleep 1.2
	goes_on "renamed"

	begin
	new_namespace c
	ip -n "$right" link set vb netns "$namespace"
	ip -n "$namespace" addr add 10.99.0.2/24 dev vb
	ip -n "$namespace" link set vb up
	ip -n "$namespace" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb
	sleep 1.5
	# The kernel takes the packet socket off the interface; what is attached to it at tc goes along.
	if [ "$hook" = packet ]; then
		ends_with "disappeared"
	else
		goes_on "moved to another namespace"
	fi
	wait_for 10 hooks_are_free "$namespace" vb # as in nothing_left
	equal "$hook: moved: nothing stays" 'xdp 0 ingress 0 egress 0' "$(hooked "$namespace" vb)"

	# One after the other, on the same capture.
	begin
	ip -n "$left" link set va mtu 4000
	ip -n "$right" link set vb mtu 4000
	in_right ethtool -L vb rx 3 tx 2 2> "$scratch/ethtool" || skip "$hook: $(cat "$scratch/ethtool")"
	sleep 1.2
	in_left ping -qc 2 -i 0.05 -s 3000 -M "do" -W 5 10.99.0.2 > "$scratch/ping" ||
		bad "$hook: large frames pass after the change of MTU"
	wait_for 3 grep -q 'length 3008' "$printed"
	equal "$hook: MTU and queues changed: large ones" 2 "$(grep -c 'length 3008' "$printed")"
	stop "$tcpdump" INT
	equal "$hook: MTU and queues changed: tcpdump ends well" 0 $?
done

# find_link ATTACHMENT: of those the process has, in $link.
find_link()
{
	link=''
	for file in /proc/"$tcpdump"/fdinfo/*; do
		id=$(sed -n 's/^link_id:[[:space:]]*//p' "$file")
		[ -n "$id" ] && grep -q "$1" "$file" && link=$id
	done
}

# detach NAME ATTACHMENT: somebody takes one of our links off.
detach()
{
	begin
	find_link "$2"
	if [ -z "$link" ]; then
		bad "$1: no link found among the descriptors of tcpdump"
	else
		begun_at=$(date +%s%N)
		bpftool link detach id "$link" > "$scratch/bpftool" 2>&1 || bad "$1: $(cat "$scratch/bpftool")"
		ends_with "detached"
		between "$1: ms until the end" 0 2500 $((($(date +%s%N) - begun_at) / 1000000))
	fi
	nothing_left "$right" vb
}

hook=tc
detach "ingress link detached" "attach_type:.*ingress"
detach "egress link detached" "attach_type:.*egress"
# Received frames go on to come, so that the reader is seldom asleep when it is told.
for round in 1 2 3 4; do
	begin
	start in_left ping -qf -w 30 10.99.0.2
	ping=$pid
	wait_for 10 has_lines 1000 'echo request' "$printed"
	find_link "attach_type:.*egress"
	bpftool link detach id "$link" > "$scratch/bpftool" 2>&1 || bad "under traffic $round: $(cat "$scratch/bpftool")"
	wait_for 10 grep -q detached "$said"
	check "under traffic $round: the end is told" grep -q detached "$said"
	stop "$ping"
	ended "$tcpdump" 3 > "$scratch/ended"
done
hook=xdp
detach "XDP's egress link detached" "attach_type:.*egress"
finish
