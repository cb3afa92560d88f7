#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# In a virtual machine: a bond of two slaves has each frame that the host has, once, and its tags are judged by the
# slaves; a veth that receives by fewer queues than its peer sends by takes no program, and the driver's words say so.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_library
need_xdpdump
need_testprog trafgen
need tcpdump ethtool
kernel_since 6 6 || skip_all "needs TCX (Linux 6.6)"
frames=10

# bonded OPTION...: bond0 in $right, of s0 and s1, whose other ends are p0 and p1 in $left.
bonded()
{
	pair_namespaces
	ip -n "$right" link add bond0 address 02:74:67:00:00:02 type bond "$@" 2> "$scratch/link" || {
		skip "bond $*: $(head -n 1 "$scratch/link")"
		return 1
	}
	for n in 0 1; do
		ip -n "$right" link add s$n type veth peer name p$n netns "$left"
		ip -n "$right" link set s$n master bond0
		ip -n "$left" link set p$n up
	done
	ip -n "$right" link set bond0 up
}

# came COMMAND [OPTION...]: how many of its frames xdpdump on bond0 has; what it says is in $said.
came()
{
	sends=$1
	shift
	start ip netns exec "$right" "$xdpdump" -i bond0 -Q in -w "$scratch/bond.pcapng" "$@" udp
	capture=$pid said=$err
	wait_for 60 grep -q 'listening on' "$said" || bad "$*: $(head -n 3 "$said")"
	$sends
	settle "$capture"
	stop "$capture" INT || bad "$*: status"
	number=$(packets "$scratch/bond.pcapng")
}

# The same number of frames by each slave: the host leaves out those of one.
by_both()
{
	for n in 0 1; do
		in_left "$trafgen" -i "p$n" -n "$frames" --via socket > "$scratch/sent" || bad "trafgen on p$n"
	done
}

slaves='the frames of its inactive slave as well, which the host leaves out'
if bonded mode active-backup miimon 100; then
	came by_both
	equal "active-backup, auto: frames" $frames "$number"
	check "... at tc, and why" grep -q "capturing at tc: at XDP bond0 has $slaves" "$said"
	came by_both --hook tc
	equal "active-backup, hook=tc: frames" $frames "$number"
	in_right ethtool -K bond0 rxvlan off > /dev/null 2>&1 # it reaches no slave
	came by_both --hook xdp
	equal "active-backup, hook=xdp: frames, by both slaves" $((2 * frames)) "$number"
	check "... said" grep -q "at XDP bond0 has $slaves (to leave them out: --hook tc)" "$said"
	check "... its tags are judged by its slaves, which are veths" \
		grep -q 'bond0 takes VLAN tags off .* (to keep them: --hook tc)' "$said"
fi

# A partner at the other end, by LACP: both slaves are in use.
aggregated()
{
	[ "$(in_right cat /sys/class/net/bond0/bonding/ad_num_ports)" = 2 ] &&
		! in_right grep -q backup /sys/class/net/s0/bonding_slave/state /sys/class/net/s1/bonding_slave/state
}

from_partner()
{
	in_left "$trafgen" -i partner -n "$frames" --via socket --flows 8 > "$scratch/sent" || bad "trafgen on partner"
}

# Without a partner each slave is an aggregator of its own, and one of them is in use.
lacp='mode 802.3ad miimon 100 lacp_rate fast xmit_hash_policy layer3+4'
one_is_in_use()
{
	[ "$(in_right cat /sys/class/net/s0/bonding_slave/state /sys/class/net/s1/bonding_slave/state | sort | tr '\n' ' ')" = "active backup " ]
}
# shellcheck disable=SC2086 # words
if bonded $lacp; then
	check "802.3ad, nobody answers: one slave is in use" wait_for 60 one_is_in_use
	came by_both --hook tc
	equal "... hook=tc: frames" $frames "$number"
	came by_both
	equal "... auto: frames" $frames "$number"
	check "... at tc, and why" grep -q "capturing at tc: at XDP bond0 has $slaves" "$said"
	came by_both --hook xdp
	equal "... hook=xdp: frames, by both slaves" $((2 * frames)) "$number"
	check "... said" grep -q "at XDP bond0 has $slaves (to leave them out: --hook tc)" "$said"
fi

# shellcheck disable=SC2086 # words
if bonded $lacp; then
	ip -n "$left" link add partner address 02:00:00:00:00:0a type bond $lacp
	for n in 0 1; do
		ip -n "$left" link set p$n down
		ip -n "$left" link set p$n master partner
	done
	ip -n "$left" link set partner up
	check "802.3ad: two ports" wait_for 60 aggregated
	for hook in auto xdp tc; do
		came from_partner --hook $hook
		equal "802.3ad, hook=$hook: frames" $frames "$number"
		[ "$hook" != auto ] || check "... at XDP" grep -q 'received frames at XDP (native)' "$said"
		echo "  $(grep '^listening on' "$said")"
	done
fi

# A program on the bond: its slaves' hooks are empty, and closed (EEXIST). A program on a slave: the bond takes none.
foreign=$build/tests/hooks/foreign

# has_program INTERFACE: somebody's, until $holder ends.
has_program()
{
	start ip netns exec "$right" "$foreign" xdp "$1"
	holder=$pid
	wait_for 20 grep -q attached "$out" || bad "no program on $1: $(head -n 2 "$err")"
}

# said_of INTERFACE WORDS: by auto, which captures at tc, and by hook=xdp, which does not.
said_of()
{
	start_xdpdump_on "$1"
	check "$1, auto: at tc: $2" grep -q "capturing at tc: $2" "$said"
	run_xdpdump -i "$1" --veth xdp --hook xdp -c 1
	equal "$1, hook=xdp: is refused" 1 "$state"
	check "... says why" grep -q "$2.*--hook tc\$" "$err"
	check "... and held by nobody" fails grep -q 'held by' "$err" "$said"
	show "$err"
}

start_xdpdump_on()
{
	start ip netns exec "$right" "$xdpdump" -i "$1" --veth xdp -Q in -w "$scratch/bond.pcapng"
	capture=$pid said=$err
	wait_for 60 grep -q 'listening on' "$said" || bad "$1: $(head -n 3 "$said")"
	kill -INT "$capture"
	check "$1, auto: ends well" ended "$capture" 30
}

if bonded mode balance-xor miimon 100; then
	has_program bond0
	said_of s0 's0 takes no XDP program, because bond0, to which it belongs, has one: capture on bond0'
	stop "$holder" KILL
	has_program s1
	words='bond0 takes no native XDP program: '
	! kernel_since 6 12 || words="$words.*[Ss]lave.* has XDP program"
	said_of bond0 "$words"
	stop "$holder" KILL
fi

# From 6.12 on by the driver's words, which the kernel has in a tracepoint.
veth_pair numrxqueues 4 numtxqueues 4
in_right ethtool -L vb rx 2 tx 2
words=''
! kernel_since 6 12 || words=".*XDP expects number of rx queues not less than peer tx queues (No space left on device)"
start_xdpdump -w "$scratch/f.pcapng" --veth xdp -Q in
capture=$pid said=$err
check "veth of unequal queues, auto: at tc, and why" \
	grep -q "capturing at tc: vb takes no native XDP program:$words.*; 2 queues receive, and more of its peer's send: ethtool -L PEER tx 2" "$said"
send -n $frames --via socket
settle "$capture"
check "... ends well" stop "$capture" INT
equal "... frames" $frames "$(packets "$scratch/f.pcapng")"
run_xdpdump -i vb --hook xdp -c 1
equal "... hook=xdp: is refused" 1 "$state"
check "... says why" grep -q "vb takes no native XDP program:$words" "$err"
show "$err"
finish
