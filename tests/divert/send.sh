#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcap_inject() through an AF_XDP socket: every frame that was taken arrives once and whole.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump
need_testprog txpush pcapread rxdrop l2fwd
frames=$SEND_FRAMES

# receiver NAME: reads on va, as it is without us; its report in $scratch/NAME.
receiver()
{
	rm -f "$scratch/ready"
	start ip netns exec "$left" "$build/testprogs/pcapread" -i va -Q in --buffer 67108864 -t 300 \
		--ready "$scratch/ready" --nano
	receiver=$pid receiver_said=$out
	wait_for 20 test -e "$scratch/ready"
}

# arrived NAME WANTED: and none of them corrupt or twice.
arrived()
{
	all_read "$receiver"
	equal "$1: the receiver has no complaint" 0 $?
	equal "$1: arrived" "$2" "$(json "$receiver_said" delivered)"
}

# push NAME DEVICE OPTION...: its report in $pushed.
push()
{
	name=$1 pushed=$scratch/pushed device=$2
	shift 2
	PCAP_AFXDP_DEBUG=1 with_library "$build/testprogs/txpush" -i "$device" --to 02:00:00:00:00:0a "$@" \
		> "$pushed" 2> "$scratch/push.err"
	equal "$name: status" 0 $?
}

# by_socket FILE: frames that went through the AF_XDP socket.
by_socket()
{
	sed -n 's/.*: \([0-9]*\) packets sent by AF_XDP, 0 by a packet socket.*/\1/p' "$1"
}

veth_pair mtu 1500
offloads_off

# sends NAME OPTION...: frames of a device of these options.
sends()
{
	name=$1
	shift
	receiver
	push "$name" "$@"
	sent=$(json "$pushed" frames)
	equal "$name: all were taken, dropped" 0 "$(json "$pushed" dropped)"
	arrived "$name" "$sent"
	equal "$name: sent by AF_XDP" "$sent" "$(by_socket "$scratch/push.err")"
}
sockets=xdp:vb,engine=divert,zero-copy=off
sends "60 bytes" $sockets -c "$frames"
sends "1514 bytes, non-blocking" $sockets -c "$frames" --size 1514 --nonblock
sends "the smallest ring" $sockets,ring=512K -c "$frames" --size 512
# As on other devices, where there is no socket to send by.
for device in xdp:vb xdp:vb,engine=divert; do
	receiver
	push "$device" $device -c 1000
	arrived "$device" 1000
	equal "$device: sent by AF_XDP" "" "$(by_socket "$scratch/push.err")"
done

# Frames in several buffers.
if kernel_since 6 6; then
	veth_pair mtu 9000
	offloads_off
	sends "9014 bytes" $sockets -c "$frames" --size 9014
	sends "9014 bytes, the smallest ring" $sockets,ring=512K -c 2000 --size 9014
	sends "4096 bytes, a buffer" $sockets -c 2000 --size 4096
	sends "4097 bytes" $sockets -c 2000 --size 4097
else
	skip "frames in several buffers: Linux 6.6"
fi
check "no XDP program is left" no_xdp_program "$right" vb
finish
