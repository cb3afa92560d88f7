#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# xdpdump --to, with a real broker: what was captured is acknowledged, spooled or lost, exactly, also where
# pcapng-kafka is killed, or the broker, or both. kcat has the values, and every packet in them is whole and comes once.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_capture
for topic in plain killed stopped spooled both cut; do
	make_topic $topic 1
done

# another_exporter PID: one runs, and it is not that one.
another_exporter()
{
	are_exporters 1 && [ "$(exporters)" != "$1" ]
}

# to TOPIC OPTION...: a capture that goes there; $capture, $said.
to()
{
	topic=$1
	shift
	start_xdpdump --to "kafka://$address/$topic" -v "$@"
	capture=$pid said=$err
}

# of WORDS: their number in the closing statistics.
of()
{
	sed -n "s/^\\([0-9]*\\) $1\$/\\1/p" "$said"
}

# equation NAME: holds.
equation()
{
	acknowledged=$(of 'packets acknowledged by Kafka') spooled=$(of 'packets in the spool')
	lost=$(of 'packets lost on the way to Kafka')
	equal "$1: captured = $acknowledged acknowledged + $spooled spooled + $lost lost" \
		"$(count captured "$said")" $((acknowledged + spooled + lost))
	equal "$1: dropped by kernel" 0 "$(count dropped "$said")"
}

# end_capture SECONDS STATUS NAME
end_capture()
{
	kill -INT "$capture"
	ended "$capture" "$1"
	equal "$3: status" "$2" $?
}


to plain --key flow
one=$(exporters)
check "one pcapng-kafka" are_exporters 1
equal "its capabilities" 0000000000000000 "$(sed -n 's/^CapEff:\t//p' "/proc/$one/status")"
equal "it cannot get any" 1 "$(sed -n 's/^NoNewPrivs:\t//p' "/proc/$one/status")"
is_sanitized || check "others of its user cannot look into it" fails setpriv \
	--reuid "$(awk '/^Uid:/ { print $2 }' "/proc/$one/status")" --regid "$(awk '/^Gid:/ { print $2 }' "/proc/$one/status")" \
	--clear-groups --inh-caps=-all --bounding-set=-all ls "/proc/$one/fd/"
equal "it cannot take the memory away that both have" 7 "$(python3 -c 'import fcntl, os, sys
print(fcntl.fcntl(os.open(sys.argv[1], os.O_RDWR), 1034))' "/proc/$one/fd/4")" # F_GET_SEALS: SEAL, SHRINK, GROW
is_sanitized || equal "its seccomp filter" 2 "$(sed -n 's/^Seccomp:\t//p' "/proc/$one/status")"
check "it is not root's" test "$(awk '/^Uid:/ { print $2 }' "/proc/$one/status")" -ne 0
send -n 50000 -r 20000 -s mix --flows 64
end_capture 40 0 plain
equation plain
equal "plain: acknowledged" 50000 "$acknowledged"
run_kafka get -w "$scratch/values" "kafka://$address/plain"
between "plain: streams" 8 16 "$($in_kafka kcat -b $address -C -t plain -e -q -f '%k\n' | sort -u | wc -l)"
check "plain: each once and in order" "$capcheck" --sent 50000 "$scratch/values"

# pcapng-kafka is killed in the middle: another one goes on.
to killed
one=$(exporters)
start ip netns exec "$left" "$trafgen" -i va -n 80000 -r 20000 -s 300
sender=$pid
sleep 1
kill -KILL "$one"
check "another pcapng-kafka is started" wait_for 20 another_exporter "$one"
ended "$sender" 30
end_capture 40 1 killed
check "killed: told" grep -q '^xdpdump: pcapng-kafka was ended by signal 9: it is started again' "$said"
equation killed
equal "killed: captured" 80000 "$(count captured "$said")"
between "killed: lost" 1 20000 "$lost"
values killed "$scratch/values"
between "killed: in the topic" "$acknowledged" 80000 "$(packets "$scratch/values")"
check "killed: each once and in order" "$capcheck" --sent 80000 --dropped $((80000 - $(packets "$scratch/values"))) "$scratch/values"

# What it had read, and what was in its pipe, is told by the one behind it: in the file, by ls, and by the status.
run_kafka get -w "$scratch/got.pcapng" "kafka://$address/killed"
equal "killed: get: status" 3 "$status"
"$capcheck" --sent 80000 --dropped $((80000 - $(packets "$scratch/values"))) "$scratch/got.pcapng" > "$scratch/counts" 2> "$scratch/checked"
equal "killed: lost, by its statistics" "$lost" "$(json "$scratch/counts" osdrop)"
equal "... by the packets behind gaps" "$lost" "$(json "$scratch/counts" epb_drops)"
run_kafka ls --json "kafka://$address/killed"
equal "... and by ls" "3 $lost" "$status $(jq .packets_late+.packets_lost "$out" | awk '{ sum += $1 } END { print sum }')"

# It is stopped: what is lost is told when it begins, in what is printed meanwhile, and when it ends.
last()
{
	grep '^{.*"final":false}$' "$said" | tail -n 1 | jq "$1"
}
loses()
{
	[ "$(last .to_lost)" -ge "$1" ]
}
to stopped --json --stats-interval 0.2 --metrics "$files/m.prom"
kill -STOP "$(exporters)"
send -n 60000 -r 60000 -s 600
check "stopped: a running capture tells what it has lost" wait_for 20 loses 20000
check "stopped: a line says so" grep -q \
	"^xdpdump: packets are lost on the way to kafka://$address/stopped, because pcapng-kafka is behind\$" "$said"
check "stopped: and --metrics" grep -q '^xdpdump_to_lost_total{.*} [0-9]*[0-9][0-9][0-9][0-9][0-9]$' "$files/m.prom"
kill -CONT "$(exporters)"
check "stopped: a line says that it is over" wait_for 20 grep -q \
	"^xdpdump: no packets are lost any more on the way to kafka://$address/stopped: [0-9]* were, in [0-9]* s\$" "$said"
same "stopped: captured = acknowledged + lost, while it runs" "$(last .captured)" "$(last '.to_acknowledged + .to_lost')"
end_capture 40 1 stopped

# lose_broker: packets before it goes, and while it is away.
lose_broker()
{
	send -n 10000 -r 20000 -s 600
	settle "$capture"
	sleep 2
	kill -KILL "$broker"
	ended "$broker" 10
	send -n 200000 -r 25000 -s 600 --start-seq 10000
}

# The broker is away: the spool has it, and it is sent in its order.
mkdir "$scratch/spool"
chmod 777 "$scratch/spool"
to spooled --spool "$scratch/spool:500M"
lose_broker
check "spooled: the spool is used" test "$(find "$scratch/spool" -type f | wc -l)" -gt 0
sleep 1
run_broker
send -n 10000 -r 20000 -s 600 --start-seq 210000
end_capture 60 0 spooled
equation spooled
equal "spooled: captured" 220000 "$(count captured "$said")"
values spooled "$scratch/values"
check "spooled: each once and in order" "$capcheck" --sent 220000 "$scratch/values"
equal "spooled: nothing is left" 0 "$(find "$scratch/spool" -type f | wc -l)"

# The same, and pcapng-kafka is killed while the broker is away: what it had in memory is in the spool by then.
to both --spool "$scratch/spool:500M"
one=$(exporters)
lose_broker
spooled()
{
	kill -USR1 "$capture"
	grep -o '[0-9]* spooled' "$said" | tail -n 1 | grep -q "^$1 "
}
check "both: all of the outage is in the spool" wait_for 30 spooled 200000
kill -KILL "$one"
check "both: another pcapng-kafka is started" wait_for 20 another_exporter "$one"
run_broker
send -n 10000 -r 20000 -s 600 --start-seq 210000
end_capture 60 0 both
equation both
equal "both: captured" 220000 "$(count captured "$said")"
equal "both: acknowledged" 220000 "$acknowledged"
values both "$scratch/values"
"$capcheck" --sent 220000 "$scratch/values" > "$scratch/checked" 2>&1
equal "both: what is acknowledged is in the topic, each once and in order" 0 $?
equal "both: nothing is left" 0 "$(find "$scratch/spool" -type f | wc -l)"

# xdpdump is killed: who sends reports what it read.
to cut
one=$(exporters)
send -n 5000 -r 20000 -s 300
settle "$capture"
kill -KILL "$capture"
check "cut: pcapng-kafka ends" wait_for 40 process_gone "$one"
check "cut: what it says" grep -q '^pcapng-kafka: 5000 packets read, 5000 acknowledged, 0 spooled, 0 lost' "$said"

# Before anything is captured.
is_refused "^xdpdump: --to takes kafka://BROKER/TOPIC, not \"localhost/x\"$" --to localhost/x
is_refused "no broker answers at 127.0.0.1:1" --to kafka://127.0.0.1:1/x
is_refused "^xdpdump: --spool needs --to" --spool "$scratch/spool:1M" -w "$scratch/f"
is_refused "Permission denied" --to "kafka://$address/plain" --spool /root:1M
is_refused "No such file" --to "kafka://$address/plain" --kafka-conf "$scratch/none"
PATH=/usr/sbin:/usr/bin:/sbin:/bin
is_refused 'no program "pcapng-kafka" in PATH' --to kafka://127.0.0.1/x
finish
