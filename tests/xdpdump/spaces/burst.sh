#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# -i any, with and without --netns: no notice is lost while nobody reads, as where somebody else has the processor,
# and hundreds of interfaces come and go.
# shellcheck source=tests/xdpdump/spaces/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need pgrep
pairs=200
add one

# lost: notices, of all sockets there that get them.
lost()
{
	ip netns exec "${prefix}one" awk '$4 == "00000001" { n += $9 } END { print n + 0 }' /proc/net/netlink
}

# burst NAME READER: interfaces come and go while the reader stands still.
burst()
{
	kill -STOP "$2"
	check "$1: $pairs pairs are made" ip -n "${prefix}one" -batch "$scratch/batch"
	check "$1: they are removed" ip -n "${prefix}one" link del group 7
	equal "$1: notices that were lost" 0 "$(lost)"
	kill -CONT "$2"
}

seq 1 "$pairs" | sed 's/.*/link add a& group 7 up type veth peer name b& group 7/' > "$scratch/batch"
start ip netns exec "${prefix}one" "$xdpdump" -i any -w /dev/null icmp
started_capturing
burst "any" "$pid"
check "any: it ends" stop "$pid" INT

if [ "$(cat /proc/sys/net/core/rmem_max)" -lt 2000000 ]; then # the child may not force it
	skip "--netns: needs a net.core.rmem_max of 2 MB"
	finish
fi
start "$xdpdump" --netns "$prefix*" -i any -w /dev/null icmp
started_capturing
burst "--netns" "$(pgrep -P "$pid")"
check "--netns: it ends" stop "$pid" INT
finish
