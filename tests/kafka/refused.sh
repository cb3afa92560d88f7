#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# With a spool, what a real broker refuses is not lost: a limit that an administrator lowered, a right that was taken, a
# topic that was deleted. It is told when it begins, with the reason, and when it ends; what waited comes in order, and
# nothing is lost at any moment. sender_test has other refusals.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need python3 jq
login='org.apache.kafka.common.security.plain.PlainLoginModule required user_host="Gehe1m";'
start_broker auto.create.topics.enable=false file.delete.delay.ms=1000 \
	listeners=PLAINTEXT://127.0.0.1:9092,SASL_PLAINTEXT://127.0.0.1:9094,CONTROLLER://127.0.0.1:9093 \
	advertised.listeners=PLAINTEXT://127.0.0.1:9092,SASL_PLAINTEXT://127.0.0.1:9094 \
	listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT \
	sasl.enabled.mechanisms=PLAIN "listener.name.sasl_plaintext.plain.sasl.jaas.config=$login" \
	authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer super.users=User:ANONYMOUS
printf '%s\n' topic.metadata.propagation.max.ms=2000 security.protocol=SASL_PLAINTEXT sasl.mechanism=PLAIN sasl.username=host sasl.password=Gehe1m > "$scratch/conf"
spool=$scratch/spool
mkdir "$spool"
make_topic t

# set_topic SETTING=VALUE
set_topic()
{
	kafka_tool kafka.admin.ConfigCommand --bootstrap-server $address --alter --entity-type topics --entity-name t \
		--add-config "$1" || show "$scratch/tool"
}

# rights --add|--remove [--force]: of the user to the topic.
rights()
{
	acls "$@" --allow-principal User:host --topic t --operation Write --operation Describe
}

# figure NAME: of the last statistics.
figure()
{
	tail -n 1 "$printed" | jq -r ".packets_$1"
}

# is NAME N: at least.
is()
{
	[ "$(figure "$1")" -ge "$2" ]
}

told()
{
	[ "$(grep -c -- "$1" "$said")" -eq "${2:-1}" ]
}

# feed N: so many packets.
feed()
{
	python3 "$top/tests/kafka/packets.py" "$1" "$now" 1000000 1500 v0 >&8
	sent=$((sent + $1))
}

# waits NAME REASON: 500 packets are refused, so they wait, and it is told once.
waits()
{
	feed 500
	check "$1: it is told" wait_for 30 told "^pcapng-kafka: nothing is acknowledged, and packets wait in the spool: $2"
	check "$1: they are spooled" wait_for 20 is spooled 400
	equal "$1: none is lost" 0 "$(figure lost)"
}

# come NAME: all that waited, once it is mended.
come()
{
	times=$((times + 1))
	check "$1: all come" wait_for 40 is acknowledged "$sent"
	check "$1: that is told" wait_for 5 told '^pcapng-kafka: the brokers acknowledge again, after [0-9]* s$' "$times"
}

now=$(date +%s)000000000 sent=0 times=0
rights --add
mkfifo "$scratch/pipe"
start $in_kafka "$pcapng_kafka" put --json --stats-interval 1 --section-size 100K --spool "$spool:100M" --session s \
	--kafka-conf "$scratch/conf" kafka://127.0.0.1:9094/t "$scratch/pipe"
printed=$out said=$err put=$pid
exec 8<> "$scratch/pipe"
feed 500
check "some are acknowledged" wait_for 20 is acknowledged 500

set_topic max.message.bytes=50000
waits "a lower limit" 'topic t refuses messages as large as a section'
set_topic max.message.bytes=1048588
come "a lower limit"

rights --remove --force
waits "a right that was taken" 'the brokers do not let this user '
rights --add
come "a right that was taken"

# Each once and in order, of all that were in the topic.
$in_kafka kcat -b $address -C -t t -e -q -f '%h\n' | sed 's/.*,sequence=\([^,]*\),.*/\1/' > "$scratch/order"
check "in order" sort -n -c "$scratch/order"
check "sections without a hole" sh -c "sort -n -u '$scratch/order' | awk '\$1 != NR - 1 { exit 1 }'"
run_kafka get -w "$scratch/got.pcapng" "kafka://$address/t"
equal "each once" "0 $sent" "$status $(packets "$scratch/got.pcapng")"

kafka_tool org.apache.kafka.tools.TopicCommand --bootstrap-server $address --delete --topic t || show "$scratch/tool"
waits "a topic that is gone" 'there is no topic t; '
make_topic t
come "a topic that is gone"

exec 8>&-
ended "$put" 20
equal "it ends well" 0 $?
equal "at every moment: read = acknowledged + spooled + lost + under way" true \
	"$(jq -s 'all(.packets_read >= .packets_acknowledged + .packets_spooled + .packets_lost and .packets_lost == 0)' "$printed")"
equal "at the end: read, acknowledged, spooled, lost" "$sent $sent 0 0" \
	"$(tail -n 1 "$printed" | jq -r '[.packets_read, .packets_acknowledged, .packets_spooled, .packets_lost] | join(" ")')"
equal "nothing is left in the spool" 0 "$(find "$spool" -type f | wc -l)"
finish
