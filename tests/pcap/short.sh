#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Short frames, of each length, received and sent, at each hook and cut at each length that matters: every byte is
# that of AF_PACKET. The program copies some of them by itself, and others by helper.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump python3
veth_pair
first=14 last=160

cat > "$scratch/send.py" << 'END'
# send.py INTERFACE FIRST LAST: a frame of each length; no two bytes near each other are the same.
import socket
import sys
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
link.bind((sys.argv[1], 0))
header = b"\x02\x74\x67\0\0\2\x02\0\0\0\0\x0a\x88\xb5"
for length in range(int(sys.argv[2]), int(sys.argv[3]) + 1):
    link.send(header + bytes((97 * i + length) % 256 for i in range(length - len(header))))
END

cat > "$scratch/talk.py" << 'END'
# talk.py FIRST LAST: a connection from 10.99.0.2 to 10.99.0.1 with so many bytes in a segment each. Sent by TCP, a
# frame has its payload apart from its headers.
import socket
import sys
talk = socket.create_connection(("10.99.0.1", 5001))
talk.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
for length in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    talk.sendall(bytes((89 * i + length) % 256 for i in range(length)))
    talk.recv(1)
END

cat > "$scratch/listen.py" << 'END'
import socket
door = socket.create_server(("10.99.0.1", 5001))
print("ready", flush=True)
talk, _ = door.accept()
while talk.recv(4096):
    talk.send(b".")
END

# dump FILE: bytes and lengths, without the time.
dump()
{
	tcpdump -nnt -xx -e -r "$1" 2> /dev/null
}

# sees OPTIONS WANTED SEND ARGUMENT...: so many frames, the same as AF_PACKET.
sees()
{
	options=$1 wanted=$2 what=$3
	shift 3
	device=xdp:vb${options:+,$options} start_tcpdump "$@" -Z root -w "$scratch/xdp.pcap" || finish
	xdp=$pid
	device=vb start_tcpdump "$@" -Z root --immediate-mode -B 16384 -w "$scratch/vb.pcap" || finish
	vb=$pid
	"$what"
	settle "$xdp" "$vb"
	stop "$xdp" INT
	stop "$vb" INT
	dump "$scratch/xdp.pcap" > "$scratch/xdp.dump"
	dump "$scratch/vb.pcap" > "$scratch/vb.dump"
	equal "${options:-no option}, $what, $*: frames" "$wanted" "$(grep -c length "$scratch/vb.dump")"
	check "${options:-no option}, $what, $*: the bytes of AF_PACKET" cmp "$scratch/xdp.dump" "$scratch/vb.dump"
}

both_ways()
{
	in_left python3 "$scratch/send.py" va "$first" "$last"
	in_right python3 "$scratch/send.py" vb "$first" "$last"
}

by_tcp()
{
	start in_left python3 "$scratch/listen.py"
	wait_for 20 grep -q ready "$out"
	in_right python3 "$scratch/talk.py" 1 120
}

lengths=$((last - first + 1))
for options in '' hook=tc hook=packet vlan=off; do
	sees "$options" $((2 * lengths)) both_ways ether proto 0x88b5
	sees "$options" 120 by_tcp 'dst port 5001 and tcp[tcpflags] & tcp-push != 0'
done
for snaplen in 33 64 65 128; do
	sees '' $((2 * lengths)) both_ways -s "$snaplen" ether proto 0x88b5
done
finish
