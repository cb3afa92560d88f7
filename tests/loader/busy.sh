#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# tcpdump as Debian runs it, on a busy link of which 1 % is wanted: it has every frame that matches,
# is handed no others, and neither it nor the loader has anything to do for the rest.
. "$(dirname "$0")/common.sh"
need_root
need_library
need tcpdump bpftool
need_testprog trafgen
seconds=5
most=4
is_sanitized && most=10 # its checks take time as well
rate=300000

# cpu PID: its CPU time so far, in clock ticks.
cpu()
{
	sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 12,13 | tr ' ' '+' | xargs -I{} sh -c 'echo $(({}))'
}

# percent TICKS: of one CPU in the time of the traffic.
percent()
{
	echo $(($1 * 100 / ($(getconf CLK_TCK) * seconds)))
}

case_of_kind()
{
	wanted=$by_loader
	id tcpdump > /dev/null 2>&1 || wanted=$in_kernel
	start_tcpdump 'udp dst port 7777' || return
	tcpdump=$pid said=$err printed=$out
	level_is "$kind" "$wanted" "$said"
	check "$kind: attached as meant" is_attached_as "$kind"
	loader=$(loaders)
	reader_before=$(cpu "$tcpdump") loader_before=$(cpu "$loader")
	start in_left "$build/testprogs/trafgen" -i va -d $seconds -r $rate --match 100 7777
	traffic=$pid sent=$out
	ended "$traffic" 20 || bad "$kind: trafgen: $(cat "$sent")"
	reader=$(percent $(($(cpu "$tcpdump") - reader_before)))
	helper=$(percent $(($(cpu "$loader") - loader_before)))
	sleep 1.2 # tcpdump's time-out
	stop "$tcpdump" INT || bad "$kind: tcpdump ended with $?"
	matched=$(json "$sent" matched) refused=$(json "$sent" refused)
	# A machine that does other things as well may not give so many.
	between "$kind: frames offered" $((rate * seconds / 20)) $((rate * seconds * 11 / 10)) \
		"$(json "$sent" sent)"
	between "$kind: frames that match, printed" $((matched - refused)) "$matched" \
		"$(grep -c '\.7777: UDP' "$printed")"
	equal "$kind: others printed" 0 "$(grep -v '\.7777: UDP' "$printed" | grep -c .)"
	between "$kind: received by filter" $((matched - refused)) "$matched" \
		"$(tcpdump_count received "$said")"
	equal "$kind: dropped" 0 "$(tcpdump_count dropped "$said")"
	between "$kind: the reader's CPU time, %" 0 "$most" "$reader"
	between "$kind: the loader's, %" 0 0 "$helper"
}

both_kinds case_of_kind
finish
