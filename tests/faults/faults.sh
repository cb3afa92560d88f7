# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2034,SC2154,SC2016 # variables of the files that read it; inner shells
# The kinds of faults, each a function by the name that it has in the table `kinds.txt`. Where a capture needs
# something for its fault, prepare_NAME is called before it starts.

killed()
{
	kill_victim
}

killed_file()
{
	kill_victim
}

terminated()
{
	kill -TERM "$capture"
	ended "$capture" 10 > "$scratch/ended"
	ended_with=$? over=yes
	[ "$ended_with" -eq 0 ] || wrong "ends with $ended_with after TERM: $(cat "$scratch/ended")"
}

stopped()
{
	kill -STOP "$capture"
	nap 100 1000
	kill -CONT "$capture"
}

stopped_file()
{
	stopped
}

# --- The loader process.

loader_killed()
{
	for process in $(loaders); do
		kill -KILL "$process"
	done
}

loader_stopped()
{
	for process in $(loaders); do
		kill -STOP "$process"
	done
	stopped_loaders=$(loaders)
	nap 100 500
	chance 2
	[ "$chance" -eq 0 ] || let_loaders_go
}

# A stopped process sees the end of the capture when it continues.
let_loaders_go()
{
	for process in ${stopped_loaders:-}; do
		kill -CONT "$process" 2> /dev/null
	done
	stopped_loaders=''
}

both_killed()
{
	for process in $(loaders); do
		kill -STOP "$process"
	done
	stopped_loaders=$(loaders)
	kill_victim
	nap 0 300
	let_loaders_go
}

# --- Others on the interface.

# another: a capture that comes, at a hook chosen by chance; $another.
another()
{
	one_of ring=1M ring=1M,hook=tc ring=1M,hook=packet
	rm -f "$scratch/also_ready"
	start_capture "$build/testprogs/pcapread" -i "xdp:vb,$one" -Q in --ready "$scratch/also_ready" -t 300
	another=$pid
	wait_for 20 test -e "$scratch/also_ready" || wrong "another capture does not start: $(tail -n 1 "$err")"
	nap 50 300
}

second()
{
	another
	stop "$another" TERM 2> "$scratch/killed"
}

second_killed()
{
	another
	kill -KILL "$another"
	ended "$another" 10 2> "$scratch/killed"
}

second_file()
{
	start ip netns exec "$right" "$xdpdump" -i vb -w "$scratch/second" --ring 1M
	another=$pid also_said=$err
	wait_for 20 grep -q 'listening on' "$also_said" || wrong "another xdpdump does not start: $(cat "$also_said")"
	nap 50 300
	stop "$another" INT || wrong "the other xdpdump ends with $?"
}

# Of the links among the descriptors of the capture, one, by chance; sockets are none.
detached()
{
	links=$(sed -n 's/^link_id:[[:space:]]*//p' /proc/"$capture"/fdinfo/* 2> /dev/null)
	if [ -z "$links" ]; then
		kill_victim
		return
	fi
	# shellcheck disable=SC2086 # words
	one_of $links
	bpftool link detach id "$one" > "$scratch/bpftool" 2>&1 || wrong "$(cat "$scratch/bpftool")"
	wait_for 10 process_gone "$capture" || wrong "the capture does not notice that its program was detached"
	end_victim
	grep -q 'detached' "$report" || wrong "it does not say why it ended"
}

# visit HOOK: somebody else's program comes and goes. Where a hook is held it is refused.
visit()
{
	start ip netns exec "$right" "$foreign" "$1" vb
	visitor=$pid
	wait_for 5 grep -q attached "$out" || process_gone "$visitor" || wrong "foreign $1 neither attaches nor ends"
	nap 50 300
	one_of TERM KILL
	if [ "$1" = netlink ] || [ "$1" = generic ]; then
		one=TERM # without a link the program would stay
	fi
	process_gone "$visitor" || kill "-$one" "$visitor"
	ended "$visitor" 10 2> "$scratch/killed"
}

foreign_xdp()
{
	one_of xdp netlink
	visit "$one"
}

foreign_tc()
{
	visit ingress
	visit egress
}

# --- The interface.

know_each_other()
{
	ip -n "$right" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb 2> /dev/null
	ip -n "$left" neigh replace 10.99.0.2 lladdr 02:74:67:00:00:02 dev va 2> /dev/null
}

# down_and_up NAMESPACE INTERFACE
down_and_up()
{
	resident_sees=some
	ip -n "$1" link set "$2" down
	nap 0 500
	ip -n "$1" link set "$2" up
	know_each_other
}

down()
{
	down_and_up "$right" vb
}

down_file()
{
	down
}

carrier()
{
	down_and_up "$left" va
}

renamed()
{
	ip -n "$right" link set vb name vnew
	renamed=vnew
	nap 100 300
}

mtu()
{
	resident_sees=some
	one_of 1400 2000 3000
	for size in "$one" 1500; do
		ip -n "$left" link set va mtu "$size" 2> /dev/null
		ip -n "$right" link set vb mtu "$size" 2> /dev/null
		nap 50 200
	done
}

queues()
{
	resident_sees=some
	for number in 2 1; do
		in_right ethtool -L vb rx "$number" > "$scratch/ethtool" 2>&1
		nap 50 200
	done
}

promiscuous()
{
	for state in on off; do
		ip -n "$right" link set vb promisc "$state" allmulticast "$state"
		nap 20 100
	done
}

# says_gone: the capture ends by itself, and says why.
says_gone()
{
	wait_for 10 process_gone "$capture" || wrong "the capture does not notice that the interface is gone"
	end_victim
	[ "$ended_with" -ne 0 ] || wrong "ends with status 0"
	grep -q -i 'disappeared\|gone\|no longer' "$report" "$said" || wrong "it does not say why it ended"
}

gone()
{
	resident_sees=some
	ip -n "$left" link del va
	says_gone
}

gone_file()
{
	gone
}

namespace_gone()
{
	resident_sees=some
	stop "$sender" INT > "$scratch/ended" # it says what it has sent
	ip netns del "$left"
	says_gone
}

moved()
{
	resident_sees=some
	new_namespace c
	ip -n "$right" link set vb netns "$namespace"
	ip -n "$namespace" link set vb up
	nap 100 300
	wait_for 3 process_gone "$capture"
	lives_in=$namespace
}
