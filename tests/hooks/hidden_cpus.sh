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
online=/sys/devices/system/cpu/online
[ "$(cat /sys/devices/system/cpu/present)" != 0 ] && [ "$(cat $online)" != 0 ] || skip_all "there is one CPU"
veth_pair
in_right ethtool -K vb gro on # so that it polls at each hook
frames=100

# captures HOOK LIST: with that list, of $frames frames on CPU 0 and as many on CPU 1.
captures()
{
	rm -f "$scratch/ready"
	printf '%b' "$2" > "$scratch/online"
	# shellcheck disable=SC2016 # for the inner shell
	start_capture sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh "$scratch/online" "$online" \
		"$build/testprogs/pcapread" -i "xdp:vb,hook=$1,ring=1M" -Q in -f 'udp port 9' -c $((2 * frames)) \
		-t 20 --ready "$scratch/ready"
	wait_for 20 test -e "$scratch/ready"
	for cpu in 0 1; do
		in_left testprogs/trafgen -i va -n $frames --cpu $cpu --start-seq $((cpu * frames)) > "$scratch/sent"
	done
	ended "$pid" 30 > /dev/null
	equal "hook=$1, the list says '$2': frames of both CPUs" $((2 * frames)) "$(json "$out" frames)"
	equal "hook=$1, the list says '$2': dropped" 0 "$(json "$out" ps_drop)"
}

for hook in xdp tc packet; do
	captures $hook '0\n'
done
# What is no list, or an empty one, hides nothing either.
captures xdp '\n'
captures xdp 'none\n'
finish
