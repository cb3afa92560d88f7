#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcapng-kafka put --spool: while brokers are gone, sections are in files that tshark reads; they come when the brokers
# are back, in order, whoever was killed meanwhile. A full spool or disk is counted loss: read = acknowledged + spooled +
# lost, always.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need python3 jq unshare tcpdump
start_broker
start_at=1700000000000000000
kafka=kafka://$address
spool=$scratch/spool
mkdir "$spool" "$scratch/small"
python3 "$top/tests/kafka/packets.py" 4000 $start_at 1000000 1500 v0 > "$scratch/a.pcapng"

# add_up FILE NAME: the last line of statistics.
add_up()
{
	equal "$2: read = acknowledged + spooled + lost" "$(tail -n 1 "$1" | jq .packets_read)" \
		"$(tail -n 1 "$1" | jq '.packets_acknowledged + .packets_spooled + .packets_lost')"
}

figure()
{
	tail -n 1 "$1" | jq -r ".packets_$2"
}

in_spool()
{
	find "$spool" -type f | wc -l
}

# all_there NAME TOPIC: all packets of the file, once by get; and in their order in the topic.
all_there()
{
	run_kafka get -w "$scratch/got.pcapng" "$kafka/$2"
	tcpdump -nn -tt --nano -x -r "$scratch/a.pcapng" > "$scratch/wanted" 2> /dev/null
	tcpdump -nn -tt --nano -x -r "$scratch/got.pcapng" > "$scratch/got" 2> /dev/null
	check "$1: every packet, once, in order" cmp "$scratch/wanted" "$scratch/got"
	$in_kafka kcat -b $address -C -t "$2" -e -q -f '%h\n' | sed 's/.*,sequence=\([^,]*\).*/\1/' | awk '!seen[$1]++' > "$scratch/order"
	check "$1: sequence" sort -n -c "$scratch/order"
}

# The broker is killed under a live capture, and comes back.
mkfifo "$scratch/pipe"
start $in_kafka "$pcapng_kafka" put --json --stats-interval 1 --queue 1M --section-size 100K --spool "$spool:100M" \
	"$kafka/a" "$scratch/pipe"
put=$pid printed=$out
exec 8<> "$scratch/pipe"
head -c 1000000 "$scratch/a.pcapng" >&8
acknowledges()
{
	[ "$(figure "$printed" acknowledged)" -ge "$1" ]
}
check "some are acknowledged" wait_for 20 acknowledges 500
kill -KILL "$broker"
tail -c +1000001 "$scratch/a.pcapng" >&8
is_spooled()
{
	[ "$(figure "$printed" spooled)" -ge 2000 ]
}
check "others are spooled" wait_for 20 is_spooled
check "tshark reads the spool" sh -c "cat '$spool'/* | tshark -nr - -c 100"
run_broker 8<&-
all_acknowledged()
{
	[ "$(figure "$printed" acknowledged)" -eq 4000 ]
}
check "all are acknowledged when it is back" wait_for 60 all_acknowledged
exec 8>&-
check "status" ended "$put" 10
equal "files in the spool" 0 "$(in_spool)"
all_there "killed broker" a

# No broker from the beginning, nor at the end; a second run sends all.
kill -KILL "$broker"
run_kafka put --json --queue 2M --section-size 100K --end-wait 1 --spool "$spool:100M" "$kafka/b" "$scratch/a.pcapng"
equal "no broker: status" 0 "$status"
equal "no broker: spooled" 4000 "$(figure "$out" spooled)"
equal "tshark's count" 4000 "$(cat "$spool"/* | tshark -nr - 2> /dev/null | wc -l)"
mkdir "$scratch/tiny"
run_kafka put --json --queue 1M --full drop --section-size 100K --end-wait 1 --spool "$scratch/tiny:2M" "$kafka/b" "$scratch/a.pcapng"
equal "full spool: status" 1 "$status"
between "full spool: spooled" 1000 1400 "$(figure "$out" spooled)"
add_up "$out" "full spool"
check "full spool: the reason" grep -q 'tiny:2M: it is full: what does not fit into the queue is lost until the brokers are back$' "$err"
# shellcheck disable=SC2016 # for that shell
$in_kafka unshare -m sh -c 'mount -t tmpfs -o size=2m none "$1" && shift && exec "$@"' sh "$scratch/small" \
	"$pcapng_kafka" put --json --queue 1M --full drop --section-size 100K --end-wait 1 --spool "$scratch/small:100M" \
	"$kafka/b" "$scratch/a.pcapng" > "$out" 2> "$err"
equal "full disk: status" 1 $?
check "full disk: the reason" grep -q 'No space left on device: what does not fit into the queue is lost until the brokers are back$' "$err"
between "full disk: spooled" 1000 1400 "$(figure "$out" spooled)"
add_up "$out" "full disk"
run_broker
run_kafka put --json --spool "$spool:100M" "$kafka/b" - < /dev/null
equal "the next run: status" 0 "$status"
equal "the next run sends them" 4000 "$(figure "$out" earlier)"
equal "files in the spool" 0 "$(in_spool)"
all_there "no broker" b

# Brokers that come late are of another cluster: they get nothing of it.
kill -KILL "$broker"
run_kafka put -q --end-wait 1 --spool "$spool:100M" "$kafka/late" "$scratch/a.pcapng"
equal "late brokers: spooled" 0 "$status"
sed -i '2s/.*/another/' "$spool/.pcapng-kafka-topic"
start $in_kafka "$pcapng_kafka" put --json --spool "$spool:100M" "$kafka/late" "$scratch/pipe"
put=$pid said=$err printed=$out
exec 8<> "$scratch/pipe"
head -c 20000 "$scratch/a.pcapng" >&8
run_broker 8<&-
check "late brokers of another cluster end it" fails ended "$put" 30
exec 8>&-
check "... which is told" grep -q 'packets for topic late of cluster another: ' "$said"
add_up "$printed" "late brokers"
equal "... they have nothing of it" 0 "$($in_kafka kcat -b $address -C -t late -e -q -f '%o\n' 2> /dev/null | wc -l)"
sed -i '2s/.*//' "$spool/.pcapng-kafka-topic"
run_kafka put --json --spool "$spool:100M" "$kafka/late" - < /dev/null
equal "... those of its own get it" "0 $((4000 + $(figure "$printed" read)))" "$status $(figure "$out" earlier)"
equal "files in the spool" 0 "$(in_spool)"

# The program is killed while it spools: what was synchronised comes with the next run.
kill -KILL "$broker"
start $in_kafka "$pcapng_kafka" put --json --stats-interval 1 --queue 1M --section-size 100K --spool "$spool:100M" \
	"$kafka/c" "$scratch/pipe"
put=$pid printed=$out
exec 8<> "$scratch/pipe"
cat "$scratch/a.pcapng" >&8
check "spooled" wait_for 20 is_spooled
before=$(figure "$printed" spooled)
kill -KILL "$put"
ended "$put" 5 2> /dev/null
exec 8>&-
head -c 5000 "$scratch/a.pcapng" >> "$(find "$spool" -type f | sort | tail -n 1)" # what was being written
run_broker
run_kafka put --json --spool "$spool:100M" "$kafka/c" - < /dev/null
between "after a kill" "$before" 4000 "$(figure "$out" earlier)"

# What is refused.
for bad in "$scratch/none:10M" "$spool" "$spool:1K" "$spool:x" "$spool:18446744073709551G"; do
	run_kafka put -q --spool "$bad" "$kafka/a" /dev/null
	check "--spool $bad" said "^pcapng-kafka: --spool "
done
finish
