#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --cpus: who reads is on the first, who writes on the others, also when a new file has been begun.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
[ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] || skip_all "needs two CPUs"
[ "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)" != 0 ] || skip_all "needs CPU 1"
veth_pair

# cpus_of PID: of each thread, the first one being the process's, "0 1 1".
cpus_of()
{
	for task in "/proc/$1/task"/*; do
		sed -n 's/^Cpus_allowed_list:[^0-9]*//p' "$task/status"
	done | tr '\n' ' ' | sed 's/ $//'
}

start_xdpdump --cpus 1,0 -w "$scratch/f.pcapng"
capture=$pid
send -n 1000 -r 10000
equal "the reader" 1 "$(cpus_of "$capture" | cut -d ' ' -f 1)"
equal "the others" 0 "$(cpus_of "$capture" | tr ' ' '\n' | tail -n +2 | sort -u)"
stop "$capture" INT
equal "ends well" 0 $?
equal "packets" 1000 "$(packets "$scratch/f.pcapng")"

start_xdpdump --cpus 0-1 -C 20K --print-name -w "$scratch/r.pcapng"
capture=$pid
send -n 2000 -r 10000
settle "$capture"
equal "files later, another one" 0 "$(cpus_of "$capture" | cut -d ' ' -f 1)"
equal "... and who writes them" 1 "$(cpus_of "$capture" | tr ' ' '\n' | tail -n +2 | sort -u)"
stop "$capture" INT

start_xdpdump --cpus 1 -w "$scratch/f.pcapng"
capture=$pid
send -n 10 -r 1000
equal "one CPU for all" 1 "$(cpus_of "$capture" | tr ' ' '\n' | sort -u)"
stop "$capture" INT

start_xdpdump -w "$scratch/f.pcapng"
equal "without it, where we may run" "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)" \
	"$(cpus_of "$pid" | tr ' ' '\n' | sort -u)"
stop "$pid" INT

# Several NUMA nodes, as files say: in a mount namespace of its own (ip netns exec makes one).
# of_node NODE WRITE_OPTION...: xdpdump where vb is at that node, CPU 0 at node 0, and CPU 1 at node 1.
of_node()
{
	node=$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	start ip netns exec "$right" sh -c 'nodes=/sys/devices/system/node
		mount -t tmpfs tmpfs $nodes && mount -t tmpfs tmpfs /sys/class/net || exit 99
		mkdir -p $nodes/node0 $nodes/node1 /sys/class/net/vb/device
		echo 0-1 > $nodes/online
		echo 0 > $nodes/node0/cpulist
		echo 1 > $nodes/node1/cpulist
		echo "$1" > /sys/class/net/vb/device/numa_node
		shift
		exec "$@"' sh "$node" "$xdpdump" -i vb -w "$scratch/f.pcapng" "$@"
	started_capturing "$@"
	sleep 0.2
}

for node in 0 1; do
	of_node "$node"
	equal "node $node: all threads" "$node" "$(cpus_of "$pid" | tr ' ' '\n' | sort -u)"
	stop "$pid" INT
	of_node "$node" --files-per-queue
	equal "node $node, a reader for each ring: all threads" "$node" "$(cpus_of "$pid" | tr ' ' '\n' | sort -u)"
	stop "$pid" INT
	equal "node $node: ends well" 0 "$state"
done
of_node -1
equal "a device that tells no node: where we may run" "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)" \
	"$(cpus_of "$pid" | tr ' ' '\n' | sort -u)"
stop "$pid" INT
of_node 1 --cpus 0
equal "--cpus beside it" 0 "$(cpus_of "$pid" | tr ' ' '\n' | sort -u)"
stop "$pid" INT

for list in '' '1,' 1- 2-1 -1 a '0,,1' 99999 '0 1'; do
	run_xdpdump -i vb --cpus "$list" -c 1
	equal "--cpus '$list': status" 1 "$state"
	check "--cpus '$list': says what it takes" grep -q 'takes numbers and ranges\|not all of these are there' "$err"
done
finish
