#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Programs that take no warning of pcap_activate() capture on xdp: devices, without an option, on a veth:
# what they tell of DNS is what they tell on AF_PACKET.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair dnsmasq busybox ping

# vb's host answers every question about .test.
start_dns()
{
	start in_right dnsmasq -k -C /dev/null --no-resolv --no-hosts --address=/test/10.1.2.3 --user=root \
		--listen-address=10.99.0.2 --bind-interfaces --pid-file= --log-facility=-
	wait_for 10 answers_dns || { skip_all "dnsmasq does not answer here: $(tail -n 1 "$err")"; }
}

answers_dns()
{
	in_left busybox nslookup -type=a first.test 10.99.0.2
}

# mixed_traffic: 5 questions and answers, and what a filter has to leave out.
mixed_traffic()
{
	for host in 1 2 3 4 5; do
		in_left busybox nslookup -type=a "host$host.test" 10.99.0.2 > "$scratch/answer" 2>&1 ||
			bad "DNS is answered while a capture runs"
	done
	ping_right 3
}

# listen_to COMMAND...: what a client says of the traffic, in $out and $err; its status on Ctrl-C.
listen_to()
{
	start_as_typed "$@"
	wait_for 20 is_capturing
	settle "$pid"
	! process_gone "$pid" || return 2
	mixed_traffic
	wait_for 5 all_named
	settle "$pid"
	interrupt "$pid"
}

# shellcheck disable=SC2154 # right is of ../lib.sh
is_capturing()
{
	is_hooked "$right" vb || process_gone "$pid"
}

all_named()
{
	[ "$("names_by_$client" | wc -l)" -ge 10 ]
}

# dnscap says it on standard error: the question, in each message. It filters for DNS.
names_by_dnscap()
{
	grep -o 'host[0-9]\.test\.,IN,A ' "$err"
}

# sniffglue sets no filter.
names_by_sniffglue()
{
	grep -o 'host[0-9]\.test' "$out"
}

# compare CLIENT PACKAGE COMMAND...: with a device as the last word.
compare()
{
	client=$1 package=$2
	shift 2
	packaged "$client" "$client" "$package" || return
	listen_to env -u LD_LIBRARY_PATH "$@" vb
	"names_by_$client" > "$scratch/$client.plain"
	listen_to "$@" xdp:vb
	ended_in_time=$?
	if [ "$ended_in_time" -eq 2 ] || ! [ -s "$scratch/$client.plain" ]; then
		bad "$client: does not capture on xdp:vb"
		show "$err"
		row "$client" "$version" no - - -
		return
	fi
	"names_by_$client" > "$scratch/$client.xdp"
	report
}

report()
{
	ok "$client: opens xdp:vb"
	told "$client: stops on Ctrl-C, after $stopped_ms ms" [ "$ended_in_time" -eq 0 ]
	stopped=$(word $? "$stopped_ms ms")
	check "$client: sees the DNS of AF_PACKET" diff "$scratch/$client.plain" "$scratch/$client.xdp"
	wanted=$(wc -l < "$scratch/$client.plain")
	row "$client" "$version" yes "$(wc -l < "$scratch/$client.xdp")/$wanted" "$stopped" -
}

start_dns
compare dnscap dnscap dnscap -g -i
# Its own seccomp knows the system calls of AF_PACKET only.
compare sniffglue sniffglue sniffglue --insecure-disable-seccomp -vvv -j
nothing_left "$right" vb
finish_table
