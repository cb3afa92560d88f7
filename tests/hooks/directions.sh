#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# What comes in, what goes out, and both: by pcap_setdirection() and by filters, with the optimizer
# and without, under every hook: the frames AF_PACKET has, each once.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/graft/other.sh
. "$(dirname "$0")/../graft/other.sh"
need_root
need_library
need tcpdump ping ethtool
[ -x "$stream" ] || skip_all "needs tests/pcap/stream"
veth_pair
segments_only
index=$(in_right cat /proc/net/dev_snmp6/vb | sed -n 's/^ifIndex[[:space:]]*//p')

# libpcap runs the filter itself on the first frame of an AF_PACKET capture, and there a load of
# direction or interface rejects the frame. So a first one goes ahead, and is left out of account.
ignored='icmp and greater 75 and less 75'

traffic()
{
	in_left ping -qc 1 -s 33 -W 5 10.99.0.2 > "$scratch/ping"
	in_left ping -qc 4 -i 0.01 -s 100 -W 5 10.99.0.2 > "$scratch/ping"
	in_right ping -qc 3 -i 0.01 -s 200 -W 5 10.99.0.1 > "$scratch/ping"
	in_left "$stream" udp-send 10.99.0.2 7 5 300 1000 > "$scratch/sent"
	in_right "$stream" udp-send 10.99.0.1 7 5 400 1000 > "$scratch/sent"
	tcp "$left" "$right" 10.99.0.2 20000 || bad "TCP from va to vb"
	tcp "$right" "$left" 10.99.0.1 20000 || bad "TCP from vb to va"
}

# Number, direction, lowest and highest count of frames, filter.
cases="1 in 35 200
2 out 35 200
3 inout 70 400
4 - 35 200 inbound
5 - 35 200 outbound
6 - 70 400 ifindex $index
7 - 7 20 outbound and icmp
8 - 42 200 inbound or udp
9 in 0 0 outbound
10 - 0 0 ifindex 4711
11 - 14 40 icmp
12 - 30 400 not inbound or (ifindex $index and udp and greater 340)"

# For each case SET OPTIONS COMMAND...: with its number, direction, least, most and filter.
each_case()
{
	echo "$cases" | grep -E "^($1) " > "$scratch/cases"
	shift
	while read -r case direction least most filter; do
		"$@"
	done < "$scratch/cases"
}

name_case()
{
	echo "$hook${unoptimised:+ $unoptimised}${direction:+ -Q $direction}${filter:+ '$filter'}" | sed 's/ -Q -//'
}

number_case()
{
	echo "$case"
}

begin_case()
{
	set --
	[ "$direction" = - ] || set -- "$@" -Q "$direction"
	[ -z "$unoptimised" ] || set -- "$@" "$unoptimised"
	[ -z "$filter" ] || set -- "$@" "$filter"
	start_pair "$case" "$right" vb "hook=$hook,ring=1M" "$@"
}

end_case()
{
	same_frames "$case" "$(name_case)" "$least" "$most"
}

# XDP has room for one: one after the other.
one_case()
{
	begin_case
	traffic
	end_pairs "$case"
	end_case
}

# all_cases SET: all at once, which tc and packet sockets allow.
all_cases()
{
	each_case "$1" begin_case
	traffic
	# shellcheck disable=SC2046 # numbers
	end_pairs $(each_case "$1" number_case)
	each_case "$1" end_case
}

unoptimised=''
for hook in tc packet; do
	all_cases '.*'
	unoptimised=-O
	all_cases '4|5|6|7|8|12'
	unoptimised=''
done
hook=xdp
each_case '1|2|3|4|7|12' one_case
unoptimised=-O
each_case '6|8' one_case
unoptimised=''

# A filter with a loop runs in user space, where AF_PACKET's knows no direction; ours does.
in_user_space()
{
	device=xdp:vb,hook=$1
	start_tcpdump -Z root -w "$scratch/u.pcap" "$3 and ip protochain 1" || return
	ping_right 5
	all_read "$pid"
	equal "$1, in user space, '$3 and ip protochain 1'" "$2" "$(packets "$scratch/u.pcap")"
}
for hook in xdp tc; do
	in_user_space $hook 5 inbound
	in_user_space $hook 5 outbound
	in_user_space $hook 10 "ifindex $index"
	in_user_space $hook 0 'ifindex 4711'
done

# The same with libpcap of another release, whose internal functions have other names.
find_other
if [ -n "$other" ]; then
	check "libpcap $(cat "$other/VERSION") builds" build_other
	library=$other_library
	hook=tc
	all_cases '1|2|3|4|6|7'
	unoptimised=-O
	all_cases '5|8|12'
	hook=xdp unoptimised=''
	each_case '2|8' one_case
else
	skip "libpcap of $other_suite: $(tail -n 1 "$scratch/why")"
fi
nothing_left "$right" vb
finish
