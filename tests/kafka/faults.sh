#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# xdpdump --to with three brokers, under KAFKA_RATE packets a second, while faults come at random moments: captured =
# acknowledged + spooled + lost. What is acknowledged or spooled is in the topic, by kcat, in the order of its key, tshark
# reads all of it, and each packet comes once out of `get`. Nothing is in the topic twice but where pcapng-kafka was killed
# or began with a spool.
#
# A round is an event of the brokers or the network, and up to three captures with a fate each: plain, exporter_killed,
# xdpdump_killed, small_spool, small_disk.
# KAFKA_FAULTS: so many at least; "each": one of each kind. FAULTS_SEED: the first round's; each round has the next one.
# FAULTS_ROUND="EVENT FATE...": one round, this one.
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/../faults/lib.sh"
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
[ -x "$xdpdump" ] || skip_all "xdpdump was not built: make xdpdump/xdpdump"
need_testprog trafgen capcheck
trafgen=$build/testprogs/trafgen
capcheck=$build/testprogs/capcheck
PATH=$build/kafka:$PATH
seed=${FAULTS_SEED:-$(date +%s)}
small=10000000 # bytes of a small spool or disk: a few seconds, with the queue that small_queue() makes

# --- Captures. Number I has its topic, r$rounds-I, its spool, $scratch/spool-I, and pid_I, fate_I, said_I.

# its WHAT I
its()
{
	eval "echo \"\$$1_$2\""
}

# exporter_of PID: the pcapng-kafka of that xdpdump, which a process between has started.
exporter_of()
{
	for starter in $(cat "/proc/$1/task/$1/children" 2> /dev/null); do
		cat "/proc/$starter/task/$starter/children" 2> /dev/null
	done
}

has_exporter()
{
	[ "$(exporter_of "$1" | wc -w)" -eq 1 ]
}

# begin_capture I FATE
begin_capture()
{
	spool=$scratch/spool-$1 size=5G mounted=true path=$PATH
	rm -rf "$spool"
	mkdir -m 777 "$spool"
	[ "${2#small_}" = "$2" ] || path=$scratch/small:$PATH
	case $2 in
	small_spool) size=$small ;;
	small_disk) mounted="mount -t tmpfs -o size=$small,mode=777 none $spool" ;;
	esac
	one_of stream stream flow
	# shellcheck disable=SC2016 # of that shell
	start ip netns exec "$right" sh -c 'PATH=$1; $2 || exit 99; shift 2; exec "$@"' sh "$path" "$mounted" \
		"$xdpdump" -i vb --ring 64M -v \
		--to "kafka://$address/r$rounds-$1" --key "$one" --spool "$spool:$size" udp
	capture=$pid said=$err
	eval "pid_$1=$capture fate_$1=$2 said_$1=$said key_$1=$one"
	wait_for 120 grep -q 'listening on' "$said" || wrong "capture $1 does not start"
	wait_for 60 has_exporter "$capture" || wrong "capture $1 has no pcapng-kafka"
}

# A pcapng-kafka whose queue is full sooner.
small_queue()
{
	mkdir "$scratch/small"
	printf '#!/bin/sh\nshift\nexec "%s" put --queue 4M "$@"\n' "$pcapng_kafka" > "$scratch/small/pcapng-kafka"
	chmod 755 "$scratch/small/pcapng-kafka"
}

# later MS COMMAND...: in the background.
later()
{
	moment=$1
	shift
	{
		sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
		"$@"
	} &
	started="$started $!"
}

kill_exporter()
{
	for one in $(exporter_of "$1"); do
		kill -KILL "$one"
	done
}

# seal I: its fate comes at a random moment of the traffic.
seal()
{
	case $(its fate "$1") in
	exporter_killed)
		one_of 1 1 2 3
		for _ in $(seq "$one"); do
			between_ms 500 $((seconds * 1000))
			later "$ms" kill_exporter "$(its pid "$1")"
		done
		;;
	xdpdump_killed)
		between_ms 1000 $((seconds * 1000))
		later "$ms" kill -KILL "$(its pid "$1")"
		;;
	esac
}

# end_captures: all are asked to end, then waited for.
end_captures()
{
	for i in $numbers; do
		process_gone "$(its pid "$i")" || settle "$(its pid "$i")"
		kill -INT "$(its pid "$i")" 2> /dev/null
	done
	for i in $numbers; do
		said=$(its said "$i")
		ended "$(its pid "$i")" 400 > "$scratch/ended" 2>&1
		eval "status_$i=$?"
	done
	# On a busy machine one may be another than the one that was there first.
	wait_for 400 are_exporters 0 || wrong "a pcapng-kafka does not end"
}

# --- Events. $lasts is for how many seconds, where that is chosen before.

nothing()
{
	:
}

# some_node: $node, mostly one that leads a partition of the first capture.
some_node()
{
	one_of 1 2 3
	node=$one
	chance 4
	[ "$chance" -gt 0 ] || return
	led=$(leader_of "r$rounds-1" $((node - 1)))
	node=${led:-$node}
}

broker_killed()
{
	some_node
	kill_node "$node"
	nap 0 6000
	start_node "$node"
}

broker_stopped()
{
	some_node
	kill -STOP "$(node "$node")"
	sleep "$lasts"
	kill -CONT "$(node "$node")"
}

brokers_gone()
{
	for node in 1 2 3; do
		kill_node $node
	done
	sleep "$lasts"
	[ "$back" = later ] || come_back
}

come_back()
{
	for node in 1 2 3; do
		start_node $node
	done
}

# Each partition gets the brokers in another order, of whom the first leads, and they elect it.
leader_changed()
{
	$in_brokers kcat -b "$address" -L -m 5 2> /dev/null | awk -v ours="^r$rounds-" '
		/^ *topic "/ { split($0, part, "\""); topic = part[2] }
		/^ *partition [0-9]/ && topic ~ ours {
			first = $4 % 3 + 1
			printf "%s{\"topic\":\"%s\",\"partition\":%d,\"replicas\":[%d,%d,%d]}", some ? "," : "{\"version\":1,\"partitions\":[",
				topic, $2, first, first % 3 + 1, (first + 1) % 3 + 1
			some = 1
		}
		END { print "]}" }' > "$scratch/order"
	leads=$(leader_of "r$rounds-1")
	kafka_tool org.apache.kafka.tools.reassign.ReassignPartitionsCommand --bootstrap-server "$address" \
		--reassignment-json-file "$scratch/order" --execute &&
		kafka_tool org.apache.kafka.tools.LeaderElectionCommand --bootstrap-server "$address" \
			--election-type preferred --all-topic-partitions || wrong "no election: $(tail -n 3 "$scratch/tool")"
	wait_for 60 another_leads "$leads" || wrong "broker $leads leads still"
}

another_leads()
{
	leads_now=$(leader_of "r$rounds-1")
	[ -n "$1" ] && [ -n "$leads_now" ] && [ "$leads_now" != "$1" ]
}

# Nothing gets through; or requests do, and answers do not, as they go to a wrong address.
network_cut()
{
	one_of link answers
	if [ "$one" = link ]; then
		ip -n "$right" link set kr down
		sleep "$lasts"
		ip -n "$right" link set kr up
	else
		ip -n "$brokers" neigh replace 10.98.0.2 lladdr 02:00:00:00:00:99 dev kb nud permanent
		sleep "$lasts"
		ip -n "$brokers" neigh replace 10.98.0.2 lladdr 02:00:00:00:00:98 dev kb nud permanent
	fi
}

# --- What became of a capture.

# exact NAME WANTED GOT
exact()
{
	[ "$2" -eq "$3" ] || wrong "$1: $2 wanted, $3 are there: $account"
}

# at_least NAME LEAST GOT
at_least()
{
	[ "$3" -ge "$2" ] || wrong "$1: at least $2 wanted, $3 are there: $account"
}

# told: what was said of capture $i, $read = $acknowledged + $spooled + $lost.
told()
{
	if [ "$fate" = xdpdump_killed ]; then
		# shellcheck disable=SC2046 # four numbers
		set -- $(sed -n 's/^pcapng-kafka: \([0-9]*\) packets read, \([0-9]*\) acknowledged, \([0-9]*\) spooled, \([0-9]*\) lost;.*/\1 \2 \3 \4/p' "$said")
		read=${1:-0} acknowledged=${2:-0} spooled=${3:-0} lost=${4:-0}
		account="$read read = $acknowledged acknowledged + $spooled spooled + $lost lost"
		[ $# -eq 4 ] || wrong "pcapng-kafka does not report"
		return
	fi
	read=$(said_count 'packets captured') acknowledged=$(said_count 'packets acknowledged by Kafka')
	spooled=$(said_count 'packets in the spool') lost=$(said_count 'packets lost on the way to Kafka')
	dropped=$(said_count 'packets dropped by kernel')
	account="$read captured = $acknowledged acknowledged + $spooled spooled + $lost lost"
	exact "sent, with $dropped dropped by kernel" "$sent" $((read + dropped))
	exact "status" $((lost > 0)) "$(its status "$i")"
}

# send_rest: what is in the spool; $rest.
send_rest()
{
	rest=0
	[ "$(find "$spool" -type f | wc -l)" -gt 0 ] || return
	run_kafka put --json --spool "$spool:5G" "kafka://$address/r$rounds-$i" - < /dev/null
	rest=$(sed -n '$s/.*"packets_earlier":\([0-9]*\).*/\1/p' "$out")
	exact "status of who sends the rest" 0 "$status"
	exact "files in the spool" 0 "$(find "$spool" -type f | wc -l)"
}

# look: what the topic has, by kcat: $unique and $twice packets, $disorder, and $holes that sections tell of.
look()
{
	# shellcheck disable=SC2046 # four numbers
	set -- $($in_kafka kcat -b "$address" -C -t "r$rounds-$i" -e -q -f '%k\t%h\n' 2> "$scratch/kcat" | awk -F '\t' '
		function is(name) {
			match($2, "," name "=[^,]*")
			return substr($2, RSTART + length(name) + 2, RLENGTH - length(name) - 2)
		}
		{
			id = $1 " " is("writer")
			if (seen[id, is("sequence")]++) {
				twice += is("packets")
				next
			}
			unique += is("packets")
			holes += is("lost") > 0 || is("sequence") + 0 != (id in last ? last[id] + 1 : 0)
			if ((id in last && is("sequence") + 0 <= last[id]) || is("first") < time[$1])
				disorder++
			last[id] = is("sequence") + 0
			time[$1] = is("first")
		}
		END { print unique + 0, twice + 0, disorder + 0, holes + 0 }')
	unique=$1 twice=$2 disorder=$3 holes=$4
	account="$account; $unique in the topic, $twice twice; $((sent / seconds)) a second"
}

# foreign: others read all values as one file.
foreign()
{
	values "r$rounds-$i" "$scratch/values"
	[ $((unique + twice)) -gt 0 ] || return
	tshark -r "$scratch/values" -w "$scratch/copy" > "$scratch/tshark" 2>&1 || wrong "tshark: $(tail -n 1 "$scratch/tshark")"
	exact "packets by tshark" $((unique + twice)) "$(capinfos -cMrT "$scratch/copy" | cut -f 2)"
	run_kafka get -w "$scratch/values" "kafka://$address/r$rounds-$i"
	case $status in
	0) exact "holes, of which get says nothing" 0 "$holes" ;;
	3) at_least "lost, as get says that something is missing" 1 "$lost" ;;
	*) wrong "status of get: $status" ;;
	esac
	"$capcheck" --json "$sender_report" --dropped $((sent - unique)) "$scratch/values" > "$scratch/checked" 2>&1 ||
		wrong "by get, not each once and in order: $(tail -n 1 "$scratch/checked")"
}

# judge I
judge()
{
	i=$1 fate=$(its fate "$1") said=$(its said "$1") spool=$scratch/spool-$1 faulty=no
	title="$event, $fate, $(its key "$1")"
	told
	exact "the sum" "$read" $((acknowledged + spooled + lost))
	[ "$fate" != plain ] || at_least "acknowledged or spooled, of half of what was sent" $((sent / 2)) $((acknowledged + spooled))
	case $fate in
	exporter_killed) grep -q 'was ended by signal 9' "$said" || wrong "pcapng-kafka was not killed" ;;
	xdpdump_killed) exact "status of a killed xdpdump" 137 "$(its status "$i")" ;;
	esac
	send_rest
	look
	exact "out of the order of their key" 0 "$disorder"
	kept=$spooled
	[ "$fate" != small_disk ] || kept=0 # the disk is gone with the capture
	at_least "acknowledged and spooled are in the topic" $((acknowledged + kept)) "$unique"
	at_least "no more than was read" "$unique" "$read"
	if [ "$fate" != exporter_killed ] && [ "$spooled" -eq 0 ]; then
		exact "in the topic" "$acknowledged" "$unique"
		exact "twice" 0 "$twice"
	fi
	foreign
	[ "$faulty" = yes ] || ok "round $rounds, seed $((seed + rounds - 1)): $title: $account"
}

# --- Rounds.

choose()
{
	one_of nothing nothing broker_killed broker_killed leader_changed leader_changed broker_stopped network_cut brokers_gone
	set -- "$one"
	case $1 in
	nothing) others='' ;;
	brokers_gone) others='plain small_spool small_disk' ;;
	broker_stopped | network_cut) others='plain plain small_spool small_disk' ;;
	*) others='plain plain plain' ;;
	esac
	chance 2
	for _ in $(seq $((chance + 1))); do
		# shellcheck disable=SC2086 # words
		one_of $others exporter_killed xdpdump_killed
		set -- "$@" "$one"
	done
	[ "$1" != brokers_gone ] || set -- "$@" small_spool
	chosen=$*
}

# prepare: $seconds of traffic, $lasts of the event, and whether brokers are back before the captures end.
prepare()
{
	back=before
	case $1 in
	nothing) seconds=6 ;;
	broker_killed) seconds=12 ;;
	leader_changed) seconds=9 ;;
	broker_stopped) lasts=20 seconds=24 ;;
	network_cut)
		between_ms 10 25
		lasts=$ms seconds=$((ms + 3))
		;;
	brokers_gone)
		lasts=60 seconds=64
		[ "$KAFKA_FAULTS" = each ] || one_of before before later
		[ "$KAFKA_FAULTS" = each ] || back=$one
		;;
	esac
}

# round SEED EVENT FATE...
round()
{
	begin_chance "$1"
	event=$2 number=0 title=$2 faulty=no
	prepare "$event"
	shift 2
	for fate; do
		number=$((number + 1))
		begin_capture $number "$fate"
	done
	numbers=$(seq $number)
	start in_left "$trafgen" -i va -d "$seconds" -r "$KAFKA_RATE" --flows 64 --cpu 0
	sender=$pid sender_report=$out
	for i in $numbers; do
		seal "$i"
	done
	nap 500 3000
	"$event"
	ended "$sender" $((seconds + 120)) > "$scratch/ended"
	sent=$(json "$sender_report" sent)
	end_captures
	[ "$back" = before ] || come_back
	wait_for 300 are_three || wrong "three brokers do not come back"
	for i in $numbers; do
		judge "$i"
	done
	later 0 kafka_tool org.apache.kafka.tools.TopicCommand --bootstrap-server "$address" --delete --topic "r$rounds-.*"
	deleting=$!
	count_faults "$event" "$@"
}

count_faults()
{
	for one; do
		case $one in
		nothing | plain) ;;
		*) faults=$((faults + 1)) kinds="$kinds$one
" ;;
		esac
	done
}

one_round()
{
	rounds=$((rounds + 1))
	round $((seed + rounds - 1)) "$@"
}

veth_pair
offloads_off
in_right ethtool -K vb gro on # it polls, program or not
start_cluster
small_queue
rounds=0 faults=0 kinds=''
echo "# seed $seed: FAULTS_SEED=$seed runs the same rounds"
if [ -n "${FAULTS_ROUND:-}" ]; then
	# shellcheck disable=SC2086 # words
	one_round $FAULTS_ROUND
elif [ "$KAFKA_FAULTS" = each ]; then
	one_round brokers_gone plain small_spool small_disk
	one_round broker_stopped plain exporter_killed
	one_round broker_killed plain xdpdump_killed
	one_round leader_changed plain
	one_round network_cut plain
else
	while [ "$faults" -lt "$KAFKA_FAULTS" ]; do
		begin_chance $((seed + rounds))
		choose
		# shellcheck disable=SC2086 # words
		one_round $chosen
	done
fi
ended "$deleting" 300
echo "# $rounds rounds, $faults faults: $(echo "$kinds" | sed '/^$/d' | sort | uniq -c | paste -sd ,)"
finish
