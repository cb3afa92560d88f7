#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# engine=divert, by rings and by sockets: offered = delivered + passed on + each named loss, also when nobody
# reads, when the frames are larger than a buffer, and in the file. Other options and other people's programs.
# shellcheck source=tests/divert/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump tshark
need_testprog trafgen pcapread capcheck
xdpdump=$build/xdpdump/xdpdump
[ -x "$xdpdump" ] || skip_all "needs xdpdump"
frames=$ACCOUNT_FRAMES
veth_pair
offloads_off

# account NAME: sent against delivered and lost.
account()
{
	equal "$1: $(json "$report" delivered) delivered + $(json "$report" ps_drop) lost" \
		"$(json "$scratch/sent" sent)" $(($(json "$report" delivered) + $(json "$report" ps_drop)))
	equal "$1: wrong bytes, twice, out of order" "0 0 0" \
		"$(json "$report" corrupt) $(json "$report" duplicates) $(json "$report" reordered)"
}

# counted NAME: of xdpdump's statistics.
counted()
{
	tail -n 1 "$said" | sed -n "s/.*\"$1\":\\([0-9]*\\).*/\\1/p"
}

all_is_counted()
{
	divert ring=512K || finish
	kill -STOP "$reader"
	send "$frames"
	kill -CONT "$reader"
	read_out "stopped reader"
	account "stopped reader"
	case $form in
	sockets) equal "stopped reader: delivered, as many as there are buffers" 256 "$(json "$report" delivered)" ;;
	*) between "stopped reader: delivered, what a ring holds" 1000 8192 "$(json "$report" delivered)" ;;
	esac

	divert ring=512K --slow 1 || finish
	send "$frames"
	sleep 3 # asleep after each frame, it looks as if it had read them all
	read_out "slow reader"
	account "slow reader"
	between "slow reader: lost" 1 "$frames" "$(json "$report" ps_drop)"

	divert % || finish
	send "$frames"
	read_out "flat out"
	account "flat out"

	# xdpdump: the same in the file, each loss told on the next record, and every counter at the end.
	start ip netns exec "$right" "$xdpdump" -i vb --engine divert --zero-copy "$zero_copy" --ring 512K -w "$scratch/f.pcapng" --json
	xdpdump_pid=$pid said=$err
	wait_for 20 grep -q "^listening on vb: received frames at XDP (native), diverted to $where" "$said" ||
		bad "xdpdump does not say what it does: $(cat "$said")"
	sent=1
	for round in 1 2 3 4 5; do
		kill -STOP "$xdpdump_pid"
		in_left testprogs/trafgen -i va -n 20000 --start-seq $((round * 20000 - 20000)) > "$scratch/part" 2>&1 ||
			bad "trafgen, part $round: $(cat "$scratch/part")"
		cat "$scratch/part" >> "$scratch/parts"
		sent=$((sent + $(json "$scratch/part" sent)))
		kill -CONT "$xdpdump_pid"
		settle "$xdpdump_pid"
	done
	in_left testprogs/trafgen -i va -n 1 --start-seq 100000 > /dev/null
	settle "$xdpdump_pid"
	stop "$xdpdump_pid" INT
	# On a busy machine veth takes none for a while.
	equal "xdpdump: captured + dropped, of received" "$sent" \
		$(($(counted captured) + $(counted "$loss") + $(counted dropped_redirect)))
	equal "xdpdump: received" "$sent" "$(counted received)"
	[ "$sent" -eq "$(counted received)" ] || show "$scratch/parts"
	equal "xdpdump: of the losses, those that a socket cannot tell of" 0 "$(counted dropped_redirect)"
	equal "tshark: losses told on the records" "$(counted "$loss")" \
		"$(tshark -r "$scratch/f.pcapng" -T fields -e frame.drop_count 2> /dev/null | awk '{ n += $1 } END { print n + 0 }')"
	if testprogs/capcheck --sent "$sent" "$scratch/f.pcapng" > "$scratch/counts" 2> "$scratch/verdict"; then
		ok "epb_dropcount: $sent sent = $(json "$scratch/counts" delivered) delivered + $(json "$scratch/counts" dropped) told of"
	else
		bad "epb_dropcount: $(cat "$scratch/verdict" "$said")"
	fi
	equal "tshark: direction and queue of each packet" "$(json "$scratch/counts" frames) 0x00000001 0" \
		"$(tshark -r "$scratch/f.pcapng" -T fields -e frame.packet_flags -e frame.interface_queue 2> /dev/null |
			sort | uniq -c | sed 's/[[:space:]]\{1,\}/ /g; s/^ //')"
}

large_frames()
{
	# Frames in several buffers.
	ip -n "$left" link set va mtu 9000
	ip -n "$right" link set vb mtu 9000
	if [ "$form" = rings ] || kernel_since 6 6; then
		start_capture tcpdump -i "xdp:vb,$diverting" -Q in -nn -Z root -w "$scratch/f.pcap"
		tcpdump=$pid said=$err seq=0
		wait_for 20 grep -q 'listening on' "$said" || bad "tcpdump does not start"
		settle "$tcpdump" # its first read
		for size in 60 1514 1791 1792 1793 3408 3409 3700 3839 3840 3841 4096 7935 7936 7937 9014; do
			via=xdp
			[ "$size" -le 3408 ] || via=socket
			in_left testprogs/trafgen -i va -n 100 -r 20000 -s "$size" --via "$via" --start-seq "$seq" \
				> "$scratch/one" || bad "trafgen -s $size"
			seq=$((seq + 100))
		done
		settle "$tcpdump"
		stop "$tcpdump" INT
		testprogs/capcheck --sent "$seq" --dropped "$(tcpdump_count dropped "$said")" "$scratch/f.pcap" \
			> "$scratch/counts" 2> "$scratch/verdict"
		state=$?
		equal "MTU 9000, all sizes: status of capcheck, $(json "$scratch/counts" frames) frames" 0 $state
		equal "MTU 9000: lost" 0 "$(tcpdump_count dropped "$said")"
		[ ! -s "$scratch/verdict" ] || show "$scratch/verdict"
	else
		skip "frames in several buffers: needs Linux 6.6"
	fi
	ip -n "$left" link set va mtu 1500
	ip -n "$right" link set vb mtu 1500
}

for form in sockets rings; do
	by "$form"
	echo "# by $form"
	case $form in
	sockets) zero_copy=off where='AF_XDP sockets (1 queue, copy mode)' loss=dropped_socket ;;
	*) zero_copy=auto where='the rings* of [0-9]* CPU' loss=dropped_ring_full ;;
	esac
	all_is_counted
	large_frames
done
by rings

# full=pass: what the ring has no room for is the host's, and counted as missing here.
host_begin
divert ring=512K,full=pass || finish
kill -STOP "$reader"
send 20000 -r 50000
kill -CONT "$reader"
read_out "full=pass"
account "full=pass"
host_end
between "full=pass: lost here" 1 20000 "$(json "$report" ps_drop)"
equal "full=pass: the host has what was lost here" "$(json "$report" ps_drop)" "$reached"

# What does not go together says what does.
refused 'valid are tap, divert' xdp:vb,engine=fast
refused 'valid are auto, on, off' xdp:vb,engine=divert,zero-copy=yes
refused 'refuses a zero-copy socket.*zero-copy=auto' xdp:vb,engine=divert,zero-copy=on
refused 'as in 0-3+6' xdp:vb,engine=divert,queues=0:3
refused 'as in 0-3+6' xdp:vb,engine=divert,queues=3-0
refused 'as in 0-3+6' xdp:vb,engine=divert,queues=256
refused 'as in 0-3+6' xdp:vb,engine=divert,queues=1+
for options in engine=divert engine=divert,zero-copy=off; do # whatever the driver has
	refused 'no receive queue 1' "xdp:vb,$options,queues=1"
	refused 'at XDP only' "xdp:vb,$options,hook=tc"
	refused 'leave slice= out' "xdp:vb,$options,slice=l4"
	refused 'after=drop is for engine=tap' "xdp:vb,$options,after=drop"
done
refused 'rest=drop is only for' xdp:vb,rest=drop
refused 'full=pass is only for' xdp:vb,full=pass
refused 'full=pass is for rings' xdp:vb,engine=divert,full=pass,zero-copy=off
refused 'full=pass is for rings' xdp:vb,engine=divert,full=pass,busy-poll=on
refused 'valid are drop, pass' xdp:vb,engine=divert,full=on
refused 'a packet socket cannot drop' xdp:vb,after=drop,hook=packet
refused 'takes no native XDP.*use xdp-mode=skb)\{0,1\}$' xdp:lo,engine=divert
refused 'takes no native XDP.*use hook=tc)\{0,1\}$' xdp:lo,hook=xdp
if in_right ip tuntap add dev tun0 mode tun 2> /dev/null && in_right ip link set tun0 up; then
	refused 'no Ethernet.*leave engine=divert out' xdp:tun0,engine=divert
else
	skip "a device of raw IP: no tun here"
fi
start ip netns exec "$right" ping -qc 100 -i 0.1 127.0.0.1
with_library timeout 10 tcpdump -nn -Z root -c 1 -i xdp:lo,engine=divert,xdp-mode=skb icmp > "$scratch/lo" 2>&1
check "lo by the kernel's own XDP, as it was told" grep -q '127.0.0.1 > 127.0.0.1: ICMP' "$scratch/lo"

# A filter that the kernel cannot run would take the host's frames on suspicion.
deep='icmp6[0] == 1 and ip6 protochain 6'
refused 'the kernel cannot run this filter' xdp:vb,engine=divert "$deep"
refused 'the kernel cannot run this filter' xdp:vb,after=drop "$deep"

# A second one is told who is there.
divert % || finish
refused 'held by xdp_' xdp:vb,engine=divert
start_capture testprogs/pcapread -i xdp:vb -t 2
ended "$pid" 20
equal "beside it auto takes tc" 0 $?
stop "$reader" INT

# Over the default route only who says so.
ip -n "$right" route add default via 10.99.0.1
in_right timeout 10 "$xdpdump" -i vb --engine divert -c 1 > "$scratch/text" 2>&1
equal "default route: status" 1 $?
check "default route: says what to type" grep -q -e 'vb has the default route.*--yes' "$scratch/text"
in_right timeout 10 "$xdpdump" -i vb --after drop -c 1 > "$scratch/text" 2>&1
check "default route, --after drop: the same" grep -q -e '--yes' "$scratch/text"
in_right timeout 10 "$xdpdump" -i vb --engine divert --yes -a duration:1 > "$scratch/text" 2>&1
equal "default route, --yes: status" 0 $?
finish
