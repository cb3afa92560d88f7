#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# rxdrop, txpush and l2fwd on engine=divert: what one sends the other receives, and every frame comes
# back.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need_testprog trafgen txpush pcapread rxdrop l2fwd
frames=${FORWARD_FRAMES:-50000}
ours=02:74:67:00:00:01 # trafgen's own address: its frames are known also with addresses exchanged

# begin COMMAND...: a program with --ready on $right, its process in $runner, its report in $report.
begin()
{
	rm -f "$scratch/ready"
	start_capture "$@" --ready "$scratch/ready"
	runner=$pid report=$out said=$err
	wait_for 20 test -e "$scratch/ready" || {
		bad "$1 does not start"
		show "$said"
	}
}

# returned NAME INTERFACE: pcapread there in $left.
await_on()
{
	rm -f "$scratch/back"
	start ip netns exec "$left" "$build/testprogs/pcapread" -i "$1" -Q in --buffer 134217728 -t 300 \
		--ready "$scratch/back"
	back=$pid returned=$out
	wait_for 20 test -e "$scratch/back"
}

generate()
{
	in_left "$build/testprogs/trafgen" -i va "$@" > "$scratch/sent" || bad "trafgen $*"
}

# all_back NAME: all that was sent, but for what a busy machine did not read in time, and has counted.
all_back()
{
	check "$1: the receiver has no complaint" all_read "$back" "$runner"
	stop "$runner"
	lost=$(json "$report" ps_drop)
	between "$1: frames lost before" 0 $((frames / 2)) "$lost"
	equal "$1: every other frame comes back" $((frames - lost)) "$(json "$returned" delivered)"
	equal "$1: it says so" $((frames - lost)) "$(json "$report" frames)"
	equal "$1: dropped" 0 "$(json "$report" dropped)"
}

# forwards NAME DEVICE: back out of the same one.
forwards()
{
	await_on va
	begin "$build/testprogs/l2fwd" -i "$2" -t 300
	generate -n "$frames" -r 50000 --dst-mac "$ours" --cpu "$4" --flows "$3"
	all_back "$1"
}

all_programs()
{
	veth_pair mtu 1500
	offloads_off
	begin "$build/testprogs/rxdrop" -i "xdp:vb,$engine" -c "$frames" -t 300 --interval 0.1
	generate -n "$frames" -r 100000
	check "rxdrop: ends by itself" ended "$runner" 30
	equal "rxdrop: received" "$frames" "$(tail -n 1 "$report" | tr ',{' '\n\n' | sed -n 's/^"frames"://p')"
	check "rxdrop: tells the rate meanwhile" grep -q '"second":' "$report"

	rm -f "$scratch/ready"
	start ip netns exec "$left" "$build/testprogs/rxdrop" -i va -t 300 -c "$frames" --ready "$scratch/ready"
	runner=$pid report=$out
	wait_for 20 test -e "$scratch/ready"
	check "txpush: sends" with_library "$build/testprogs/txpush" -i "xdp:vb,$engine" -c "$frames" \
		--to 02:00:00:00:00:0a
	check "txpush: rxdrop on the other end has them all" ended "$runner" 30
	equal "txpush: so many" "$frames" "$(json "$report" frames)"

	forwards "l2fwd" "xdp:vb,$engine" 1 0

	# From one to the other: what comes in at vb goes out at vd.
	ip -n "$left" link add vc type veth peer name vd netns "$right"
	ip -n "$left" link set vc up
	ip -n "$right" link set vd up
	await_on vc
	begin "$build/testprogs/l2fwd" -i "xdp:vb,$engine" -i "xdp:vd,$engine" -t 300
	generate -n "$frames" -r 50000 --dst-mac "$ours"
	all_back "two devices"

	veth_pair mtu 1500 numtxqueues 2 numrxqueues 2
	offloads_off
	forwards "l2fwd, two queues" "xdp:vb,$engine" 64 0,1
	check "no XDP program is left" no_xdp_program "$right" vb
}

for engine in engine=divert engine=divert,zero-copy=off; do
	echo "# $engine"
	all_programs
done
finish
