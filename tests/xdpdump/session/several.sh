#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Several interfaces in one file: each has its block, and packets are in the order of time.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen
need tshark capinfos ping ethtool
veth_pair
file=$scratch/f.pcapng
ip -n "$left" link add vc address 02:00:00:00:00:0c type veth peer name vd address 02:74:67:00:00:02 netns "$right"
ip -n "$left" link set vc up
ip -n "$right" link set vd up
in_right ethtool -K vd gro on # so that the generator reaches it without XDP

# of_interface N: packets of it, by number.
of_interface()
{
	tshark -r "$file" -T fields -e frame.interface_id 2> /dev/null | grep -c "^$1\$"
}

start_xdpdump -Q in -i xdp:vd,hook=tc -i lo -w "$file"
capture=$pid said=$err
wait_for 5 grep -q 'listening on lo' "$said"
in_left "$trafgen" -i vc -n 20000 -r 20000 > "$scratch/other" 2>&1 &
other=$!
send -n 20000 -r 20000
wait "$other" || show "$scratch/other"
in_right ping -qc 5 -i 0.05 127.0.0.1 > /dev/null
check "it ends well" stop "$capture" INT
equal "captured" 40010 "$(count captured "$said")"
equal "packets of vb" 20000 "$(of_interface 0)"
equal "packets of vd" 20000 "$(of_interface 1)"
equal "packets of lo" 10 "$(of_interface 2)"
capinfos "$file" > "$scratch/info" 2> /dev/null
check "in the order of time" grep -q 'Strict time order: *True' "$scratch/info"
equal "interfaces" 3 "$(sed -n 's/^Number of interfaces in file: //p' "$scratch/info")"
equal "statistics blocks" 3 "$(grep -c 'Number of stat entries = 1' "$scratch/info")"
check "names" grep -q 'Name = vd$' "$scratch/info"

# One goes away, where that is to be the end: that is told, and what was captured is kept.
start_xdpdump -Q in -i vd --stop-when-gone -w "$file" icmp
capture=$pid said=$err
in_left ping -qc 3 -i 0.05 10.99.0.2 > /dev/null
ip -n "$right" link del vd
ended "$capture" 10
equal "an interface goes away: status" 1 $?
check "an interface goes away: which" grep -q '^xdpdump: vd has disappeared$' "$said"
equal "an interface goes away: packets said" 3 "$(count captured "$said")"
equal "an interface goes away: in the file" 3 "$(packets "$file")"

run_xdpdump -i vb -i nosuch -w "$scratch/made"
equal "one that is not there: status" 1 "$state"
check "one that is not there: no file" fails test -e "$scratch/made"
check "no XDP program is left" no_xdp_program "$right" vb
finish
