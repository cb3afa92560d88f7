#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcapng-kafka put, into a real broker: kcat has the values in one file, and tshark and tcpdump read all of it. Each
# message alone is a file, too, with its names, comments and secrets, and tells of itself in headers.
# shellcheck source=tests/kafka/lib.sh
. "$(dirname "$0")/lib.sh"
need_kafka
need tcpdump python3
start_broker
start_at=1700000000000000000

# fields FILE: a line for each packet.
fields()
{
	tshark -nr "$1" -T fields -e frame.time_epoch -e frame.len -e data 2>&1 | grep -v '^Running as user "root"'
}

# same_packets NAME FILE TOPIC: the topic has those of the file, in their order.
same_packets()
{
	values "$3" "$scratch/values"
	fields "$2" > "$scratch/wanted"
	fields "$scratch/values" > "$scratch/got"
	check "$1" cmp "$scratch/wanted" "$scratch/got"
}

# headers TOPIC NAME: of each message.
headers()
{
	$in_kafka kcat -b $address -C -t "$1" -e -q -f '%h\n' | sed "s/.*,$2=\\([^,]*\\).*/\\1/"
}

# pcapng: 3,000 packets of 1,500 bytes in a second, so that sections are cut where they are full.
python3 "$top/tests/kafka/packets.py" 3000 $start_at 300000 1500 v0 > "$scratch/a.pcapng"
run_kafka put --host alpha --session first kafka://$address/a "$scratch/a.pcapng"
equal "a file" 0 "$status"
check "what it says" grep -q ': 3000 packets read, 3000 acknowledged, 0 spooled, 0 lost; 6 sections of [0-9]* bytes$' "$err"
same_packets "its packets by tshark" "$scratch/a.pcapng" a
tcpdump -nn -tt --nano -x -r "$scratch/a.pcapng" > "$scratch/wanted" 2> /dev/null
tcpdump -nn -tt --nano -x -r "$scratch/values" > "$scratch/got" 2> /dev/null
check "by tcpdump" cmp "$scratch/wanted" "$scratch/got"
$in_kafka kcat -b $address -C -t a -e -q -f '%S %k\n' > "$scratch/sizes"
equal "largest message" ok "$(awk '$1 > 900000 { most = $1 } END { print most ? most : "ok" }' "$scratch/sizes")"
equal "keys" "alpha/first/0" "$(cut -d ' ' -f 2 "$scratch/sizes" | sort -u)"
equal "sequence" "0 1 2 3 4 5" "$(headers a sequence | paste -sd " ")"
equal "interface" v0 "$(headers a interface | sort -u)"
equal "packets" 3000 "$(headers a packets | awk '{ n += $1 } END { print n }')"
equal "time of the first message" 1700000000000 "$($in_kafka kcat -b $address -C -t a -e -q -c 1 -f '%T')"
# The same in the section itself.
$in_kafka kcat -b $address -C -t a -o 5 -c 1 -e -q -D '' -f %s > "$scratch/last"
strings -n 3 "$scratch/last" | sed -n '/^pcapng-kafka 1$/,/^behind=/p' | sed '/^writer=/!s/=0*\([0-9]\)/=\1/' | sed 1d > "$scratch/label"
$in_kafka kcat -b $address -C -t a -o 5 -c 1 -e -q -f '%h\n' | tr ',' '\n' | LC_ALL=C sed -n '/^host=/,$p' > "$scratch/header"
check "label and headers agree" cmp "$scratch/label" "$scratch/header"
equal "comment of the last section" "comment of v0" "$(capinfos -k "$scratch/last" | sed -n 's/^Capture comment: *//p')"
check "statistics of the last section" tshark -nr "$scratch/last" -c 1

# Sparse packets: a section covers a second at most, so that they are found by time.
python3 "$top/tests/kafka/packets.py" 10 $start_at 400000000 100 v0 > "$scratch/sparse.pcapng"
run_kafka put --host alpha kafka://$address/sparse "$scratch/sparse.pcapng"
same_packets "sparse packets" "$scratch/sparse.pcapng" sparse
equal "their sections" "3 3 3 1" "$(headers sparse packets | paste -sd " ")"

# Old pcap, of microseconds, and of nanoseconds, by standard input; names and secrets.
editcap -F pcap "$scratch/a.pcapng" "$scratch/us.pcap"
editcap -F nsecpcap "$scratch/a.pcapng" "$scratch/ns.pcap"
for kind in us ns; do
	$in_kafka "$pcapng_kafka" put -q --full wait kafka://$address/$kind < "$scratch/$kind.pcap" 2> "$scratch/said"
	equal "pcap of $kind" 0 $?
	same_packets "its packets" "$scratch/$kind.pcap" $kind
done
echo 'CLIENT_RANDOM 00 11' > "$scratch/keys"
editcap --inject-secrets "tls,$scratch/keys" "$scratch/a.pcapng" "$scratch/secret.pcapng"
run_kafka put kafka://$address/secret "$scratch/secret.pcapng"
same_packets "with secrets" "$scratch/secret.pcapng" secret
$in_kafka kcat -b $address -C -t secret -o -1 -c 1 -e -q -D '' -f %s > "$scratch/last"
check "secrets in the last section" grep -q "CLIENT_RANDOM 00 11" "$scratch/last"

# Two sections of two interfaces each, and concatenated files.
mergecap -w "$scratch/two.pcapng" "$scratch/a.pcapng" "$scratch/sparse.pcapng"
cat "$scratch/two.pcapng" "$scratch/a.pcapng" > "$scratch/many.pcapng"
run_kafka put kafka://$address/many "$scratch/many.pcapng"
same_packets "interfaces and sections" "$scratch/many.pcapng" many

# --key flow: each flow, both directions of it, in one stream; streams share the flows; get has all in order.
python3 - > "$scratch/flows.pcap" <<-'END'
	import struct, sys
	out = sys.stdout.buffer
	out.write(struct.pack("=IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1))
	for n in range(4000):
	    a, b = (bytes([10, 0, 0, 1 + n % 5]), 2000 + n % 40), (bytes([10, 9, 9, 9]), 53)
	    if n // 40 % 2:
	        a, b = b, a
	    data = b"%08d" % n
	    udp = struct.pack("!HHHH", a[1], b[1], 8 + len(data), 0) + data
	    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, a[0], b[0]) + udp
	    tag = b"\x81\0\0\7" if n % 80 < 40 else b""
	    frame = bytes(12) + tag + b"\x08\0" + ip
	    out.write(struct.pack("=IIII", 1700000000, n * 1000, len(frame), len(frame)) + frame)
END
run_kafka put --key flow --session s kafka://$address/flows "$scratch/flows.pcap"
equal "--key flow" 0 "$status"
between "streams of --key flow" 8 16 "$(headers flows stream | sort -u | wc -l)"
for message in $($in_kafka kcat -b $address -C -t flows -e -q -f '%p:%o\n'); do
	$in_kafka kcat -b $address -C -t flows -p "${message%:*}" -o "${message#*:}" -c 1 -e -q -D '' -f %s > "$scratch/one"
	tshark -nr "$scratch/one" -T fields -e udp.srcport -e udp.dstport -e ip.src -e ip.dst 2> /dev/null |
		awk -v message="$message" '{ print $1 == 53 ? $2 " " $1 " " $4 " " $3 : $0, message }'
done | tr '\t' ' ' | sort -u > "$scratch/flows"
equal "flows of both directions" 40 "$(cut -d ' ' -f 1-4 "$scratch/flows" | sort -u | wc -l)"
equal "... each in one stream" 40 "$(wc -l < "$scratch/flows")"
run_kafka get -w "$scratch/got.pcapng" kafka://$address/flows
fields "$scratch/flows.pcap" > "$scratch/wanted"
fields "$scratch/got.pcapng" > "$scratch/got"
check "... and get has all of it in order" cmp "$scratch/wanted" "$scratch/got"

# Live: a packet is there a second later, though the pipe stays open; SIGTERM sends the rest.
mkfifo "$scratch/pipe"
start $in_kafka "$pcapng_kafka" put --json kafka://$address/live "$scratch/pipe"
put=$pid printed=$out
exec 8<> "$scratch/pipe"
python3 "$top/tests/kafka/packets.py" 5 $start_at 1000 100 v0 >&8
live_has()
{
	values live "$scratch/values" && [ "$(packets "$scratch/values")" -eq "$1" ]
}
check "a live packet comes soon" wait_for 10 live_has 5
tail -c 132 "$scratch/sparse.pcapng" >&8
sleep 0.2
kill -TERM "$put"
check "SIGTERM ends it well" ended "$put" 10
exec 8>&-
check "all of it has come" live_has 6
equal "statistics" "6 6 0" "$(jq -r '[.packets_read, .packets_acknowledged, .packets_lost] | join(" ")' "$printed")"
finish
