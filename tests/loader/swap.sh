#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Filters are exchanged on a live capture under a million frames a second: by the reading thread, by
# another thread, from within the callback; as root and after privileges are dropped. No frame is
# lost that both filters match, none handed out that the filter in force rejects (swap.c).
. "$(dirname "$0")/common.sh"
need_root
need_library
need bpftool
need_testprog trafgen
swaps=$SWAP_SWAPS
few=$((swaps < 300 ? swaps : 300)) fewer=$((swaps < 200 ? swaps : 200))
# With sanitizers no reader takes more than the least.
rates='1000000 400000 100000'
! is_sanitized || rates=100000
unprivileged=nobody
id tcpdump > /dev/null 2>&1 && unprivileged=tcpdump

all_swaps_made()
{
	grep -q 'all swaps are made' "$said" || process_gone "$swap" || process_gone "$traffic"
}

# swap_case PROGRAM USER HOW FILTERS SWAPS INTERVAL-US SNAPLEN SIZE: at a million frames a second, or
# as many as the reader can take on a machine that does other things as well.
swap_case()
{
	for rate in $rates; do
		run_case "$@" || return
		[ "$(json "$told" lost)" -gt 0 ] || break
		echo "   the reader fell behind $rate frames/s: once more with fewer"
	done
	judge
	levels_are "$2" "$4"
}

run_case()
{
	this="$kind: $1, as $2, by the $3, $4 filters"
	frames=$8 program=$1 expected=$5
	shift
	wait_for 5 no_xdp_program "$right" vb || bad "$this: the hook is not free"
	start_capture "$build/tests/loader/$program" "$device" "$1" "$2" "$3" "$4" "$5" "$6"
	swap=$pid said=$err told=$out
	wait_for 20 grep -q '^ready' "$said" || {
		bad "$this: does not start"
		show "$said"
		return 1
	}
	check "$this: attached as meant" is_attached_as "$kind"
	start in_left "$build/testprogs/trafgen" -i va -d 60 -r $rate --even -s "$frames" --flows 8
	traffic=$pid sent=$out
	wait_for 60 all_swaps_made
	for process in $(ip netns pids "$left"); do
		kill -INT "$process"
	done
	ended "$traffic" 10 || bad "$this: trafgen: $(cat "$sent")"
	ended "$swap" 30 || bad "$this: ended with $?"
}

# Where trafgen says that the device did not take some frames, as many may be missing.
judge()
{
	equal "$this: swaps" "$expected" "$(json "$told" swaps)"
	between "$this: lost and not explained" 0 "$(json "$sent" refused)" "$(json "$told" unexplained)"
	equal "$this: lost by its own account" 0 "$(json "$told" lost)"
	equal "$this: handed out twice" 0 "$(json "$told" duplicates)"
	equal "$this: damaged" 0 "$(json "$told" corrupt)"
	if [ "${this#*thread}" = "$this" ]; then
		equal "$this: rejected, and handed out" 0 "$(json "$told" late)"
	else
		between "$this: rejected, and handed out after one return" 0 1 "$(json "$told" late_most)"
	fi
	echo "   $(json "$told" frames) of $(json "$sent" sent) frames, $(json "$sent" pps)/s"
	grep '^lost:' "$said"
}

# levels_are USER FILTERS: of all filters set, or of every other.
levels_are()
{
	wanted=$in_kernel kernel=$((expected + 1))
	[ "$1" = root ] || wanted=$by_loader
	[ "$2" = plain ] || kernel=$((expected / 2 + 1))
	equal "$this: filters $wanted" "$kernel" "$(levels "$said" | grep -c -x "$wanted")"
	wholly='in user space: instruction 1: unknown ancillary load 56'
	partly='in user space, after 8 rounds in the kernel: instruction 2: backward jump'
	equal "$this: filters in user space" $((expected + 1 - kernel)) \
		"$(levels "$said" | grep -c -x -e "$wholly" -e "$partly")"
	[ "$2" = plain ] || for where in "$wholly" "$partly"; do
		between "$this: filters $where" $((expected / 4)) $((expected / 4 + 1)) \
			"$(levels "$said" | grep -c -x "$where")"
	done
}

shared_cases()
{
	swap_case swap_pcap root reader plain $swaps 1000 65535 64
	swap_case swap_pcap root thread plain $swaps 1000 65535 64
	swap_case swap_pcap root callback plain $swaps 1000 65535 64
	swap_case swap_pcap "$unprivileged" reader plain $swaps 1000 65535 64
	swap_case swap_pcap "$unprivileged" thread plain $swaps 1000 65535 64
	swap_case swap_pcap "$unprivileged" callback plain $swaps 1000 65535 64
	swap_case swap_library root thread plain $few 1000 65535 64
	swap_case swap_library "$unprivileged" reader plain $few 1000 65535 64
	# Half of them in user space, the others looking beyond the snapshot length.
	swap_case swap_pcap root callback mixed $swaps 1000 64 300
	swap_case swap_pcap "$unprivileged" thread mixed $swaps 1000 64 300
}

# Some 10 ms each: the kernel waits for the last use of the program before.
bound_cases()
{
	swap_case swap_pcap root thread plain $fewer 1000 65535 64
	swap_case swap_pcap "$unprivileged" reader plain $fewer 1000 65535 64
	swap_case swap_library "$unprivileged" callback mixed $fewer 1000 64 300
}

cases()
{
	"${kind}_cases"
}

both_kinds cases
finish
