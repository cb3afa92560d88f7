#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Bridges of two handles forward what they forward on AF_PACKET: no frame twice, none of their own again.
# va - vb and wb - wc, with the bridge between vb and wb. CLIENTS=all: also one written with pcapy.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair ping
# shellcheck disable=SC2154 # left and right are of ../lib.sh
middle=$right
new_namespace c
far=$namespace

# The host in the middle has no address, and answers nothing.
far_pair()
{
	ip -n "$middle" addr flush dev vb
	ip -n "$middle" link add wb address 02:74:67:00:00:03 type veth peer name wc address 02:00:00:00:00:0c netns "$far"
	ip -n "$middle" link set wb up
	ip -n "$far" link set wc up
	ip -n "$far" addr add 10.99.0.3/24 dev wc
	ip -n "$far" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev wc
	ip -n "$left" neigh replace 10.99.0.3 lladdr 02:00:00:00:00:0c dev va
}

# received NAMESPACE INTERFACE: frames.
received()
{
	ip -n "$1" -s link show dev "$2" | awk '/RX:/ { getline; print $2 }'
}

both_hooked()
{
	{ is_hooked "$middle" vb && is_hooked "$middle" wb; } || process_gone "$pid"
}

# bridge NAME COMMAND...: 5 pings across it; what arrived at both ends, and what ping says, in NAME.
bridge()
{
	name=$1
	shift
	start ip netns exec "$middle" env --default-signal=INT "$@"
	wait_for 20 both_hooked
	settle "$pid"
	va=$(received "$left" va) wc=$(received "$far" wc)
	in_left ping -qc 5 -i 0.2 -W 2 10.99.0.3 > "$scratch/ping" 2>&1
	settle "$pid"
	! process_gone "$pid"
	opened=$(word $? yes)
	interrupt "$pid"
	stopped=$(word $? "$stopped_ms ms")
	{
		sed -n 's/\(.* received.*\), time.*/\1/p' "$scratch/ping"
		echo "frames at va: $(($(received "$left" va) - va)), at wc: $(($(received "$far" wc) - wc))"
	} > "$scratch/$name"
}

# judge_bridge NAME: against "plain".
judge_bridge()
{
	equal "$client: AF_PACKET's forwards each frame once" 'frames at va: 5, at wc: 5' "$(sed -n 2p "$scratch/plain")"
	check "$client: forwards what AF_PACKET's forwards" diff "$scratch/plain" "$scratch/$1"
	forwarded=$(sed -n '2s/.* va: \(.*\), at wc: \(.*\)/\1+\2/p' "$scratch/$1")
	equal "$client: keeps running" yes "$opened"
	told "$client: stops on Ctrl-C" [ "$stopped" != no ]
	row "$client" "$version" "$opened" "$forwarded/5+5" "$stopped" "$forwarded"
}

# judge_plain: the plain names went to the XDP layer; and as judge_bridge.
judge_plain()
{
	for interface in vb wb; do
		check "$client: $interface is captured at the XDP layer" is_ours "$interface" "$err"
	done
	judge_bridge xdp
}

# By plain names only: it asks the kernel about them.
# shellcheck disable=SC2046 # one word per variable
bridge_tcpbridge()
{
	client=tcpbridge
	packaged tcpbridge tcpbridge tcpreplay || return
	bridge plain tcpbridge -i vb -I wb
	bridge xdp env $(library_environment) PCAP_AFXDP=vb,wb PCAP_AFXDP_DEBUG=1 tcpbridge -i vb -I wb
	judge_plain
}

# shellcheck disable=SC2046
bridge_pcapy()
{
	client='pcapy bridge' version=2.1.0
	made "$client" "pcapy-ng-$version" pypi pcapy-ng "$version" || return
	set -- env PYTHONPATH="$cache/pcapy-ng-$version" "$python" "$drivers/bridge.py"
	bridge plain "$@" vb wb
	for options in '' ,hook=tc ,hook=packet; do
		client="pcapy bridge$options"
		bridge xdp env $(library_environment) "$@" "xdp:vb$options" "xdp:wb$options"
		judge_bridge xdp
	done
	client='pcapy bridge, plain'
	bridge xdp env $(library_environment) PCAP_AFXDP=all PCAP_AFXDP_DEBUG=1 "$@" vb wb
	judge_plain
}

far_pair
bridge_tcpbridge
if is_long; then
	bridge_pcapy
fi
nothing_left "$middle" vb
nothing_left "$middle" wb
finish_table
