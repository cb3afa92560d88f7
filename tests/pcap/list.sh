#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
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
check "no xdp:any, no xdp:lo" fails grep -E -q 'xdp:(any|lo)' "$scratch/listed"
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
