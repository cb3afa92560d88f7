#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Whoever may make an interface or a namespace chooses its name, of any bytes: what is printed and written is
# UTF-8 that no terminal obeys.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need python3
need_testprog trafgen
veth_pair
say=$(dirname "$0")/hostile.py

# C0, with which titles begin; C1 as UTF-8; bytes that are no UTF-8, in two that print alike; what turns the
# direction; a name that is no trouble.
c0=$(printf 'a\033]0;x\007') c1=$(printf 'b\302\2332J') bytes=$(printf 'c\377\376') alike=$(printf 'c\376\377')
turned=$(printf 'd\342\200\256x') good=$(printf '\303\244ther')
for name in "$c0" "$c1" "$bytes" "$alike" "$turned" "$good"; do
	ip -n "$right" link add "$name" up type veth peer name "p$((number = ${number:-0} + 1))" || exit 1
	ip -n "$right" link set "p$number" up
done

# said KIND NAME FILE [STRING...]
said()
{
	kind=$1 name=$2 file=$3
	shift 3
	check "$name" python3 "$say" "$kind" "$file" "$@"
}

# prints NAME KIND OPTION...: what a command prints, on both of its outputs, in $right.
prints()
{
	name=$1 kind=$2
	shift 2
	in_right timeout 60 "$xdpdump" "$@" > "$scratch/told" 2>&1
	said "$kind" "$name" "$scratch/told"
}

prints 'the list' text -D
said text '... with all names' "$scratch/told" 'a?]0;x?' 'b??2J' 'c??' 'd???x' "$good"
prints 'the list in JSON' json -D --json
prints "Wireshark's list" text --extcap-interfaces
said text '... has those that it can have' "$scratch/told" "$good"
check '... and no other' fails grep -q ':[abcd][^n]' "$scratch/told"
prints 'an interface that is not there' text -i "$c0-"
prints 'time stamps' text -i "$c0" -J
prints 'a mistake' text -i "$c1" --hook nosuch
prints 'a file that cannot be written' text -i "$bytes" -w "$scratch/$c0/$c1"
prints 'a namespace that is not there' text --netns "$c1" -i lo
prints 'a filter' text -i "$c0" "host $c1"
for ifname in "$c0" "$bytes"; do
	prints 'findings' text --doctor "$ifname" --report "$scratch/report"
	said text '... and their report' "$scratch/report"
	prints 'findings in JSON' json --doctor "$ifname" --json
done

# captures NAME OPTION...: on all of them, for one packet each.
captures()
{
	name=$1
	shift
	start ip netns exec "$right" "$xdpdump" -i "$c0" -i "$c1" -i "$bytes" -i "$alike" -i "$turned" -i "$good" "$@"
	started_capturing "$@"
	for peer in 1 2 3 4 5 6; do
		in_right "$trafgen" -i "p$peer" -n 1 > /dev/null 2>&1
	done
}

# ends: and all has been written.
ends()
{
	settle "$pid"
	stop "$pid"
}

captures 'lines' -v --metrics "$scratch/hostile.prom" --stats-file "$scratch/stats"
ends
said text 'lines' "$out"
said text 'the first line and the last' "$err" 'a?]0;x?' 'b??2J' 'c??' 'd???x' "$good"
said metrics 'metrics' "$scratch/hostile.prom" 'interface="a?]0;x?"' "interface=\"$good\""
said json 'statistics' "$scratch/stats"
captures 'JSON' --json
ends
said json 'packets in JSON' "$out" "$good"
said json 'the end in JSON' "$err"
captures 'a file' -w "$scratch/file"
ends
said pcapng 'names in a file' "$scratch/file" 'a?]0;x?' 'b??2J' 'c??' 'd???x' "$good"
start ip netns exec "$right" "$xdpdump" -i "$(printf '[abc]*')" -v
started_capturing pattern
in_right ip link del "$c1"
ends
said text 'a pattern' "$err"

# A namespace is named by who makes it.
space=$(printf 'hostile-%s\033[2J\377' "$$")
ip netns add "$space" || exit 1
at_exit 'ip netns del "$space"'
ip -n "$space" link set lo up
prints 'a namespace' text --netns "$space" -i lo -a duration:1 -v --metrics "$scratch/space.prom"
said metrics '... in metrics' "$scratch/space.prom" "netns=\"hostile-$$?[2J?\""
prints '... in JSON' json --netns "$space" --doctor lo --json

# Any of them can be named: by number, and a comma by a backslash.
ip -n "$right" link add 'a,b' up type veth peer name ab || exit 1
ip -n "$right" link set ab up
for name in "$bytes" 'a,b'; do
	number=$(in_right cat "/sys/class/net/$name/ifindex")
	for options in '-a duration:0.1' '-J' '--drops=only -a duration:0.1'; do
		# shellcheck disable=SC2086 # words
		run_xdpdump -i "$number" $options
		equal "by number, $options: status" 0 "$state"
	done
done
run_xdpdump -i 'a\,b,hook=tc' -a duration:0.1
equal "a comma of a name: status" 0 "$state"
check "... and what it listens on" grep -q 'listening on a,b[,:]' "$err"
run_xdpdump -i nosuch -J
equal "-J of no interface: status" 1 "$state"
if [ -e "$library/libpcap.so.0.8" ] && command -v tcpdump > /dev/null; then
	# shellcheck disable=SC2046 # one word each
	in_right env $(library_environment) PCAP_AFXDP_LIST=1 tcpdump -D > "$scratch/told" 2>&1
	check "libpcap's list has a name that can be opened" grep -q 'xdp:a\\,b (' "$scratch/told"
	# shellcheck disable=SC2046 # one word each
	start ip netns exec "$right" env $(library_environment) tcpdump -i 'xdp:a\,b'
	check "... and it is opened" wait_for 20 grep -q 'listening on' "$err"
	stop "$pid"
fi

# A terminal that has no way back in a line gets no live line.
cat > "$scratch/terminal.py" << 'END'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
heard = b""
try:
    while data := os.read(terminal, 4096):
        heard += data
except OSError:
    pass
os.waitpid(pid, 0)
sys.stdout.buffer.write(heard)
END
if [ -c /dev/pts/ptmx ]; then
	for terminal in dumb xterm; do
		TERM=$terminal in_right python3 "$scratch/terminal.py" "$xdpdump" -i vb -w "$scratch/file" -a duration:1.5 > "$scratch/told"
		equal "TERM=$terminal: escape sequences" "$([ $terminal = dumb ] || echo some)" \
			"$(! grep -q "$(printf '\033')" "$scratch/told" || echo some)"
	done
else
	skip "terminals: needs /dev/pts"
fi
finish
