#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Wireshark's dumpcap and tshark, unmodified, on xdp: devices.
# shellcheck source=tests/apps/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need dumpcap tshark capinfos ping stdbuf
# A lock of the C library is off balance before main(), and libp11-kit waits for it at the end.
has_sanitizers && skip_all "dumpcap does not end with the runtime of the sanitizers loaded first"
veth_pair

# run_program COMMAND...: to its end; $out, $err and $state.
run_program()
{
	start_capture "$@"
	ended "$pid" 20
	state=$?
}

# frames FILE...: how many capture files hold.
frames()
{
	capinfos -McTr "$@" 2> /dev/null | awk -F '\t' '{ n += $NF } END { print n + 0 }'
}

# capture_with COMMAND...: which captures into $scratch/w.pcapng, while ten echo requests are answered.
capture_with()
{
	rm -f "$scratch"/w*.pcapng
	start_capture "$@"
	wait_for 20 is_hooked "$right" vb || {
		bad "does not start capturing: $*"
		show "$err"
		ended "$pid" 1
		return 1
	}
	wait_for 5 test -e "$scratch/w.pcapng"
	sleep 0.3
	ping_right 10
	sleep 0.5
	stop "$pid" INT
	equal "ends well: $*" 0 $?
}

list()
{
	start_capture dumpcap -D
	events=$pid listed=$out
	ended "$events" 10
}

# Nothing may be attached for a list, or for the start page of Wireshark.
unasked()
{
	start ip netns exec "$right" ip monitor link
	monitor=$pid changes=$out
	list
	equal "dumpcap -D names no xdp: device" 0 "$(grep -c xdp: "$listed")"
	sleep 0.2
	stop "$monitor" TERM
	equal "dumpcap -D attaches nothing" 0 "$(grep -c -E "xdp[a-z]* (qdisc|id)" "$changes")"
	start_capture stdbuf -oL dumpcap -S
	wait_for 10 grep -q '^vb ' "$out"
	equal "dumpcap -S attaches nothing" 'xdp 0 ingress 0 egress 0' "$(hooked "$right" vb)"
	stop "$pid" INT
}

# dumpcap gives up, even for root, what BPF needs before it opens a device: the loader opens for it.
# Where that is not wanted, the error says what is missing, and how to give it.
without_loader()
{
	run_program dumpcap -q -i xdp:vb,loader=off -a duration:1 -w "$scratch/w.pcapng"
	check "dumpcap, loader=off: refused" test "$state" -ne 0
	check "dumpcap, loader=off: what is missing" says 'CAP_BPF, CAP_PERFMON missing' "$err"
	check "dumpcap, loader=off: why" says 'though this is root: given up, with loader=off' "$err"
}

# What keeps the loader from opening is what the user gets to read.
held_hook()
{
	start_on tcpdump -Z root -i xdp:vb -w "$scratch/held.pcap" || return
	holder=$pid
	run_program dumpcap -q -i xdp:vb,hook=xdp -a duration:1 -w "$scratch/w.pcapng"
	check "dumpcap on a held hook: refused" test "$state" -ne 0
	check "dumpcap on a held hook: the reason" says 'the XDP hook of vb is held by xdp_capture' "$err"
	check "dumpcap on a held hook: no word of capabilities" fails says CAP_ "$err"
	stop "$holder" INT
}

by_name()
{
	capture_with dumpcap -q -i xdp:vb -w "$scratch/w.pcapng" || return
	equal "dumpcap: packets" 20 "$(frames "$scratch/w.pcapng")"
	capinfos "$scratch/w.pcapng" > "$scratch/info"
	check "dumpcap: the file names the device" says 'Name = xdp:vb' "$scratch/info"
}

filtered()
{
	capture_with dumpcap -q -i xdp:vb -f 'icmp[0] == 8' -w "$scratch/w.pcapng" || return
	equal "dumpcap -f: packets" 10 "$(frames "$scratch/w.pcapng")"
	capture_with dumpcap -q -i xdp:vb,hook=tc -f 'icmp[0] == 0' -s 60 -w "$scratch/w.pcapng" || return
	equal "dumpcap -f, hook=tc: packets" 10 "$(frames "$scratch/w.pcapng")"
	capture_with dumpcap -q -i vb -i xdp:vb -f icmp -w "$scratch/w.pcapng" || return
	equal "dumpcap on vb and xdp:vb at once: packets" 40 "$(frames "$scratch/w.pcapng")"
}

from_the_list()
{
	PCAP_AFXDP_LIST=1
	export PCAP_AFXDP_LIST
	list
	number=$(sed -n 's/^\([0-9]*\)\. xdp:vb.*/\1/p' "$listed")
	check "dumpcap -D with PCAP_AFXDP_LIST=1" test -n "$number"
	capture_with dumpcap -q -i "$number" -f icmp -w "$scratch/w.pcapng" &&
		equal "dumpcap -i $number of the list: packets" 20 "$(frames "$scratch/w.pcapng")"
	capture_with dumpcap -q -i "$number" -w "$scratch/w.pcapng" &&
		equal "dumpcap -i $number without a filter: packets" 20 "$(frames "$scratch/w.pcapng")"
	run_program dumpcap -L -i "$number"
	check "dumpcap -L -i $number" says 'EN10MB (Ethernet)' "$out"
	run_program dumpcap -L --list-time-stamp-types -i "$number"
	check "dumpcap --list-time-stamp-types -i $number" says 'host_hiprec' "$out"
	rm -f "$scratch"/w*.pcapng
	start_capture dumpcap -q -i "$number" -f icmp -b files:2 -b packets:8 -w "$scratch/w.pcapng"
	wait_for 20 is_hooked "$right" vb
	sleep 0.5
	ping_right 10
	sleep 0.5
	stop "$pid" INT
	equal "dumpcap -i $number -b: files and packets" '2 files, 8 4 packets' \
		"$(find "$scratch" -name 'w_*.pcapng' | wc -l) files, $(for file in "$scratch"/w_*.pcapng; do frames "$file"; done | xargs) packets"
	start_capture stdbuf -oL dumpcap -S
	wait_for 10 grep -q '^xdp:vb ' "$out"
	ping_right 10
	check "dumpcap -S counts on vb" wait_for 5 grep -q -E '^vb +20 +0' "$out"
	check "dumpcap -S counts the same on xdp:vb" wait_for 5 grep -q -E '^xdp:vb +20 +0' "$out"
	stop "$pid" INT
	unset PCAP_AFXDP_LIST
}

capabilities()
{
	run_program dumpcap -L -i xdp:vb
	check "dumpcap -L" says 'EN10MB (Ethernet)' "$out"
	run_program dumpcap -L -M -i xdp:vb
	# A number; JSON since 4.6.
	equal "dumpcap -L -M: no monitor mode" 0 "$(sed -n '1{s/.*"rfmon":false.*/0/;p}' "$out")"
}

# Three files of a hundred packets, the oldest going as new ones come.
ring_buffer()
{
	rm -f "$scratch"/w*.pcapng
	start_capture dumpcap -q -i xdp:vb -f icmp -b files:3 -b packets:100 -w "$scratch/w.pcapng"
	wait_for 20 is_hooked "$right" vb
	sleep 0.5
	in_left ping -qfc 225 -w 10 10.99.0.2 > "$scratch/ping"
	sleep 0.7
	stop "$pid" INT
	equal "dumpcap -b: status" 0 $?
	equal "dumpcap -b files:3: files" 3 "$(find "$scratch" -name 'w_*.pcapng' | wc -l)"
	equal "dumpcap -b packets:100: packets in them" '100 100 50' \
		"$(for file in "$scratch"/w_*.pcapng; do frames "$file"; done | xargs)"
	check "dumpcap: no packet dropped" says "on interface 'xdp:vb': 450/0" "$err"
}

run_tshark()
{
	start_capture tshark -l -n -i xdp:vb -f icmp -c 10 -T fields -e icmp.type
	wait_for 20 is_hooked "$right" vb
	sleep 0.5
	ping_right 10
	ended "$pid" 10
	equal "tshark -c 10: status" 0 $?
	equal "tshark: requests and replies" '5 5' "$(grep -c 8 "$out") $(grep -c 0 "$out")"
}

unasked
without_loader
held_hook
by_name
filtered
from_the_list
capabilities
ring_buffer
run_tshark
nothing_left "$right" vb
finish
