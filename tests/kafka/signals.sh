#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A signal ends get, ls, put and pcapng-find within 200 ms, whatever they wait for: brokers that say nothing; a name that
# no server tells; a spill that is being merged; a standard output that nobody reads.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need python3
find=$build/find/pcapng-find
fleet=$build/tests/kafka/fleet
[ -x "$fleet" ] || skip_all "tests/kafka/fleet was not built"
# All that is sent there gets no answer; a name server, too.
ip -n "$namespace" link add silent type veth peer name peer
ip -n "$namespace" addr add 192.0.2.1/24 dev silent
ip -n "$namespace" link set silent up
ip -n "$namespace" link set peer up
ip -n "$namespace" neigh add 192.0.2.53 lladdr 02:00:00:00:00:53 dev silent
echo "nameserver 192.0.2.53" > "$scratch/resolv.conf"

# All names are of those files. Spills lie in memory: on a disk that is mounted with discard the kernel takes a second to
# free 1 GB, before it lets the program go.
mkdir "$scratch/spills"
cat > "$scratch/in" << END
exec ip netns exec $namespace unshare -m env TMPDIR="$scratch/spills" sh -c 'mount -t tmpfs spills "$scratch/spills" &&
	mount --bind "$scratch/resolv.conf" /etc/resolv.conf && exec "\$@"' sh "\$@"
END
in_kafka="sh $scratch/in"

# What 200 ms are where so many want to run.
most_ms()
{
	awk -v cpus="$(nproc)" '{ busy = $1 / cpus; print int(200 * (busy > 1 ? busy : 1)) }' /proc/loadavg
}

# ends NAME STATUS PATTERN WHEN SIGNALS COMMAND...: with that status, and a message of that pattern, if there is one. A busy
# host may be late, but not each time.
ends()
{
	ends_name=$1 ends_status=$2 ends_pattern=$3
	shift 3
	for _ in 1 2 3; do
		$in_kafka python3 "$top/tests/kafka/ends.py" "$@" > "$scratch/ended" 2> "$scratch/ends.err" < "$scratch/pipe"
		took=$(sed -n '$s/ .*//p' "$scratch/ended")
		most=$(most_ms)
		[ "${took:-60000}" -gt "$most" ] || break
	done
	check "$ends_name: ms, status: $(cat "$scratch/ended"); at most $most" [ "${took:-60000}" -le "$most" ]
	equal "$ends_name: status" "$ends_status" "$(sed -n '$s/.* //p' "$scratch/ended")"
	[ -z "$ends_pattern" ] || check "$ends_name: $ends_pattern" grep -q -- "$ends_pattern" "$scratch/ends.err"
	[ "${took:-60000}" -le "$most" ] || show "$scratch/ends.err"
}

mkfifo "$scratch/pipe"
exec 8<> "$scratch/pipe"
for silent in 192.0.2.53 broker.example; do
	for command in get ls put; do
		ends "$command, no word of $silent" -15 '' waits 1 "$pcapng_kafka" $command "kafka://$silent/packets"
	done
done

start_broker
kafka=kafka://$address
make_topic large 4
$in_kafka "$fleet" $kafka/large 100 2 1000000 1700000000 > "$scratch/made" 2>&1
equal "a topic of 200 MB" 0 $?
make_topic many 4
$in_kafka "$fleet" $kafka/many 1000 2 700 1700000000 > "$scratch/made" 2>&1
equal "a topic of 1,000 hosts" 0 $?

late='the reader did not take the rest in time after a signal'
ends "get, standard output blocks" 1 "$late" full 1 "$pcapng_kafka" get $kafka/large
ends "get --follow, standard output blocks" 1 "$late" full 1 "$pcapng_kafka" get --follow --since @1 $kafka/large
ends "ls, standard output blocks" -15 '' full 1 "$pcapng_kafka" ls $kafka/many
ends "get, it spills" 1 '' spill:1000000 1 "$pcapng_kafka" get -w "$scratch/got" $kafka/large
ends "get, the spill is merged" 1 'packets behind these are not here' "file:$scratch/got" 1 \
	"$pcapng_kafka" get -w "$scratch/got" $kafka/large
ends "get --follow, nothing comes" 0 '' waits 1 "$pcapng_kafka" get --follow -w "$scratch/got" $kafka/large
run_kafka get -q -w "$scratch/all.pcapng" $kafka/large
if [ -x "$find" ]; then
	ends "find, standard output blocks" 1 "$late" full 1 "$find" -w - "$scratch/all.pcapng"
	# It says so, and writes what it has found.
	ends "find, it spills" 1 'what was found so far is all there is' spill:1000000 says \
		"$find" -w "$scratch/got" "$scratch/all.pcapng"
	check "find, it spills: what was found is a file" capinfos -c "$scratch/got"
	ends "find, its spill is merged" 1 'is not all that was found' "file:$scratch/got" 1 \
		"$find" -w "$scratch/got" "$scratch/all.pcapng"
fi

finish
