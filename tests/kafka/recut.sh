#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The topic's limit is lowered while packets come: sections that are there already are cut again, those of the spool and
# those of a run before as well. What never can be sent is told at once, counted, and found by who reads; the rest goes on.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need python3 jq
start_broker num.partitions=1 # of a topic, which the broker makes when put asks for it
kafka=kafka://$address
spool=$scratch/spool
mkdir "$spool"
now=$(date +%s)

# limit TOPIC BYTES
limit()
{
	kafka_tool kafka.admin.ConfigCommand --bootstrap-server $address --alter --entity-type topics --entity-name "$1" \
		--add-config "max.message.bytes=$2" || show "$scratch/tool"
}

# begin TOPIC OPTION...: a live put.
begin()
{
	topic=$1 sent=0 feeds=0
	shift
	rm -f "$scratch/pipe"
	mkfifo "$scratch/pipe"
	start $in_kafka "$pcapng_kafka" put --json --stats-interval 1 --full wait "$@" "$kafka/$topic" "$scratch/pipe"
	put=$pid printed=$out said=$err
	exec 8<> "$scratch/pipe"
}

# feed N [LENGTH [WORDS]]: so many packets, of an interface whose description has so many bytes.
feed()
{
	feeds=$((feeds + 1))
	python3 "$top/tests/kafka/packets.py" "$1" "$now$(printf %09d $((sent * 100000)))" 100000 "${2:-1500}" v$feeds 0 "${3:-0}" >&8
	sent=$((sent + $1))
}

figure()
{
	tail -n 1 "$printed" | jq -r ".packets_$1"
}

acknowledges()
{
	[ "$(figure acknowledged)" -ge "$1" ]
}

# largest TOPIC OFFSET: bytes of a section, of those from there on.
largest()
{
	$in_kafka kcat -b $address -C -t "$1" -o "$2" -e -q -f '%S\n' | sort -n | tail -n 1
}

messages()
{
	$in_kafka kcat -b $address -C -t "$1" -e -q -f '%o\n' | wc -l
}

# ends NAME STATUS ACKNOWLEDGED LOST
ends()
{
	exec 8>&-
	ended "$put" 60
	equal "$1: status; read, acknowledged, spooled, lost" "$2; $sent $3 0 $4" \
		"$?; $(tail -n 1 "$printed" | jq -r '[.packets_read, .packets_acknowledged, .packets_spooled, .packets_lost] | join(" ")')"
	equal "$1: at every moment no more than was read" true \
		"$(jq -s 'all(.packets_read >= .packets_acknowledged + .packets_spooled + .packets_lost)' "$printed")"
}

# reads NAME STATUS PACKETS: by get; each once, and tshark reads them.
reads()
{
	run_kafka get -w "$scratch/got.pcapng" "$kafka/$topic"
	equal "$1: get: status, packets" "$2 $3" "$status $(packets "$scratch/got.pcapng")"
	[ "$2" -ne 0 ] || equal "$1: ... and nothing else is said" 1 "$(wc -l < "$err")"
	tshark -r "$scratch/got.pcapng" -T fields -e data 2> /dev/null | sort | uniq -d > "$scratch/twice"
	equal "$1: ... none twice" 0 "$(wc -l < "$scratch/twice")"
	run_kafka ls --json "$kafka/$topic"
	equal "$1: ls: status, packets" "$2 $3" "$status $(jq -s 'map(.packets) | add' "$out")"
	values "$topic" "$scratch/values"
	check "$1: tshark reads all values" tshark -r "$scratch/values" -w "$scratch/copy"
}

for kind in spool queue; do
	[ $kind = spool ] && set -- --spool "$spool:100M" || set --
	begin $kind "$@"
	feed 2000
	check "$kind: some are acknowledged" wait_for 20 acknowledges 2000
	before=$(messages $kind)
	limit $kind 200000
	feed 2000
	check "$kind: all come, though the limit is lower" wait_for 30 acknowledges 4000
	check "$kind: which is told" grep -q "^pcapng-kafka: topic $kind takes messages of 200000 bytes at most, so sections have 18[0-9]*, also those that wait$" "$said"
	feed 2000
	check "$kind: ... and the rest" wait_for 30 acknowledges 6000
	between "$kind: as large as they may be" 150000 200000 "$(largest $kind "$before")"
	check "$kind: no refusal is told" fails grep -e "topic $kind refuses" -e 'are lost' "$said"
	ends $kind 0 6000 0
	reads $kind 0 6000
done

# Of the spool: while the broker is away nobody knows of the limit. What one run leaves there, the next one sends.
begin away --spool "$spool:100M" --end-wait 2
feed 1000
check "away: some are acknowledged" wait_for 20 acknowledges 1000
limit away 100000
kill -KILL "$broker"
feed 3000
is_spooled()
{
	[ "$(figure spooled)" -ge "$1" ]
}
check "away: others are spooled" wait_for 20 is_spooled 3000
exec 8>&-
ended "$put" 30
run_broker
run_kafka put --json --spool "$spool:100M" "$kafka/away" - < /dev/null
equal "away: the next run: status, sent" "0 3000" "$status $(tail -n 1 "$out" | jq .packets_earlier)"
reads away 0 4000

# The same while it runs; and the spool's sections are refused a second time.
begin twice --spool "$spool:100M"
feed 1000
check "twice: some are acknowledged" wait_for 20 acknowledges 1000
limit twice 200000
kill -KILL "$broker"
feed 3000
check "twice: others are spooled" wait_for 20 is_spooled 3000
run_broker 8<&-
check "twice: all come" wait_for 60 acknowledges 4000
limit twice 80000
feed 1000
check "twice: lower again" wait_for 30 acknowledges 5000
ends twice 0 5000 0
reads twice 0 5000

# A packet that no message has room for, between others: told once, counted; the rest is acknowledged.
for kind in unfit unfit_spool; do
	[ $kind = unfit_spool ] && set -- --spool "$spool:100M" || set --
	begin $kind "$@"
	feed 100
	check "$kind: some are acknowledged" wait_for 20 acknowledges 100
	limit $kind 60000
	feed 10
	feed 3 60000
	feed 10
	check "$kind: the rest is acknowledged" wait_for 30 acknowledges 120
	feed 2 60000
	feed 10
	check "$kind: and what comes then" wait_for 30 acknowledges 130
	equal "$kind: one line" 1 "$(grep -c ' are lost' "$said")"
	ends $kind 1 130 5
	reads $kind 3 130
	equal "$kind: ls: lost" 5 "$(jq .packets_lost "$out" | awk '{ n += $1 } END { print n }')"
done

# The interface of the section that is being made has more options than one of the new size has room for.
begin wordy
feed 100 1500 20000
check "wordy: some are acknowledged" wait_for 20 acknowledges 100
limit wordy 60000
feed 100 1500 20000
check "wordy: all come" wait_for 30 acknowledges 200
check "wordy: what waited has less, which is told" grep -q 'names, secrets, comments or their like are left out' "$said"
check "wordy: ... so has what comes" grep -q 'a block has more options than a section has room for' "$said"
ends wordy 0 200 0
reads wordy 0 200
finish
