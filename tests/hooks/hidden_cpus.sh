#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Frames on a CPU that the list of CPUs hides, as lxcfs does it in containers, are captured: at each hook.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need_testprog trafgen pcapread
need ethtool
cpus=/sys/devices/system/cpu
[ "$(cat $cpus/present)" != 0 ] && [ "$(cat $cpus/online)" != 0 ] || skip_all "there is one CPU"
veth_pair
in_right ethtool -K vb gro on # so that it polls at each hook
frames=100

# lists ONLINE PRESENT POSSIBLE: what the kernel's lists say to those that start_with_lists starts.
lists()
{
	mkdir -p "$scratch/lists"
	printf '%b' "$1" > "$scratch/lists/online"
	printf '%b' "$2" > "$scratch/lists/present"
	printf '%b' "$3" > "$scratch/lists/possible"
	said=$(head -qn 1 "$scratch/lists/online" "$scratch/lists/present" "$scratch/lists/possible" | tr '\n' ' ')
}

# start_with_lists COMMAND...: as start_capture.
start_with_lists()
{
	# shellcheck disable=SC2016 # for the inner shell
	start_capture sh -c 'for list in online present possible; do mount --bind "$1/$list" "$2/$list" || exit; done
		shift 2 && exec "$@"' sh "$scratch/lists" "$cpus" "$@"
}

# captures HOOK ONLINE [PRESENT POSSIBLE]: with those lists, of $frames frames on CPU 0 and as many on CPU 1.
captures()
{
	rm -f "$scratch/ready"
	lists "$2" "${3-$(cat $cpus/present)\n}" "${4-$(cat $cpus/possible)\n}"
	start_with_lists "$build/testprogs/pcapread" -i "xdp:vb,hook=$1,ring=1M" -Q in -f 'udp port 9' \
		-c $((2 * frames)) -t 20 --ready "$scratch/ready"
	wait_for 20 test -e "$scratch/ready"
	for cpu in 0 1; do
		in_left testprogs/trafgen -i va -n $frames --cpu $cpu --start-seq $((cpu * frames)) > "$scratch/sent"
	done
	ended "$pid" 30 > /dev/null
	equal "hook=$1, the lists say $said: frames of both CPUs" $((2 * frames)) "$(json "$out" frames)"
	equal "hook=$1, the lists say $said: dropped" 0 "$(json "$out" ps_drop)"
}

for hook in xdp tc packet; do
	captures $hook '0\n'
done
# What is no list, or an empty one, hides nothing either.
captures xdp '\n'
captures xdp 'none\n'
# A CPU that is not there yet has the ring that all such share: alone, or with another.
captures xdp '0\n' '0\n' '0-1\n'
captures tc '7\n' '7\n' '0-7\n'
captures packet '0-1\n' '0-1\n' '0\n'
captures xdp '0\n' '0\n' 'none\n'

# received: frames that vb has had.
received()
{
	in_right ip -s link show vb | awk '/RX:/ { getline; print $2 }'
}

# Both at once, flat out: what does not get its turn is counted.
many=100000
lists '7\n' '7\n' '0-7\n'
start_with_lists "$build/xdpdump/xdpdump" -i vb --hook tc --ring 64M -Q in -w "$scratch/both.pcapng" --json 'udp port 9'
wait_for 20 grep -q 'listening on' "$err" || show "$err"
before=$(received)
in_left testprogs/trafgen -i va -n $many --cpu 0 > "$scratch/sent0" & first=$!
in_left testprogs/trafgen -i va -n $many --cpu 1 --start-seq $many > "$scratch/sent1" & second=$!
wait $first $second
check "xdpdump ends" stop "$pid"
kept=$(json "$err" captured)
came=$(($(received) - before)) # a veth drops some of what two send at once
equal "two CPUs in one ring at once: captured and lost" "$came" $((kept + $(json "$err" dropped_reentry)))
check "two CPUs in one ring at once: hardly any is lost, $kept of $came kept" test "$kept" -gt $((came * 19 / 20))
finish
