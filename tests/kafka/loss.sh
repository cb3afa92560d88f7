#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The files that hosts keep themselves, and what get makes of the topic: the same packets, but for those that it says are
# missing, and as many in all, whoever lost them: the ring, a pcapng-kafka that was killed, brokers that refused, retention
# at the beginning and in the middle.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_capture
make_topic all 1

# to FILE OPTION...: a capture that also keeps its own file; $capture, $said.
to()
{
	own=$files/$1
	shift
	start_xdpdump -w "$own" --to "kafka://$address/all" "$@"
	capture=$pid said=$err
}

# end_capture NAME
end_capture()
{
	settle "$capture"
	kill -INT "$capture"
	ended "$capture" 60
	check "$1: it ends" [ $? -le 1 ]
}

# sum COLUMN FILE...: of all interfaces: packets, epb_drops, osdrop.
sum()
{
	column=$1
	shift
	for file; do
		"$capcheck" --interfaces "$file"
	done | sed "s/.* $column \\([0-9]*\\).*/\\1/" | awk '{ n += $1 } END { print n + 0 }'
}

# frames FILE: a line for each, in any order.
frames()
{
	tshark -nr "$1" -T fields -e frame.time_epoch -e frame.len -e data 2> /dev/null | sort
}

# compare NAME TOPIC: $captured packets were there in all; get has them, or says how many are missing.
compare()
{
	run_kafka get -w "$scratch/got.pcapng" "kafka://$address/$2"
	equal "$1: get: status" 3 "$status"
	got=$(sum packets "$scratch/got.pcapng") missing=$(sum osdrop "$scratch/got.pcapng")
	if echo "$twice" | grep -qx -- $((got + missing - captured)); then
		captured=$((got + missing))
	fi
	twice=''
	equal "$1: $got packets and $missing that are missing: as many as the hosts had" "$captured" $((got + missing))
	frames "$scratch/got.pcapng" > "$scratch/got"
	equal "$1: packets that no host has, or that come twice" 0 "$(comm -13 "$scratch/own" "$scratch/got" | wc -l)"
	run_kafka ls --json "kafka://$address/$2"
	equal "$1: ls: the same" "3 $got $missing" "$status $(jq -r '[.packets,
		.packets_dropped + .packets_late + .packets_lost + .packets_missing] | @tsv' "$out" |
		awk '{ p += $1; m += $2 } END { print p, m }')"
}

# told_by OFFSET: how many packets the section there says were dropped by the host, or came too late: that goes with it.
told_by()
{
	$in_kafka kcat -b $address -C -t all -o "$1" -c 1 -e -q -f '%h\n' |
		sed -n 's/.*,dropped=\([0-9]*\),behind=\([0-9]*\).*/\1 \2/p' | awk '{ print $1 + $2 }'
}

# unanswered: packets of the last section that was stored for the pcapng-kafka that was killed, of the last two, and so on
# of as many as are under way at once. Whether it had the answer is not known, so they may count as lost as well.
unanswered()
{
	$in_kafka kcat -b $address -C -t all -e -q -f '%h\n' |
		sed -n 's/.*session=\([^,]*\),writer=\([^,]*\),.*,packets=\([0-9]*\),.*/\1 \2 \3/p' | awk '
			!($1 in first) { first[$1] = $2 }
			first[$1] != $2 { restarted[$1] }
			first[$1] == $2 { packets[$1, ++count[$1]] = $3 }
			END {
				for (session in restarted) {
					sum = 0
					for (i = count[session]; i > 0 && i > count[session] - 4; i--)
						print sum += packets[session, i]
				}
			}'
}

# The ring is full while xdpdump is stopped.
to ring.pcapng --ring 1M
send -n 2000 -r 20000 -s 600
kill -STOP "$capture"
send -n 20000 -r 100000 -s 600
kill -CONT "$capture"
settle "$capture"
send -n 2000 -r 20000 -s 600
end_capture ring
check "the ring: packets were dropped" [ "$(sum osdrop "$files/ring.pcapng")" -gt 1000 ]

# pcapng-kafka is killed.
to killed.pcapng
one=$(exporters)
start ip netns exec "$left" "$trafgen" -i va -n 40000 -r 20000 -s 300
sender=$pid
sleep 1
kill -KILL "$one"
ended "$sender" 30
end_capture killed

# Brokers refuse: sections are larger than the topic takes from now on.
to refused.pcapng
send -n 2000 -r 20000 -s 600
settle "$capture"
sleep 2
kafka_tool kafka.admin.ConfigCommand --bootstrap-server $address --alter --entity-type topics --entity-name all \
	--add-config max.message.bytes=20000 || show "$scratch/tool"
send -n 4000 -r 20000 -s 600
settle "$capture"
sleep 3
kafka_tool kafka.admin.ConfigCommand --bootstrap-server $address --alter --entity-type topics --entity-name all \
	--delete-config max.message.bytes || show "$scratch/tool"
send -n 2000 -r 20000 -s 600
end_capture refused

mergecap -w "$scratch/own.pcapng" "$files"/*.pcapng
frames "$scratch/own.pcapng" > "$scratch/own"
captured=$(($(wc -l < "$scratch/own") + $(sum osdrop "$files"/*.pcapng)))
equal "frames that were sent" 72000 "$captured"
twice=$(unanswered)
check "of the one that was killed something had come" [ -n "$twice" ]
compare "all" all

# lasts: of each stream, the offset of its last section, whose loss nobody would tell.
lasts()
{
	$in_kafka kcat -b $address -C -t all -e -q -f '%h %o\n' |
		sed -n 's/.*,writer=\([^,]*\),stream=\([0-9]*\),.* \([0-9]*\)$/\3 \1-\2/p' |
		awk '{ last[$2] = $1 } END { for (one in last) print last[one] }'
}

# Retention, in the middle: without each fifth message. Then at the beginning, as brokers do it.
make_topic middle 1
messages=$($in_kafka kcat -b $address -C -t all -o -1 -e -q -f %o)
lasts > "$scratch/lasts"
between "streams" 3 10 "$(wc -l < "$scratch/lasts")"
all=$captured
for offset in $(seq 0 "$messages"); do
	if [ $((offset % 5)) -eq 3 ] && ! grep -qx "$offset" "$scratch/lasts"; then
		captured=$((captured - $(told_by "$offset")))
		continue
	fi
	$in_kafka kcat -b $address -C -t all -o "$offset" -c 1 -e -q -D '' -f %s > "$scratch/one"
	$in_kafka kcat -b $address -P -t middle -p 0 "$scratch/one"
done
compare "the middle" middle
captured=$all
for offset in 0 1 2; do
	captured=$((captured - $(told_by "$offset")))
done
echo '{"version": 1, "partitions": [{"topic": "all", "partition": 0, "offset": 3}]}' > "$scratch/delete"
kafka_tool org.apache.kafka.tools.DeleteRecordsCommand --bootstrap-server $address --offset-json-file "$scratch/delete" ||
	show "$scratch/tool"
compare "the beginning" all
finish
