#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --netns PATTERN while the capturing process stands still: namespaces that come meanwhile are captured, those that are
# deleted are held by nobody, and all of it is told in order when it goes on.
# shellcheck source=tests/xdpdump/spaces/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need tshark ping
file=$scratch/f.pcapng
crowd=2000 # interfaces: more than a socket has room for, and than are asked for meanwhile

# line WORDS: the number of the first one that has them.
line()
{
	grep -n -m 1 -- "$1" "$said" | cut -d : -f 1
}

add first
add gone
ip -n "${prefix}first" link add outside type veth peer name inside netns "${prefix}gone"
start "$xdpdump" --netns "$prefix*" -i any -w "$file" icmp
started_capturing
capture=$pid said=$err

# --- It stands still.
kill -STOP "$capture"
seq 1 $((crowd / 2)) | sed 's/.*/link add m& type veth peer name n&/' > "$scratch/batch"
check "$crowd interfaces are made" ip -n "${prefix}first" -batch "$scratch/batch"
add late
check "one that comes is captured meanwhile" wait_for 10 is_captured late
gone=$(number "${prefix}gone")
ip netns del "${prefix}gone"
is_gone()
{
	fails ip -n "${prefix}first" link show outside
}
check "one that is deleted is held by nobody" wait_for 10 is_gone
if add_with "$gone" both; then
	again=true
	check "another is captured" wait_for 10 is_captured both
	ip netns exec "${prefix}both" ping -qc 1 -W 20 127.0.0.1 > /dev/null
else
	again=false
	skip "a namespace with the number of the one that went: the kernel gave that to somebody else"
fi
ip netns exec "${prefix}late" ping -qc 1 -W 20 127.0.0.1 > /dev/null
! $again || ip netns del "${prefix}both"
kill -CONT "$capture"

# --- It goes on: all is told, in order, and packets are of those that they came by.
check "told: the one that came" told "network namespace ${prefix}late joins the capture"
check "told: the one that went" told "network namespace ${prefix}gone leaves the capture"
! $again || check "told: the one that came and went" told "network namespace ${prefix}both leaves the capture"
crowd_is_told()
{
	[ "$(grep -c '/[mn][0-9]* joins the capture' "$said")" = "$crowd" ]
}
check "told: $crowd interfaces" wait_for 20 crowd_is_told
check "in order: joins" [ "$(line "namespace ${prefix}late joins")" -lt "$(line "namespace ${prefix}gone leaves")" ]
! $again || check "in order: leaves" [ "$(line "namespace ${prefix}both joins")" -lt "$(line "namespace ${prefix}both leaves")" ]
check "it ends well" all_read "$capture"
! $again || wanted="2 ${prefix}both/lo "
equal "packets by name" "${wanted-}2 ${prefix}late/lo" \
	"$(fields frame.interface_name | sort | uniq -c | xargs)"

# --- Among so many a capture begins: it knows all of them before it says so.
ip -n "${prefix}first" link set "m$((crowd / 2))" up
start "$xdpdump" --netns "$prefix*" -i any -w "$file" icmp
started_capturing
capture=$pid said=$err
ip netns exec "${prefix}first" ping -qc 1 -W 20 127.0.0.1 > /dev/null
check "a start among many: it ends well" all_read "$capture"
equal "a start among many: who joins later" '' "$(grep ' joins the capture' "$said")"
equal "a start among many: packets by name" "2 ${prefix}first/lo" "$(fields frame.interface_name | sort | uniq -c | xargs)"
finish
