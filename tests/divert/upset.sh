#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# engine=divert, by rings and by sockets, under load, while the reader is stopped and killed, and the interface goes down, changes
# its queues and disappears: no hang, no program that stays, every loss counted.
# shellcheck source=tests/divert/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ping
need_testprog trafgen pcapread
pause=${UPSET_PAUSE:-5}

# under_load RATE: a sender for long enough, $sender.
under_load()
{
	start ip netns exec "$left" testprogs/trafgen -i va -d 60 -r "$1" --cpu 0,1
	sender=$pid sent=$out
}

end_load()
{
	stop "$sender" INT
}

kernel_is_well()
{
	! dmesg 2> /dev/null | tail -n 200 | grep -q -e 'BUG:' -e 'Oops' -e 'WARNING: .*xsk' -e 'WARNING: .*xdp'
}

upset()
{
	veth_pair numtxqueues 2 numrxqueues 2
	offloads_off
	in_right ethtool -K vb gro on # it polls, program or not

	# Killed.
	divert % || finish
	under_load 100000
	sleep 0.5
	kill -KILL "$reader"
	ended "$reader" 10
	check "kill -9: the program is gone" wait_for 10 no_xdp_program "$right" vb
	end_load
	check "kill -9: the host has its traffic back" in_left ping -qc 3 -i 0.05 -W 2 10.99.0.2

	# At once again, under load, when the program is gone: the old sockets may not be down yet.
	under_load 100000
	gone=0
	for _ in 1 2 3 4 5; do
		divert % || finish
		sleep 0.1
		kill -KILL "$reader"
		ended "$reader" 10
		! wait_for 10 no_xdp_program "$right" vb || gone=$((gone + 1))
	done
	equal "opened and killed five times under load, and gone" 5 "$gone"
	end_load

	# Stopped and continued.
	divert ring=4M || finish
	start ip netns exec "$left" testprogs/trafgen -i va -n $((pause * 150000)) -r 100000
	sender=$pid sent=$out
	sleep 0.2
	kill -STOP "$reader"
	sleep "$pause"
	kill -CONT "$reader"
	ended "$sender" 60
	read_out "stopped for $pause s"
	equal "stopped for $pause s: $(json "$report" delivered) delivered + $(json "$report" ps_drop) lost" "$(json "$sent" sent)" \
		$(($(json "$report" delivered) + $(json "$report" ps_drop)))
	between "stopped for $pause s: lost" 1 $((pause * 150000)) "$(json "$report" ps_drop)"

	# Down and up.
	divert % || finish
	under_load 20000
	sleep 0.2
	ip -n "$right" link set vb down
	sleep 0.5
	ip -n "$right" link set vb up
	end_load
	send 1000 -r 20000 --start-seq 10000000
	read_out "down and up"
	check "down and up: the capture goes on" [ "$(json "$report" highest)" -eq 10000999 ]
	equal "down and up: wrong bytes, twice" "0 0" "$(json "$report" corrupt) $(json "$report" duplicates)"

	# Fewer queues, which the kernel refuses while they have sockets, and more.
	divert % || finish
	under_load 20000
	sleep 0.2
	for combined in 1 2; do
		in_right ethtool -L vb rx "$combined" > "$scratch/output" 2>&1 ||
			echo "# ethtool -L vb rx $combined: $(head -n 1 "$scratch/output")"
		sleep 0.3
	done
	end_load
	send 1000 -r 20000 --start-seq 10000000
	read_out "queues changed"
	check "queues changed: the capture goes on" [ "$(json "$report" highest)" -eq 10000999 ]

	# Gone.
	divert % || finish
	under_load 20000
	sleep 0.2
	ip -n "$left" link del va
	ended "$reader" 20
	check "deleted: says so" grep -q 'The interface disappeared' "$report"
	ended "$sender" 20
}

for form in sockets rings; do
	by "$form"
	echo "# by $form"
	upset
done
check "the kernel has no complaint" kernel_is_well
finish
