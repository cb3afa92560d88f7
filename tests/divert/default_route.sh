#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Nothing keeps frames from the host where its default route is, of whatever kind, unless somebody says yes=on.
# shellcheck source=tests/divert/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump
veth_pair
xdpdump=$build/xdpdump/xdpdump
in_right sysctl -qw net.ipv6.conf.all.disable_ipv6=0 net.ipv6.conf.vb.disable_ipv6=0 || bad "no IPv6 in $right"
ip -n "$right" -6 addr add 2001:db8::2/64 dev vb nodad

# opens DEVICE: so far that tcpdump listens.
# shellcheck disable=SC2046 # one word per variable
opens()
{
	start_capture env --default-signal=INT tcpdump -nn -Z root -i "$1"
	wait_for 20 answered
	stop "$pid" INT > "$scratch/stopped"
	grep -q 'listening on' "$err"
}

answered()
{
	grep -q 'listening on' "$err" || process_gone "$pid"
}

# guarded NAME PATTERN: divert and drop are refused, with that reason; a copy is not.
guarded()
{
	refused "^tcpdump: .*$2, and engine=divert keeps frames from the host: if that is meant, say yes=on" \
		xdp:vb,engine=divert,rest=drop
	[ "$status" -eq 1 ] || echo "    $1"
}

# open_after NAME: nothing stands in the way.
open_after()
{
	check "$1: not guarded" opens xdp:vb,engine=divert
}

# over NAME COMMAND...: ip of $right; with it vb is guarded, without it not.
over()
{
	what=$1
	shift
	ip -n "$right" "$@" || { bad "$what: ip $*"; return; }
	echo "  $what"
	guarded "$what" 'vb has the default route'
	undo=$(echo "$*" | sed 's/ add / del /')
	# shellcheck disable=SC2086 # words
	ip -n "$right" $undo
}

# not_over NAME COMMAND...
not_over()
{
	what=$1
	shift
	ip -n "$right" "$@" || { bad "$what: ip $*"; return; }
	open_after "$what"
	undo=$(echo "$*" | sed 's/ add / del /')
	# shellcheck disable=SC2086 # words
	ip -n "$right" $undo
}

open_after "no route but that of the link"
over "a default route" route add default via 10.99.0.1
over "by IPv6" -6 route add default via 2001:db8::1
over "in another table" route add default via 10.99.0.1 table 1234
over "by IPv6 in another table" -6 route add default via 2001:db8::1 table 1234
over "half of all addresses" route add 0.0.0.0/1 via 10.99.0.1
over "the other half" route add 128.0.0.0/1 via 10.99.0.1
over "half of IPv6" -6 route add 8000::/1 via 2001:db8::1
over "all that is assigned of IPv6" -6 route add 2000::/3 via 2001:db8::1
over "behind a better one" route add default via 10.99.0.1 metric 4000
not_over "a sixteenth" route add 16.0.0.0/4 via 10.99.0.1
not_over "multicast" route add multicast 224.0.0.0/4 dev vb table 99
not_over "an end for all others" route add unreachable default

ip -n "$right" route add default via 10.99.0.1
refused 'vb has the default route, and after=drop keeps frames from the host' xdp:vb,after=drop
refused 'has the default route' xdp:vb,after=drop,hook=tc
check "nothing is attached" no_xdp_program "$right" vb
check "a copy needs no yes" opens xdp:vb
check "yes=on" opens xdp:vb,engine=divert,rest=drop,yes=on
refused 'has the default route' xdp:vb,engine=divert,yes=off
with_library env PCAP_AFXDP_OPTIONS=engine=divert timeout -k 5 10 tcpdump -c 1 -i xdp:vb > "$scratch/text" 2>&1
check "by the environment" grep -q 'has the default route.*say yes=on' "$scratch/text"
in_right timeout -k 5 10 "$xdpdump" -i vb --engine divert -c 1 > "$scratch/text" 2>&1
equal "xdpdump: status" 1 $?
check "xdpdump: in its words" grep -q \
	'vb has the default route, and --engine divert keeps frames from the host: if that is meant, say --yes$' \
	"$scratch/text"
for yes in "-i vb --yes" "-i vb,yes=on"; do
	# shellcheck disable=SC2086 # words
	in_right timeout -k 5 10 "$xdpdump" $yes --engine divert -a duration:0.2 > "$scratch/text" 2>&1
	equal "xdpdump $yes: status" 0 $?
done
# Who has no privilege opens by the loader, which asks the same.
if command -v dumpcap > /dev/null; then
	with_library timeout -k 5 10 dumpcap -q -i xdp:vb,after=drop -a duration:1 -w "$scratch/f" > "$scratch/text" 2>&1
	check "by the loader" grep -q 'vb has the default route' "$scratch/text"
else
	skip "no dumpcap, which opens by the loader"
fi
ip -n "$right" route del default

# Several next hops, and next hops by number, of which a route may say no more than that.
ip -n "$right" link add wa type veth peer name wb
ip -n "$right" addr add 10.98.0.2/24 dev wa
ip -n "$right" link set wa up
ip -n "$right" link set wb up
over "several next hops" route add default nexthop via 10.98.0.1 dev wa nexthop via 10.99.0.1 dev vb
if ip -n "$right" nexthop add id 40 via 10.98.0.1 dev wa 2> /dev/null; then
	ip -n "$right" nexthop add id 41 via 10.99.0.1 dev vb
	ip -n "$right" nexthop add id 7 group 40/41
	in_right sysctl -qw net.ipv4.nexthop_compat_mode=0
	over "a next hop by number" route add default nhid 41
	over "a group of next hops" route add default nhid 7
	not_over "the next hop of another" route add default nhid 40
	ip -n "$right" nexthop del id 41
else
	skip "no next hops by number here"
fi
not_over "the default route of another device" route add default via 10.98.0.1
ip -n "$right" link del wa

# A device of another namespace that has the number of this one is not below.
index=$(in_right cat /sys/class/net/vb/ifindex)
new_namespace c
if ip -n "$right" link add wa type veth peer name wb index "$index" netns "$namespace" 2> /dev/null; then
	ip -n "$right" addr add 10.98.0.2/24 dev wa
	ip -n "$right" link set wa up
	not_over "the same number in another namespace" route add default via 10.98.0.1
	ip -n "$right" link del wa
else
	skip "no veth pair with that number"
fi

# on_top NAME DEVICE: of which the default route is.
on_top()
{
	ip -n "$right" addr add 10.97.0.2/24 dev "$2"
	ip -n "$right" link set "$2" up
	ip -n "$right" route add default via 10.97.0.1 dev "$2" || bad "$1: no default route"
	guarded "$1" "vb carries the default route of $2"
	in_right timeout -k 5 10 "$xdpdump" -i vb --after drop -c 1 > "$scratch/text" 2>&1
	check "$1: xdpdump" grep -q "vb carries the default route of $2, and --after drop .*say --yes$" "$scratch/text"
	ip -n "$right" link del "$2"
}

# with NAME DEVICE KIND...: a device of this kind on top of vb.
with()
{
	what=$1 device=$2
	shift 2
	if ip -n "$right" link add link vb name "$device" type "$@" 2> "$scratch/text"; then
		on_top "$what" "$device"
	else
		skip "$what: $(head -n 1 "$scratch/text")"
	fi
}

with "a VLAN" vb.5 vlan id 5
with "a macvlan" mv0 macvlan mode bridge
for kind in bridge bond team; do
	if ip -n "$right" link add top0 type "$kind" 2> "$scratch/text"; then
		ip -n "$right" link set vb down
		ip -n "$right" link set vb master top0
		ip -n "$right" link set vb up
		on_top "a $kind" top0
		ip -n "$right" link set vb up
	else
		skip "a $kind: $(head -n 1 "$scratch/text")"
	fi
done
# As on a machine with guests: port, bridge, and something on that.
if ip -n "$right" link add top0 type bridge && ip -n "$right" link set vb master top0 &&
	ip -n "$right" link set top0 up && ip -n "$right" link add link top0 name mv0 type macvlan; then
	on_top "a macvlan on a bridge" mv0
else
	skip "no macvlan on a bridge"
fi
finish
