#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --to, with a stand-in for pcapng-kafka that has no broker: what it is given, as whom it runs, and that it is started
# again. tests/kafka/to.sh has the real one.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need python3 tcpdump tshark strings prlimit setpriv pgrep
veth_pair
offloads_off
mkdir "$scratch/bin" "$scratch/runs"
chmod 755 "$scratch" "$scratch/bin"
chmod 777 "$scratch/runs"
cp "$top/tests/xdpdump/feed/stand_in.py" "$scratch/bin/pcapng-kafka"
chmod 755 "$scratch/bin/pcapng-kafka"
PATH=$scratch/bin:$PATH
STAND_IN=$scratch/runs
PUT_STATE=$top/util/put_state.h
export STAND_IN PUT_STATE

# to OPTION...: a capture that goes there; $capture, $said.
to()
{
	rm -f "$scratch"/runs/*
	start_xdpdump --to kafka://nowhere/x -v "$@"
	capture=$pid said=$err
}

# running N: the Nth of them runs, and has said so.
running()
{
	exporter=$(cat "$scratch/runs/$1.pid" 2> /dev/null) && [ -n "$exporter" ] && [ -d "/proc/$exporter" ]
}

# of WORDS: their number in the closing statistics.
of()
{
	sed -n "s/^\\([0-9]*\\) $1\$/\\1/p" "$said"
}

# has RUN N: so many packets.
has()
{
	[ "$(packets "$scratch/runs/$1.pcapng")" -eq "$2" ]
}

# it_ends STATUS NAME: soon.
it_ends()
{
	kill -INT "$capture"
	ended "$capture" 15
	equal "$2: status" "$1" $?
	equal "$2: captured = acknowledged + lost" "$(count captured "$said")" \
		$(($(of 'packets acknowledged by Kafka') + $(of 'packets lost on the way to Kafka')))
}

mkdir "$scratch/metrics"
chmod 777 "$scratch/metrics"
to --metrics "$scratch/metrics/f.prom"
wait_for 10 running 1 || bad "the stand-in does not run"
send -n 5000 -r 20000 -s mix
it_ends 0 plain
equal "plain: its gauges, and none of a disk" "to_left to_spooled to_trouble" \
	"$(sed -n 's/^xdpdump_\(to_[a-z]*\|disk[a-z_]*\){.*} 0$/\1/p' "$scratch/metrics/f.prom" | sort -u | xargs)"
equal "plain: acknowledged" 5000 "$(of 'packets acknowledged by Kafka')"
check "plain: each once and in order" "$capcheck" --sent 5000 "$scratch/runs/1.pcapng"

# The alerts are of figures that there are, and come when they should.
rules=$top/packaging/prometheus/xdpdump.rules.yaml
equal "alerts: figures that no capture has" '' "$(sed -n 's/^ *expr: //p' "$rules" | grep -o 'xdpdump_[a-z_]*' | sort -u |
	while read -r name; do grep -q "^$name{" "$scratch/metrics/f.prom" || echo "$name"; done)"
if command -v "${PROMTOOL:-promtool}" > /dev/null; then
	cp "$rules" "$top/tests/xdpdump/feed/rules.yaml" "$scratch"
	check "alerts: promtool takes them" "${PROMTOOL:-promtool}" check rules "$scratch/xdpdump.rules.yaml"
	check "alerts: they come when they should" "${PROMTOOL:-promtool}" test rules "$scratch/rules.yaml"
else
	skip "alerts: needs promtool"
fi

# Killed while nothing comes: the next one has no packet, and ends with the capture.
to
wait_for 10 running 1 || bad "the stand-in does not run"
send -n 1000 -r 20000 -s mix
check "idle: all of it is there" wait_for 10 has 1 1000
kill -KILL "$exporter"
check "idle: another is started" wait_for 10 running 2
it_ends 0 idle
check "idle: the other one has ended" wait_for 5 process_gone "$exporter"

# The process that serves readers beside it is killed: what goes to Kafka goes on.
to --listen 0
wait_for 10 running 1 || bad "the stand-in does not run"
kill -KILL "$(pgrep -P "$capture" | head -n 1)"
check "readers: their process has ended" wait_for 10 grep -q 'serves --listen has ended' "$said"
send -n 1000 -r 20000 -s mix
check "readers: packets go on" wait_for 10 has 1 1000
it_ends 0 readers

# Killed while it is behind: what the pipe has is lost, and the next one gets the beginning again.
to
wait_for 10 running 1 || bad "the stand-in does not run"
start ip netns exec "$left" "$trafgen" -i va -n 40000 -r 20000 -s 1500
sender=$pid
wait_for 20 is_longer 3000000 "$scratch/runs/1.pcapng" || bad "killed: nothing comes"
kill -STOP "$exporter"
sleep 0.2
kill -KILL "$exporter"
check "killed: another is started" wait_for 10 running 2
ended "$sender" 20
it_ends 1 killed
equal "killed: captured" 40000 "$(count captured "$said")"
between "killed: acknowledged" 1900 39999 "$(of 'packets acknowledged by Kafka')"
between "killed: what they have" "$(of 'packets acknowledged by Kafka')" 40000 "$(($(packets "$scratch/runs/1.pcapng") + $(packets "$scratch/runs/2.pcapng")))"
check "killed: the second one's is a file" tshark -nr "$scratch/runs/2.pcapng" -c 1

# It stops reading: what neither the pipe nor memory takes is lost, and told of in the stream; the capture goes on.
to
wait_for 10 running 1 || bad "the stand-in does not run"
kill -STOP "$exporter"
send -n 20000 -r 40000 -s 1500
settle "$capture"
kill -CONT "$exporter"
it_ends 1 stopped
equal "stopped: dropped by kernel" 0 "$(count dropped "$said")"
lost=$(of 'packets lost on the way to Kafka')
between "stopped: lost" 8000 16000 "$lost"
equal "stopped: told in the stream" "$lost" "$(strings -n 12 "$scratch/runs/1.pcapng" |
	sed -n 's/.*\b\([0-9][0-9]*\) packets are missing here: .*/\1/p' | awk '{ n += $1 } END { print n + 0 }')"

# as_nobody COMMAND...
as_nobody()
{
	setpriv --reuid nobody --regid nogroup --clear-groups "$@"
}

# It ended, and its user may start no process for a while.
to
wait_for 10 running 1 || bad "the stand-in does not run"
starter=$(ps -o ppid= -p "$exporter" | tr -d ' ')
as_nobody prlimit --pid "$starter" --nproc=1:
kill -KILL "$exporter"
check "no process: it is told" wait_for 10 grep -q \
	'^xdpdump: pcapng-kafka cannot be started: Resource temporarily unavailable: it is tried again$' "$said"
as_nobody prlimit --pid "$starter" --nproc=1000:
check "no process: another is started later" wait_for 20 running 2
send -n 100 -r 20000
it_ends 0 "no process"

# It does not end: told, and a second signal ends the wait.
to
wait_for 10 running 1 || bad "the stand-in does not run"
kill -STOP "$exporter"
send -n 100 -r 20000
settle "$capture"
kill -INT "$capture"
check "it hangs: it is told what is waited for" wait_for 20 grep -q \
	'^xdpdump: the capture has ended, waiting for 100 packets under way to kafka://nowhere/x; a second signal ends at once$' "$said"
check "it hangs: and it is waited for" kill -0 "$capture"
kill -TERM "$capture"
ended "$capture" 5
equal "it hangs: status" 1 $?
equal "it hangs: packets that nobody has acknowledged" 100 "$(of 'packets lost on the way to Kafka')"
kill -CONT "$exporter" 2> /dev/null
check "it hangs: it ends with its input" wait_for 10 process_gone "$exporter"
if ! is_quick; then
	to
	wait_for 10 running 1 || bad "the stand-in does not run"
	kill -STOP "$exporter"
	send -n 100 -r 20000
	settle "$capture"
	kill -INT "$capture"
	check "it hangs for long: it is told" wait_for 90 grep -q '^xdpdump: pcapng-kafka does not end: it is left running$' "$said"
	ended "$capture" 5
	equal "it hangs for long: status" 1 $?
	kill -CONT "$exporter" 2> /dev/null
	check "it hangs for long: it ends with its input" wait_for 10 process_gone "$exporter"
fi

# A stream for each ring: it is told which one it is, and has its part of the spool, of one session.
rm -f "$scratch"/runs/*
mkdir -p "$scratch/spool/0" "$scratch/spool/900"
touch "$scratch/spool/0/pcapng-kafka-1.pcapng" "$scratch/spool/900/pcapng-kafka-1.pcapng"
start_xdpdump --to kafka://nowhere/x -v --files-per-queue --spool "$scratch/spool:64M"
capture=$pid said=$err rings=$(getconf _NPROCESSORS_ONLN)
equal "rings: a warning of what none of them sends" "$scratch/spool/900" \
	"$(sed -n 's/^xdpdump: warning: \(.*\) has packets of an earlier capture, which this one does not send: .*/\1/p' "$said")"
arguments()
{
	for process in $(ip netns pids "$right"); do
		tr '\0' ' ' < "/proc/$process/cmdline" | sed '$s/$/\n/' | sed -n 's/.*pcapng-kafka put //p'
	done
}
arguments > "$scratch/arguments"
equal "rings: streams, and their spools" "$(seq 0 $((rings - 1)) | sed "s,.*,& $scratch/spool/&:64M/$rings," | xargs)" \
	"$(sed -n 's/.*--stream \([0-9]*\) --spool \([^ ]*\) .*/\1 \2/p' "$scratch/arguments" | sort -n | xargs)"
equal "rings: sessions" 1 "$(sed -n 's/.*--session \([^ ]*\) .*/\1/p' "$scratch/arguments" | sort -u | wc -l)"
send -n 5000 -r 20000 -s mix
it_ends 0 rings
equal "rings: none was started again" "" "$(of 'times pcapng-kafka was started again')"
equal "rings: acknowledged" 5000 "$(of 'packets acknowledged by Kafka')"
equal "rings: a line for each" "$rings" "$(grep -c '^stream [0-9]*, of vb, CPU [0-9]*: [0-9]* packets, ' "$said")"

# It cannot begin, or never again.
echo 'exit 3' > "$scratch/bin/pcapng-kafka"
sed -i '1i #!/bin/sh' "$scratch/bin/pcapng-kafka"
run_xdpdump -i vb --to kafka://nowhere/x
equal "it cannot begin: status" 1 "$state"
finish
