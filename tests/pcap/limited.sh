#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Little memory for a process (ulimit -v and -d), and few descriptors (ulimit -n): each capture opens and gets its
# packet, or ends with one sentence that says which limit to raise. Nothing hangs, and nothing is left.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping prlimit
is_sanitized && skip_all "sanitizers need terabytes of addresses"
veth_pair
xdpdump=$build/xdpdump/xdpdump opened=0 refused=0

start ip netns exec "$left" ping -q -i 0.05 10.99.0.2
ping=$pid

# under LIMIT MIB|DESCRIPTORS COMMAND...: it gets a packet, or says why not. What does not even start is not ours.
under()
{
	name="$*"
	case $1 in
	as) limit=--as=$(($2 << 20)) raise='raise ulimit -v' ;;
	data) limit=--data=$(($2 << 20)) raise='raise ulimit -d' ;;
	nofile) limit=--nofile=$2 raise='raise ulimit -n)*' ;;
	esac
	shift 2
	sh -c '"$@" || exit' sh prlimit "$limit" "$1" --help > "$scratch/help" 2>&1 || return 0
	# shellcheck disable=SC2046 # one word per variable
	in_right env $(library_environment) timeout -k 5 40 prlimit "$limit" "$@" > "$scratch/out" 2> "$scratch/said"
	status=$?
	if [ "$status" -eq 0 ]; then
		opened=$((opened + 1))
	elif [ "$status" -lt 124 ] && [ "$(grep -c -e "$raise\$" "$scratch/said")" -eq 1 ]; then
		refused=$((refused + 1))
	else
		bad "$name: status $status"
		show "$scratch/said"
	fi
	wait_for 10 no_xdp_program "$right" vb || bad "$name: a program is left"
	wait_for 10 fails is_promiscuous "$right" vb || bad "$name: promiscuity is left"
}

# Where the library does not find room, or its own libraries do not.
for mib in 11 13 14 15 17 18; do
	under as $mib tcpdump -i xdp:vb -Z root -c 1 icmp
done
for mib in 1 2 4 12 16 24 40 128; do
	for kind in as data; do
		under $kind $mib tcpdump -i xdp:vb -Z root -c 1 icmp
		under $kind $mib "$xdpdump" -i vb -c 1 icmp
		under $kind $mib "$xdpdump" -i vb --hook xdp -w "$scratch/f.pcapng" --zstd -c 1 icmp
		under $kind $mib "$xdpdump" -i vb -P --engine divert -w "$scratch/g.pcapng" -c 1 icmp
		# In a pid namespace of its own it is refused.
		[ "$(readlink /proc/self/ns/pid)" != 'pid:[4026531836]' ] ||
			under $kind $mib "$xdpdump" -i vb --who -c 1 icmp
	done
done
# From too few for the first file to enough: what is needed at once is asked for at different times.
for n in 5 6 8 12 20 27 28 29 30 31 32 33 34 35 36 40 48 64 72; do
	under nofile $n tcpdump -i xdp:vb -Z root -c 1 icmp
	under nofile $n "$xdpdump" -i vb --hook xdp -w "$scratch/f.pcapng" --zstd -c 1 icmp
	under nofile $n "$xdpdump" -i vb --listen 127.0.0.1:5555 -w "$scratch/l.pcapng" -c 1 icmp
	[ "$(readlink /proc/self/ns/pid)" != 'pid:[4026531836]' ] ||
		under nofile $n "$xdpdump" -i vb --who -c 1 icmp
done
check "some open: $opened" [ "$opened" -gt 5 ]
check "some are refused, and say what to raise: $refused" [ "$refused" -gt 5 ]
kill "$ping"
finish
