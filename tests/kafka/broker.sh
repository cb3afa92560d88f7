#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# broker.sh FOLDER [SETTING=VALUE...]: Apache Kafka in KRaft mode, one broker at 127.0.0.1:9092, in the foreground
# until Ctrl-C. Maven fetches it once, of KAFKA_RELEASE or the release in pom.xml, into KAFKA_JARS, or FOLDER/jars. What it
# keeps is in FOLDER, and there the next time; settings are of the first. Of a cluster all brokers have the same
# KAFKA_CLUSTER, and KAFKA_METADATA, the release whose metadata they use, where they are of several.
set -eu
if [ $# -eq 0 ]; then
	echo "usage: $0 FOLDER [SETTING=VALUE...]" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
shift
jars=${KAFKA_JARS:-$PWD/jars}
command -v java > /dev/null && { [ -d "$jars" ] || command -v mvn > /dev/null; } || {
	echo "broker.sh: java or mvn is missing: apt-get install maven" >&2
	exit 1
}
if ! [ -d "$jars" ]; then
	mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$jars.new" \
		${KAFKA_RELEASE:+-Drelease="$KAFKA_RELEASE"}
	mv "$jars.new" "$jars"
fi
if ! [ -e properties ]; then
	{
		cat <<- END
		process.roles=broker,controller
		node.id=1
		controller.quorum.voters=1@127.0.0.1:9093
		listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093
		advertised.listeners=PLAINTEXT://127.0.0.1:9092
		controller.listener.names=CONTROLLER
		log.dirs=$PWD/log
		num.partitions=3
		offsets.topic.replication.factor=1
		transaction.state.log.replication.factor=1
		transaction.state.log.min.isr=1
		group.initial.rebalance.delay.ms=0
		END
		[ $# -eq 0 ] || printf '%s\n' "$@" # the last of a setting holds
	} > properties
	# As StorageTool random-uuid makes them, which takes seconds.
	id=${KAFKA_CLUSTER:-M$(head -c 16 /dev/urandom | base64 | tr +/ -_ | cut -c 2-22)}
	java -cp "$jars/*" kafka.tools.StorageTool format -t "$id" -c properties \
		${KAFKA_METADATA:+--release-version "$KAFKA_METADATA"} > format 2>&1 || {
		cat format >&2
		rm properties
		exit 1
	}
fi
at=$(sed -n 's,^advertised.listeners=PLAINTEXT://\([^,]*\).*,\1,p' properties | tail -n 1)
echo "the broker is at $at, what it keeps in $PWD; Ctrl-C ends it"
exec java -Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
	-cp "$jars/*" kafka.Kafka properties
