# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests with brokers share: Apache Kafka in KRaft mode, in a network namespace of the test's own. A test
# reads this file first, is run from the build directory, and ends with `finish`.
# shellcheck source=tests/lib.sh
command -v finish > /dev/null || . "$(dirname "$0")/../lib.sh" # another library may have read it
# shellcheck disable=SC2034 # for the tests
pcapng_kafka=$build/kafka/pcapng-kafka
# Of KAFKA_RELEASE; "mixed": of a cluster, one broker of three is of the newer one. Maven fetches them once; they are kept
# for other builds.
release=${KAFKA_RELEASE:-3.9.1}
releases=$release
metadata=''
[ "$release" != mixed ] || releases='4.0.0 3.9.1' metadata=3.9
address=127.0.0.1:9092

need_kafka()
{
	need_root
	! is_quick || skip_all "a broker is not for the quick form"
	[ -x "$pcapng_kafka" ] || skip_all "pcapng-kafka was not built: it needs librdkafka-dev"
	need java kcat tshark capinfos editcap mergecap
	for release in $releases; do
		fetch_jars
	done
	new_namespace k
	in_kafka="ip netns exec $namespace"
}

# need_capture [VETH-OPTION...]: xdpdump --to, on $vb in $right, whose files are in $files, and a broker beside it.
need_capture()
{
	need_kafka
	need_xdpdump
	need_testprog trafgen capcheck
	need jq
	veth_pair "$@"
	offloads_off
	in_kafka="ip netns exec $right"
	PATH=$build/kafka:$PATH
	files=$scratch/files
	mkdir "$files"
	chmod 777 "$files"
	start_broker
}

# The jars are whole or not there: they get their name when all have come.
fetch_jars()
{
	jars=${PCAP_AFXDP_CACHE:-$build}/kafka/$release
	[ -d "$jars" ] && return
	need mvn
	mkdir -p "${jars%/*}"
	(
		flock 9
		[ ! -d "$jars" ] || exit 0
		mvn -q -B -f "$top/tests/kafka/pom.xml" dependency:copy-dependencies -Drelease="$release" -DoutputDirectory="$jars.new" \
			> "$scratch/mvn" 2>&1 9>&- && mv "$jars.new" "$jars"
	) 9> "$jars.lock" || {
		show "$scratch/mvn"
		skip_all "Apache Kafka $release cannot be fetched by Maven"
	}
}

# start_broker [SETTING=VALUE...]: one broker that is its own controller. $broker is its process.
start_broker()
{
	broker_dir=$scratch/broker
	# Tests have packets of years ago.
	run_broker log.retention.hours=876000 "$@"
}

# run_broker: the same one, again.
run_broker()
{
	# shellcheck disable=SC2086 # words
	start $in_kafka env KAFKA_JARS="$jars" sh "$top/tests/kafka/broker.sh" "$broker_dir" "$@"
	broker=$pid
	wait_for 200 answers || {
		bad "the broker does not start"
		show "$err"
		show "$out"
		finish
	}
}

# kafka_tool CLASS ARGUMENT...: of Kafka's own programs; $scratch/tool is what it said.
kafka_tool()
{
	# shellcheck disable=SC2086 # words
	${in_brokers:-$in_kafka} java -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
		-cp "$jars/*" "$@" > "$scratch/tool" 2>&1
}

# acls ARGUMENT...: by Kafka's program for them, which is another one since 4.0.
acls()
{
	[ "${release%%.*}" -ge 4 ] && class=org.apache.kafka.tools.AclCommand || class=kafka.admin.AclCommand
	kafka_tool $class --bootstrap-server $address "$@" || show "$scratch/tool"
}

answers()
{
	$in_kafka kcat -b $address -L -m 2 > /dev/null 2>&1
}

# start_cluster: three brokers, each a controller, too; topics that are asked for are made, with three replicas, of which
# two have to have what is acknowledged. They have a namespace of their own, $brokers; a cable goes to $right, its end
# there is kr. $address is for clients in $right; the processes are $node1 to $node3.
start_cluster()
{
	new_namespace k
	brokers=$namespace in_brokers="ip netns exec $namespace" in_kafka="ip netns exec $right"
	address=10.98.0.1:9092,10.98.0.1:9192,10.98.0.1:9292
	ip -n "$right" link add kr address 02:00:00:00:00:98 type veth peer name kb netns "$brokers"
	ip -n "$brokers" addr add 10.98.0.1/24 dev kb
	ip -n "$brokers" link set kb up
	ip -n "$right" addr add 10.98.0.2/24 dev kr
	ip -n "$right" link set kr up
	for node in 1 2 3; do
		start_node $node
	done
	wait_for 300 are_three || {
		bad "three brokers do not start"
		show "$err"
		show "$out"
		finish
	}
}

# start_node N: that broker, also again. The first release is that of the second broker.
start_node()
{
	port=$((8992 + 100 * $1))
	[ "$1" -eq 2 ] && of=${releases%% *} || of=$release
	# shellcheck disable=SC2086 # words
	start $in_brokers env KAFKA_JARS="${jars%/*}/$of" KAFKA_METADATA="$metadata" KAFKA_CLUSTER=MkU3OEVBNTcwNTJENDM2Qg sh "$top/tests/kafka/broker.sh" "$scratch/node$1" \
		node.id="$1" "listeners=PLAINTEXT://10.98.0.1:$port,CONTROLLER://10.98.0.1:$((port + 1))" \
		"advertised.listeners=PLAINTEXT://10.98.0.1:$port" \
		controller.quorum.voters=1@10.98.0.1:9093,2@10.98.0.1:9193,3@10.98.0.1:9293 \
		log.retention.hours=876000 default.replication.factor=3 min.insync.replicas=2 \
		offsets.topic.replication.factor=3 file.delete.delay.ms=1000
	eval "node$1=$pid"
}

# node N: its process.
node()
{
	eval "echo \$node$1"
}

# kill_node N: with no time to say goodbye.
kill_node()
{
	kill -KILL "$(node "$1")"
	ended "$(node "$1")" 10 2> /dev/null
}

# They answer, and all replicas have all there is.
are_three()
{
	$in_brokers kcat -b "$address" -L -m 2 2> /dev/null | awk '/ 3 brokers:/ { three = 1 }
		/ partition [0-9]/ && split($NF, replicas, ",") < 3 { behind = 1 }
		END { exit !three || behind }'
}

# leader_of TOPIC [PARTITION]: the number of its broker.
leader_of()
{
	$in_brokers kcat -b "$address" -L -m 5 -t "$1" 2> /dev/null |
		sed -n "s/^ *partition ${2:-0}, leader \([0-9]*\),.*/\1/p"
}

# make_topic NAME [PARTITIONS [SETTING=VALUE...]]
make_topic()
{
	topic_name=$1 partitions=${2:-1}
	shift
	[ $# -eq 0 ] || shift
	for setting; do
		set -- "$@" --config "$setting"
		shift
	done
	kafka_tool org.apache.kafka.tools.TopicCommand --bootstrap-server $address --create --topic "$topic_name" \
		--partitions "$partitions" --replication-factor 1 "$@" || {
		bad "topic $topic_name cannot be made"
		show "$scratch/tool"
	}
}

# run_kafka COMMAND...: its status in $status, $out and $err are what it said.
run_kafka()
{
	out=$scratch/kafka.out err=$scratch/kafka.err
	$in_kafka "$pcapng_kafka" "$@" > "$out" 2> "$err"
	status=$?
}

# values TOPIC FILE: by a program of others, all values of a topic in one file.
values()
{
	$in_kafka kcat -b $address -C -t "$1" -e -q -D '' -f %s > "$2"
}

# said PATTERN: one sentence, which is this one.
said()
{
	[ "$(wc -l < "$err")" -eq 1 ] && grep -q -- "$1" "$err" && return
	cat "$err"
	return 1
}

# exporters: the processes of pcapng-kafka of captures in $right.
exporters()
{
	for process in $(ip netns pids "$right"); do
		[ "$(cat "/proc/$process/comm" 2> /dev/null)" = pcapng-kafka ] && ! process_gone "$process" && echo "$process"
	done
}

# are_exporters N: as many as that.
are_exporters()
{
	[ "$(exporters | wc -w)" -eq "$1" ]
}
