#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What users and brokers get wrong: one sentence that says what to do, and no secret in it. The broker makes no topics
# by itself, and a user who logs in may write to topic "allowed" alone.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need python3 zstd
login='org.apache.kafka.common.security.plain.PlainLoginModule required user_weak="Gehe1m";'
start_broker auto.create.topics.enable=false \
	listeners=PLAINTEXT://127.0.0.1:9092,SASL_PLAINTEXT://127.0.0.1:9094,CONTROLLER://127.0.0.1:9093 \
	advertised.listeners=PLAINTEXT://127.0.0.1:9092,SASL_PLAINTEXT://127.0.0.1:9094 \
	listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT \
	sasl.enabled.mechanisms=PLAIN "listener.name.sasl_plaintext.plain.sasl.jaas.config=$login" \
	authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer super.users=User:ANONYMOUS
make_topic small 1 max.message.bytes=100000
make_topic broker_time 1 message.timestamp.type=LogAppendTime
make_topic strict 1 message.timestamp.after.max.ms=3600000
# Kafka 4.0 takes times at most an hour ahead, if nobody says otherwise.
make_topic good 1 message.timestamp.after.max.ms=9223372036854775807
start_at=1700000000000000000
python3 "$top/tests/kafka/packets.py" 1000 $start_at 1000 1500 v0 > "$scratch/a.pcapng"

# refused NAME PATTERN ARGUMENT...: put ends with status 1 and that sentence.
refused()
{
	name=$1 pattern=$2
	shift 2
	run_kafka put -q --end-wait 5 "$@"
	equal "$name: status" 1 "$status"
	check "$name: the sentence" said "$pattern"
}

refused "no broker there" 'no broker answers at 127.0.0.1:1: ' kafka://127.0.0.1:1/good "$scratch/a.pcapng"
refused "no such host" 'no broker answers at nowhere.invalid: ' kafka://nowhere.invalid/good "$scratch/a.pcapng"
refused "no topic" 'there is no topic none; to make it: kafka-topics.sh ' \
	kafka://$address/none "$scratch/a.pcapng"
run_kafka put --full wait kafka://$address/small - < "$scratch/a.pcapng"
equal "a limit below ours: sections fit into it" 0 "$status"
check "... and that is told" grep -q 'topic small takes messages of 100000 bytes at most, so sections have [5-9]....$' "$err"
equal "... no packet is lost" 1000 "$($in_kafka kcat -b $address -C -t small -e -q -f '%h\n' | sed 's/.*,packets=\([0-9]*\),.*/\1/' |
	awk '{ n += $1 } END { print n }')"
refused "the brokers' time" "topic broker_time has the brokers' time in place of the packets'.* message.timestamp.type=CreateTime" \
	kafka://$address/broker_time "$scratch/a.pcapng"
python3 "$top/tests/kafka/packets.py" 10 "$(($(date +%s) + 7200))000000000" 1000 100 v0 > "$scratch/ahead.pcapng"
refused "a clock that is ahead" 'topic strict refuses the time of these packets: set the clock' \
	kafka://$address/strict "$scratch/ahead.pcapng"
run_kafka put --json kafka://$address/strict "$scratch/ahead.pcapng"
equal "what is refused is counted" "10 0 10" \
	"$(jq -r '[.packets_read, .packets_acknowledged, .packets_lost] | join(" ")' "$out")"

# What is spooled and then refused stays where it is.
mkdir "$scratch/spool"
run_kafka put -q --end-wait 1 --spool "$scratch/spool:10M" kafka://127.0.0.1:1/strict "$scratch/ahead.pcapng"
equal "spooled: status" 0 "$status"
run_kafka put --json --end-wait 5 --spool "$scratch/spool:10M" kafka://$address/strict - < /dev/null
equal "the spool is refused: status" 1 "$status"
check "... and says why" grep -q 'topic strict refuses the time of these packets' "$err"
equal "... and it stays" 10 "$(cat "$scratch/spool"/* | tshark -nr - 2> /dev/null | wc -l)"
run_kafka put --json --end-wait 5 --spool "$scratch/spool:10M" kafka://$address/good - < /dev/null
equal "... another topic does not get it: status" 1 "$status"
check "... and why" grep -q 'it has 10 packets for topic strict of cluster .*--spool-anyway' "$err"
equal "... and it stays" 10 "$(cat "$scratch/spool"/* | tshark -nr - 2> /dev/null | wc -l)"
run_kafka put --json --end-wait 5 --spool "$scratch/spool:10M" --spool-anyway kafka://$address/good - < /dev/null
equal "a topic that takes it gets it" "0 10" "$status $(jq -r .packets_earlier "$out" | tail -n 1)"

# A file is kept where there is nothing to write into it.
cp "$scratch/a.pcapng" "$scratch/kept.pcapng"
run_kafka get -w "$scratch/kept.pcapng" kafka://127.0.0.1:1/good
equal "get without a broker: status" 1 "$status"
check "... and the file is as it was" cmp "$scratch/a.pcapng" "$scratch/kept.pcapng"

# No right: the user is weak, and the topic somebody else's. Settings come from a file.
printf '%s\n' '# a user' 'security.protocol=SASL_PLAINTEXT' 'sasl.mechanism = PLAIN' 'sasl.username=weak' \
	'sasl.password=Gehe1m' > "$scratch/conf"
refused "no right to the topic" 'the brokers do not let this user use topic good, or create it' \
	--kafka-conf "$scratch/conf" kafka://127.0.0.1:9094/good "$scratch/a.pcapng"
refused "no right to make one" 'the brokers do not let this user use topic new, or create it' \
	--kafka-conf "$scratch/conf" kafka://127.0.0.1:9094/new "$scratch/a.pcapng"
sed -i s/Gehe1m/S3cret/ "$scratch/conf"
refused "a wrong password" 'no broker answers at 127.0.0.1:9094: .*Authentication failed' \
	--kafka-conf "$scratch/conf" kafka://127.0.0.1:9094/good "$scratch/a.pcapng"
check "no password in a message" fails grep -q S3cret "$err"
for line in 'ssl.key.passwort=S3cret' 'sasl.mechanism' 'security.protocol=S3cret' 'acks=1'; do
	echo "$line" > "$scratch/conf"
	refused "setting ${line%%=*}" "conf, line 1: " --kafka-conf "$scratch/conf" kafka://$address/good "$scratch/a.pcapng"
	check "no value in a message" fails grep -q S3cret "$err"
done
refused "no file of settings" '--kafka-conf /nowhere: No such file' --kafka-conf /nowhere kafka://$address/good

# What is put.
refused "no file" '^pcapng-kafka: /nowhere: No such file or directory$' kafka://$address/good /nowhere
refused "no capture" 'passwd: it is neither pcapng nor pcap$' kafka://$address/good /etc/passwd
zstd -q "$scratch/a.pcapng" -o "$scratch/a.zst"
refused "compressed" 'it is compressed: zstd -dc FILE | pcapng-kafka put' kafka://$address/good "$scratch/a.zst"
{
	head -c 10000 "$scratch/a.pcapng"
	head -c 10000 /dev/zero
} > "$scratch/broken.pcapng"
refused "broken" 'a block is broken: ' kafka://$address/good "$scratch/broken.pcapng"
head -c 10000 "$scratch/a.pcapng" > "$scratch/cut.pcapng"
run_kafka put kafka://$address/good "$scratch/cut.pcapng"
equal "cut within a packet" 0 "$status"
check "which is said" grep -q 'ends within a block: [0-9]* bytes of it are left out$' "$err"
refused "two files" 'put reads one file' kafka://$address/good "$scratch/a.pcapng" "$scratch/a.pcapng"
refused "no address" "'$address/good' is not an address: kafka://" "$address/good"
refused "a topic with a blank" 'is no name of a topic' "kafka://$address/a b"
for name in "$(printf 'a\001b')" "$(printf 'a\177b')" "$(printf 'a\377b')" a/b ''; do
	refused "a session '$name'" '--session .*: it has to be a name of 64 bytes at most' --session "$name" kafka://$address/good "$scratch/a.pcapng"
done
refused "a size" '--queue 1: it has to be from ' --queue 1 kafka://$address/good
refused "an option" '--brokers: there is no such option' --brokers kafka://$address/good

# What is printed has nowhere to go.
for words in "ls kafka://$address/good" "ls --json kafka://$address/good" "put --json kafka://$address/good $scratch/a.pcapng"; do
	# shellcheck disable=SC2086 # words
	$in_kafka "$pcapng_kafka" $words > /dev/full 2> "$scratch/full"
	equal "${words%% kafka:*}, a full disk: status" 1 $?
	check "... and why" grep -q 'standard output: ' "$scratch/full"
done

# Who goes away: what the queue still holds is lost, counted, and said.
start_put_live()
{
	mkfifo "$scratch/pipe"
	start $in_kafka "$pcapng_kafka" put --json --end-wait 1 --queue 1M kafka://$address/good "$scratch/pipe"
	put=$pid printed=$out said=$err
	exec 8<> "$scratch/pipe"
}
start_put_live
python3 "$top/tests/kafka/packets.py" 1 $start_at 1000 1500 v0 >&8
sleep 2
kill -KILL "$broker"
python3 "$top/tests/kafka/packets.py" 3000 $start_at 1000 1500 v0 >&8
exec 8>&-
check "it ends though no broker is there" fails ended "$put" 20
check "and says so" grep -q 'sections were not acknowledged within 1 s: ' "$said"
equal "read, acknowledged, lost" "3001 1 3000" \
	"$(jq -r '[.packets_read, .packets_acknowledged, .packets_lost] | join(" ")' "$printed")"
finish
