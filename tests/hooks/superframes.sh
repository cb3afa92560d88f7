#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# With offloads on, one frame holds many segments, up to 64 KiB: it is captured whole, coming in
# (merged by GRO) and going out (not yet cut), byte for byte as by AF_PACKET.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ethtool
[ -x "$stream" ] || skip_all "needs tests/pcap/stream"
bytes=3000000
veth_pair

transfer()
{
	tcp "$1" "$2" "$3" $bytes || bad "a transfer of $bytes bytes to $3"
}

# longest FILE: of the frames in it, which are all whole.
longest()
{
	tcpdump -nn -e -r "$1" 2> "$scratch/unread" | sed -n 's/.*, length \([0-9]*\): [0-9].*/\1/p' | sort -n | tail -n 1
}

cut()
{
	tcpdump -nn -r "$1" -v 2> "$scratch/unread" | grep -c -F '[|'
}

both_ways()
{
	transfer "$left" "$right" 10.99.0.2
	transfer "$right" "$left" 10.99.0.1
}

compare()
{
	batch "$1" "$right" vb "$2" "$3" <<-END
		100 100000
	END
	between "$1: longest frame" "$4" 65600 "$(longest "$scratch/0.ours")"
	equal "$1: frames cut" 0 "$(cut "$scratch/0.ours")"
}

in_left ethtool -K va tso on gso on gro on > "$scratch/ethtool" 2>&1
in_right ethtool -K vb tso on gso on gro on > "$scratch/ethtool" 2>&1
for hook in tc packet; do
	compare "offloads on," hook=$hook both_ways 40000
	batch "super-frames only," "$right" vb hook=$hook both_ways <<-END
		20 100000 tcp dst port 7000 and greater 20000
	END
done
equal "hook=tc leaves segmentation offload alone" on \
	"$(in_left ethtool -k va | sed -n 's/^tcp-segmentation-offload: //p')"

# The host's own traffic, of the largest MTU there is.
ip -n "$right" link set lo mtu 65536
own_traffic()
{
	transfer "$right" "$right" 127.0.0.1
}
batch "loopback," "$right" lo hook=tc own_traffic <<-END
	50 100000
END
between "loopback: longest frame" 60000 65600 "$(longest "$scratch/0.ours")"

# Generic XDP meets frames as their sender left them.
incoming()
{
	transfer "$left" "$right" 10.99.0.2
}
compare "generic XDP" xdp-mode=skb incoming 20000

# Native XDP has them one by one, as they would be on a wire: GRO comes behind it.
start_tcpdump -Z root -Q in -w "$scratch/x.pcap" tcp || finish
incoming
sleep 0.3
stop "$pid" INT
between "native XDP: frames" 2000 4000 "$(packets "$scratch/x.pcap")"
between "native XDP: longest frame" 1514 1514 "$(longest "$scratch/x.pcap")"
nothing_left "$right" vb
finish
