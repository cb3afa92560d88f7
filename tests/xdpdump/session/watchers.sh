#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Programs that look after a capture: --metrics for node_exporter, --stats-file, and a service manager by the
# protocol of sd_notify(3). service.sh has systemd itself.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen
need jq ping setpriv
veth_pair
file=$scratch/f.pcapng folder=$scratch/metrics
mkdir -m 777 "$folder"
prom=$folder/c.prom

# metric NAME [LABEL]: its value in $prom.
metric()
{
	sed -n "s/^xdpdump_$1{[^}]*${2-}[^}]*} //p" "$prom"
}

# With promtool, and a parser that is not ours.
well_formed()
{
	if command -v "${PROMTOOL:-promtool}" > /dev/null; then
		check "$1: promtool" "${PROMTOOL:-promtool}" check metrics < "$prom"
	else
		skip "$1: needs promtool"
	fi
	if /usr/bin/python3 -c 'import prometheus_client' 2> /dev/null; then
		check "$1: prometheus_client" /usr/bin/python3 -c 'import sys
from prometheus_client.parser import text_string_to_metric_families as parse
families = list(parse(open(sys.argv[1]).read()))
series = [(s.name, tuple(sorted(s.labels.items()))) for f in families for s in f.samples]
assert len(series) == len(set(series)) > 20
assert all(f.documentation and f.type in ("counter", "gauge") for f in families)' "$prom"
	else
		skip "$1: needs python3-prometheus-client"
	fi
}

# --- --metrics ---

echo left > "$prom.new" # by one that was killed
(umask 077 && echo before > "$prom")
start_xdpdump --metrics "$prom" --stats-interval 0.1 -i lo -w "$file"
capture=$pid said=$err
begun() { grep -q '^xdpdump_capturing{capture="c"} 1$' "$prom"; }
check "figures are there as soon as it captures" wait_for 30 begun
equal "whatever the mask is, others can read them" 644 "$(stat -c %a "$prom")"
# Never half of it: its last line is there whenever it is read.
(
	looks=0
	while [ $looks -lt 300 ]; do
		looks=$((looks + 1))
		tail -n 1 "$prom" | grep -q '^xdpdump_written_timestamp_seconds{capture="c"} [0-9.]*$' || echo torn
	done > "$scratch/torn" 2>&1
) &
looker=$!
started="$started $looker"
send -n 3000 -r 10000
has_all() { [ "$(metric captured_total 'interface="vb"')" = 3000 ]; }
check "and come up to date" wait_for 30 has_all
wait "$looker"
equal "nobody reads half of them" "" "$(cat "$scratch/torn")"
well_formed "while it runs"
in_right ip link del vb
gone() { [ "$(metric interface_there 'interface="vb"')" = 0 ]; }
check "an interface is gone" wait_for 30 gone
check "it ends well" stop "$capture" INT
equal "and it is told that it has ended" 0 "$(metric capturing)"
equal "captured, as at the end" "$(count captured "$said")" \
	$(($(metric captured_total 'interface="vb"') + $(metric captured_total 'interface="lo"')))
well_formed "at the end"
check "nothing else is left in the folder" test "$(ls "$folder")" = c.prom
check "nobody was told on standard error what files have" grep -q 'packets captured, .* received by filter, ' "$said"

ip -n "$left" link add va address 02:00:00:00:00:0a type veth peer name vb address 02:74:67:00:00:02 netns "$right"
pair_up

# The folder goes: that is said once, and the capture goes on.
mkdir "$scratch/going"
start_xdpdump --metrics "$scratch/going/c.prom" --stats-interval 0.05 -w "$file"
capture=$pid said=$err
wait_for 30 rm -r "$scratch/going" # which a file may come into meanwhile
check "a folder that goes" wait_for 30 grep -q '^xdpdump: warning: --metrics .*: No such file or directory: the capture goes on$' "$said"
sleep 0.3
in_left ping -qc 3 -i 0.05 -W 20 10.99.0.2 > /dev/null
check "the capture goes on" stop "$capture" INT
equal "it is said once" 1 "$(grep -c 'warning: --metrics' "$said")"

# Of what the interface sends, where received frames have no interface block.
start_xdpdump --metrics "$prom" --stats-interval 0.1 -Q out -w "$file" icmp
capture=$pid
in_left ping -qc 3 -i 0.05 -W 20 10.99.0.2 > /dev/null
has_sent() { [ "$(metric captured_total)" = 3 ]; }
check "sent packets are captured" wait_for 30 has_sent
equal "they count as sent while it runs" 3 "$(metric sent_received_total)"
check "only sent frames: it ends well" stop "$capture" INT

# refused NAME WORDS OPTION...: before anything is written.
refused()
{
	name=$1 words=$2
	shift 2
	rm -f "$file"
	run_xdpdump -i vb -w "$file" -a duration:0.1 "$@"
	equal "$name: status" 1 "$state"
	check "$name: the reason" grep -q -e "^xdpdump: $words" "$err"
	check "$name: no file" test ! -e "$file"
}

mkfifo "$scratch/fifo"
ln -s /dev/null "$scratch/link"
refused "in the place of a fifo" '--metrics .*/fifo: it is not a regular file' --metrics "$scratch/fifo"
refused "in the place of a link" '--metrics .*/link: it is not a regular file' --metrics "$scratch/link"
refused "a folder that is not there" '--metrics .*: No such file or directory' --metrics "$scratch/none/c.prom"
refused "figures in a folder that is not there" '--stats-file .*: No such file or directory' --stats-file "$scratch/none/s"
refused "standard output" '--metrics needs a file, not standard output' --metrics -
refused "the capture's own file" '--stats-file and --write name the same file' --stats-file "$file"

# As the user that it becomes.
mkdir -m 755 "$scratch/roots"
refused "a user's figures in root's folder" '--metrics .*: Permission denied' -Z nobody --metrics "$scratch/roots/c.prom"
check "and the doctor knows it" fails in_right "$xdpdump" --doctor -i vb -Z nobody --metrics "$scratch/roots/c.prom"
check "and makes none" test -z "$(ls "$scratch/roots")"
rm -f "$prom"
run_xdpdump -i vb -Z nobody -w "$folder/f" -a duration:0.1 --metrics "$prom"
equal "a user's figures: status" 0 "$state"
equal "a user's figures: whose they are" "nobody 644" "$(stat -c '%U %a' "$prom")"

# A thread for each ring.
start_xdpdump --files-per-queue --metrics "$prom" --stats-interval 0.1 --stats-file "$scratch/stats" -w "$file"
capture=$pid said=$err
send -n 3000 -r 10000
check "files per queue: figures come up to date" wait_for 30 has_all
check "files per queue: it ends well" stop "$capture" INT
equal "files per queue: told that it has ended" 0 "$(metric capturing)"
equal "files per queue: the last line" "3000 true" "$(tail -n 1 "$scratch/stats" | jq -r '"\(.captured) \(.final)"')"
rm -f "$scratch"/f-*

# --- --stats-file; json.sh has the schema ---

echo '{"of":"another capture"}' > "$scratch/stats"
start_xdpdump --stats-file "$scratch/stats" --stats-interval 0.1 --json -w "$file"
capture=$pid said=$err
wait_for 30 is_longer 2000 "$scratch/stats"
kill -USR1 "$capture"
check "who asks by SIGUSR1 is told as always" wait_for 30 grep -q '"final":false' "$said"
check "figures as lines: it ends well" stop "$capture" INT
equal "what was there stays" another "$(head -n 1 "$scratch/stats" | grep -o another)"
equal "on standard error is what was asked for, and the end" 2 "$(grep -c '^{' "$said")"
for key in captured received seen files; do
	equal "$key, in both" "$(grep '"final":true' "$said" | jq ".$key")" "$(tail -n 1 "$scratch/stats" | jq ".$key")"
done
equal "times go up" "" "$(sed 1d "$scratch/stats" | jq -r .time | sort -n -c 2>&1)"
# A disk that is full has whole lines.
start_xdpdump --stats-file /dev/full --stats-interval 0.05 -w "$file"
capture=$pid said=$err
check "a full disk" wait_for 30 grep -q '^xdpdump: warning: --stats-file /dev/full: No space left on device: the capture goes on$' "$said"
check "the capture goes on" stop "$capture" INT
# So has a file that may not grow further: what it has no room for is not begun.
start ip netns exec "$right" sh -c 'ulimit -f 8; exec "$@"' sh "$xdpdump" -i vb --stats-file "$scratch/limited" --stats-interval 0.05
started_capturing
capture=$pid said=$err
check "a limit of its size" wait_for 30 grep -q '^xdpdump: warning: --stats-file .*/limited: File too large: the capture goes on$' "$said"
check "the capture goes on" stop "$capture" INT
check "its lines are whole" jq -e .captured "$scratch/limited"

# --- a service manager ---

cat > "$scratch/manager" <<'END'
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("\0" + sys.argv[1][1:] if sys.argv[1][0] == "@" else sys.argv[1])
print("bound", flush=True)
while True:
    print(s.recv(65536).decode().replace("\n", " | "), flush=True)
END

# managed SOCKET US COMMAND...: a capture that tells it; what it is told is $told.
managed()
{
	rm -f "$scratch/socket"
	start ip netns exec "$right" /usr/bin/python3 "$scratch/manager" "$1"
	manager=$pid told=$out
	wait_for 30 grep -q bound "$told"
	socket=$1 us=$2
	shift 2
	start ip netns exec "$right" env NOTIFY_SOCKET="$socket" WATCHDOG_USEC="$us" "$@"
	capture=$pid said=$err
	wait_for 20 grep -q READY=1 "$told" || bad "it is not ready: $*"
}

beats()
{
	grep -c WATCHDOG=1 "$told"
}

# more_beats THAN
more_beats()
{
	[ "$(beats)" -gt "$1" ]
}

# Of ten and more that come from one that is alive. It is asked twenty times at most.
none_for_two_seconds()
{
	before=$(beats)
	sleep 2
	[ "$before" -eq "$(beats)" ]
}

cat > "$scratch/print" <<- END
	#!/bin/sh
	env > $scratch/environment
END
chmod 755 "$scratch/print"
for socket in "$scratch/socket" "@afxdp-test-$$"; do
	managed "$socket" 200000 "$xdpdump" -i vb --stats-interval 0.2 -z "$scratch/print" -w "$file"
	check "ready once it captures" grep -q 'listening on vb' "$said"
	in_left ping -qc 3 -i 0.05 -W 20 10.99.0.2 > /dev/null
	check "its status" wait_for 30 grep -q '^STATUS=[1-9][0-9]* packets captured, [0-9]*/s, 0 dropped by kernel, .* written, .* left, in .*f.pcapng$' "$told"
	check "it lives" wait_for 30 more_beats 5
	check "it ends well" stop "$capture" TERM
	check "and said so before" wait_for 30 grep -q STOPPING=1 "$told"
	equal "ready once" 1 "$(grep -c READY=1 "$told")"
	equal "a command is not the service" "" "$(grep -E "^(NOTIFY_SOCKET|WATCHDOG_(USEC|PID))=" "$scratch/environment")"
	stop "$manager" KILL
done

# What nobody reads does not come on: the reader of packets waits, or with --zstd the thread that writes does while
# the reader has room.
mkfifo "$scratch/pipe"
for zstd in '' --zstd; do
	exec 9<> "$scratch/pipe" # open, and not read
	# shellcheck disable=SC2086 # perhaps no word
	managed "$scratch/socket" 200000 "$xdpdump" -i vb $zstd -w "$scratch/pipe"
	check "$zstd: before it is stuck it lives" wait_for 30 more_beats 3
	send -n 20000 -r 20000 -s 1500
	check "$zstd: a pipe that nobody empties: no more signs of life" wait_for 1 none_for_two_seconds
	cat <&9 > /dev/null &
	cat=$!
	started="$started $cat"
	check "$zstd: once it is emptied it lives again" wait_for 30 more_beats "$before"
	stop "$capture" TERM
	kill "$cat"
	exec 9>&-
	stop "$manager" KILL
done

managed "$scratch/socket" 200000 "$xdpdump" -i vb --files-per-queue -w "$file"
check "files per queue: it lives" wait_for 30 more_beats 5
check "files per queue: it ends well" stop "$capture" TERM
check "files per queue: and said so" wait_for 30 grep -q STOPPING=1 "$told"
stop "$manager" KILL

# The watchdog of another process is not ours, and a socket that is not there is no failure.
managed "$scratch/socket" 200000 env WATCHDOG_PID=1 "$xdpdump" -i vb -a duration:0.5 -w "$file"
ended "$capture" 10
equal "another's watchdog" 0 "$(beats)"
stop "$manager" KILL
run_xdpdump -i vb -a duration:0.1 -w "$file"
for socket in "$scratch/nosuch" vsock:2:1 relative; do
	start ip netns exec "$right" env NOTIFY_SOCKET="$socket" "$xdpdump" -i vb -a duration:0.1 -w "$file"
	ended "$pid" 20
	state=$?
	equal "NOTIFY_SOCKET=$(basename "$socket"): status" 0 $state
	check "NOTIFY_SOCKET=$(basename "$socket"): it is said" grep -q '^xdpdump: warning: NOTIFY_SOCKET ' "$err"
done
finish
