#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Unmodified packages that use libpcap, each in its own way, on xdp: devices.
# shellcheck source=tests/apps/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need ping
veth_pair
apps=$top/tests/apps
mac=02:74:67:00:00:02 own=10.99.0.2 far=10.99.0.1

# has PROGRAM PACKAGE: skips what needs it.
has()
{
	command -v "$1" > /dev/null && return
	skip "$1 is not installed (package $2)"
	return 1
}

# Debian's own, for other ones have not Debian's packages.
python=/usr/bin/python3
has_python()
{
	$python -c "$1" 2> /dev/null && return
	skip "no $python with '$1' (package $2)"
	return 1
}

# tcp_exchange TEXT: over a connection from va to port 8080 of vb's host.
tcp_exchange()
{
	rm -f "$scratch/server"
	in_right $python -c 'import socket
s = socket.create_server(("10.99.0.2", 8080))
print("ready", flush=True)
c = s.accept()[0]
c.sendall(b"heard: " + c.recv(100))
c.close()' > "$scratch/server" &
	server=$!
	started="$started $server"
	wait_for 10 grep -q ready "$scratch/server"
	in_left $python -c 'import socket, sys
c = socket.create_connection(("10.99.0.2", 8080), 5)
c.sendall(sys.argv[1].encode())
while c.recv(100): pass' "$1"
	ended "$server" 5
}

# Looks into the payload; becomes nobody before it reads.
run_ngrep()
{
	has ngrep ngrep || return
	start_on ngrep -d "$1" -l -q hallohallo icmp || return
	sleep 0.3
	ping_right 5 # of another pattern
	in_left ping -qc 5 -i 0.01 -W 5 -p 68616c6c6f -s 40 10.99.0.2 > "$scratch/ping"
	wait_for 5 has_lines 10 '^I ' "$out"
	stop "$pid" INT
	equal "ngrep on $1: packets with the text" 10 "$(grep -c '^I ' "$out")"
}

# Puts TCP streams together.
run_tcpflow()
{
	has tcpflow tcpflow && has_python 'import socket' python3 || return
	mkdir -p "$scratch/flows"
	start_on tcpflow -i "$1" -o "$scratch/flows" 'tcp port 8080' || return
	sleep 0.5
	tcp_exchange "from va to vb"
	sleep 0.5
	stop "$pid" INT
	equal "tcpflow on $1: one way" 'from va to vb' "$(cat "$scratch"/flows/010.099.000.001*.08080 2>&1)"
	equal "tcpflow on $1: and back" 'heard: from va to vb' "$(cat "$scratch"/flows/010.099.000.002.08080* 2>&1)"
	rm -rf "$scratch/flows"
}

# Reads by select(). Its own memcmp() over the ends of strings is none of our business.
run_p0f()
{
	has p0f p0f && has_python 'import socket' python3 || return
	start_on env ASAN_OPTIONS=detect_leaks=0:intercept_memcmp=0 stdbuf -oL p0f -i "$1" || return
	wait_for 5 grep -q 'main event loop' "$out"
	tcp_exchange "whose system is this"
	wait_for 5 grep -q 'syn+ack' "$out"
	stop "$pid" INT
	check "p0f on $1: sees the client's SYN" grep -q '10.99.0.1/.* -> 10.99.0.2/8080 (syn)' "$out"
	check "p0f on $1: and the answer" grep -q '10.99.0.1/.* -> 10.99.0.2/8080 (syn+ack)' "$out"
}

# Reads by pcap_loop(), promiscuous, for ARP only.
run_arpwatch()
{
	has arpwatch arpwatch || return
	: > "$scratch/arp.dat"
	start_on stdbuf -oL arpwatch -d -N -i "$1" -f "$scratch/arp.dat" || return
	sleep 0.5
	in_right ping -qc 1 -W 1 10.99.0.77 > "$scratch/ping" # nobody: an ARP request of vb's
	wait_for 5 grep -q 'ethernet address:' "$out"
	stop "$pid" INT
	check "arpwatch on $1: learns who asks" says 'ip address: 10.99.0.2' "$out"
	check "arpwatch on $1: and with what address" says "ethernet address: $mac" "$out"
}

run_scapy()
{
	has_python 'import scapy' python3-scapy || return
	# scapy 2.7 opens only what is in the list of devices, which has no options.
	options=$PCAP_AFXDP_OPTIONS
	[ "${1%%,*}" = "$1" ] || options=$options,${1#*,}
	start_capture env PCAP_AFXDP_LIST=1 PCAP_AFXDP_OPTIONS="$options" $python -W ignore "$apps/use_pcap.py" "${1%%,*}" $mac $own $far
	wait_for 15 grep -q ready "$out"
	ping_right 10
	ended "$pid" 20
	equal "scapy on $1: sniff() with a filter" '10 requests, 10 replies' "$(sed -n 2p "$out")"
	equal "scapy on $1: srp1() has its answer" $far "$(sed -n 3p "$out")"
	[ "$(wc -l < "$out")" -eq 3 ] || show "$err"
}

# A Go program, by cgo; the modules come from the module cache or the network, else it is skipped.
build_gopacket()
{
	has go golang-go || return
	cp -r "$apps/gopacket" "$scratch/gopacket" && chmod -R u+w "$scratch/gopacket"
	(cd "$scratch/gopacket" && timeout 90 go build -o "$scratch/pcap-go" .) > "$scratch/go" 2>&1 && return
	skip "gopacket cannot be built here: $(head -n 1 "$scratch/go")"
	return 1
}

run_gopacket()
{
	[ -x "$scratch/pcap-go" ] || return
	start_capture "$scratch/pcap-go" "$1" 20
	wait_for 15 grep -q ready "$out"
	ping_right 10
	ended "$pid" 10
	equal "gopacket on $1" '10 requests, 10 replies' "$(sed -n 2p "$out")"
	[ "$(wc -l < "$out")" -eq 2 ] || show "$err"
}

# Programs that send before they read find the replies waiting.
run_send_first()
{
	with_library "$build/tests/apps/send_first" "$1" $mac $own $far > "$scratch/said" 2>&1
	equal "sends first on $1" '0 request, 1 reply' "$(tail -n 1 "$scratch/said")"
}

build_gopacket
for device in xdp:vb xdp:vb,hook=tc xdp:vb,hook=packet; do
	run_send_first $device
	run_ngrep $device
	run_gopacket $device
done
for device in xdp:vb xdp:vb,hook=tc; do
	run_tcpflow $device
	run_p0f $device
	run_arpwatch $device
	run_scapy $device
done
nothing_left "$right" vb
finish
