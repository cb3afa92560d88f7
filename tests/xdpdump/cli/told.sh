#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What standard error has: one listening line, at most one of notes, the statistics; with -v more, with -q
# errors alone.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ping python3
veth_pair
cd "$scratch" || exit 1

# during COMMAND...: a ping runs until it has ended; $state, $out and $err as by run_xdpdump.
during()
{
	start ip netns exec "$left" ping -qi 0.05 10.99.0.2
	pinging=$pid
	run_xdpdump "$@"
	status=$state
	stop "$pinging" INT
	state=$status
}

# By itself, at tc, there is nothing to note.
during -i vb --hook tc -c 2 icmp
printf '%s\n' 'listening on vb: received and sent frames at tc, whole packets' '' '2 packets captured' > wanted
check "the listening line, and statistics" sh -c 'head -n 3 "$0" | cmp - wanted' "$err"
equal "and these are three" 5 "$(wc -l < "$err")"

# In words, what is captured and where.
listens()
{
	words=$1
	shift
	during -i vb -c 1 "$@" icmp
	check "listening: $words" grep -qxF "listening on vb: $words" "$err"
}
listens 'received frames at XDP (native), sent frames at tc, whole packets'
listens 'received frames at XDP (generic), the first 96 bytes of each packet' -Q in --xdp-mode skb -s 96
listens 'received and sent frames by a packet socket, headers of packets (--slice)' --hook packet --slice l4
# The number of a process is told as one.
start ip netns exec "$right" sleep 60
sleeper=$pid
wait_for 10 sh -c "[ \"\$(readlink /proc/$sleeper/ns/net)\" != \"\$(readlink /proc/self/ns/net)\" ]"
start "$xdpdump" --netns "$sleeper" -i lo -a duration:0.1
ended "$pid" 20
check "a namespace by a process" grep -qxF \
	"listening on lo in the network namespace of process $sleeper: received frames at tc, whole packets" "$err"
stop "$sleeper" TERM

# An option that only the environment has is on no command line, where somebody would look for it.
start ip netns exec "$right" env PCAP_AFXDP_OPTIONS=ring=1M,hook=tc "$xdpdump" -i any -a duration:0.1
ended "$pid" 20
check "an option of the environment that is refused" grep -q 'leave --hook out.* (--hook is in PCAP_AFXDP_OPTIONS)$' "$err"

# More than -c asked for are not missed.
start ip netns exec "$right" "$xdpdump" -i vb -c 1 -w f icmp
capture=$pid said=$err
started_capturing
kill -STOP "$capture"
in_left ping -qc 5 -i 0.02 10.99.0.2 > /dev/null
kill -CONT "$capture"
ended "$capture" 20
check "-c: has as many" grep -q '^1 packets captured$' "$said"
check "-c: those behind them are not told of" fails grep -q 'not kept' "$said"

# Two notes in one line, in front of the listening line.
during -i vb -c 1 --trigger icmp -s 60
equal "two notes: lines up to the listening line" 2 "$(sed '/^listening on/q' "$err" | wc -l)"
check "two notes: both" grep -q '^xdpdump: warning: .*; --hook tc avoids that; vb: --trigger sees only the part' "$err"
during -i vb -c 1 --trigger icmp -s 60 -v
equal "-v: a line each" 2 "$(grep -c '^xdpdump: warning: ' "$err")"
check "-v: counters at 0" grep -q '^0   of these: ring full' "$err"
during -i vb -i lo -i xdp:lo,hook=packet -c 1 icmp
equal "several interfaces: one line of notes at most" 2 "$(sed '/^listening on/q' "$err" | wc -l)"

# -q: nothing, in each kind of capture; errors are told.
for options in '' '-w f' '-w f --print' '-w f --files-per-queue' '-w f -C 1' '--json' '-v' '--trigger icmp -s 60' '--format xdp-tools'; do
	# shellcheck disable=SC2086 # words
	during -i vb -q $options -c 3 icmp
	equal "-q $options: status" 0 "$state"
	equal "-q $options: told" '' "$(cat "$err")"
done
equal "-q: lines go on" 3 "$(wc -l < "$out")"
during -i vb --quiet -w f -c 3 icmp
equal "--quiet: packets in the file" 3 "$(packets f)"
run_xdpdump -i nosuch -q
equal "-q: an error: status" 1 "$state"
check "-q: an error is told" grep -q '^xdpdump: nosuch: no such interface' "$err"
start ip netns exec "$right" "$xdpdump" -i vb -q -w /dev/full icmp
capture=$pid said=$err
ended "$capture" 20
equal "-q: a full disk: status" 1 $?
equal "-q: a full disk: all that is told" 'xdpdump: /dev/full: No space left on device' "$(cat "$said")"

# Asked for, it is told also with -q: SIGUSR1, which says what --pre-trigger has kept.
start ip netns exec "$right" "$xdpdump" -i vb -q -Q in --pre-trigger 1M -w f icmp
capture=$pid said=$err
check "-q --pre-trigger: it captures" wait_for 20 fails no_xdp_program "$right" vb
settle "$capture"
in_left ping -qc 5 -i 0.05 10.99.0.2 > /dev/null
settle "$capture"
kill -USR1 "$capture"
check "SIGUSR1: how much is kept" wait_for 5 grep -q '^0 packets captured, 5 received by filter, waits for the trigger with 5 packets, ' "$said"
kill -USR2 "$capture"
settle "$capture"
check "-q --pre-trigger ends" stop "$capture" INT
equal "-q --pre-trigger: in the file" 5 "$(packets f)"
equal "-q --pre-trigger: told" 1 "$(wc -l < "$said")"

# On a terminal: the line of progress, and none with -q, nor with --print, whose lines are there.
cat > terminal.py <<'END'
import pty, sys
pty.spawn(sys.argv[1:])
END
for options in '' '-q' '--print'; do
	# shellcheck disable=SC2086 # words
	start ip netns exec "$right" env TERM=xterm python3 terminal.py "$xdpdump" -i vb -w f -a duration:1.6 $options icmp
	ended "$pid" 20
	lines=$(tr '\r' '\n' < "$out" | grep -c '0 packets captured, 0/s')
	case $options in
	'') check "a terminal: progress" test "$lines" -ge 1 ;;
	*) equal "a terminal, $options: progress" 0 "$lines" ;;
	esac
done
finish
