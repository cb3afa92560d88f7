#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# No handle reads what it sends itself, by any hook; others do, and so does the handle itself where it
# comes back. All as on AF_PACKET devices, which do the same beside it. What the loader has opened for
# a user does not send.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need ping tc
need_testprog l2fwd
frames=20
ours='ether proto 0x88b5'
as_user=''

# Where a user can read them, whoever owns the build.
mkdir "$scratch/lib" "$scratch/capable"
copy_library "$scratch/lib"
cp "$build/tests/pcap/own_frames" "$scratch"
library=$scratch/lib
own_frames=$scratch/own_frames

# watch NAMESPACE DEVICE: a process of its own that reads there; its report in $watched.
watch()
{
	# shellcheck disable=SC2046 # one word per variable
	start ip netns exec "$1" env $(library_environment) "$own_frames" -f "$ours" read "$2"
	watcher=$pid watched=$out watcher_said=$err
	wait_for 20 grep -q ready "$watched" || { bad "$2 is not opened"; show "$watcher_said"; }
}

# watch_end PID...: all at once, as each goes on until nothing has come for a while.
watch_end()
{
	kill -INT "$@"
	for process; do
		ended "$process" 10
	done
}

# send ARGUMENT...: own_frames in $right, by a user without capabilities if $as_user; what it says is
# in $scratch/sent.
send()
{
	# shellcheck disable=SC2086 # words
	with_library $as_user "$own_frames" "$@" > "$scratch/sent" 2> "$scratch/said" ||
		{ bad "own_frames $*"; show "$scratch/said"; }
}

# reads FILE [LINE]: frames that the device of a line has read; recv: what pcap_stats says of it.
reads()
{
	awk -v line="${2:-1}" '/ read / && ++n == line { print $3 }' "$1"
}

recv()
{
	awk -v line="${2:-1}" '/ read / && ++n == line { print $7 }' "$1"
}

# plain NAME DEVICE WANTED ARGUMENT...: by an AF_PACKET device; what it reads and counts is $theirs.
plain()
{
	name=$1 device=$2 wanted=$3
	shift 3
	send "$@" send "$frames" "$device"
	theirs="$(reads "$scratch/sent") read, $(recv "$scratch/sent") counted"
	equal "$name, AF_PACKET" "$wanted read, $wanted counted" "$theirs"
}

# same NAME DEVICE ARGUMENT...: and by DEVICE.
same()
{
	name=$1 device=$2
	shift 2
	send "$@" send "$frames" "$device"
	equal "$name, $device" "$theirs" "$(reads "$scratch/sent") read, $(recv "$scratch/sent") counted"
}

# out_of NAME DEVICE OTHER-DEVICE SEEN: the first one sends. SEEN: do hooks see it?
out_of()
{
	watch "$right" "$3"
	beside=$watcher our_report=$watched
	watch "$right" vb
	beside="$beside $watcher" their_report=$watched
	watch "$left" va
	send -f "$ours" send "$frames" "$2" "$3"
	# shellcheck disable=SC2086 # numbers
	watch_end $beside "$watcher"
	equal "$1: the handle's own frames, read" 0 "$(reads "$scratch/sent")"
	equal "$1: ... and counted" 0 "$(recv "$scratch/sent")"
	equal "$1: read by another handle" "$4" "$(reads "$scratch/sent" 2)"
	equal "$1: read by another process" "$4" "$(reads "$our_report")"
	equal "$1: read by AF_PACKET beside it" "$4" "$(reads "$their_report")"
	equal "$1: arrived" "$frames" "$(reads "$watched")"
}

# refuses_to_send DEVICE: what the loader has opened for a user.
refuses_to_send()
{
	# shellcheck disable=SC2086 # words
	with_library $as_user "$own_frames" send 1 "$1" > "$scratch/sent" 2> "$scratch/said"
	equal "by the loader, $1: does not send" 1 $?
	check "by the loader, $1: says so" grep -q 'opened this device for capturing alone: to send, run as root' \
		"$scratch/said"
}

veth_pair
out_of "with privilege, auto" xdp:vb xdp:vb,hook=tc "$frames"
out_of "with privilege, tc" xdp:vb,hook=tc xdp:vb,hook=packet "$frames"
out_of "with privilege, packet" xdp:vb,hook=packet xdp:vb,hook=packet "$frames"
out_of "with privilege, divert by rings" xdp:vb,engine=divert xdp:vb,hook=tc "$frames"
out_of "with privilege, divert by sockets" xdp:vb,engine=divert,zero-copy=off xdp:vb,hook=tc 0
plain "half by a child process" vb 0 -c -f "$ours"
for device in xdp:vb xdp:vb,hook=packet; do
	same "half by a child process" $device -c -f "$ours"
done

capable=$scratch/capable/pcap-afxdp-loader
cp "$build/pcap-afxdp-loader" "$capable"
if command -v setpriv > "$scratch/said" &&
	setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$capable" 2> "$scratch/said"; then
	PCAP_AFXDP_LOADER=$capable
	as_user='setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all'
	for device in xdp:vb xdp:vb,hook=tc xdp:vb,hook=packet; do
		refuses_to_send $device
	done
	as_user=''
else
	skip "by the loader: needs setpriv and file capabilities: $(cat "$scratch/said")"
fi

# Back from the other end, as new frames.
start ip netns exec "$left" "$build/testprogs/l2fwd" -i va -t 300 --ready "$scratch/reflects"
reflector=$pid
wait_for 20 test -e "$scratch/reflects"
plain "sent back by a program" vb "$frames" -f "$ours"
for device in xdp:vb xdp:vb,hook=tc xdp:vb,hook=packet xdp:vb,engine=divert xdp:vb,engine=divert,zero-copy=off; do
	same "sent back by a program" $device -f "$ours"
done
stop "$reflector"

# As the same ones, which still belong to the socket. (AF_PACKET's inbound and outbound reject the first.)
if in_left tc qdisc add dev va ingress 2> "$scratch/said" &&
	in_left tc filter add dev va parent ffff: protocol all u32 match u32 0 0 \
		action mirred egress redirect dev va 2> "$scratch/said"; then
	plain "sent back by the kernel" vb "$frames" -Q in -f "$ours"
	for device in xdp:vb xdp:vb,hook=tc xdp:vb,hook=packet; do
		same "sent back by the kernel" $device -f "$ours"
		same "sent back by the kernel, -Q in" "$device" -Q in -f "$ours and inbound"
		send -Q out -f "$ours" send "$frames" "$device"
		equal "sent back by the kernel, -Q out, $device" 0 "$(reads "$scratch/sent")"
		send -f "$ours and outbound" send "$frames" "$device"
		equal "sent back by the kernel, outbound, $device" 0 "$(reads "$scratch/sent")"
	done
else
	skip "sent back by the kernel: $(cat "$scratch/said")"
fi

# What loopback sends it receives.
plain loopback lo "$frames" -f "$ours"
same loopback xdp:lo -f "$ours"
same loopback xdp:lo,hook=packet -f "$ours"

# Raw IP: the far end answers.
start ip netns exec "$right" "$build/tests/hooks/tun" tun tun0
if wait_for 5 grep -q ready "$out"; then
	ip -n "$right" addr add 10.98.0.1/24 dev tun0
	ip -n "$right" link set tun0 up
	plain "raw IP, answered" tun0 "$frames" -f icmp
	same "raw IP, answered" xdp:tun0 -f icmp
	same "raw IP, answered" xdp:tun0,hook=packet -f icmp
else
	skip "raw IP: no tun"
fi

# bridged NAME DEVICE DEVICE: pings from va to vd by a bridge of two handles; what it read and sent is
# in $bridged.
bridged()
{
	start_capture "$own_frames" -f icmp bridge "$2" "$3"
	bridge=$pid bridge_report=$out
	wait_for 20 grep -q ready "$bridge_report"
	in_left ping -qc 5 -i 0.1 -W 5 10.99.0.4 > "$scratch/ping"
	equal "$1: pings answered" 5 "$(sed -n 's/.* \([0-9]*\) received.*/\1/p' "$scratch/ping")"
	equal "$1: none twice" '' "$(grep -o 'duplicates' "$scratch/ping")"
	stop "$bridge" INT
	bridged=$(sed -n 's/^[^ ]* \(read.*\) drop.*/\1/p' "$bridge_report" | xargs)
}

# The wire between va and vb, and one between vc and vd; nobody but the bridge connects them.
veth_pair
new_namespace c
ip -n "$right" link add vc type veth peer name vd address 02:00:00:00:00:0d netns "$namespace"
ip -n "$right" addr flush dev vb
ip -n "$right" link set vc up
ip -n "$namespace" addr add 10.99.0.4/24 dev vd
ip -n "$namespace" link set vd up
ip -n "$left" neigh replace 10.99.0.4 lladdr 02:00:00:00:00:0d dev va
ip -n "$namespace" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vd
bridged "a bridge on AF_PACKET" vb vc
theirs=$bridged
equal "a bridge on AF_PACKET" 'read 5 sent 5 recv 5 read 5 sent 5 recv 5' "$theirs"
for options in '' ,hook=tc ,hook=packet ,engine=divert ,engine=divert,zero-copy=off; do
	bridged "a bridge on xdp:$options" "xdp:vb$options" "xdp:vc$options"
	equal "a bridge on xdp:$options" "$theirs" "$bridged"
done
finish
