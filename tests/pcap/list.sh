#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What programs list: xdp: devices only when they are asked for, behind all others.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump
veth_pair

with_library tcpdump -D > "$scratch/plain" 2>&1
check "without PCAP_AFXDP_LIST there are none" fails grep -q xdp: "$scratch/plain"
with_library env PCAP_AFXDP_LIST=0 tcpdump -D > "$scratch/zero" 2>&1
check "with PCAP_AFXDP_LIST=0 there are none" fails grep -q xdp: "$scratch/zero"
with_library env PCAP_AFXDP_LIST=1 tcpdump -D > "$scratch/listed" 2>&1
check "with PCAP_AFXDP_LIST=1 vb is listed" grep -q 'xdp:vb ' "$scratch/listed"
# The numbers of the lines are left out, and what is said behind the name.
names()
{
	sed -n 's/^[0-9]*\.\([^ ]*\).*/\1/p' "$1"
}
first=$(names "$scratch/listed" | grep -n xdp: | head -n 1 | cut -d: -f1)
for device in vb lo any; do
	place=$(names "$scratch/listed" | grep -n -x "$device" | cut -d: -f1)
	check "$device comes before all of them" test "$place" -lt "$first"
done
names "$scratch/plain" | sort > "$scratch/before"
names "$scratch/listed" | grep -v xdp: | sort > "$scratch/others"
check "the others are what they were" cmp "$scratch/before" "$scratch/others"
check "no xdp:any" fails grep -q xdp:any "$scratch/listed"

# The kernel notes a missing carrier within a second, and adds IPv6 addresses late: two listings would differ.
without_carrier()
{
	ip -n "$right" link show lonely | grep -q 'state LOWERLAYERDOWN'
}

# Up, down, without a carrier, loopback, point to point; addresses of both kinds and none.
ip netns exec "$right" sysctl -qw net.ipv6.conf.default.addr_gen_mode=1 net.ipv6.conf.vb.addr_gen_mode=1 2> /dev/null
ip -n "$right" link add lonely up type veth peer name down
wait_for 10 without_carrier
points=''
if ip -n "$right" tuntap add dev point mode tun 2> /dev/null; then
	ip -n "$right" addr add 10.98.0.1 peer 10.98.0.2/32 dev point
	ip -n "$right" link set point up
	points=point
else
	skip "the address of the other end: no tun devices"
fi
ip netns exec "$right" sysctl -qw net.ipv6.conf.vb.disable_ipv6=0 2> /dev/null
ip -n "$right" addr add 2001:db8::2/64 dev vb nodad
with_library env PCAP_AFXDP_LIST=1 "$build/tests/pcap/listed" > "$scratch/all" || bad "pcap_findalldevs fails"
with_library "$build/tests/pcap/listed" > "$scratch/plain"
for device in vb lo down lonely $points; do
	plain=$(sed -n "s/^$device //p" "$scratch/all")
	check "$device is listed" test -n "$plain"
	equal "xdp:$device: flags and addresses are those of $device" "$plain" \
		"$(sed -n "s/^xdp:$device //p" "$scratch/all")"
done
equal "they differ by their state" 4 "$(grep -E '^xdp:(vb|lo|down|lonely) ' "$scratch/all" | sed 's/.*\(flags=[0-9a-f]*\).*/\1/' | sort -u | wc -l)"
check "the IPv4 address is there" grep -q '^xdp:vb .*address=020000000a630002.*netmask=02000000ffffff00' "$scratch/all"
check "the IPv6 address is there" grep -q '^xdp:vb .*address=0a0000000000000020010db8' "$scratch/all"
[ -z "$points" ] || check "that of the other end is there" grep -q '^xdp:point .*destination=020000000a620002' "$scratch/all"
head -n "$(wc -l < "$scratch/plain")" "$scratch/all" > "$scratch/head"
check "the others come first, as they were" cmp "$scratch/plain" "$scratch/head"
check "listing attaches nothing" no_xdp_program "$right" vb
device=$(sed -n 's/^[0-9]*\.\(xdp:vb\) .*/\1/p' "$scratch/listed")
start_tcpdump -Q in -Z root -c 1 icmp && {
	in_left ping -qc 1 -W 20 10.99.0.2 > /dev/null
	check "what is listed can be opened" ended "$pid" 20
}
# tcpdump -L activates, -J does not.
with_library tcpdump -i xdp:vb -L > "$scratch/said" 2>&1
check "tcpdump -L names Ethernet" grep -q EN10MB "$scratch/said"
with_library tcpdump -i xdp:vb -J > "$scratch/said" 2>&1
check "tcpdump -J ends well" test $? -eq 0
finish
