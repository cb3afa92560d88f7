#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# xdpdump --files-per-queue --to, with a real broker: each ring has a pcapng-kafka of its own. What was captured is
# acknowledged, spooled or lost, exactly, of each ring and in sum, also where one of them is killed, or the broker.
# `pcapng-kafka get` makes one file of all, in the order of time, with each packet once. With xdpdump killed, each says
# what it read, and none is left.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_capture numtxqueues 2 numrxqueues 2
for topic in plain flow killed both cut alone gap; do
	make_topic $topic 3
done

# of_stream N: the process of that stream.
of_stream()
{
	for process in $(exporters); do
		tr '\0' ' ' < "/proc/$process/cmdline" | grep -q -- "--stream $1 " && echo "$process"
	done
}

# another_exporter N PID: one runs for that stream, and it is not that one.
another_exporter()
{
	[ "$(of_stream "$1" | wc -w)" -eq 1 ] && [ "$(of_stream "$1")" != "$2" ]
}

# to TOPIC OPTION...: a capture by rings of queues that goes there; $capture, $said. Its statistics are JSON.
to()
{
	topic=$1
	shift
	start_xdpdump --engine divert --zero-copy off --files-per-queue --json --to "kafka://$address/$topic" "$@"
	capture=$pid said=$err
}

# send_both COUNT RATE [FIRST]: into both rings, numbers apart.
send_both()
{
	start in_left "$trafgen" -i va -n "$1" -r "$2" -s 600 --cpu 0 --flows 8 --src 198.18.0.1 --start-seq "${3:-0}"
	first=$pid
	start in_left "$trafgen" -i va -n "$1" -r "$2" -s 600 --cpu 1 --flows 8 --src 198.19.0.1 --start-seq $((${3:-0} + $1))
	second=$pid
}

both_are_sent()
{
	ended "$first" 60
	ended "$second" 60
}

# figures FILTER: of the closing statistics, by jq.
figures()
{
	grep '^{.*"final":true}$' "$said" | jq -r "$1"
}

# end_capture SECONDS STATUS NAME
end_capture()
{
	kill -INT "$capture"
	ended "$capture" "$1"
	equal "$3: status" "$2" $?
	wait_for 5 are_exporters 0
	equal "$3: pcapng-kafka that are left" "" "$(exporters)"
}

# equation NAME CAPTURED
equation()
{
	equal "$1: captured" "$2" "$(figures .captured)"
	acknowledged=$(figures .to_acknowledged) spooled=$(figures .to_spooled) lost=$(figures .to_left)
	equal "$1: captured = $acknowledged acknowledged + $spooled spooled + $lost lost" "$2" $((acknowledged + spooled + lost))
	equal "$1: of each ring as well" "true true" \
		"$(figures '[.to_streams[] | .to_packets == .to_acknowledged + .to_spooled + .to_left] | map(tostring) | join(" ")')"
	equal "$1: the sum of all rings" "true" "$(figures '
		([.to_streams[].to_packets] | add) == .to_packets and ([.to_streams[].to_left] | add) == .to_left and
		([.to_streams[].to_acknowledged] | add) == .to_acknowledged and ([.to_streams[].to_runs] | add) == .to_runs')"
	equal "$1: dropped" 0 "$(figures '.dropped_ring_full + .dropped_socket + .dropped_redirect')"
}

# of_sender NAME NET COUNT FIRST: what comes of one sender, that is of one ring, each once and in order.
of_sender()
{
	echo "{\"generated\":$3,\"sent\":$3,\"refused\":0,\"first_seq\":$4}" > "$scratch/sent.ring"
	tcpdump -r "$scratch/values" -w "$scratch/ring" "src net $2.0.0/16" 2> "$scratch/reading"
	check "$1: of the ring of $2, $(packets "$scratch/ring") packets, each once and in order" "$capcheck" \
		--json "$scratch/sent.ring" --dropped $(($3 - $(packets "$scratch/ring"))) "$scratch/ring"
}

# got NAME COUNT LEAST: of each sender COUNT were captured; in all that many come out at least, in the order of time.
got()
{
	run_kafka get -w "$scratch/values" "kafka://$address/$topic"
	equal "$1: get" "$([ "$3" -eq $((2 * $2)) ] && echo 0 || echo 3)" "$status"
	between "$1: packets" "$3" $((2 * $2)) "$(packets "$scratch/values")"
	"$capcheck" --order none --sent $((2 * $2)) --dropped $((2 * $2 - $(packets "$scratch/values"))) \
		"$scratch/values" > "$scratch/counts" 2> "$scratch/verdict"
	equal "$1: each once" 0 $?
	equal "$1: stamps that go back" 0 "$(json "$scratch/counts" time_backwards)"
	of_sender "$1" 198.18 "$2" 0
	of_sender "$1" 198.19 "$2" "$2"
}

# has_rings PID: memory of a ring in its address space, or a descriptor of one.
has_rings()
{
	grep -q -e bpf-map -e 'socket:' "/proc/$1/maps" || readlink "/proc/$1/fd"/* | grep -q -e bpf
}

# Into files as well.
to plain -w "$files/f.pcapng"
check "an exporter for each ring" are_exporters 2
for one in $(exporters); do
	equal "capabilities of $one" 0000000000000000 "$(sed -n 's/^CapEff:\t//p' "/proc/$one/status")"
	is_sanitized || equal "seccomp filter of $one" 2 "$(sed -n 's/^Seccomp:\t//p' "/proc/$one/status")"
	check "$one is not root's" test "$(awk '/^Uid:/ { print $2 }' "/proc/$one/status")" -ne 0
done
check "the capture has rings" has_rings "$capture"
for one in $(ip netns pids "$right"); do
	name=$(cat "/proc/$one/comm")
	[ "$one" = "$capture" ] || [ "$name" = java ] || case $name in
	xdpdump | pcapng-kafka) check "$name $one has nothing of them" fails has_rings "$one" ;;
	esac
done
send_both 20000 10000
both_are_sent
settle "$capture"
end_capture 40 0 plain
equation plain 40000
equal "plain: in files" 40000 "$(packets_in "$files")"
got plain 20000 40000
run_kafka ls --json "kafka://$address/plain"
equal "plain: streams and their packets" "0 20000 1 20000" \
	"$(jq -r '"\(.stream) \(.packets)"' "$out" | sort | xargs)"

# A section of one ring is missing: that is told of this one.
mkdir "$scratch/sections"
$in_kafka kcat -b $address -C -t plain -e -q -f '%p %o %k\n' | awk '$3 ~ /\/1$/ && ++n == 3 { next } { print }' > "$scratch/list"
while read -r partition offset _; do
	$in_kafka kcat -b $address -C -t plain -p "$partition" -o "$offset" -c 1 -e -q -D '' -f %s \
		> "$scratch/sections/$partition-$offset" < /dev/null
done < "$scratch/list"
$in_kafka kcat -b $address -P -t gap "$scratch/sections"/*
run_kafka get -w "$scratch/values" "kafka://$address/gap"
equal "gap: status" 3 "$status"
equal "gap: told" 1 "$(grep -c 'stream 1: section 2 is missing$' "$err")"
equal "gap: of the other ring" 0 "$(grep -c 'stream 0' "$err")"
tcpdump -r "$scratch/values" -w "$scratch/ring" 'src net 198.18.0.0/16' 2> "$scratch/reading"
check "gap: how many packets" grep -q "stream 1: not all of it is here: $((40000 - $(packets "$scratch/values"))) packets of sections that are missing$" "$err"
equal "gap: packets of the other ring" 20000 "$(packets "$scratch/ring")"

# Without files, by flows: 16 streams of each ring, whose numbers follow on each other.
to flow --key flow
send_both 5000 10000
both_are_sent
settle "$capture"
end_capture 40 0 flow
equation flow 10000
got flow 5000 10000
equal "flow: streams of the first ring, of the second, and others" "yes yes 0" \
	"$($in_kafka kcat -b $address -C -t flow -e -q -f '%k\n' | sed 's,.*/,,' | sort -un |
		awk '$1 < 16 { a = "yes" } $1 >= 16 && $1 < 32 { b = "yes" } $1 >= 32 { c++ } END { print a, b, c + 0 }')"

# One of them is killed in the middle: another goes on, and the other ring does not notice.
to killed
one=$(of_stream 1)
send_both 40000 10000
sleep 1.5
kill -KILL "$one"
check "killed: another is started" wait_for 20 another_exporter 1 "$one"
both_are_sent
settle "$capture"
end_capture 40 1 killed
check "killed: told, with its stream" grep -q '^xdpdump: pcapng-kafka of stream 1 was ended by signal 9: it is started again' "$said"
equation killed 80000
equal "killed: the other ring: lost, runs" "0 1" "$(figures '.to_streams[0] | "\(.to_left) \(.to_runs)"')"
between "killed: this ring: lost" 1 25000 "$(figures '.to_streams[1].to_left')"
equal "killed: this ring: runs" 2 "$(figures '.to_streams[1].to_runs')"
got killed 40000 "$acknowledged"

# The broker is away. One of them is killed when the spools have all: nothing is lost.
mkdir "$scratch/spool"
chmod 777 "$scratch/spool"
to both --spool "$scratch/spool:900M"
one=$(of_stream 0)
send_both 5000 10000
both_are_sent
settle "$capture"
sleep 2
kill -KILL "$broker"
ended "$broker" 10
send_both 60000 20000 10000
both_are_sent
# streams_have FIGURE VALUES: it is this of each stream, in the statistics that SIGUSR1 asks for.
streams_have()
{
	kill -USR1 "$capture"
	[ "$(grep '^{.*"final":false}$' "$said" | tail -n 1 | jq -c "[.to_streams[].$1]")" = "$2" ]
}
check "both: all of the outage is in the spools" wait_for 40 streams_have to_spooled '[60000,60000]'
equal "both: each has its own" "0 1" "$(cd "$scratch/spool" && echo *)"
check "both: that of the first" test "$(find "$scratch/spool/0" -type f | wc -l)" -gt 0
check "both: that of the second" test "$(find "$scratch/spool/1" -type f | wc -l)" -gt 0
kill -KILL "$one"
check "both: another is started" wait_for 20 another_exporter 0 "$one"
run_broker
check "both: all comes to the broker that is back" wait_for 120 streams_have to_acknowledged '[65000,65000]'
end_capture 90 0 both
equation both 130000
equal "both: acknowledged" 130000 "$acknowledged"
equal "both: nothing is left in the spool" 0 "$(find "$scratch/spool" -type f | wc -l)"
run_kafka get -w "$scratch/values" "kafka://$address/both"
"$capcheck" --order none --sent 130000 "$scratch/values" > "$scratch/counts" 2> "$scratch/verdict"
equal "both: each once" 0 $?
equal "both: stamps that go back" 0 "$(json "$scratch/counts" time_backwards)"

# xdpdump is killed: each says what it read, and none is left.
to cut
send_both 5000 10000
both_are_sent
settle "$capture"
kill -KILL "$capture"
check "cut: all pcapng-kafka end" wait_for 40 are_exporters 0
equal "cut: what they say" 2 "$(grep -c '^pcapng-kafka: 5000 packets read, 5000 acknowledged, 0 spooled, 0 lost' "$said")"
check "cut: no process of it is left" wait_for 5 sh -c "! ip netns pids '$right' | xargs -I{} cat /proc/{}/comm | grep -q xdpdump"
got cut 5000 10000

# The process that started them is killed: they go on.
to alone
starter=$(cat "/proc/$capture/task/$capture/children")
kill -KILL "${starter%% *}"
send_both 5000 10000
both_are_sent
settle "$capture"
end_capture 40 0 "without starter"
equation "without starter" 10000

# Before anything is captured.
for refused in "no broker answers at 127.0.0.1:1" "is not an address"; do
	[ "$refused" = "is not an address" ] && where=kafka:///x || where=kafka://127.0.0.1:1/x
	is_refused "$refused" --to $where --files-per-queue
	equal "$where: said once" 1 "$(grep -c "$refused" "$err")"
done
is_refused "2 streams share the size, and each needs 1M: give 2M or more" --to "kafka://$address/plain" --files-per-queue \
	--spool "$scratch/spool:1500K"
is_refused "Permission denied" --to "kafka://$address/plain" --files-per-queue --spool /root:10M
is_refused "^xdpdump: --files-per-queue and --print do not go together" --to "kafka://$address/plain" --files-per-queue --print
is_refused "^xdpdump: --files-per-queue and --listen do not go together" --to "kafka://$address/plain" --files-per-queue --listen 0
is_refused "^xdpdump: --files-per-queue needs a file" --to "kafka://$address/plain" --files-per-queue -w -
new_namespace q
for one in 1 2; do
	ip -n "$right" link add vq$one numrxqueues 130 numtxqueues 130 type veth peer name vr$one netns "$namespace"
	ip -n "$right" link set vq$one up
done
run_xdpdump -i vq1 -i vq2 --engine divert --zero-copy off --ring 512K --to "kafka://$address/plain" --files-per-queue
equal "260 rings: status" 1 "$state"
check "260 rings: why" grep -q '^xdpdump: --to and --files-per-queue: 260 rings are too many' "$err"
finish
