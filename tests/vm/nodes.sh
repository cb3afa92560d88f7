#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine whose CPUs are of two nodes of memory: the ring of each lies on the node of its CPU, or where
# that has no memory on the other; and all frames come, in a process of its own as in one that the loader opens for.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_library
need_testprog trafgen pcapread
need ethtool
nodes=/sys/devices/system/node
[ -e $nodes/node1 ] || skip_all "needs two nodes of memory"
veth_pair
in_right ethtool -K vb gro on # so that it polls at each hook
each=500 pages=256            # of a ring of 1 MiB
memory=$(cat $nodes/has_memory)
echo "nodes $(cat $nodes/online), with memory $memory"

# places PROCESS: the nodes that the pages of each ring lie on, a line for each, in the order of nodes.
places()
{
	sed -n "/bpf-map.* mapped=\|bpf-map.* dirty=/p" "/proc/$1/numa_maps" |
		awk -v pages=$pages '{
			on = ""
			for (i = 1; i <= NF; i++)
				if (split($i, part, "=") == 2 && part[1] ~ /^N[0-9]+$/) {
					on = on " " part[1]
					all += part[2]
				}
			if (all >= pages)
				print substr(on, 2)
			all = 0
		}' | sort
}

wanted='N0 N1'
[ "$memory" != 0 ] || wanted='N0 N0'
for hook in xdp tc packet; do
	for loader in '' ,loader=off; do
		what="hook=$hook$loader"
		rm -f "$scratch/ready"
		start_capture "$build/testprogs/pcapread" -i "xdp:vb,$what,ring=1M" -Q in -f 'udp port 9' -c $((2 * each)) \
			-t 60 --ready "$scratch/ready"
		wait_for 60 test -e "$scratch/ready" || show "$err"
		equal "$what: the rings lie on" "$wanted" "$(places "$pid" | xargs)"
		for cpu in 0 1; do
			in_left testprogs/trafgen -i va -n $each --cpu $cpu --start-seq $((cpu * each)) > "$scratch/sent"
		done
		ended "$pid" 60 > /dev/null
		equal "$what: frames of both CPUs, dropped" "$((2 * each)) 0" "$(json "$out" frames) $(json "$out" ps_drop)"
	done
done
result="rings on $wanted"
[ "$failed" -eq 0 ] || result=FAILED
echo "able: $(uname -r | sed 's/[+-][a-z].*//') | nodes of memory, with memory $memory | $result"
finish
