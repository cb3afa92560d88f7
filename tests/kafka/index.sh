#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The index of a topic: ls and get find the same with it as without it, and read less. One that is not there, is not
# whole, lies, or is of another topic costs time alone.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need python3
start_broker
first=1700000000
kafka=kafka://$address

# put HOST TOPIC [OPTION...]: two minutes, 50 packets a second: 8 MB.
put()
{
	put_host=$1 put_topic=$2
	shift 2
	run_kafka put -q --host "$put_host" --session s1 "$@" "$kafka/$put_topic" "$scratch/f.pcapng"
	equal "put $put_host $put_topic" 0 "$status"
	[ "$status" -eq 0 ] || show "$err"
}

# fields FILE: a line for each packet, with what it was.
fields()
{
	tshark -nr "$1" -T fields -e frame.time_epoch -e frame.interface_name -e frame.len -e data 2> /dev/null
}

# read_bytes: by all in the namespace, so far.
read_bytes()
{
	$in_kafka cat /sys/class/net/lo/statistics/rx_bytes
}

# alike NAME TOPIC OPTION...: what ls and get with these options find is the same without the index. $with and $without
# are the bytes that get read.
alike()
{
	alike_name=$1 alike_topic=$2
	shift 2
	run_kafka ls --no-index "$kafka/$alike_topic"
	cp "$out" "$scratch/ls"
	run_kafka ls "$kafka/$alike_topic"
	equal "$alike_name: ls" 0 "$status"
	check "$alike_name: ls finds the same" cmp "$scratch/ls" "$out"
	cp "$err" "$scratch/ls.said"
	from=$(read_bytes)
	run_kafka get --no-index -w "$scratch/without" "$kafka/$alike_topic" "$@"
	without=$(($(read_bytes) - from))
	equal "$alike_name: get" 0 "$status"
	from=$(read_bytes)
	run_kafka get -w "$scratch/with" "$kafka/$alike_topic" "$@"
	with=$(($(read_bytes) - from))
	fields "$scratch/without" > "$scratch/without.fields"
	fields "$scratch/with" > "$scratch/with.fields"
	check "$alike_name: get finds the same" cmp "$scratch/without.fields" "$scratch/with.fields"
}

# copy TOPIC OFFSET TO: a message of one of its partitions.
copy()
{
	$in_kafka kcat -b $address -C -t "$1" -o "$2" -c 1 -e -q -D '' -f %s > "$scratch/one"
	$in_kafka kcat -b $address -P -t "$3" -p 0 "$scratch/one"
}

# removed TOPIC OPTION...: the status of get and ls, which are to be alike, and how many sections and packets they say are gone.
removed()
{
	removed_topic=$1
	shift
	for command in "get -w $scratch/with" ls; do
		# shellcheck disable=SC2086 # words
		run_kafka $command "$kafka/$removed_topic" "$@"
		echo "$status $(sed -n "s/^pcapng-kafka: \([0-9]*\) sections of this time, with \([0-9]*\) packets, have been removed from topic $removed_topic, as its index says$/\1 \2/p" "$err")"
	done | sort -u
}

python3 "$top/tests/kafka/packets.py" 6000 ${first}000000000 20000000 1400 eth0 > "$scratch/f.pcapng"
for host in alpha beta gamma delta epsilon; do
	put $host hosts
done
second="--since @$((first + 60)) --until @$((first + 61)) --host gamma"

# shellcheck disable=SC2086 # words
alike "a second" hosts $second
equal "packets" 50 "$(packets "$scratch/with")"
check "less is read: $with of $without bytes" [ "$with" -lt $((without / 2)) ]
check "nothing is said of it" fails grep index "$err" "$scratch/ls.said"
alike "a port" hosts --host alpha udp port 1030
between "packets of a port" 90 100 "$(packets "$scratch/with")"
check "what keys leave out is told" grep -q ': [0-9]* sections were not looked through: by their keys they cannot match$' "$err"
alike "a port of all hosts: most sections" hosts udp port 1030
between "packets of it" 450 500 "$(packets "$scratch/with")"

# Sections without records are read.
put zeta hosts --no-index
alike "another host, without records" hosts --since @$((first + 60)) --until @$((first + 61))
equal "packets of six hosts" 300 "$(packets "$scratch/with")"

# What others write there: text, a later version, a record that contradicts another.
$in_kafka kcat -b $address -C -t hosts.index -o beginning -c 1 -e -q -D '' -f %s > "$scratch/record"
for script in '1s/^pcksec\x02/pcksec\x03/' 's/\x04eth0/\x04eth\x7f/' 's/\x04eth0/\x04ethX/'; do
	sed -b "$script" "$scratch/record" > "$scratch/one"
	$in_kafka kcat -b $address -P -t hosts.index -p 0 "$scratch/one"
done
echo foreign | $in_kafka kcat -b $address -P -t hosts.index -p 0
# shellcheck disable=SC2086 # words
alike "a bad index" hosts $second
check "a contradiction" grep -q ': topic hosts.index contradicts itself about 1 sections: they are read$' "$scratch/ls.said"
check "foreign records" grep -q ': 3 messages of topic hosts.index are not of this version of pcapng-kafka: skipped$' "$err"

# Records as an older release wrote them, with others beside them.
make_topic old 1
put alpha old --no-index
make_topic old.index 1
mkdir "$scratch/old"
$in_kafka kcat -b $address -C -t old -e -q -f '%p %o %T %S %h@END@' | python3 "$top/tests/kafka/old_index.py" "$scratch/old"
$in_kafka kcat -b $address -P -t old.index -p 0 "$scratch/old"/*
put beta old
alike "an older index" old --since @$((first + 60)) --until @$((first + 61)) --host alpha
equal "... packets" 50 "$(packets "$scratch/with")"
check "... less is read: $with of $without bytes" [ "$with" -lt $((without / 2)) ]
check "... nothing is said of it" fails grep index "$err" "$scratch/ls.said"

# A capture that was idle in between, beside others in its partition.
make_topic idle 1
make_topic idle.index 1
mkfifo "$scratch/idle"
now=$(date +%s)
start $in_kafka "$pcapng_kafka" put -q --heartbeat 1 --host idle --session s1 $kafka/idle "$scratch/idle"
idle=$pid
exec 8<> "$scratch/idle"
# beats N: so many sections of it are there.
beats()
{
	run_kafka ls --json --host idle $kafka/idle
	[ "$(sed -n 's/.*"sections":\([0-9]*\),.*/\1/p' "$out")" -ge "$1" ]
}
for part in 1 2; do
	cp "$scratch/f.pcapng" "$scratch/all.pcapng"
	python3 "$top/tests/kafka/packets.py" 50 $((now + 100 * part))000000000 10000000 1400 eth0 > "$scratch/f.pcapng"
	cat "$scratch/f.pcapng" >&8
	check "idle: heartbeats" wait_for 60 beats $((4 * part))
	put busy$part idle
	mv "$scratch/all.pcapng" "$scratch/f.pcapng"
done
exec 8>&-
ended "$idle" 40
equal "idle: it ends well" 0 $?
alike "with heartbeats: all" idle
equal "... packets" 200 "$(packets "$scratch/with")"
alike "... from the second half on" idle --since @$((now + 150))
equal "... packets" 100 "$(packets "$scratch/with")"
alike "... up to it, of the idle one" idle --until @$((now + 150)) --host idle
equal "... packets" 50 "$(packets "$scratch/with")"
alike "... in between" idle --since @$((now + 110)) --until @$((now + 150))
equal "... packets" 0 "$(wc -l < "$scratch/with.fields")"

# Packets of 1970, which no message can have as its time: it has that at which it was sent, and its record the same.
make_topic timeless 1
cp "$scratch/f.pcapng" "$scratch/all.pcapng"
python3 "$top/tests/kafka/packets.py" 10 0 1000 1400 eth0 > "$scratch/f.pcapng"
put zero timeless
mv "$scratch/all.pcapng" "$scratch/f.pcapng"
put alpha timeless
alike "without a time" timeless --since @$((first + 60)) --until @$((first + 61))
equal "... packets" 50 "$(packets "$scratch/with")"
check "... nothing is said of it" fails grep index "$err" "$scratch/ls.said"

# Records that lie and agree with each other: those of another host's sections, at the same places and times.
make_topic true 1
make_topic false 1
python3 "$top/tests/kafka/packets.py" 10 ${first}000000000 500000000 1400 eth0 > "$scratch/f.pcapng"
put truth true --no-index
put false false
for offset in $(seq 0 "$($in_kafka kcat -b $address -C -t false.index -o -1 -e -q -f %o)"); do
	copy false.index "$offset" true.index
done
alike "a lie" true --host truth
check "ls says so" grep -q ': topic true.index does not say what topic true has: it is not used$' "$scratch/ls.said"
check "so does get" grep -q ': topic true.index does not say what topic true has: it is not used$' "$err"
for command in ls "get -w $scratch/with --until @1"; do
	# shellcheck disable=SC2086 # words
	run_kafka $command --host false $kafka/true
	equal "${command%% *} of a host that only the lie has: status" 1 "$status"
	check "... nothing is of it" grep -q ': there is nothing of host false in what was read$' "$err"
done

# The topic is made anew, and its index is the old one.
kafka_tool org.apache.kafka.tools.TopicCommand --bootstrap-server $address --delete --topic true
make_topic_again()
{
	! $in_kafka kcat -b $address -L -m 5 | grep -q '"true"' && make_topic true 1
}
wait_for 20 make_topic_again || bad "topic true is not removed"
python3 "$top/tests/kafka/packets.py" 10 $((first + 900))000000000 500000000 1400 eth0 > "$scratch/f.pcapng"
put truth true --no-index
alike "of another topic" true --host truth
check "which is told" grep -q ': topic true.index does not say what topic true has: it is not used$' "$err"

# It is removed.
kafka_tool org.apache.kafka.tools.TopicCommand --bootstrap-server $address --delete --topic true.index
alike "removed" true
check "removed: told" grep -q ': topic true is read without an index: there is no topic true.index, which pcapng-kafka put makes and writes$' "$err"

# Sections of a later version: told, and not taken for somebody else's.
make_topic later 1
put alpha later --no-index
$in_kafka kcat -b $address -C -t later -o -1 -c 1 -e -q -D '' -f %s | sed -b 's/^pcapng-kafka 1$/pcapng-kafka 2/; s/pcapng-kafka 1$/pcapng-kafka 2/' > "$scratch/one"
$in_kafka kcat -b $address -P -t later -p 0 "$scratch/one"
for command in ls "get -w $scratch/with"; do
	# shellcheck disable=SC2086 # words
	run_kafka $command --no-index $kafka/later
	equal "${command%% *} of a later version: status" 3 "$status"
	check "... it is told" grep -q ': 1 sections of topic later are of a later version of pcapng-kafka, and left out: read them with that one$' "$err"
	check "... and nobody else is blamed" fails grep -q 'are not of pcapng-kafka' "$err"
done
equal "... the others are there" 10 "$(packets "$scratch/with")"
# All of a host is removed, and with it who could say so: its records do, to whoever asks for that time.
make_topic gone 1
python3 "$top/tests/kafka/packets.py" 3000 ${first}000000000 20000000 1400 eth0 > "$scratch/f.pcapng"
put alpha gone
put beta gone
equal "gone: before" "0 " "$(removed gone --since @$first)"
$in_kafka kcat -b $address -C -t gone -e -q -f '%o %k\n' | grep -c alpha > "$scratch/alpha"
echo "{\"version\": 1, \"partitions\": [{\"topic\": \"gone\", \"partition\": 0, \"offset\": $(cat "$scratch/alpha")}]}" > "$scratch/delete"
kafka_tool org.apache.kafka.tools.DeleteRecordsCommand --bootstrap-server $address --offset-json-file "$scratch/delete" ||
	show "$scratch/tool"
equal "gone: of that time" "3 $(cat "$scratch/alpha") 3000" "$(removed gone --since @$first)"
equal "gone: of the other host" "0 " "$(removed gone --since @$first --host beta)"
removed gone --since @$((first + 30)) --until @$((first + 31)) > "$scratch/second"
check "gone: of a second: $(cat "$scratch/second")" grep -q '^3 [12] [0-9]*$' "$scratch/second"
equal "gone: all that is there is asked for" "0 " "$(removed gone)"
finish
