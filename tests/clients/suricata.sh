#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Suricata in its pcap mode finds the same at the XDP layer as on AF_PACKET: in what was replayed, by
# rules for single packets, streams, fragments, protocols and tags. With hosts=FILE it finds that of the addresses in
# the file, and nothing else; with not-flows=FILE it shunts a flow while that runs. Debian 12 has no Suricata:
# `make check-suricata` runs this in a chroot of Debian 13.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need suricata ethtool python3
need_library
python=/usr/bin/python3
"$python" -c 'import scapy.all' 2> /dev/null || skip_all "needs python3-scapy"
here=$top/tests/clients
rounds=${SURICATA_ROUNDS:-50}
veth_pair
offloads_off

# started_up: the threads have their devices open by then.
started_up()
{
	grep -q 'Engine started' "$err" "$out"
}

started_or_ended()
{
	started_up || process_gone "$pid"
}

# all_seen NAME: the last frame of each round is one that a rule finds.
all_seen()
{
	[ "$(grep -s -c ':9000009:' "$scratch/$1/fast.log")" -eq "$awaited" ]
}

# frames_read NAME: how many Suricata has taken apart, as it says at its end.
frames_read()
{
	grep -s '"event_type":"stats"' "$scratch/$1/eve.json" | tail -n 1 |
		sed -n 's/.*"decoder":{"pkts":\([0-9]*\).*/\1/p'
}

# look NAME INTERFACE COMMAND...: Suricata, started by the command, while the mix is replayed. Its
# alerts in NAME.alerts, what it said in NAME.said.
look()
{
	way=$1 interface=$2
	shift 2
	mkdir "$scratch/$way"
	: > "$scratch/$way.alerts"
	"$@" suricata --pcap="$interface" --runmode single -S "$here/suricata.rules" -l "$scratch/$way" \
		--init-errors-fatal --set unix-command.enabled=no
	wait_for 60 started_or_ended
	if started_up; then
		replay
		wait_for 30 all_seen "$way"
		check "$way: Suricata ends as it should" ended_well
		equal "$way: frames read" "$frames" "$(frames_read "$way")"
		"$python" "$here/suricata_alerts.py" "$scratch/$way/eve.json" > "$scratch/$way.alerts"
	else
		bad "$way: Suricata does not start"
		show "$err"
	fi
	cat "$out" "$err" > "$scratch/$way.said"
}

replay()
{
	in_left "$python" "$here/suricata_replay.py" va "$scratch/mix.pcap" "${SURICATA_RATE:-5000}" > "$scratch/replay" 2>&1 ||
		bad "replay: $(tail -n 1 "$scratch/replay")"
}

ended_well()
{
	kill -INT "$pid" && ended "$pid" 60
}

# alerts SID FILE
alerts()
{
	grep -c "\"signature_id\": $1[,}]" "$2"
}

# rule_name SID
rule_name()
{
	sed -n "s/.*msg:\"\([^\"]*\)\".*sid:$1;.*/\1/p" "$here/suricata.rules"
}

# same_alerts NAME WAY: as by AF_PACKET.
same_alerts()
{
	if diff "$scratch/plain.alerts" "$scratch/$2.alerts" > "$scratch/differ"; then
		ok "$1: the same alerts, $(wc -l < "$scratch/$2.alerts")"
	else
		bad "$1: other alerts, $(grep -c '^[<>]' "$scratch/differ") lines differ"
		show "$scratch/differ" | head -n 4
	fi
}

"$python" "$here/suricata_mix.py" "$scratch/mix.pcap" "$rounds"
frames=$(packets "$scratch/mix.pcap") awaited=$rounds

look plain vb start ip netns exec "$right"
# Nothing is equal by being empty: each rule finds its frame of each round.
for sid in $(sed -n 's/.*sid:\([0-9]*\);.*/\1/p' "$here/suricata.rules"); do
	equal "AF_PACKET: $(rule_name "$sid")" "$rounds" "$(alerts "$sid" "$scratch/plain.alerts")"
done

look named vb start_capture env PCAP_AFXDP=vb PCAP_AFXDP_DEBUG=1
same_alerts PCAP_AFXDP=vb named
check "PCAP_AFXDP=vb: it was captured at the XDP layer" grep -q 'vb: captured at the XDP layer' "$scratch/named.said"

for device in xdp:vb xdp:vb,hook=tc; do
	look "$device" "$device" start_capture
	same_alerts "$device" "$device"
done

# The clients of ten rounds: all frames of a round are of its client.
printf '10.99.1.10-10.99.1.15\n10.99.1.16/30 # and four\n2001:db8::1:1-2001:db8::1:a\n' > "$scratch/hosts"
grep -E '"(src|dest)_ip": "(10\.99\.1\.1[0-9]|2001:0db8:0000:0000:0000:0000:0001:000[1-9a])"' "$scratch/plain.alerts" \
	> "$scratch/listed" && mv "$scratch/listed" "$scratch/plain.alerts"
frames=$((frames * 10 / rounds)) awaited=10
for device in xdp:vb xdp:vb,hook=tc; do
	look "$device,hosts" "$device,hosts=$scratch/hosts" start_capture
	same_alerts "$device,hosts=FILE" "$device,hosts"
done

# page COMMAND: the lines of docs/sets.md that sed prints by it, with files of this test.
page()
{
	sed -n "$1" "$top/docs/sets.md" |
		sed -e "s,/run/flows,$scratch/flows,g" -e "s,/var/log/suricata,$scratch/shunt,g" -e 's/^    //'
}

# probes PORT: how many Suricata has found of the connection from there.
probes()
{
	grep -c ":9000010:.* 10.99.0.1:$1 -> " "$scratch/shunt/fast.log"
}

# shellcheck disable=SC2317 # these are called by wait_for
second_came()
{
	[ "$(probes 8002)" -gt "$second" ]
}
# A packet of each connection, that of the second behind the other: is it alone?
probe()
{
	first=$(probes 8001) second=$(probes 8002)
	echo both >&3
	wait_for 20 second_came || return 2
	[ "$(probes 8001)" -eq "$first" ]
}
# shellcheck disable=SC2317
both_come()
{
	probe
	[ $? -eq 1 ]
}
# Another 2 MB of the elephant, until its flow is in the file.
# shellcheck disable=SC2317
is_listed()
{
	echo more >&3
	probe
	[ -s "$scratch/flows" ]
}

# An elephant is shunted while it runs: by the rule and the line of shell of docs/sets.md. What this host sends has no
# checksums yet (-k none).
mkdir "$scratch/shunt"
page '/^    alert tcp/p' > "$scratch/shunt.rules"
equal "the page has a rule" 1 "$(grep -c elephant "$scratch/shunt.rules")"
cat >> "$scratch/shunt.rules" << 'END'
alert tcp-pkt any any -> any any (msg:"probe"; content:"a probe of a flow"; sid:9000010; rev:1;)
alert tcp-pkt any 8001 -> any any (msg:"frame of the elephant"; dsize:>0; sid:9000011; rev:1;)
END
: > "$scratch/flows"
start_capture suricata --pcap="xdp:vb,not-flows=$scratch/flows" --runmode single -S "$scratch/shunt.rules" \
	-l "$scratch/shunt" --init-errors-fatal --set unix-command.enabled=no -k none
suricata=$pid
wait_for 60 started_or_ended
if started_up; then
	page '/tail -n 0 -F/,/>> /p' | sed "s/-F/--pid $suricata -F/" > "$scratch/line"
	sh "$scratch/line"
	mkfifo "$scratch/fifo" && exec 3<> "$scratch/fifo"
	start in_left "$python" "$here/suricata_flows.py" send "$scratch/fifo"
	sender=$pid
	wait_for 20 grep -q listening "$out"
	start in_right "$python" "$here/suricata_flows.py" receive
	check "not-flows=FILE: before the alert Suricata sees both flows" wait_for 20 both_come
	check "not-flows=FILE: the alert's flow comes into the file by the line of docs/sets.md" wait_for 60 is_listed
	equal "not-flows=FILE: and it alone" '1 1' "$(grep -c '"10.99.0.1",8001' "$scratch/flows") $(wc -l < "$scratch/flows")"
	check "not-flows=FILE: from then on Suricata gets none of its frames, and the other's" wait_for 20 probe
	before=$(grep -c ':9000011:' "$scratch/shunt/fast.log")
	for _ in 1 2 3 4 5; do
		echo more >&3
		probe || bad "not-flows=FILE: a frame of the elephant comes again, or none of the other"
	done
	equal "not-flows=FILE: nor of the 10 MB that follow" "$before" "$(grep -c ':9000011:' "$scratch/shunt/fast.log")"
	check "not-flows=FILE: it had some thousand before" test "$before" -gt 1000
	pid=$suricata
	check "not-flows=FILE: Suricata ends as it should" ended_well
	exec 3>&-
	kill "$sender"
else
	bad "not-flows=FILE: Suricata does not start"
	show "$err"
fi
finish
