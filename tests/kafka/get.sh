#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcapng-kafka get and ls: a minute out of an hour of two hosts, one of which came late: exactly the packets of that
# minute, in order. Duplicates are dropped, gaps are told, what is none of ours is skipped.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need python3 jq
start_broker
hour=1700000000
kafka=kafka://$address

# make NAME: an hour of packets, ten a second.
make()
{
	python3 "$top/tests/kafka/packets.py" 36000 "$2" 100000000 100 "$1" > "$scratch/$1.pcapng"
}

# fields FILE: a line for each packet, with what it was.
fields()
{
	tshark -nr "$1" -T fields -e frame.time_epoch -e frame.interface_name -e frame.len -e data 2>&1 |
		grep -v '^Running as user "root"'
}

# put HOST SESSION FILE TOPIC
put()
{
	run_kafka put -q --host "$1" --session "$2" "$kafka/$4" "$3"
	equal "put $1" 0 "$status"
	[ "$status" -eq 0 ] || show "$err"
}

make eth0 ${hour}000000000
make eth1 ${hour}050000000
# The first half hour of beta comes last, as out of a spool.
editcap -A $((hour + 1800)) "$scratch/eth1.pcapng" "$scratch/late.pcapng"
editcap -B $((hour + 1800)) "$scratch/eth1.pcapng" "$scratch/early.pcapng"
put beta s1 "$scratch/late.pcapng" hosts
put alpha s1 "$scratch/eth0.pcapng" hosts
echo foreign | $in_kafka kcat -b $address -P -t hosts
put beta s2 "$scratch/early.pcapng" hosts

# minute FILE...: what get has to find.
minute()
{
	mergecap -w "$scratch/merged.pcapng" "$@"
	editcap -A $((hour + 1200)) -B $((hour + 1260)) "$scratch/merged.pcapng" "$scratch/wanted.pcapng"
	fields "$scratch/wanted.pcapng" > "$scratch/wanted"
}

# got NAME OPTION...: get finds that.
got()
{
	name=$1
	shift
	run_kafka get -w "$scratch/got.pcapng" "$@"
	equal "$name: status" 0 "$status"
	fields "$scratch/got.pcapng" > "$scratch/got"
	check "$name" cmp "$scratch/wanted" "$scratch/got"
}
window="--since @$((hour + 1200)) --until @$((hour + 1260))"
minute "$scratch/eth0.pcapng" "$scratch/eth1.pcapng"
# shellcheck disable=SC2086 # words
{
	equal "packets of a minute" 1200 "$(wc -l < "$scratch/wanted")"
	got "a minute" $window $kafka/hosts
	check "the foreign message" grep -q ': 1 messages of topic hosts are not of pcapng-kafka: skipped$' "$err"
	check "no gap" fails grep -q missing "$err"
	{
		$in_kafka "$pcapng_kafka" get -q $window $kafka/hosts 2> "$err"
		echo $? > "$scratch/status"
	} | head -c 100 > "$scratch/head"
	equal "who reads may have had enough, which is no failure" "0 " "$(cat "$scratch/status") $(cat "$err")"
	check "whose they are" sh -c "capinfos '$scratch/got.pcapng' | grep -q 'Description = alpha'"
	# In the order in which they come.
	run_kafka get -w "$scratch/got.pcapng" --follow $window $kafka/hosts
	equal "a minute, followed: it is over: status" 0 "$status"
	fields "$scratch/got.pcapng" | sort > "$scratch/got"
	sort "$scratch/wanted" > "$scratch/sorted"
	check "a minute, followed" cmp "$scratch/sorted" "$scratch/got"
	minute "$scratch/eth0.pcapng"
	got "of one host" $window --host alpha $kafka/hosts
	got "of one interface" $window -i eth0 $kafka/hosts
	got "of a filter" $window $kafka/hosts 'udp[18] & 0 == 0 and src host 10.99.0.1 and' 'not port 1' --host alpha
	# A section of a second has 10 ports of 64: most are left out by their keys.
	tshark -nr "$scratch/wanted.pcapng" -Y 'udp.port == 1030' -w "$scratch/port.pcapng" 2> /dev/null
	fields "$scratch/port.pcapng" > "$scratch/wanted"
	between "packets of a port" 5 15 "$(wc -l < "$scratch/wanted")"
	got "of a port" $window $kafka/hosts --host alpha 'udp port 1030 and host 10.99.0.1'
	between "sections that were left out by their keys" 40 60 \
		"$(sed -n 's/.*: \([0-9]*\) sections were not looked through: by their keys they cannot match$/\1/p' "$err")"
	got "of a port, without keys" $window $kafka/hosts --host alpha 'udp[0:2] == 1030'
	check "which looks through all" fails grep -q 'by their keys' "$err"
}
fields "$scratch/eth0.pcapng" > "$scratch/wanted"
got "all of it" --host alpha $kafka/hosts

# ls has them all.
run_kafka ls --json $kafka/hosts
equal "ls" 0 "$status"
equal "what it lists" "alpha eth0 s1 36000 0, beta eth1 s1 18000 0, beta eth1 s2 18000 0" \
	"$(jq -r '[.host, .interface, .session, .packets, .sections_missing] | join(" ")' "$out" | paste -sd , | sed 's/,/, /g')"
equal "first" $((hour * 1000000000)) "$(sed -n 's/.*"alpha".*"first_ns":\([0-9]*\),.*/\1/p' "$out")"
run_kafka ls $kafka/hosts
check "as a table" grep -q "^alpha  *eth0  *s1  *0 2023-11-14T22:13:20.000000000Z 2023-11-14T23:13:19.900000000Z  *36000  *0  *0  *0  *0  *0  *[0-9]*d$" "$out"

# A name that nothing has.
for command in "get -w $scratch/got.pcapng -i nosuch" ls; do
	# shellcheck disable=SC2086 # words
	run_kafka $command --host alpha --host alphonse --session s1 --session s9 $kafka/hosts
	equal "${command%% *} of names that are not there: status" 1 "$status"
	check "... which host" grep -q ': there is nothing of host alphonse in what was read$' "$err"
	check "... which session" grep -q ': there is nothing of session s9 in what was read$' "$err"
	check "... and no other" fails grep -q -e 'host alpha' -e 'session s1 ' "$err"
done

# A section without packets has no part in the time of its stream.
python3 "$top/tests/kafka/packets.py" 50 ${hour}000000000 100000000 100 eth0 > "$scratch/small.pcapng"
{
	cat "$scratch/small.pcapng"
	sleep 3
	python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("=IIIIII", 5, 24, 0, 0, 0, 24))'
} | $in_kafka "$pcapng_kafka" put -q --host late --session s1 $kafka/late
run_kafka ls --json $kafka/late
equal "an empty section: sections, and the last packet's time" "6 $((hour * 1000000000 + 4900000000))" \
	"$(sed -n 's/.*"last_ns":\([0-9]*\),"sections":\([0-9]*\),.*/\2 \1/p' "$out")"

# beats N: at least so many sections are there, of a capture without packets, and the last is no older than a minute.
beats()
{
	run_kafka ls --json $kafka/idle
	jq -es --arg now "$(date +%s)" --arg n "$1" 'any(.sections >= ($n | tonumber) and
		.seen_ns / 1000000000 > ($now | tonumber) - 60)' "$out" > "$scratch/jq" 2>&1
}

# Who is idle is seen; who reads gets no packet more, and nothing is missing.
mkfifo "$scratch/idle"
start $in_kafka "$pcapng_kafka" put -q --heartbeat 1 --host idle --session s1 $kafka/idle "$scratch/idle"
idle=$pid
exec 8<> "$scratch/idle"
cat "$scratch/small.pcapng" >&8
check "an idle capture goes on" wait_for 60 beats 7
exec 8>&-
ended "$idle" 40
equal "it ends well" 0 $?
fields "$scratch/small.pcapng" > "$scratch/wanted"
got "of an idle capture" $kafka/idle
run_kafka ls $kafka/idle
check "seen, as a table" grep -q '^idle .*  *50  *0  *0  *0  *0  *0  *[0-9]*[sm]$' "$out"

# Messages that come twice, one that is missing, one that is cut: copied by kcat, one at a time.
copy()
{
	$in_kafka kcat -b $address -C -t source -p 0 -o "$1" -c 1 -e -q -D '' -f %s | head -c "${2:-1000000}" > "$scratch/one"
	$in_kafka kcat -b $address -P -t $into -p 0 "$scratch/one"
}
make_topic source
make_topic damaged
into=damaged
python3 "$top/tests/kafka/packets.py" 50 ${hour}000000000 100000000 100 eth0 > "$scratch/small.pcapng"
put gamma s1 "$scratch/small.pcapng" source
copy 0
copy 0
copy 1 1500
copy 3
copy 4
run_kafka get -w "$scratch/got.pcapng" $kafka/damaged
equal "a damaged topic" 3 "$status"
check "a duplicate" grep -q ', 1 duplicate sections dropped$' "$err"
check "a gap" grep -q ': host gamma, session s1, stream 0: section 2 is missing$' "$err"
check "a cut" grep -q ': 1 sections are cut or broken' "$err"
between "packets" 29 38 "$(packets "$scratch/got.pcapng")"

# The beginning is missing, also for who follows it from there.
make_topic headless
into=headless
for section in 1 2 3 4; do
	copy $section
done
for follow in '' --follow; do
	# shellcheck disable=SC2086 # none or one word
	run_kafka get -w "$scratch/got.pcapng" $follow --since @$hour --until @$((hour + 60)) $kafka/headless
	equal "no beginning, ${follow:-once}: status" 3 "$status"
	check "... and what" grep -q ': host gamma, session s1, stream 0: section 0 is missing$' "$err"
	equal "... packets" 39 "$(packets "$scratch/got.pcapng")"
done

# One name for two captures.
put delta same "$scratch/small.pcapng" clash
put delta same "$scratch/small.pcapng" clash
run_kafka get -w "$scratch/got.pcapng" $kafka/clash
check "two captures of one name" grep -q ': host delta, session same, stream 0: two captures at the same time have this name$' "$err"
equal "both are there" 100 "$(packets "$scratch/got.pcapng")"

# Clocks an hour apart: packets of each host are found by its own time, and all come in the order of time.
make_topic apart
python3 "$top/tests/kafka/packets.py" 50 $((hour - 3600))050000000 100000000 100 eth1 > "$scratch/behind.pcapng"
put alpha s1 "$scratch/small.pcapng" apart
put behind s1 "$scratch/behind.pcapng" apart
put alpha s2 "$scratch/small.pcapng" apart
fields "$scratch/behind.pcapng" > "$scratch/wanted"
got "an hour apart: this hour" --since @$((hour - 3600)) --until @$hour $kafka/apart
fields "$scratch/small.pcapng" > "$scratch/wanted"
got "an hour apart: the next, of one capture" --since @$hour --session s1 $kafka/apart
run_kafka get -w "$scratch/got.pcapng" $kafka/apart
tshark -nr "$scratch/got.pcapng" -T fields -e frame.time_epoch > "$scratch/got" 2> /dev/null
equal "an hour apart: all" 150 "$(wc -l < "$scratch/got")"
check "... in order" sort -nc "$scratch/got"

# Two clocks in turn, 37 seconds apart, as TAI and UTC: they share sections, and a time finds all packets of it.
make_topic turns
python3 "$top/tests/kafka/packets.py" 4000 ${hour}000000000 5000000 100 eth0 37000000000 > "$scratch/turns.pcapng"
put alpha s1 "$scratch/turns.pcapng" turns
between "in turn: sections" 1 20 "$($in_kafka kcat -b $address -C -t turns -e -q -f '%k\n' | wc -l)"
for second in 5 40 50; do
	fields "$scratch/turns.pcapng" | awk -v from=$((hour + second)) '$1 >= from && $1 < from + 5' > "$scratch/wanted"
	got "in turn: seconds $second to $((second + 5))" --since @$((hour + second)) --until @$((hour + second + 5)) $kafka/turns
	equal "... packets" 500 "$(wc -l < "$scratch/got")"
done

# What others put there: text, nothing, a capture file that is not ours, the beginning of a section.
make_topic foreign
fields "$scratch/small.pcapng" > "$scratch/wanted"
put gamma s1 "$scratch/small.pcapng" foreign
echo text | $in_kafka kcat -b $address -P -t foreign -p 0
echo 'key:' | $in_kafka kcat -b $address -P -t foreign -p 0 -K : -Z
$in_kafka kcat -b $address -P -t foreign -p 0 "$scratch/small.pcapng"
$in_kafka kcat -b $address -C -t foreign -p 0 -o 0 -c 1 -e -q -D '' -f %s | head -c 100 > "$scratch/one"
$in_kafka kcat -b $address -P -t foreign -p 0 "$scratch/one"
got "foreign messages are skipped" $kafka/foreign
check "... and counted" grep -q ': 4 messages of topic foreign are not of pcapng-kafka: skipped$' "$err"
run_kafka ls $kafka/foreign
equal "ls of it: status" 0 "$status"
check "... counts them, too" grep -q ': 4 messages of topic foreign are not of pcapng-kafka: skipped$' "$err"

# Live: what is put now comes out within seconds, and SIGINT ends it well.
start $in_kafka "$pcapng_kafka" get --follow -w "$scratch/live.pcapng" $kafka/hosts
get=$pid
sleep 2
put epsilon s1 "$scratch/small.pcapng" hosts
has_live()
{
	[ "$(packets "$scratch/live.pcapng")" -eq 50 ]
}
check "followed" wait_for 20 has_live
check "SIGINT ends it" stop "$get" INT
fields "$scratch/small.pcapng" > "$scratch/wanted"
fields "$scratch/live.pcapng" > "$scratch/got"
check "its packets" cmp "$scratch/wanted" "$scratch/got"

# A host whose clock is ahead does not take the others' order away. What comes within two seconds is put in order: on a
# busy machine the second put comes later at times, and shows nothing.
now=$(date +%s)
for one in "zeta 3000000000000 100" "eta 500000 20" "theta 0 20"; do
	# shellcheck disable=SC2086 # three words
	set -- $one
	python3 "$top/tests/kafka/packets.py" 20 $((now * 1000000000 + $2)) 1000000 "$3" "$1" > "$scratch/$1.pcapng"
done
milliseconds()
{
	echo $(($(date +%s%N) / 1000000))
}
put_ahead()
{
	run_kafka put -q --no-index --host "$1" --session s1 "$kafka/$topic" "$scratch/$1.pcapng"
	equal "put $1" 0 "$status"
}
has_all()
{
	[ "$(packets "$scratch/live.pcapng")" -eq 60 ]
}
for turn in 1 2 3 4 5 6 7 8; do
	topic=ahead$turn
	make_topic $topic 3
	start $in_kafka "$pcapng_kafka" get --follow --since "@$now" -w "$scratch/live.pcapng" "$kafka/$topic"
	get=$pid
	put_ahead zeta
	wait_for 20 grep -q . "$scratch/live.pcapng"
	begun=$(milliseconds)
	put_ahead eta
	sleep 0.5
	put_ahead theta
	between_them=$(($(milliseconds) - begun))
	check "with a clock ahead: followed" wait_for 20 has_all
	stop "$get" INT
	[ $between_them -ge 2000 ] || break
done
check "the two came within two seconds" test $between_them -lt 2000
tshark -nr "$scratch/live.pcapng" -Y "frame.time_epoch < $((now + 1000))" -T fields -e frame.time_epoch > "$scratch/got" 2> /dev/null
equal "the other hosts' packets" 40 "$(wc -l < "$scratch/got")"
check "in order" sort -nc "$scratch/got"

# Packets without a time have that of their section.
python3 - > "$scratch/simple.pcapng" <<-'END'
	import struct, sys
	def block(kind, body):
	    length = struct.pack("=I", len(body) + 12)
	    return struct.pack("=I", kind) + length + body + length
	out = sys.stdout.buffer
	out.write(block(0x0a0d0d0a, struct.pack("=IHHq", 0x1a2b3c4d, 1, 0, -1)))
	out.write(block(1, struct.pack("=HHI", 1, 0, 0)))
	for n in range(3):
	    out.write(block(3, struct.pack("=I", 60) + bytes(60)))
END
before=$(date +%s)
put iota s1 "$scratch/simple.pcapng" simple
run_kafka get -w "$scratch/got.pcapng" $kafka/simple
equal "simple packets" 3 "$(packets "$scratch/got.pcapng")"
between "their time" "$before" "$(($(date +%s) + 1))" \
	"$(tshark -nr "$scratch/got.pcapng" -T fields -e frame.time_epoch 2> /dev/null | sed -n 's/\..*//;1p')"

# What is refused.
make_topic broker_time 1 message.timestamp.type=LogAppendTime
run_kafka put -q $kafka/broker_time "$scratch/small.pcapng"
run_kafka get -q -w "$scratch/got.pcapng" $kafka/broker_time
equal "the brokers' time" 1 "$status"
check "the reason" said "topic broker_time has the brokers' time in place of the packets'"
run_kafka get -q -w "$scratch/got.pcapng" $kafka/none
check "no topic" said 'there is no topic none'
run_kafka get -q -w "$scratch/got.pcapng" $kafka/hosts 'no filter'
check "a filter" said "the filter 'no filter': "
run_kafka get -q --since yesterday $kafka/hosts
check "a time" said '--since yesterday: it has to be a time such as '
finish
