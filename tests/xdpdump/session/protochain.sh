#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Filters that jump backward: the kernel leaves out what it has seen to the end, user space decides of the
# rest, and of frames that were made to keep it there for ever.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need python3
need_xdpdump
frames=$(dirname "$0")/protochain.py
veth_pair
file=$scratch/f.pcapng

# begin NAME ARGUMENT...
begin()
{
	this=$1
	shift
	start_xdpdump -v -w "$file" "$@"
	capture=$pid said=$err
	from_left udp 0 # until it has read something all frames are kept
	settle "$capture"
}

from_left()
{
	in_left python3 -S "$frames" va "$@" || bad "$this: traffic: $*"
}

ends()
{
	settle "$capture"
	stop "$capture" INT
	equal "$this: ends well" 0 $?
}

rejected()
{
	sed -n 's/^\([0-9]*\) packets rejected by the filter in user space$/\1/p' "$said"
}

for hook in xdp tc packet; do
	begin "$hook" --hook "$hook" -s 64 'ip6 protochain 17'
	check "$this: says where it runs" grep -q 'filter in user space, after 8 rounds in the kernel: ' "$said"
	for _ in 1 2 3 4 5; do
		from_left udp 0 1 2 3 4 5 6 7 8 9 10 11 12
		from_left tcp 0 1 2 3 4 5 6 7 8 9 10 11 12
	done
	ends
	equal "$this: captured, whatever the number of headers" 66 "$(count captured "$said")"
	equal "$this: in the file" 66 "$(packets "$file")"
	# Of TCP those with 9 headers and more.
	equal "$this: rejected in user space" 20 "$(rejected)"
done

begin "for ever" 'ip protochain 6 or ip6 protochain 17'
from_left for-ever 1 2 3
from_left udp 3
ends
equal "for ever: what comes after" 2 "$(count captured "$said")"
equal "for ever: rejected in user space" 3 "$(rejected)"
finish
