#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Rings lie in a map for each node of memory: where lists say that there are several, what comes on each CPU is
# captured at each hook. A list that says nothing of a CPU, or nothing at all, loses no frame.
# (The kernel places pages by nodes that it has: vm/nodes.sh.)
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need_testprog trafgen pcapread
need ethtool
list=/sys/devices/system/node/node0/cpulist
[ -e $list ] || skip_all "this kernel has no nodes of memory"
[ "$(ls -d /sys/devices/system/node/node[0-9]*)" = "${list%/cpulist}" ] || skip_all "this machine has several nodes: vm/nodes.sh is for these"
[ "$(cat /sys/devices/system/cpu/online)" != 0 ] || skip_all "there is one CPU"
veth_pair
in_right ethtool -K vb gro on # so that it polls at each hook
each=100

# maps PROCESS: how many maps its rings of 1 MiB are in: each has one at its beginning.
maps()
{
	awk '$6 ~ /bpf-map/ && $3 == "00000000" {
		split($1, range, "-")
		if (length(range[1]) && range[1] != range[2] && $2 ~ /w/)
			print range[1], range[2]
	}' "/proc/$1/maps" | while read -r from to; do
		[ $((0x$to - 0x$from)) -le 1048576 ] || echo ring
	done | wc -l
}

# captures WHAT MAPS LIST COMMAND...: of each CPU $each frames, from rings in so many maps.
captures()
{
	what="$1, node0 has CPUs $(printf '%b' "$3" | head -n 1)" wanted=$2
	printf '%b' "$3" > "$scratch/list"
	shift 3
	rm -f "$scratch/ready"
	# shellcheck disable=SC2016 # for the inner shell
	start_capture sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh "$scratch/list" $list "$@"
	wait_for 20 test -e "$scratch/ready" || show "$err"
	equal "$what: maps of rings" "$wanted" "$(maps "$(reader)")"
	for cpu in 0 1; do
		in_left testprogs/trafgen -i va -n $each --cpu $cpu --start-seq $((cpu * each)) > "$scratch/sent"
	done
	ended "$pid" 30 > /dev/null
	equal "$what: frames of both CPUs, dropped" "$((2 * each)) 0" "$(json "$out" frames) $(json "$out" ps_drop)"
}

# reader: the process that reads.
reader()
{
	for process in $(ip netns pids "$right"); do
		! grep -q pcapread "/proc/$process/comm" || echo "$process"
	done | head -n 1
}

for hook in xdp tc packet; do
	captures "hook=$hook" 2 '0\n' "$build/testprogs/pcapread" -i "xdp:vb,hook=$hook,ring=1M" -Q in -f 'udp port 9' \
		-c $((2 * each)) -t 20 --ready "$scratch/ready"
done
for text in '1\n' '0-1\n' '\n' 'none\n' '0-99999\n' '7\n'; do
	count=1
	[ "$text" != '1\n' ] || count=2
	captures "loader=off" $count "$text" "$build/testprogs/pcapread" -i xdp:vb,hook=xdp,loader=off,ring=1M -Q in \
		-f 'udp port 9' -c $((2 * each)) -t 20 --ready "$scratch/ready"
done
finish
