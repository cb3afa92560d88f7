#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Programs that ask the kernel about the interface's name, and so can open plain names only: with
# PCAP_AFXDP=vb they find what they find on AF_PACKET, and it is the XDP layer that they have it from.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair busybox ping
datagrams=$top/tests/clients/datagrams.py

# The port that is open, on va's host.
start_http()
{
	start in_left busybox httpd -f -p 10.99.0.1:8080 -h "$scratch"
	wait_for 10 in_left busybox wget -q -O /dev/null http://10.99.0.1:8080/made
}

start_sink()
{
	start ip netns exec "$right" "$python" "$datagrams" take 10.99.0.2
	wait_for 10 grep -q ready "$out"
}

# One of these stands in what a program says when it has seen anything: nothing is equal by being empty.
found='8080/tcp open|02:00:00:00:00:0a|RCVD|10.99.0.1 sent N|20840'

# --- what each program says, without times and numbers that are drawn ---

tidy_nmap()
{
	sed -e 's/ at [0-9-]* .*//' -e 's/([0-9.]*s latency)//' -e 's/ in [0-9.]* seconds//' "$1"
}

tidy_nping()
{
	sed -n -e 's/^\(SENT\|RCVD\) ([0-9.]*s) \([A-Z]*\).*/\1 \2/p' -e 's/^Raw packets/&/p' "$1"
}

tidy_arp_scan()
{
	sed -e 's/ in [0-9.]* seconds ([0-9.]* hosts.sec)//' "$1"
}

tidy_netdiscover()
{
	sed -e 's/\x1b[^a-zA-Z]*[a-zA-Z]//g' -e 's/[[:space:]]*$//' "$1"
}

# Who has sent something, N, and who nothing, 0B: how much depends on when iftop looks.
tidy_iftop()
{
	sed -n -e 's/^ *1 *10\.99.* \([^ ]*\)$/10.99.0.2 sent \1/p' \
		-e 's/^ *10\.99.*<= .* \([^ ]*\)$/10.99.0.1 sent \1/p' "$1" | sed 's/ [1-9][0-9.]*KB/ N/'
}

tidy_argus()
{
	"$scratch/ra" -F /dev/null -n -r "$1" -s proto saddr dir daddr spkts dpkts sbytes dbytes - udp
}

# --- both ways, and what they are compared by ---

# by_af_packet COMMAND...: with the system's libpcap; what it says in $said.
by_af_packet()
{
	in_right env -u LD_LIBRARY_PATH timeout 60 "$@" > "$said" 2> "$scratch/stderr" < /dev/null
}

by_xdp()
{
	with_library env PCAP_AFXDP=vb PCAP_AFXDP_DEBUG=1 timeout 60 "$@" > "$said" 2> "$scratch/stderr" < /dev/null
}

# compare TIDY INJECTS CLIENT PACKAGE COMMAND...: injects by libpcap, then its answers say so; or "-".
compare()
{
	tidy=$1 injects=$2 client=$3 package=$4
	shift 4
	packaged "$client" "$1" "$package" || return
	said=$scratch/said
	by_af_packet "$@"
	"$tidy" "$said" > "$scratch/plain"
	by_xdp "$@"
	"$tidy" "$said" > "$scratch/xdp"
	judge_both - "$injects"
}

# judge_both STOPPED INJECTS: of what is in plain and in xdp, and what our library said in stderr.
judge_both()
{
	grep -q -i -E "$found" "$scratch/plain" || bad "$client: finds nothing on AF_PACKET"
	told "$client: vb is captured at the XDP layer" is_ours vb "$scratch/stderr"
	opened=$(word $? yes)
	[ "$opened" = yes ] || show "$scratch/stderr"
	told "$client: finds what it finds on AF_PACKET" diff "$scratch/plain" "$scratch/xdp"
	same=$?
	row "$client" "$version" "$opened" "$(word $same same)" "$1" "$([ "$2" = - ] && echo - || word $same "$2")"
}

# --- those that listen ---

# stops CLIENT COMMAND...: one that listens on until Ctrl-C. How long it took in $stopped.
# shellcheck disable=SC2046 # one word per variable
stops()
{
	stopping=$1
	shift
	start_as_typed env PCAP_AFXDP=vb "$@"
	wait_for 20 is_hooked "$right" vb
	settle "$pid"
	told "$stopping: stops on Ctrl-C" interrupt "$pid"
	stopped=$(word $? "$stopped_ms ms")
}

# iftop prints once, after 3 seconds of traffic.
compare_iftop()
{
	client=iftop
	packaged iftop iftop iftop || return
	said=$scratch/said
	for way in by_af_packet by_xdp; do
		start ip netns exec "$left" "$python" "$datagrams" send 10.99.0.2 2000
		"$way" iftop -i vb -t -s 3 -n -N -B
		stop "$pid" KILL
		tidy_iftop "$said" > "$scratch/$way"
	done
	mv "$scratch/by_af_packet" "$scratch/plain"
	mv "$scratch/by_xdp" "$scratch/xdp"
	stops iftop iftop -i vb -t -n -N -B
	judge_both "$stopped" -
}

# flows WAY COMMAND...: what argus makes of the datagrams, by Ctrl-C.
flows()
{
	way=$1
	shift
	start ip netns exec "$right" env --default-signal=INT "$@" \
		"$scratch/argus" -F /dev/null -i vb -w "$scratch/flows.$way"
	wait_for 20 is_hooked "$right" vb
	settle "$pid"
	in_left "$python" "$datagrams" send 10.99.0.2 20
	settle "$pid"
	told "argus: stops on Ctrl-C ($way)" interrupt "$pid"
	stopped=$(word $? "$stopped_ms ms")
	tidy_argus "$scratch/flows.$way" > "$scratch/$way"
}

# Debian's package would start a daemon on every interface there is, and is unpacked for that.
# shellcheck disable=SC2046 # one word per variable
compare_argus()
{
	client=argus version=$(apt-cache show argus-server 2> /dev/null | sed -n 's/^Version: //p' | head -n 1)
	unpacked=$cache/argus
	made argus argus debian argus-server argus-client libwrap0 libgeoip1 libmariadb3 || return
	launcher argus usr/sbin/argus
	launcher ra usr/bin/ra
	flows plain
	flows xdp $(library_environment) PCAP_AFXDP=vb PCAP_AFXDP_DEBUG=1
	cp "$err" "$scratch/stderr"
	judge_both "$stopped" -
}

start_http
start_sink
compare tidy_nmap - 'nmap -sS' nmap nmap -n -Pn -sS -p 79,80,8080,8443 10.99.0.1
compare tidy_nmap - 'nmap -sn (ARP)' nmap nmap -n -sn -PR 10.99.0.0/30
compare tidy_nping - 'nping --icmp' nmap nping --icmp -c 3 --delay 100ms -e vb 10.99.0.1
compare tidy_nping - 'nping --tcp' nmap nping --tcp -p 8080 -c 3 --delay 100ms 10.99.0.1
compare tidy_nping - 'nping --arp' nmap nping --arp -c 2 --delay 100ms 10.99.0.1
compare tidy_arp_scan answered arp-scan arp-scan arp-scan -I vb -q 10.99.0.0/29
compare tidy_netdiscover answered netdiscover netdiscover netdiscover -i vb -P -N -r 10.99.0.0/24
compare_iftop
compare_argus
nothing_left "$right" vb
finish_table
