#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: a virtio card without mergeable buffers takes the XDP program and gives it no frame. What auto
# takes goes on at tc and says so, with a filter that was set before; a capture at XDP says what to do.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/vm/cards.sh
. "$(dirname "$0")/cards.sh"
need_root
need_library
need tcpdump ping
kernel_since 6 6 || skip_all "needs TCX (Linux 6.6)"
join_cards

# captured HOOK WORDS: the words are said while pings go on; how many come after that, in $after.
captured()
{
	start ip netns exec "$left" ping -q -i 0.05 10.99.0.2
	pings=$pid
	start_capture env PCAP_AFXDP_DEBUG=1 tcpdump -Z root -nn -l --immediate-mode -Q in -i "xdp:eth1${1:+,hook=$1}" icmp
	capture=$pid printed=$out said=$err
	check "${1:-auto}: begins" wait_for 60 grep -q 'listening on' "$said"
	check "${1:-auto}: $2" wait_for 60 grep -q "0 of the first [0-9]* frames came to it: $2" "$said"
	[ "$1" ] || wait_for 20 grep -q 'echo request' "$printed"
	after=$(grep -c 'echo request' "$printed")
	stop "$capture" INT
	stop "$pings" INT
	grep -v -e 'listening on' -e 'verbose output' "$said" | tail -n 3
}
captured '' 'capturing at tc from here on'
check "auto: frames come by tc" [ "$after" -gt 0 ]
captured xdp 'use hook=tc'
equal "xdp: none comes" 0 "$after"
finish
