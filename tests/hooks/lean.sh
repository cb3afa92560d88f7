#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What a capture holds, at each hook: few descriptors, no program beside those that run; and what it has swapped in
# tracers can find. Where tasks preempt programs (PREEMPT_RT), as uname says, a ring is taken by an exchange.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need_testprog pcapread trafgen
need bpftool
veth_pair

# begins OPTIONS [LIBRARY]: a capture with a filter of its own, $pid.
begins()
{
	rm -f "$scratch/ready"
	start_capture ${2:+env} ${2:+"LD_PRELOAD=$2"} "$build/testprogs/pcapread" -i "xdp:vb,ring=1M,$1" -f 'udp port 9' -t 60 \
		--ready "$scratch/ready"
	wait_for 20 test -e "$scratch/ready" || show "$err"
}

# held KIND: how many descriptors $pid has of it.
held()
{
	find "/proc/$pid/fd" -lname "$1" | wc -l
}

# programs: the numbers of those that use a map of $pid, but for the one that timers call.
programs()
{
	maps=$(sed -n 's/^map_id:[^0-9]*//p' "/proc/$pid/fdinfo/"* 2> /dev/null | sort -u | tr '\n' ' ')
	bpftool prog list 2> /dev/null | awk -v maps=" $maps" '
		/^[0-9]+:/ { id = $1 + 0; wakes = / name timers_init / }
		/map_ids/ && !wakes {
			sub(/.*map_ids /, "")
			n = split($1, uses, ",")
			for (i = 1; i <= n; i++)
				if (index(maps, " " uses[i] " ")) {
					print id
					break
				}
		}'
}

# exchanging: those of them that exchange ring_control.busy.
exchanging()
{
	for id in $(programs); do
		! bpftool prog dump xlated id "$id" | grep -q 'atomic_xchg((u32 \*)(r[0-9]* +20)' || echo "$id"
	done
}

# What any program gets from this test.
start_capture sleep 60
inherited=$(held '*')
stop "$pid" TERM

# Where the loader has what filters are loaded with: two sockets, one for notices, a pipe, the timers, two links (or a
# packet socket and what it calls), epoll, an event, a timer, and two files below /sys.
for hook in xdp tc packet; do
	begins hook=$hook
	equal "hook=$hook: descriptors of programs" 0 "$(held 'anon_inode:bpf-prog')"
	between "hook=$hook: descriptors of maps" 1 2 "$(held 'anon_inode:bpf-map')"
	between "hook=$hook: descriptors" 8 12 "$(($(held '*') - inherited))"
	stop "$pid"
done

# untyped: those of them that tracers do not know by their functions. One may be exchanged meanwhile.
untyped()
{
	for id in $(programs); do
		shown=$(bpftool prog show id "$id" 2> /dev/null) || continue
		case $shown in
		*btf_id*) ;;
		*) echo "$id" ;;
		esac
	done
}

# What looks addresses up is a function that the program calls.
echo 10.99.0.1 > "$scratch/hosts"
for hook in xdp tc; do
	begins "hook=$hook,hosts=$scratch/hosts"
	equal "hook=$hook, a list of hosts: programs without types" '' "$(untyped)"
	stop "$pid"
done

most=22 # two of them for what the interface counts
! is_sanitized || most=24 # two are of the sanitizer
for hook in xdp tc packet; do
	begins loader=off,hook=$hook
	equal "hook=$hook: descriptors of programs" 0 "$(held 'anon_inode:bpf-prog')"
	between "hook=$hook, no loader: descriptors of maps" 4 9 "$(held 'anon_inode:bpf-map')"
	# From 1.4 on libbpf has one more for each map that its file of programs names.
	between "hook=$hook, no loader: descriptors" 8 $most "$(($(held '*') - inherited - $(held '*libbpf-placeholder-fd*')))"
	equal "hook=$hook: programs, one for each side or the one that a packet socket's calls" 2 "$(programs | wc -l)"
	equal "hook=$hook: programs without types" '' "$(untyped)"
	equal "hook=$hook: programs that take a ring by an exchange" '' "$(exchanging)"
	stop "$pid"
done

# Who has frames on both sides asks the kernel nothing that waits for the lock of all interfaces.
if command -v strace > /dev/null; then
	begins loader=off,hook=tc
	strace -qq -f -p "$pid" -e trace=bpf -o "$scratch/asked" &
	tracer=$!
	started="$started $tracer"
	is_traced() { ! grep -q '^TracerPid:[^0-9]*0$' "/proc/$pid/status"; }
	check "it is traced" wait_for 10 is_traced
	in_left ping -q -i 0.02 -c 200 -W 20 10.99.0.2 > /dev/null
	kill "$tracer"
	wait "$tracer"
	# The first look may come before the first frames of both sides.
	between "in 4 s of traffic: links are asked for" 0 1 "$(grep -c BPF_OBJ_GET_INFO_BY_FD "$scratch/asked")"
	stop "$pid"
else
	skip "what is asked in traffic: needs strace"
fi

if is_sanitized; then
	skip "PREEMPT_RT: the runtime of the sanitizers has to be loaded before uname()'s stand-in"
	finish
fi
begins loader=off,hook=tc "$build/tests/hooks/realtime.so"
same "PREEMPT_RT: both take a ring by an exchange" "$(programs)" "$(exchanging)"
in_left testprogs/trafgen -i va -n 100 --via socket > "$scratch/sent"
settle "$pid"
stop "$pid"
equal "PREEMPT_RT: frames" 100 "$(json "$out" frames)"
finish
