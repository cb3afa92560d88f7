#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The hash of a frame, where the driver has one and somebody asks: in the file as epb_hash, one for
# each flow. A veth hands on what the sender's stack had, by no function that it tells: number 255.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need od
xdpdump=$build/xdpdump/xdpdump
[ -x "$xdpdump" ] || skip_all "needs xdpdump"
[ -x "$stream" ] || skip_all "needs tests/pcap/stream"
veth_pair

# record OPTIONS: three datagrams of each of two flows into $scratch/f.pcapng, on $namespace's side.
record()
{
	start ip netns exec "$right" env PCAP_AFXDP_OPTIONS="veth=xdp,$1" "$xdpdump" -i vb -Q in -w "$scratch/f.pcapng"
	capture=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said"
	for _ in 1 2; do
		in_left "$stream" udp-send 10.99.0.2 7 3 100 1000 > "$scratch/sent"
	done
	settle "$capture"
	stop "$capture" INT
	equal "$1: xdpdump ends well" 0 $?
}

# The option with its algorithm and value, a line each.
hashes()
{
	od -An -v -tx1 "$scratch/f.pcapng" | tr -d ' \n' | grep -o '03000500ff[0-9a-f]\{8\}000000'
}

record hash=on
equal "epb_hash in each of six records" 6 "$(hashes | wc -l)"
equal "two flows, two hashes, three times each" '3 3' "$(hashes | sort | uniq -c | awk '{ print $1 }' | xargs)"
if command -v capinfos > /dev/null; then
	equal "the file can be read" 6 "$(capinfos -McTr "$scratch/f.pcapng" 2> /dev/null | awk -F '\t' '{ print $NF }')"
fi
for zero_copy in auto off; do
	record "hash=on,engine=divert,zero-copy=$zero_copy"
	equal "diverted, zero-copy=$zero_copy: epb_hash in each of six records" 6 "$(hashes | wc -l)"
	equal "diverted, zero-copy=$zero_copy: two flows, two hashes, three times each" '3 3' "$(hashes | sort | uniq -c | awk '{ print $1 }' | xargs)"
done
record hash=off
equal "without being asked for" 0 "$(hashes | wc -l)"
check "there are records, though" test "$(wc -c < "$scratch/f.pcapng")" -gt 1200
record hash=on,hook=tc
equal "where nobody tells it" 0 "$(hashes | wc -l)"
check "there are records there, too" test "$(wc -c < "$scratch/f.pcapng")" -gt 1200
check "the warning says why" grep -q 'no hashes of vb are recorded: only the XDP hook gets them' "$said"
nothing_left "$right" vb
finish
