#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What a question reads in the topic of a fleet: a second of one host, a host, the list, and idle hosts. Sections and
# records are those of put, made by tests/kafka/fleet. In the long form the large topic has 10 GB.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need jq python3
fleet=$build/tests/kafka/fleet
[ -x "$fleet" ] || skip_all "tests/kafka/fleet was not built"
start_broker
first=1700000000
kafka=kafka://$address

# make TOPIC HOSTS SECONDS BYTES: of packets a second
make()
{
	make_topic "$1" 12
	FLEET_INDEX=$one $in_kafka "$fleet" "$kafka/$1" "$2" "$3" "$4" $first > "$scratch/made" 2>&1
	equal "make $1" 0 $?
	show "$scratch/made"
}

# ask NAME COMMAND...: $read is the KB that it reads.
ask()
{
	ask_name=$1
	shift
	from=$($in_kafka cat /sys/class/net/lo/statistics/rx_bytes)
	asked=$(date +%s%N)
	run_kafka "$@"
	took=$((($(date +%s%N) - asked) / 1000000))
	read=$((($($in_kafka cat /sys/class/net/lo/statistics/rx_bytes) - from) / 1000))
	equal "$ask_name: status" 0 "$status"
	echo "# $ask_name: $read KB, $took ms"
}

one=
# same: both files have the same packets.
same()
{
	for file in got all; do
		tshark -nr "$scratch/$file" -T fields -e frame.time_epoch -e frame.len -e data > "$scratch/$file.fields" 2> /dev/null
	done
	cmp "$scratch/got.fields" "$scratch/all.fields"
}

# A second of one host among 1,000, who have 100,000 sections.
make many 1000 100 700
second="--host host0042 --since @$((first + 1)) --until @$((first + 2))"
# shellcheck disable=SC2086 # words
{
	ask "a second of one of 1,000 hosts" get -w "$scratch/got" $kafka/many $second
	equal "... its packets" 1 "$(packets "$scratch/got")"
	between "... KB that it reads" 1 20000 "$read"
	ask "ls of 100,000 sections" ls --json $kafka/many
	equal "... hosts, packets" "1000 100000" "$(jq -r .packets "$out" | awk '{ n++; sum += $1 } END { print n, sum }')"
	between "... KB that it reads" 1 20000 "$read"
}

# The same of 100 hosts, of 1 MB a second each: with all that a section may have of keys.
seconds=5
[ "${CHECK_SIZE:-full}" != long ] || seconds=100
one=$scratch/one
echo batch.num.messages=1 > "$one" # as each host has its own put
make large 100 $seconds 1000000
# shellcheck disable=SC2086 # words
{
	ask "a second of one of 100 hosts" get -w "$scratch/got" $kafka/large $second
	equal "... its packets" 715 "$(packets "$scratch/got")"
	between "... KB that it reads" 1000 20000 "$read"
	ask "ls of it" ls --json $kafka/large
	equal "... hosts, packets" "100 $((seconds * 71500))" "$(jq -r .packets "$out" | awk '{ n++; sum += $1 } END { print n, sum }')"
	between "... KB that it reads" 1 20000 "$read"
	ask "all of one host" get -w "$scratch/got" $kafka/large --host host0042
	equal "... its packets" $((seconds * 715)) "$(packets "$scratch/got")"
	between "... KB that it reads" $((seconds * 1000)) $((seconds * 1400 + 4000)) "$read"
}

# Idle hosts send heartbeats: one of each host is read, and of other hosts none.
one=
make idle 100 600 0
python3 "$top/tests/kafka/packets.py" 1000 ${first}000000000 100000000 1400 eth0 > "$scratch/f.pcapng"
run_kafka put -q --host busy --session s1 $kafka/idle "$scratch/f.pcapng"
equal "one that is busy" 0 "$status"
ask "ten minutes of 100 idle hosts" get -w "$scratch/got" $kafka/idle
equal "... packets" 1000 "$(packets "$scratch/got")"
check "... no section is told to have none that match" fails grep -q 'by their keys' "$err"
idle=$read
ask "... without the index" get --no-index -w "$scratch/all" $kafka/idle
check "... it finds the same" same
check "... and reads more: $read KB of $idle" [ "$idle" -lt $((read / 2)) ]
window="--since @$((first + 50)) --until @$((first + 60))"
# shellcheck disable=SC2086 # words
{
	ask "ten seconds in between" get -w "$scratch/got" $kafka/idle $window
	equal "... packets" 100 "$(packets "$scratch/got")"
	ask "... without the index" get --no-index -w "$scratch/all" $kafka/idle $window
	check "... it finds the same" same
	ask "an idle host" get -w "$scratch/got" $kafka/idle $window --host host0042 -i eth0
	equal "... packets" 0 "$(packets "$scratch/got")"
}
run_kafka ls $kafka/idle --host host0042
check "ls: seen, and no packets" grep -q '^host0042  *eth0 .*  *0  *0  *0  *0  *0  *0  *[0-9]*d$' "$out"
finish
