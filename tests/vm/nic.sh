#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine, or by make check-card: two network cards that are joined, by what auto takes and by every hook,
# the frames that AF_PACKET has; native XDP on a driver that is no veth.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/../hooks/lib.sh"
# shellcheck source=tests/vm/cards.sh
. "$(dirname "$0")/cards.sh"
need_root
need_library
need tcpdump ping ethtool
join_cards
echo "driver $(in_right ethtool -i eth1 | sed -n 's/^driver: //p'), $(in_right ethtool -l eth1 | sed -n 's/^Combined:[^0-9]*//p' | tr '\n' ' ')queues"

# Cards that a program resets are down for a while: the queue in front of them, behind tc and before
# packet sockets, then throws frames away.
is_up()
{
	in_right grep -q 1 /sys/class/net/eth1/carrier
}

traffic()
{
	in_left ping -qc 5 -i 0.05 -s 100 -W 5 10.99.0.2 > "$scratch/ping" || bad "ping"
	in_left "$stream" udp-send 10.99.0.2 7 5 300 1000 > "$scratch/sent"
	tcp "$left" "$right" 10.99.0.2 20000 || bad "TCP"
}

# Cards that fill in no checksums have them from the kernel, behind tc and before packet sockets.
ignored='tcp and src 10.99.0.2'
# No super-frames, which come before XDP in pieces.
in_left ethtool -K eth0 tso off gso off > "$scratch/ethtool" 2>&1
in_right ethtool -K eth1 gro off tso off gso off rx off > "$scratch/ethtool" 2>&1
for options in '' hook=xdp hook=tc hook=packet; do
	for filter in '' icmp; do
		start_pair p "$right" eth1 "$options" ${filter:+"$filter"}
		check "eth1 ${options:-auto}: is up" wait_for 20 is_up
		traffic
		hooks=$(hooked "$right" eth1)
		end_pairs p
		echo "  ${options:-auto}: $hooks; $(grep -v -e 'listening on' -e 'verbose output' "$scratch/p.said")"
		same_frames p "eth1 ${options:-auto}${filter:+, '$filter'}" 10
		[ "$options" != hook=xdp ] || equal "XDP is native" 1 "$(echo "$hooks" | grep -c '^xdp 1')"
	done
done
nothing_left "$right" eth1
finish
