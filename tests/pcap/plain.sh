#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Plain device names that PCAP_AFXDP lists are captured at the XDP layer, and are to programs what they
# were; what cannot be goes to AF_PACKET, and is said. By the pcap API, and by tcpdump.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping strace setpriv
api_tests plain_test tagged_test
veth_pair

# capture VARIABLE=VALUE...: three pings by tcpdump -i vb; its output, $out, and its words, $err.
capture()
{
	start_capture env PCAP_AFXDP_DEBUG=1 "$@" tcpdump -i vb -nn -Z root -c 6 icmp
	wait_for 20 grep -q 'listening on' "$err"
	in_left ping -qc 3 -i 0.05 -W 20 10.99.0.2 > /dev/null
	ended "$pid" 20
	equal "$*: packets" 6 "$(grep -c ICMP "$out")"
}

# words NAME TEXT: tcpdump's, or those of the debug variable.
words()
{
	if grep -qF "$2" "$err"; then
		ok "$1"
	else
		bad "$1: no '$2' in"
		show "$err"
	fi
}

captured='pcap-afxdp: vb: captured at the XDP layer'
capture PCAP_AFXDP=vb
words "a name is captured at tc" "$captured, by tc"
words "its filter runs in the kernel" "vb: filter in the kernel"
capture PCAP_AFXDP=vb PCAP_AFXDP_OPTIONS=hook=xdp
words "hook=xdp is heeded" "$captured, by xdp"
capture 'PCAP_AFXDP=va, nosuch0,v*'
words "a pattern is, and a name of nothing is told" "$captured"
words "... of nothing" "PCAP_AFXDP: va: there is no such interface"
capture PCAP_AFXDP=all
words "all is" "$captured"
capture PCAP_AFXDP=xdp:vb
words "the prefix does not belong there" "PCAP_AFXDP: xdp:vb: name the interface alone"
words "it is AF_PACKET's then" "vb: not in PCAP_AFXDP"
capture PCAP_AFXDP=vb PCAP_AFXDP_OPTIONS=engine=tapp
words "bad options go to AF_PACKET" "vb: captured by AF_PACKET: PCAP_AFXDP_OPTIONS: "
capture PCAP_AFXDP=
check "an empty list is none" fails grep -q pcap-afxdp: "$err"

# What a program may not do at the XDP layer it may with CAP_NET_RAW by AF_PACKET.
start_capture env PCAP_AFXDP_DEBUG=1 PCAP_AFXDP=vb \
	setpriv --bounding-set=-all,+net_raw,+setuid,+setgid,+dac_override tcpdump -i vb -nn -Z root -c 2 icmp
wait_for 20 grep -q 'listening on' "$err"
in_left ping -qc 1 -W 20 10.99.0.2 > /dev/null
check "with CAP_NET_RAW alone it captures" ended "$pid" 20
words "... by AF_PACKET, saying why" "vb: captured by AF_PACKET: "

# Inert without the variable.
with_library strace -f -o "$scratch/calls" -e trace=bpf,openat,socket tcpdump -i vb -nn -Z root -c 1 icmp \
	> /dev/null 2> "$scratch/err" &
strace=$!
started="$started $strace"
wait_for 20 grep -q 'listening on' "$scratch/err"
in_left ping -qc 1 -W 20 10.99.0.2 > /dev/null
ended "$strace" 20
check "without the variable there are packet sockets" grep -q AF_PACKET "$scratch/calls"
check "... and no bpf(2)" fails grep -q 'bpf(' "$scratch/calls"

# Not for a program with privilege of its own, whoever sets the variable.
cc=$(sed -n 's/^CC = //p' "$build/Makefile")
cat > "$scratch/opens.c" <<-END
	#include <pcap/pcap.h>
	#include <stdio.h>
	int main(void)
	{
		char err[PCAP_ERRBUF_SIZE] = "";
		pcap_t *p = pcap_open_live("vb", 100, 0, 100, err);
		printf("%s\n", p ? "opened" : err);
		return !p;
	}
END
if is_sanitized; then
	skip "a library with sanitizers goes into no program with capabilities"
elif ${cc:-cc} -o "$scratch/opens" "$scratch/opens.c" -Wl,-rpath,"$library" -lpcap &&
	setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/opens" 2> /dev/null; then
	in_right setpriv --reuid=65534 --regid=65534 --clear-groups env PCAP_AFXDP_DEBUG=1 PCAP_AFXDP=vb \
		"$scratch/opens" > "$scratch/said" 2>&1
	check "a program with file capabilities opens it" grep -q opened "$scratch/said"
	check "... by AF_PACKET" fails grep -q pcap-afxdp: "$scratch/said"
	in_right env PCAP_AFXDP_DEBUG=1 PCAP_AFXDP=vb "$scratch/opens" > "$scratch/said" 2>&1
	check "... by root at the XDP layer" grep -q "$captured" "$scratch/said"
else
	skip "no file capabilities here"
fi
finish
