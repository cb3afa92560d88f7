#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# Every kind of interface there is here, by the hook that auto takes and by others: AF_PACKET's
# frames, each once.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ping
tun=$build/tests/hooks/tun
veth_pair
ignored=igmp # a bridge's own, which comes when it likes

# compare TEXT NAMESPACE INTERFACE OPTIONS LEAST COMMAND...: what the command sends, on both, through
# $filter if there is one.
filter=''
compare()
{
	text=$1
	least=$5
	start_pair p "$2" "$3" "$4" ${filter:+"$filter"}
	shift 5
	"$@" > "$scratch/traffic" 2>&1 || {
		bad "$text: traffic: $*"
		show "$scratch/traffic"
	}
	end_pairs p
	same_frames p "$text" "$least"
}

# linked TYPE: the link type that our capture told of.
linked()
{
	equal "link type" "$1" "$(sed -n 's/.*link-type \([A-Z0-9_]*\).*/\1/p' "$scratch/p.said")"
}

ping_from()
{
	ip netns exec "$1" ping -qc 5 -i 0.01 -s 100 -W 5 "$2"
}

# Host and far end of a tun or tap device: IPv4 without link header, or Ethernet.
tun_or_tap()
{
	[ -c /dev/net/tun ] || {
		skip "$1: no /dev/net/tun"
		return
	}
	start ip netns exec "$right" "$tun" "$1" "$1"0
	far_end=$pid
	wait_for 5 grep -q ready "$out" || {
		skip "$1: $(cat "$err")"
		return
	}
	ip -n "$right" addr add 10.98.0.2/24 dev "$1"0
	ip -n "$right" link set "$1"0 up
	[ "$1" = tun ] || ip -n "$right" neigh add 10.98.0.1 lladdr 02:00:00:00:00:98 dev "$1"0
	for options in "$3" hook=tc hook=packet; do
		compare "$1 ${options:-auto}" "$right" "$1"0 "$options" 10 ping_from "$right" 10.98.0.1
		linked "$2"
		filter='icmp[0] == 8 and src 10.98.0.2'
		compare "$1 ${options:-auto}, with a filter" "$right" "$1"0 "$options" 5 ping_from "$right" 10.98.0.1
		filter=''
	done
	stop "$far_end" TERM
	ip -n "$right" link del "$1"0 2> /dev/null
}

# new_link NAMESPACE NAMES WORD...: as of ip link add; where the kernel has NAMES not, says so and fails.
new_link()
{
	where=$1 names=$2
	shift 2
	ip -n "$where" link add "$@" 2> /dev/null && return
	skip "no $names in this kernel"
	return 1
}

link_address()
{
	ip -n "$1" -br link show dev "$2" | awk '{ print $3 }'
}

# acquainted NAMESPACE INTERFACE ADDRESS NAMESPACE INTERFACE ADDRESS: each knows the other, and does not ask: not
# now, and not later, to see whether it is still there.
acquainted()
{
	ip -n "$1" neigh replace "$6" lladdr "$(link_address "$4" "$5")" dev "$2"
	ip -n "$4" neigh replace "$3" lladdr "$(link_address "$1" "$2")" dev "$5"
}

# A bridge with a veth as its port: the host behind the bridge talks.
bridge()
{
	new_namespace c
	third=$namespace
	new_link "$third" bridges br0 type bridge || return
	ip -n "$third" link add p0 type veth peer name p1 netns "$left"
	ip -n "$third" link set p0 master br0
	ip -n "$third" addr add 10.97.0.1/24 dev br0
	ip -n "$left" addr add 10.97.0.2/24 dev p1
	for interface in p0 br0; do
		ip -n "$third" link set $interface up
	done
	ip -n "$left" link set p1 up
	compare "bridge, auto, who asks first" "$third" br0 '' 12 ping_from "$left" 10.97.0.1
	acquainted "$third" br0 10.97.0.1 "$left" p1 10.97.0.2
	compare "bridge, hook=packet" "$third" br0 hook=packet 10 ping_from "$left" 10.97.0.1
	compare "bridge, from its own host" "$third" br0 hook=tc 10 ping_from "$third" 10.97.0.2
	compare "port of a bridge, hook=tc" "$third" p0 hook=tc 10 ping_from "$left" 10.97.0.1
	compare "port of a bridge, auto" "$third" p0 '' 10 ping_from "$left" 10.97.0.1
}

# connect LEFT-INTERFACE RIGHT-INTERFACE NETWORK: 10.NETWORK.0.1 and .2.
connect()
{
	ip -n "$right" addr add "10.$3.0.2/24" dev "$2"
	ip -n "$left" addr add "10.$3.0.1/24" dev "$1"
	ip -n "$left" link set "$1" up
	ip -n "$right" link set "$2" up
	acquainted "$left" "$1" "10.$3.0.1" "$right" "$2" "10.$3.0.2"
}

macvlan()
{
	new_link "$right" macvlan link vb name mv0 type macvlan mode bridge || return
	connect va mv0 96 # without asking: the device below would answer as well
	compare "macvlan, auto" "$right" mv0 '' 10 ping_from "$left" 10.96.0.2
	compare "macvlan, hook=packet" "$right" mv0 hook=packet 10 ping_from "$left" 10.96.0.2
	compare "the device below, hook=tc" "$right" vb hook=tc 10 ping_from "$left" 10.96.0.2
	compare "the device below, auto" "$right" vb '' 10 ping_from "$left" 10.96.0.2
	ip -n "$right" link del mv0
}

ipvlan()
{
	new_link "$right" ipvlan link vb name iv0 type ipvlan mode l2 || return
	connect va iv0 92
	every_hook ipvlan iv0 10.92.0.2
	compare "below an ipvlan, hook=tc" "$right" vb hook=tc 10 ping_from "$left" 10.92.0.2
	compare "below an ipvlan, auto" "$right" vb '' 10 ping_from "$left" 10.92.0.2
	ip -n "$right" link del iv0
}

# every_hook TEXT INTERFACE ADDRESS: which is that of the interface, in $right.
every_hook()
{
	for options in '' hook=tc hook=packet; do
		compare "$1 ${options:-auto}" "$right" "$2" "$options" 10 ping_from "$left" "$3"
	done
	filter='icmp[0] == 8'
	for options in '' hook=packet; do
		compare "$1 ${options:-auto}, with a filter" "$right" "$2" "$options" 5 ping_from "$left" "$3"
	done
	filter=''
}

# Below it the frames have the tag, which veth carries beside them.
vlan()
{
	new_link "$right" "vlan interfaces" link vb name vb.5 type vlan id 5 || return
	ip -n "$left" link add link va name va.5 type vlan id 5
	connect va.5 vb.5 94
	every_hook vlan vb.5 10.94.0.2
	for options in hook=tc hook=packet; do
		compare "below a vlan, $options" "$right" vb "$options" 10 ping_from "$left" 10.94.0.2
	done
	ip -n "$right" link del vb.5
	ip -n "$left" link del va.5
}

# XDP goes to the bond, which hands it on to what it is made of.
bond()
{
	new_link "$right" bonds bond0 type bond mode active-backup miimon 100 || return
	ip -n "$right" link add s0 type veth peer name s1 netns "$left"
	ip -n "$right" link set s0 master bond0
	connect s1 bond0 93
	wait_for 5 ip netns exec "$left" ping -qc 1 -W 1 10.93.0.2
	every_hook bond bond0 10.93.0.2
	start_capture tcpdump -Z root -i xdp:bond0,hook=xdp -w "$scratch/b.pcap"
	capture=$pid
	check "bond: native XDP" wait_for 10 fails no_xdp_program "$right" bond0
	stop "$capture" INT
	start_capture env PCAP_AFXDP_DEBUG=1 tcpdump -Z root -i xdp:bond0 -w "$scratch/b.pcap"
	capture=$pid
	check "active-backup, auto: tc, and says why" wait_for 10 grep -q 'the frames of its inactive slave' "$err"
	check "... nothing at XDP" no_xdp_program "$right" bond0
	stop "$capture" INT
	compare "what a bond is made of, hook=tc" "$right" s0 hook=tc 10 ping_from "$left" 10.93.0.2
	ip -n "$right" link del bond0
	ip -n "$right" link del s0
}

# What comes in at vb goes through an ifb first.
ifb()
{
	new_link "$right" ifb ifb0 type ifb || return
	ip -n "$right" link set ifb0 up
	if in_right tc qdisc add dev vb ingress 2> "$scratch/tc" &&
		in_right tc filter add dev vb parent ffff: protocol all u32 match u32 0 0 \
			action mirred egress redirect dev ifb0 2> "$scratch/tc"; then
		compare "ifb, auto" "$right" ifb0 '' 5 ping_right 5
		compare "ifb, hook=packet" "$right" ifb0 hook=packet 5 ping_right 5
		compare "behind it, hook=tc" "$right" vb hook=tc 10 ping_right 5
	else
		skip "ifb: $(cat "$scratch/tc")"
	fi
	in_right tc qdisc del dev vb ingress 2> "$scratch/tc"
	ip -n "$right" link del ifb0
}

vxlan()
{
	new_link "$right" vxlan vx0 address 02:00:00:00:00:11 type vxlan id 7 dstport 4789 \
		remote 10.99.0.1 local 10.99.0.2 || return
	ip -n "$left" link add vx0 address 02:00:00:00:00:12 type vxlan id 7 dstport 4789 \
		remote 10.99.0.2 local 10.99.0.1
	ip -n "$right" addr add 10.95.0.2/24 dev vx0
	ip -n "$left" addr add 10.95.0.1/24 dev vx0
	ip -n "$right" link set vx0 up
	ip -n "$left" link set vx0 up
	compare "vxlan, auto, who asks first" "$right" vx0 '' 12 ping_from "$left" 10.95.0.2
	acquainted "$right" vx0 10.95.0.2 "$left" vx0 10.95.0.1
	compare "below a vxlan, auto" "$right" vb '' 10 ping_from "$left" 10.95.0.2
	ip -n "$right" link del vx0
}

loopback()
{
	for options in '' hook=tc hook=packet; do
		compare "lo ${options:-auto}: each frame once" "$right" lo "$options" 10 ping_from "$right" 127.0.0.1
		equal "lo: frames" 10 "$(packets "$scratch/p.ours")"
	done
}

for options in '' hook=tc hook=packet xdp-mode=skb; do
	compare "veth ${options:-auto}" "$right" vb "$options" 10 ping_from "$left" 10.99.0.2
done
tun_or_tap tun RAW ''
tun_or_tap tap EN10MB ''
bridge
macvlan
ipvlan
vlan
bond
ifb
vxlan
loopback

# What XDP cannot do is refused with the way out.
for interface in lo tun0; do
	[ $interface = lo ] || {
		start ip netns exec "$right" "$tun" tun tun0
		wait_for 5 grep -q ready "$out" || continue
		ip -n "$right" link set tun0 up
	}
	with_library timeout 10 tcpdump -Z root -c 1 -i "xdp:$interface,hook=xdp" > "$scratch/said" 2>&1
	check "$interface, hook=xdp: the error names hook=tc" says 'use hook=tc' "$scratch/said"
done
# 803 is ARPHRD_IEEE80211_RADIOTAP; two devices at once, as tun0 stays.
start ip netns exec "$right" "$tun" tun tun1 803
if wait_for 5 grep -q ready "$out"; then
	ip -n "$right" link set tun1 up
	with_library timeout 10 tcpdump -Z root -c 1 -i xdp:tun1 > "$scratch/said" 2>&1
	check "frames of another link: the error names the plain device" says \
		'tun1 has frames of link type 803, which xdp: does not capture: use tun1' "$scratch/said"
	with_library timeout 10 tcpdump -Z root -c 1 -i xdp:tun0,join=on > "$scratch/said" 2>&1
	check "raw IP, join=on: the error says what to leave out" says 'leave join=on out' "$scratch/said"
else
	skip "no tun device of another link: $(head -n 1 "$err")"
fi
nothing_left "$right" vb
finish
