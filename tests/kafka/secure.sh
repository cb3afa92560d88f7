#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# As docs/fleet.md advises: TLS, a password for each user, and as few rights as they need. A host puts packets and
# cannot read them; who reads cannot put any; a broker of somebody else's gets none. Settings are those of fleet.md.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need python3 openssl jq
at=127.0.0.1:9094
start_at=1700000000000000000
python3 "$top/tests/kafka/packets.py" 1000 $start_at 1000 500 v0 > "$scratch/a.pcapng"

# certificate NAME: a key, and a certificate that says so itself.
certificate()
{
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
		-keyout "$scratch/$1.key" -out "$scratch/$1.pem" 2> "$scratch/openssl" || skip_all "openssl makes no certificate"
}
certificate ca
certificate other
cat "$scratch/ca.key" "$scratch/ca.pem" > "$scratch/broker.pem"

# settings NAME USER PASSWORD CA: the file that fleet.md shows, with these values.
settings()
{
	sed -n '/^    security.protocol=/,/^$/s/^    //p' "$top/docs/fleet.md" |
		sed -e "s,^sasl.username=.*,sasl.username=$2," -e "s,^sasl.password=.*,sasl.password=$3," \
			-e "s,^ssl.ca.location=.*,ssl.ca.location=$scratch/$4.pem," > "$scratch/$1.conf"
	equal "$1: settings of fleet.md" 5 "$(wc -l < "$scratch/$1.conf")"
}
settings host host Gehe1m ca
settings reader reader Verb0rgen ca
settings wrong host Fa1sch ca
settings elsewhere host Gehe1m other

login='org.apache.kafka.common.security.plain.PlainLoginModule required user_host="Gehe1m" user_reader="Verb0rgen";'
start_broker auto.create.topics.enable=false \
	listeners=PLAINTEXT://127.0.0.1:9092,SASL_SSL://$at,CONTROLLER://127.0.0.1:9093 \
	advertised.listeners=PLAINTEXT://127.0.0.1:9092,SASL_SSL://$at \
	listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL \
	ssl.keystore.type=PEM "ssl.keystore.location=$scratch/broker.pem" \
	sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,OAUTHBEARER \
	"listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;" \
	"listener.name.sasl_ssl.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"broker\";" \
	"listener.name.sasl_ssl.plain.sasl.jaas.config=$login" \
	authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer super.users=User:ANONYMOUS
make_topic packets

# allow USER OPERATION [TOPIC]: in topic packets.
allow()
{
	acls --add --allow-principal "User:$1" --operation "$2" --topic "${3:-packets}"
}
allow host Write
allow host Describe
allow reader Read
allow reader Describe

# as WHO COMMAND ARGUMENT...: pcapng-kafka with the settings of that file.
as()
{
	conf=$scratch/$1.conf command=$2
	shift 2
	run_kafka "$command" --kafka-conf "$conf" "$@"
}

# refused NAME PATTERN: it ended with status 1, and that sentence.
refused()
{
	equal "$1: status" 1 "$status"
	check "$1: the sentence" said "$2"
	check "$1: no password in it" fails grep -q -e Gehe1m -e Verb0rgen -e Fa1sch "$err" "$out"
}

as host put --json kafka://$at/packets "$scratch/a.pcapng"
equal "a host puts packets" "0 1000" "$status $(jq -r .packets_acknowledged "$out" | tail -n 1)"
as reader get -w "$scratch/all.pcapng" kafka://$at/packets
equal "a reader gets them" "0 1000" "$status $(packets "$scratch/all.pcapng")"
as reader ls kafka://$at/packets
equal "and lists them" 0 "$status"
check "of one host" grep -q ' 1000 ' "$out"
unread='topic packets is read without an index: the brokers do not let this user use topic packets.index'
check "with no right to the index" said "$unread"
make_topic packets.index
echo record | $in_kafka kcat -b $address -P -t packets.index -p 0
allow reader Describe packets.index
as reader get -w "$scratch/all.pcapng" kafka://$at/packets
equal "... and with one to Describe it: gets them" "0 1000" "$status $(packets "$scratch/all.pcapng")"
check "... and it is told" grep -q "$unread" "$err"

as host get -q -w "$scratch/none.pcapng" kafka://$at/packets
refused "a host reads none" 'the brokers do not let this user use topic packets'
as reader put -q --end-wait 5 kafka://$at/packets "$scratch/a.pcapng"
refused "a reader puts none" 'the brokers do not let this user write to topic packets: '
as wrong put -q --end-wait 5 kafka://$at/packets "$scratch/a.pcapng"
refused "a wrong password" "no broker answers at $at: .*Authentication failed"
as elsewhere put -q --end-wait 5 kafka://$at/packets "$scratch/a.pcapng"
refused "a broker that is somebody else's" "no broker answers at $at: .*certificate verify failed"
run_kafka put -q --end-wait 5 kafka://$at/packets "$scratch/a.pcapng"
refused "no TLS" "no broker answers at $at: "
values packets "$scratch/values"
equal "no other put is in the topic" 1000 "$(packets "$scratch/values")"

# A password that changes while packets come: no packet is lost, and none waits in a spool, as there is none.
# password NEW: of the user host by SCRAM, at the broker and in the file.
password()
{
	kafka_tool kafka.admin.ConfigCommand --bootstrap-server $address --alter --entity-type users --entity-name host \
		--add-config "SCRAM-SHA-256=[iterations=4096,password=$1]" || show "$scratch/tool"
	settings new host "$1" ca
	sed -i s/PLAIN/SCRAM-SHA-256/ "$scratch/new.conf"
	! has_scram || wait_for 30 logs_in || bad "the broker does not take the password"
	mv "$scratch/new.conf" "$scratch/scram.conf"
}

# logs_in: a broker has a password a moment after it was set.
logs_in()
{
	$in_kafka kcat -F "$scratch/new.conf" -b $at -L -m 5 > /dev/null 2>&1
}

# has_scram: with brokers of Kafka 4 it takes librdkafka 2.6.1.
has_scram()
{
	[ "${release%%.*}" -lt 4 ] || kcat -V | sed -n 's/.*librdkafka \([0-9.]*\).*/2.6.1\n\1/p' | sort -VC
}

password Erst3s
if ! has_scram; then
	as scram put -q --end-wait 5 kafka://$at/packets "$scratch/a.pcapng"
	refused "SCRAM by an old librdkafka" 'for SCRAM brokers of Kafka 4 need librdkafka 2.6.1, and this is [0-9.]*$'
else
	mkfifo "$scratch/pipe"
	start $in_kafka "$pcapng_kafka" put --json --stats-interval 1 --kafka-conf "$scratch/scram.conf" kafka://$at/packets "$scratch/pipe"
	put=$pid printed=$out said=$err
	exec 8<> "$scratch/pipe"
	acknowledges()
	{
		[ "$(tail -n 1 "$printed" | jq .packets_acknowledged)" -eq "$1" ]
	}
	timeout 30 cat "$scratch/a.pcapng" >&8
	check "by SCRAM" wait_for 20 acknowledges 1000
	cp "$scratch/scram.conf" "$scratch/old.conf"
	password Zweit3s
	check "another password: it is taken up" wait_for 10 grep -q 'scram.conf, or a file that it names, has changed, and is taken up$' "$said"
	timeout 30 cat "$scratch/a.pcapng" >&8
	check "... and packets go on" wait_for 20 acknowledges 2000
	sed "s,^ssl.ca.location=.*,ssl.ca.location=$scratch/none," "$scratch/old.conf" > "$scratch/new.conf"
	mv "$scratch/new.conf" "$scratch/scram.conf"
	check "... and a certificate that is not there changes nothing" wait_for 10 grep -q 'scram.conf has changed, and the settings before stay$' "$said"
	timeout 30 cat "$scratch/a.pcapng" >&8
	exec 8>&-
	ended "$put" 20
	equal "... to the end: status, read, acknowledged, lost" "0 3000 3000 0" \
		"$? $(tail -n 1 "$printed" | jq -r '[.packets_read, .packets_acknowledged, .packets_lost] | join(" ")')"
	check "... and no password is told" fails grep -q -e Erst3s -e Zweit3s "$said" "$printed"
	as old put -q --end-wait 5 kafka://$at/packets "$scratch/a.pcapng"
	refused "the old password" "no broker answers at $at: .*Authentication failed"
fi

# OAuth, with tokens that nobody signs.
sed -e '/username\|password/d' -e s/PLAIN/OAUTHBEARER/ "$scratch/host.conf" > "$scratch/oauth.conf"
printf '%s\n' enable.sasl.oauthbearer.unsecure.jwt=true sasl.oauthbearer.config=principal=host >> "$scratch/oauth.conf"
as oauth put --json kafka://$at/packets "$scratch/a.pcapng"
equal "by OAUTHBEARER" "0 1000" "$status $(jq -r .packets_acknowledged "$out" | tail -n 1)"
finish
