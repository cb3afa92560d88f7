#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine, or by make check-card: engine=divert on a veth, and on two network cards that are joined. What is sent
# is delivered or counted, what the filter leaves is the host's, zero-copy is what the kernel confirms,
# and a capture that is killed leaves nothing in the way of the next.
# shellcheck source=tests/divert/lib.sh
. "$(dirname "$0")/../divert/lib.sh"
# shellcheck source=tests/vm/cards.sh
. "$(dirname "$0")/cards.sh"
need_root
need_library
need tcpdump ping ethtool ss
need_testprog trafgen pcapread capcheck
xdpdump=$build/xdpdump/xdpdump
kernel_since 5 18 || skip_all "engine=divert: needs Linux 5.18"
frames=${CARD_FRAMES:-10000} # more take an emulated machine too long
booted=$(cut -d ' ' -f 1 /proc/uptime)

# card_pair: the cards under the names of a veth pair, at either end.
card_pair()
{
	pair_namespaces
	lend "$near" "$left" va 02:00:00:00:00:0a
	lend "$far" "$right" vb 02:74:67:00:00:02
	pair_up
}

# Cards take their time where a program comes or goes.
is_joined()
{
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		in_left ping -qc 1 -W 1 10.99.0.2 > /dev/null && return
		sleep 1
	done
	in_left ip -s link show dev va
	in_right ip -s link show dev vb
	dmesg | tail -n 4
	return 1
}

joined()
{
	is_joined > "$scratch/joined" 2>&1 && return
	bad "$pair: the two ends are not joined"
	show "$scratch/joined"
	finish
}

paced()
{
	number=$1
	shift
	send "$number" -r 2000 --via socket --flows 32 "$@"
}

queues()
{
	in_right sh -c 'ls -d /sys/class/net/vb/queues/rx-*' | wc -l
}

# row ENGINE MODE RESULT: of the table that check-vm ends with.
row()
{
	echo "table: $(uname -r | sed 's/[+-][a-z].*//') | $driver | $1 | $2 | $3"
}

# zero_copy_queues: those of vb with a zero-copy socket, as another one asks the kernel.
zero_copy_queues()
{
	ip netns exec "$right" ss --xdp -a -e -n 2> /dev/null | tr '(' '\n' |
		sed -n 's/.*qid:\([0-9]*\),zc:1.*/\1/p' | sort -n | tr '\n' ' ' | sed 's/ $//'
}

# halted NAME: the reader ends. Of several queues nothing keeps the order but of each flow.
halted()
{
	settle "$reader"
	stop "$reader" INT
	equal "$1: wrong bytes, twice, out of order in their flow" "0 0 0" \
		"$(json "$report" corrupt) $(json "$report" duplicates) $(json "$report" flow_reordered)"
}

# told ZERO-COPY: xdpdump's own words on the mode, and all that is sent in its file or told of there.
told()
{
	before=$(queues)
	start ip netns exec "$right" "$xdpdump" -i vb --engine divert --zero-copy "$1" -w "$scratch/f.pcapng" udp
	capture=$pid said=$err
	wait_for 30 grep -q '^listening on' "$said" || {
		bad "$pair, zero-copy=$1: xdpdump does not start: $(head -n 3 "$said")"
		return
	}
	mode=$(sed -n -e 's/.* to AF_XDP sockets (\([^)]*\)).*/\1/p' \
		-e 's/^listening.* to \(the rings* of [0-9]* CPUs*\).*/\1/p' "$said")
	check "$pair, zero-copy=$1: says what it got: ${mode:-nothing}" [ -n "$mode" ]
	within=$(queues) zero_copy=$(zero_copy_queues)
	wait_for 20 is_up
	paced "$frames" -s mix
	settle "$capture"
	check "$pair, zero-copy=$1: ends well" stop "$capture" INT
	if testprogs/capcheck --order flow --sent "$frames" "$scratch/f.pcapng" > "$scratch/counts" 2> "$scratch/verdict"; then
		result="$frames sent = $(json "$scratch/counts" delivered) delivered + $(json "$scratch/counts" dropped) counted"
		ok "$pair, zero-copy=$1: $result"
	else
		result='not every frame'
		bad "$pair, zero-copy=$1: $(tr '\n' ' ' < "$scratch/verdict")"
		show "$said"
	fi
	row divert "zero-copy=$1: $mode" "$result"
	echo "  receive queues: $before, $within with the program; zero-copy, as ss has it: ${zero_copy:-none}"
	case $mode in
	*zero-copy) of_zero_copy=$(seq -s ' ' 0 $((before - 1))) ;; # not those that a program has added
	*) of_zero_copy='' ;;
	esac
	equal "$pair, zero-copy=$1: zero-copy sockets on queues" "$of_zero_copy" "$zero_copy"
}

is_up()
{
	in_right grep -q 1 /sys/class/net/vb/carrier
}

by_tap()
{
	rm -f "$scratch/ready"
	start_capture testprogs/pcapread -i xdp:vb,hook=xdp,ring=64M --ready "$scratch/ready" -t 300 -Q in
	reader=$pid report=$out said=$err
	wait_for 30 [ -e "$scratch/ready" ] || {
		bad "$pair, engine=tap: $(cat "$report" "$said")"
		return
	}
	wait_for 20 is_up
	mode=$(ip -n "$right" link show dev vb | grep -o ' xdp[a-z]* ' | tr -d ' ' | head -n 1)
	equal "$pair, engine=tap: XDP is native" xdp "$mode"
	paced "$frames" -s mix
	halted "$pair, engine=tap"
	equal "$pair, engine=tap: delivered and lost" "$frames" \
		$(($(json "$report" delivered) + $(json "$report" ps_drop)))
	row tap 'native XDP' "$frames sent = $(json "$report" delivered) delivered + $(json "$report" ps_drop) counted"
}

# refused ENGINE WORDS OPTION...: by xdpdump, at the start, with these words.
refused()
{
	engine=$1 words=$2
	shift 2
	start ip netns exec "$right" timeout 20 "$xdpdump" -i vb --engine "$engine" "$@" -c 1
	ended "$pid" 30
	if [ $? -eq 1 ] && grep -q "$words" "$err"; then
		ok "$pair, $driver, engine=$engine: refused, saying why"
		row "$engine" refused -
	else
		bad "$pair, $driver, engine=$engine: not refused"
	fi
	show "$err"
	check "$pair: the program is gone" wait_for 10 no_xdp_program "$right" vb
}

filtered()
{
	host_begin
	divert "zero-copy=$1" -f 'udp port 4242' || return
	wait_for 20 is_up
	paced "$frames" --match 10 4242
	halted "$pair, zero-copy=$1, a tenth matches"
	host_end
	equal "$pair, zero-copy=$1, a tenth matches: delivered" $((frames / 10)) "$(json "$report" delivered)"
	equal "$pair, zero-copy=$1: the rest reaches the host" $((frames - frames / 10)) "$reached"
	equal "$pair, zero-copy=$1: and is untouched" 0 \
		"$(testprogs/capcheck --order flow --cut-is-fine --dropped $((frames / 10)) --sent "$frames" \
			"$scratch/host.pcap" 2> /dev/null > "$scratch/counts"; json "$scratch/counts" corrupt)"
}

# Tags, and what is sent: Echo requests that are diverted are not answered, the host's own are.
both_ways()
{
	start_capture env PCAP_AFXDP_DEBUG=1 tcpdump -i xdp:vb,engine=divert -nn -e -Z root -w "$scratch/f.pcap"
	tcpdump=$pid said=$err
	wait_for 30 grep -q 'listening on' "$said" || bad "$pair: tcpdump does not start: $(cat "$said")"
	wait_for 20 is_up
	in_left ping -qc 3 -W 1 -i 0.2 10.94.0.2 > /dev/null
	in_left ping -qc 2 -W 1 -i 0.2 10.99.0.2 > /dev/null
	in_right ping -qc 2 -W 1 -i 0.2 10.99.0.1 > /dev/null
	settle "$tcpdump"
	stop "$tcpdump" INT
	equal "$pair: echo requests diverted, requests sent, replies to these" "2 2 2" \
		"$(for filter in 'src 10.99.0.1 and icmp[0] == 8' 'src 10.99.0.2 and icmp[0] == 8' 'src 10.99.0.1 and icmp[0] == 0'; do
			tcpdump -nnr "$scratch/f.pcap" "$filter" 2> /dev/null | wc -l
		done | tr '\n' ' ' | sed 's/ $//')"
	tags=$(tcpdump -nner "$scratch/f.pcap" 'vlan 5 and icmp' 2> /dev/null | wc -l)
	if ! in_left test -e /sys/class/net/va.5; then
		skip "$pair: tagged frames: this kernel has no VLAN interfaces"
	elif grep -q 'vb takes VLAN tags off' "$said"; then
		equal "$pair: tags, said to be missing" 0 "$tags"
	else
		equal "$pair: tagged frames" 3 "$tags"
	fi
}

under_load()
{
	start ip netns exec "$left" testprogs/trafgen -i va -d 120 -r 1000 --via socket --flows 32
	sender=$pid
}

killed()
{
	under_load
	for _ in 1 2 3 4; do
		divert % || return
		sleep 1
		kill -KILL "$reader"
		ended "$reader" 20
		equal "$pair: killed under load" 137 $?
	done
	stop "$sender" INT
	check "$pair: the program is gone" wait_for 10 no_xdp_program "$right" vb
	check "$pair: the host has its traffic back" is_joined
	check "$pair: the kernel has no complaint" kernel_is_well
}

# Of what it has said since the test began: a host may have complained of something else before.
kernel_is_well()
{
	! dmesg | awk -F '[][]' -v since="$booted" '$2 + 0 >= since' | grep -e 'BUG:' -e 'Oops' -e 'WARNING:'
}

# virtio_net adds queues for a program, unless it has all in use. A zero-copy socket on one of these
# would crash the kernel later.
all_queues()
{
	most=$(in_right ethtool -l vb | sed -n 's/^Combined:[^0-9]*//p' | head -n 1)
	[ "$driver" = virtio_net ] && [ "$most" -gt "$before" ] || return 0
	check "$pair: $before queues of $most: more with a program" [ "$within" -gt "$before" ]
	[ -z "$has_zero_copy" ] || {
		start ip netns exec "$right" timeout 20 "$xdpdump" -i vb --engine divert --zero-copy on -c 1
		ended "$pid" 30
		check "$pair, zero-copy=on: refused for these, saying why" grep -q 'virtio_net.*zero-copy=auto' "$err"
		show "$err"
	}
	check "$pair: $most queues" in_right ethtool -L vb combined "$most"
	joined
	told auto
	[ -z "$has_zero_copy" ] || told on
	killed
}

run_pair()
{
	driver=$(in_right ethtool -i vb | sed -n 's/^driver: //p')
	offloads_off
	in_right ethtool -K vb gro on # it polls, program or not
	joined
	if ip -n "$left" link add link va name va.5 type vlan id 5 2> /dev/null; then
		ip -n "$left" addr add 10.94.0.1/24 dev va.5
		ip -n "$left" link set va.5 up
		ip -n "$left" neigh replace 10.94.0.2 lladdr 02:74:67:00:00:02 dev va.5
	fi
	[ "$driver" != vmxnet3 ] || kernel_since 6 6 || {
		refused tap 'takes no native XDP program' --hook xdp
		refused divert 'takes no native XDP program'
		return
	}
	by_tap
	[ "$driver" != vmxnet3 ] || { # no room in front of frames: rings have what sockets cannot
		for zero in auto off; do
			told "$zero"
			filtered "$zero"
		done
		both_ways
		killed
		return
	}
	has_zero_copy=''
	for zero in auto off; do
		told "$zero"
		case $mode in *zero-copy) has_zero_copy=yes ;; esac
		filtered "$zero"
	done
	both_ways
	killed
	all_queues
}

for pair in ${pairs:-veth cards}; do
	case $pair in
	veth) veth_pair numtxqueues 2 numrxqueues 2 ;;
	*)
		need_card "$near" "$far"
		card_pair
		;;
	esac
	run_pair
done
finish
