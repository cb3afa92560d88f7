#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# engine=divert, by rings and by sockets: what matches comes out, whole and in order, and does not reach the
# host; all else does, untouched.
# shellcheck source=tests/divert/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ping python3
need_testprog trafgen pcapread capcheck vlanpush
frames=$DIVERT_FRAMES
veth_pair numtxqueues 2 numrxqueues 2
offloads_off

# capture NAME OPTIONS SENDER_OPTION...: paced, so that nothing needs to be lost; all of it.
capture()
{
	name=$1 options=$2
	shift 2
	host_begin
	divert "$options" || finish
	send "$frames" -r 100000 "$@"
	read_out "$name"
	host_end
	equal "$name: delivered and lost" "$frames 0" "$(json "$report" delivered) $(json "$report" ps_drop)"
	equal "$name: wrong bytes, twice, out of order" "0 0 0" \
		"$(json "$report" corrupt) $(json "$report" duplicates) $(json "$report" reordered)"
	equal "$name: reached the host" 0 "$reached"
}

everything()
{
	# Room for all of it: a machine that is busy with something else lets the reader wait.
	capture "64 bytes" queues=0,ring=$large
	capture "mixed sizes" ring=$large -s mix
	capture "1514 bytes" ring=$large -s 1514
	[ "$form" = rings ] || capture "busy polling" busy-poll=on,ring=$large -s mix
	in_right ethtool -K vb gro on # for generic XDP, and tc: vb polls
	capture "generic XDP" xdp-mode=skb,ring=$large -s mix
	check "nothing stays attached" wait_for 5 no_xdp_program "$right" vb

	# Every way to read; a frame of pcap_next_ex stays until the next.
	for mode in loop next_ex select; do
		for more in '' --immediate --nonblock; do
			[ "$mode $more" != 'loop --nonblock' ] || continue
			# shellcheck disable=SC2086 # an option or none
			divert queues=0,ring=64M --mode "$mode" $more || finish
			send 20000 -r 40000 -s mix
			read_out "$mode $more"
			equal "$mode $more: delivered, wrong, lost" "20000 0 0" \
				"$(json "$report" delivered) $(json "$report" corrupt) $(json "$report" ps_drop)"
		done
	done

	# A daemon opens, and reads in a child.
	divert queues=0,ring=64M --fork --idle 1000 || finish
	send 20000 -r 40000 -s mix
	ended "$reader" 20
	equal "a child reads: verdict" 0 $?
	equal "a child reads: delivered, wrong, lost" "20000 0 0" \
		"$(json "$report" delivered) $(json "$report" corrupt) $(json "$report" ps_drop)"

	# Both queues.
	host_begin
	divert ring=$large || finish
	start in_left testprogs/trafgen -i va -n "$frames" -r 50000 --cpu 0 --flows 8
	first=$pid
	start in_left testprogs/trafgen -i va -n "$frames" -r 50000 --cpu 1 --flows 8 --src 198.19.0.1 --start-seq "$frames"
	ended "$first" 30
	ended "$pid" 30
	settle "$reader"
	stop "$reader" INT
	host_end
	equal "two queues: delivered and lost" "$((frames * 2)) 0" "$(json "$report" delivered) $(json "$report" ps_drop)"
	equal "two queues: wrong bytes, twice" "0 0" "$(json "$report" corrupt) $(json "$report" duplicates)"
	equal "two queues: reached the host" 0 "$reached"

	# One of two: the other queue's frames are the host's, and counted.
	for queue in 0 1; do
		host_begin
		divert queues=$queue || finish
		send 1000 -r 20000 --cpu 0
		send 1000 -r 20000 --cpu 1 --start-seq 1000
		settle "$reader"
		stop "$reader" INT
		host_end
		equal "queue $queue of two: delivered and passed on" 2000 $(($(json "$report" delivered) + reached))
		equal "queue $queue of two: passed on" 1000 "$reached"
		equal "queue $queue of two: counted as missing" "$reached" "$(json "$report" ps_drop)"
	done

	# A filter that takes one in a hundred: the host has the other 99, not one more.
	host_begin
	divert ring=64M -f 'udp port 4242' || finish
	send "$frames" -r 100000 --match 100 4242
	read_out "1 % matches"
	host_end
	equal "1 % matches: delivered" $((frames / 100)) "$(json "$report" delivered)"
	equal "1 % matches: reached the host" $((frames - frames / 100)) "$reached"
	equal "1 % matches: and are untouched" 0 "$(testprogs/capcheck --order all --cut-is-fine --dropped $((frames / 100)) \
		--sent "$frames" "$scratch/host.pcap" 2> /dev/null > "$scratch/counts"; json "$scratch/counts" corrupt)"

	# The same by tcpdump, which has dropped its privileges when it sets the filter.
	host_begin
	start_capture env PCAP_AFXDP_DEBUG=1 tcpdump -i "xdp:vb,$diverting" -nn -Q in 'udp port 4242'
	tcpdump=$pid written=$out said=$err
	wait_for 20 grep -q 'listening on' "$said" || bad "tcpdump does not start: $(cat "$said")"
	settle "$tcpdump" # its first read
	send 1000 -r 20000 --match 100 4242
	settle "$tcpdump"
	stop "$tcpdump" INT
	host_end
	check "privileges dropped: the loader puts the filter into the kernel" \
		grep -q 'filter in the kernel.*, by the loader' "$said"
	equal "privileges dropped: delivered, reached the host" "10 990" "$(grep -c 4242 "$written") $reached"

	# rest=drop: neither.
	host_begin
	divert rest=drop -f 'udp port 4242' || finish
	send 1000 -r 20000 --match 100 4242
	read_out rest=drop
	host_end
	equal "rest=drop: delivered, reached the host" "10 0" "$(json "$report" delivered) $reached"
}

both_ways()
{
	# Tags that lie beside the frame are in it; cut frames say so; both directions come, in one order.
	divert % -f 'vlan 5' || finish
	in_left testprogs/vlanpush -i va -v 5 -- testprogs/trafgen -i va -n 200 -s mix -r 5000 --via socket > /dev/null 2>&1
	send 100 -r 5000 --via socket
	settle "$reader"
	stop "$reader" INT
	equal "vlan 5" 200 "$(json "$report" frames)"
	start_capture tcpdump -i "xdp:vb,$diverting" -nn -Z root -s 60 -w "$scratch/f.pcap"
	wait_for 20 grep -q 'listening on' "$err" || bad "tcpdump does not start"
	tcpdump=$pid
	settle "$tcpdump" # its first read
	in_left testprogs/vlanpush -i va -v 5 -- testprogs/trafgen -i va -n 10 -s 512 -r 5000 --via socket > /dev/null 2>&1
	in_left ping -qc 2 -W 1 -i 0.2 10.99.0.2 > /dev/null # diverted: unanswered
	in_right ping -qc 2 -W 1 -i 0.2 10.99.0.1 > /dev/null
	settle "$tcpdump"
	stop "$tcpdump" INT
	equal "cut and tagged" 10 "$(tcpdump -enr "$scratch/f.pcap" 'vlan 5' 2> /dev/null | grep -c 'length 516: vlan 5,')"
	equal "their bytes" 10 "$(tcpdump -nr "$scratch/f.pcap" -xx 'vlan 5' 2> /dev/null | grep -c '0x0000:  0274 6700 0002 .* 8100 0005')"
	equal "echo requests: diverted, sent; replies to the latter" "2 2 2" \
		"$(for filter in 'src 10.99.0.1 and icmp[0] == 8' 'src 10.99.0.2 and icmp[0] == 8' 'src 10.99.0.1 and icmp[0] == 0'; do
			tcpdump -nnr "$scratch/f.pcap" "$filter" 2> /dev/null | wc -l
		done | tr '\n' ' ' | sed 's/ $//')"
}

for form in sockets rings; do
	by "$form"
	echo "# by $form"
	case $form in sockets) large=256M ;; *) large=128M ;; esac
	everything
	both_ways
done

# after=drop: the ring, and then the end. Not before the first read.
for hook in xdp tc; do
	host_begin
	rm -f "$scratch/ready"
	start_capture testprogs/pcapread -i "xdp:vb,hook=$hook,after=drop" --ready "$scratch/ready" -t 300 -Q in \
		-f 'udp port 4242'
	reader=$pid report=$out
	wait_for 20 [ -e "$scratch/ready" ]
	send 10000 -r 50000 --match 100 4242
	read_out "hook=$hook,after=drop"
	host_end
	equal "hook=$hook,after=drop: delivered" 100 "$(json "$report" delivered)"
	equal "hook=$hook,after=drop: reached the host" 9900 \
		"$(tcpdump -nnr "$scratch/host.pcap" 'not port 4242' 2> /dev/null | wc -l)"
done

# Somebody else's socket is on the queue, and in the XDP hook is nothing.
start ip netns exec "$right" sh -c 'exec sleep 60 | python3 "$0" vb 0' "$top/tests/divert/bound.py"
other=$pid
wait_for 10 grep -q bound "$out" || bad "no AF_XDP socket of somebody else's: $(cat "$err")"
start_capture testprogs/pcapread -i xdp:vb,engine=divert,zero-copy=off -t 1
ended "$pid" 10
check "a queue that is taken: says so" grep -q 'queue 0 of vb has an AF_XDP socket already: end that program' "$out"
check "a queue that is taken: nothing stays attached" no_xdp_program "$right" vb
ip netns pids "$right" | xargs -r kill 2> /dev/null
ended "$other" 10

# Nobody reads yet: nothing is kept from the host.
for device in engine=divert engine=divert,zero-copy=off after=drop; do
	host_begin
	rm -f "$scratch/ready"
	start_capture testprogs/pcapread -i "xdp:vb,$device" --ready "$scratch/ready" -t 300 -Q in --stall 3000
	reader=$pid report=$out
	wait_for 20 [ -e "$scratch/ready" ]
	send 1000 -r 20000
	host_end
	equal "$device, before the first read: reached the host" 1000 "$reached"
	wait_for 10 is_asleep "$reader"
	sleep 3
	host_begin
	send 1000 -r 20000 --start-seq 1000
	settle "$reader"
	stop "$reader" INT
	host_end
	equal "$device, after it: reached the host" 0 "$reached"
done
finish
