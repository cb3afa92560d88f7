#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# VLAN tags that the stack holds beside the frame are put back: one and two of them, coming in and
# going out, under every hook; filters for them find what AF_PACKET's find.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ping
[ -x "$stream" ] || skip_all "needs tests/pcap/stream"
kernel_since 6 6 || skip_all "tags are pushed by links at tc, which Linux has since 6.6"
veth_pair

# tag NAMESPACE INTERFACE TAG...: what leaves it, from now on, till $tagger is stopped.
tag()
{
	tagging=$1 interface=$2
	shift 2
	start ip netns exec "$tagging" "$foreign" egress "$interface" "$@"
	tagger=$pid
	wait_for 10 grep -q attached "$out" && return
	bad "no tags can be pushed: $(head -n 1 "$err")"
}

# Ten datagrams each way. Tagged ones reach nobody; others are answered by ICMP, some of them. A ping
# goes ahead of them, and is left out of account: see directions.sh.
ignored='greater 75 and less 83'
traffic()
{
	in_left ping -qc 1 -s 33 -W 0.1 10.99.0.2 > "$scratch/ping"
	in_right ping -qc 1 -s 33 -W 0.1 10.99.0.1 > "$scratch/ping"
	in_left "$stream" udp-send 10.99.0.2 7 10 300 2000 > "$scratch/sent"
	in_right "$stream" udp-send 10.99.0.1 7 10 400 2000 > "$scratch/sent"
}

# The pair's own file has the tag in its place.
shows()
{
	tcpdump -nnr "$scratch/0.ours" -e 2> "$scratch/unread" > "$scratch/text"
	check "shown as: $1" says "$1" "$scratch/text"
}

one_in()
{
	batch "one tag coming in" "$right" vb "$1" traffic
}

two_in()
{
	batch "two tags coming in" "$right" vb "$1" traffic
}

tag "$left" va 0x8100:0x602a
for hook in tc packet; do
	one_in hook=$hook,ring=1M <<-END
		20 45
		10 25 vlan 42
		0 0 vlan 43
		10 10 vlan 42 and udp
		0 0 outbound and vlan
		10 25 inbound and vlan
		10 25 vlan and greater 200
		0 0 vlan and greater 1000
	END
	shows 'length 346: vlan 42, p 3, ethertype IPv4'
done
one_in hook=xdp <<-END
	20 45
END
shows 'length 346: vlan 42, p 3, ethertype IPv4'
one_in hook=xdp <<-END
	10 10 vlan 42 and udp
END
stop "$tagger" TERM

tag "$left" va 0x8100:42 0x88a8:7
for hook in tc packet; do
	two_in hook=$hook,ring=1M <<-END
		20 45
		10 25 vlan 7 and vlan 42
		10 25 vlan 7
		0 0 vlan 42
		10 10 vlan 7 and vlan 42 and udp
	END
	shows 'length 350: vlan 7, p 0, ethertype 802.1Q (0x8100), vlan 42, p 0, ethertype IPv4'
done
two_in hook=xdp <<-END
	20 45
END
two_in hook=xdp <<-END
	10 10 vlan 7 and vlan 42 and udp
END
stop "$tagger" TERM

# Going out, the tags are put on behind whoever captures already: so the capture comes first at tc
# but for one that is put before it. A packet socket sees the frame after both.
outgoing()
{
	tag "$right" vb "$@"
	traffic
	stop "$tagger" TERM
}

one_out()
{
	outgoing 0x8100:42
}

two_out()
{
	outgoing 0x8100:42 0x88a8:7
}

for hook in tc packet xdp; do
	batch "one tag going out" "$right" vb hook=$hook one_out <<-END
		20 45
	END
	shows 'length 446: vlan 42, p 0, ethertype IPv4'
done
batch "one tag going out" "$right" vb hook=tc,ring=1M one_out <<-END
	10 25 outbound and vlan 42
	10 10 vlan 42 and udp
	0 0 inbound and vlan
END
batch "two tags going out" "$right" vb hook=tc,ring=1M two_out <<-END
	20 45
	10 10 vlan 7 and vlan 42 and udp
END
shows 'length 450: vlan 7, p 0, ethertype 802.1Q (0x8100), vlan 42, p 0, ethertype IPv4'
nothing_left "$right" vb
finish
