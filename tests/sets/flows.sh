#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# not-flows=FILE: exactly the frames of the flows in the file are left out, at each hook, and those of lines that are
# appended while the capture runs; and what is told of files and lines that are wrong.
# shellcheck source=tests/sets/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library

oracle flows "$FLOWS_FRAMES" "$scratch"

need python3
veth_pair
folder=$scratch/feed flows=$scratch/feed/flows
mkdir "$folder"

refuses_options 'No such file' --not-flows "$flows"
refuses_options 'is not a regular file: give a file of addresses, ports or flows' --not-flows /dev/zero
refuses_options 'give a number of flows from 1 to 524288' --not-flows "$flows" --flows-max 524289
: > "$flows"
refuses_options 'takes more than 200 MiB: give a smaller --flows-max' --not-flows "$flows" --flows-max 524288
echo 192.0.2.1 > "$folder/hosts"
in_right timeout 20 "$build/xdpdump/xdpdump" -i vb --not-flows "$flows" --hosts "$folder/hosts" --set-max 2097152 -a duration:0.1 \
	-w "$scratch/most" > "$scratch/said" 2>&1
equal "as many addresses as there can be, and flows: status" 0 $?

cat > "$scratch/send.py" << 'END'
import socket, struct, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("va", 0))
for port in sys.argv[1:]:
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28, 0, 0, 64, 17, 0, bytes((198, 18, 0, 1)), bytes((192, 0, 2, 1)))
    s.send(b"\2\0\0\0\0\2\2\0\0\0\0\1\x08\0" + ip + struct.pack("!HHHH", int(port), 9, 8, 0) + bytes(18))
END
# shellcheck disable=SC2317 # these are called by wait_for
came()
{
	tail -n +"$1" "$out" | grep -q "198.18.0.1.$2 > "
}
# Are frames from this port left out? One of another port is sent behind it, and awaited.
# shellcheck disable=SC2317 # called by wait_for
left_out()
{
	from=$(($(wc -l < "$out") + 1))
	in_left python3 "$scratch/send.py" "$1" 9999
	wait_for 20 came "$from" 9999 && ! came "$from" "$1"
}
# shellcheck disable=SC2317 # called by wait_for
taken()
{
	! left_out "$1"
}
# shellcheck disable=SC2317 # called by wait_for
told()
{
	[ "$(grep -c -- "$1" "$err")" -ge "$2" ]
}
# flow PORT: its line.
flow()
{
	echo "udp 192.0.2.1 9 198.18.0.1 $1"
}

# What an IDS writes, and the line of shell behind it; without jq, what that prints. Until process $1 ends.
follow()
{
	if command -v jq > /dev/null; then
		tail -n +1 --pid "$1" -F "$folder/eve.json" 2> "$scratch/tail" | jq --unbuffered -r \
			'select(.event_type == "alert") | [.proto, .src_ip, .src_port, .dest_ip, .dest_port] | @csv' >> "$flows"
	else
		tail -n +1 --pid "$1" -F "$folder/eve.json" 2> "$scratch/tail" | sed -un \
			's/.*"alert","src_ip":\("[^"]*"\),"src_port":\([0-9]*\),"dest_ip":\("[^"]*"\),"dest_port":\([0-9]*\),"proto":\("[^"]*"\).*/\5,\1,\2,\3,\4/p' >> "$flows"
	fi
}
alert()
{
	printf '{"timestamp":"2026-11-26T00:00:00","event_type":"%s","src_ip":"198.18.0.1","src_port":%u,"dest_ip":"192.0.2.1","dest_port":9,"proto":"UDP"}\n' \
		"$1" "$2" >> "$folder/eve.json"
}
if command -v tcpdump > /dev/null; then
	: > "$folder/eve.json"
	start_capture tcpdump -i "xdp:vb,hook=packet,not-flows=$flows" -n -l -Z nobody udp
	wait_for 40 grep -q 'listening on' "$err"
	tcpdump=$pid printed=$out
	start follow "$tcpdump"
	follower=$pid out=$printed
	check "tcpdump, without privileges: before the alert the flow is there" taken 1001
	alert dns 1002
	alert alert 1001
	check "behind it it is left out" wait_for 20 left_out 1001
	check "and another is not" taken 1002
	stop "$tcpdump"
	check "who follows the alerts ends with it" ended "$follower" 20
else
	skip "an alert ends a flow: needs tcpdump"
fi

: > "$flows"
start_capture "$build/xdpdump/xdpdump" -i lo -i "xdp:vb,hook=packet,flows-max=4,not-flows=$flows" -l -n -Z nobody
wait_for 40 grep -q 'listening on' "$err" || show "$err"
flow 1003 >> "$flows"
check "a line that is appended" wait_for 20 left_out 1003
rm "$flows"
check "a file that is removed is told" wait_for 20 told 'the flows that were left out stay so: cannot open .*: No such file' 1
check "and they stay left out" left_out 1003
{
	flow 1004
	echo 'nonsense'
	echo 'icmp 192.0.2.1 8 198.18.0.1 0'
} > "$flows"
check "a new one counts" wait_for 20 left_out 1004
check "alone" taken 1003
check "of a wrong line the number is told" wait_for 20 told 'feed/flows, line 2: this is no flow: give protocol' 1
exec 3>> "$flows" # which stays open
for port in 1005 1006 1007 1008 1009; do
	flow $port >&3
done
echo more nonsense >&3
check "up to flows-max= they count" wait_for 20 left_out 1007
check "more than there is room for is told" wait_for 20 told 'feed/flows, line 7: there is no room for this flow' 1
check "and captured" taken 1008
flow 1010 > "$flows.new" && mv "$flows.new" "$flows"
check "one that is renamed into place counts" wait_for 20 left_out 1010
check "alone, too" taken 1005
exec 3>&-
head -c 100000 /dev/zero | tr '\0' ' ' >> "$flows"
flow 1011 >> "$flows"
flow 1012 >> "$flows"
check "behind a line that is too long others count" wait_for 20 left_out 1012
check "and what it ends with does not" taken 1011
printf 'udp 192.0.2.1 9 198.18.0.1 101' >> "$flows"
flow 1013 >> "$flows" # the end of that line is another: 101udp
flow 1014 >> "$flows"
check "a line counts when it has its end" wait_for 20 left_out 1014
check "and not before" taken 101
kill -HUP "$pid"
check "SIGHUP has all read again, and what is wrong told" wait_for 20 told 'feed/flows, line 2: this is no flow' 3
check "and they count" left_out 1014
check "the capture ends" stop "$pid"
finish
