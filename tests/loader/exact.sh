#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What the filter lets through where the kernel could not have its say, or not yet: frames that were
# queued before the filter was set, filters for user space, filters that the verifier refuses.
. "$(dirname "$0")/common.sh"
need_root
need_library
need bpftool
need_testprog trafgen
filter='udp dst port 7777'
protochain="ip protochain 17 and $filter"
# Byte 200 of every frame, far behind a snapshot length of 64: its filler.
deep='ether[200] = 0x3f and udp dst port 7777'
deep_not='ether[200] != 0x3f and udp dst port 7777'

after='in user space, after 8 rounds in the kernel'
complex="too complex for the kernel's verifier, which follows a million instructions"
# How busy the machine is decides whether its second is over first, or its instructions are, or it has no processor.
no_time='the kernel does not load it within a second\|the machine is busy: the kernel had no processor to load it in time'
slow="s/$no_time/$complex/"

# case_of NAME LEVEL STEP...: a client that reports as `all', with 1000 frames of 300 bytes each time
# it touches $scratch/set.N and then waits for $scratch/go.N.
case_of()
{
	this="$kind: $1" wanted=$2
	shift 2
	rm -f "$scratch"/set.* "$scratch"/go.*
	wait_for 5 no_xdp_program "$right" vb || bad "$this: the hook is not free"
	start_client "$@"
	client=$pid said=$err told=$out
	for round in 1 2 3; do
		wait_for 40 test -e "$scratch/set.$round" -o ! -e "/proc/$client" || break
		[ -e "$scratch/set.$round" ] || break
		send 1000 -s 300
		touch "$scratch/go.$round"
	done
	ended "$client" 60 || bad "$this: ended with $?"
	equal "$this: levels" "$wanted" \
		"$(levels "$said" | sed "s/program of [0-9]* inst/program of N inst/;$slow" | tr '\n' '|')"
}

# has FRAMES CAPLEN: of them and of no others, in the last report.
has()
{
	wanted="all: frames=$1 matched=$1 rejected=0 corrupt=0 caplen=$2"
	equal "$this" "$wanted" "$(tail -n 1 "$told")"
}

# The steps that let 1000 frames in.
traffic()
{
	echo "touch=$scratch/set.$1 wait=$scratch/go.$1 sleep=100"
}

# shellcheck disable=SC2046 # traffic gives several words
queued_cases()
{
	# Activated, traffic, filter: of what is queued only that is handed out which matches.
	case_of "queued, root" "$in_kernel|" "open=$device" $(traffic 1) "filter=$filter" read=300 report=all
	has 10 300
	case_of "queued, by the loader" "$by_loader|" "open=$device" become=nobody $(traffic 1) \
		"filter=$filter" read=300 report=all
	has 10 300
	case_of "queued, no frame matches" "$in_kernel|" "open=$device" $(traffic 1) "filter=tcp" read=300 \
		report=all
	has 0 0
	# Full frames are kept until the first read: a filter may look beyond the snapshot length.
	case_of "queued, snapshot length 64, deep filter" "$in_kernel|" snaplen=64 "open=$device" \
		$(traffic 1) "filter=$deep" read=300 report=all
	has 10 64
	case_of "queued, snapshot length 64, deep filter that no frame matches" "$in_kernel|" snaplen=64 \
		"open=$device" $(traffic 1) "filter=$deep_not" read=300 report=all
	has 0 0
	# The first filter must not have cut them for the second.
	case_of "queued under a filter, then a deep one" "$in_kernel|$in_kernel|" snaplen=64 \
		"open=$device" 'filter=udp' $(traffic 1) "filter=$deep" read=300 report=all
	has 10 64
	case_of "queued under a deep filter in user space, then one in the kernel" \
		"$after: instruction 5: backward jump|$in_kernel|" snaplen=64 \
		"open=$device" program=backward $(traffic 1) "filter=$deep" read=300 report=all
	has 10 64
	# Before, between and after: 10 of each thousand, whoever chose.
	case_of "queued, read, queued, read" "$in_kernel|$in_kernel|" snaplen=64 "open=$device" \
		$(traffic 1) "filter=$deep" read=300 $(traffic 2) read=300 "filter=$filter" $(traffic 3) \
		read=300 report=all
	has 30 64
	# A filter that is set while frames are queued that the one before rejects.
	case_of "read under a filter, queued, then another" "$in_kernel|$in_kernel|" "open=$device" \
		'filter=tcp' read=50 $(traffic 1) "filter=$filter" $(traffic 2) read=300 report=all
	has 10 300
	case_of "queued under all, then one" "$in_kernel|$in_kernel|" "open=$device" \
		program=all read=50 $(traffic 1) "filter=$filter" $(traffic 2) read=300 report=all
	has 20 300
}

# shellcheck disable=SC2046
user_space_cases()
{
	case_of "backward jump" "$after: instruction 5: backward jump|" snaplen=64 "open=$device" \
		become=nobody program=backward $(traffic 1) read=300 report=all
	has 10 64
	case_of "ancillary load that is not to be had" \
		"in user space: instruction 2: unknown ancillary load 56|" "open=$device" \
		become=nobody program=ancillary $(traffic 1) read=300 report=all
	has 10 300
	# Where libpcap jumps back depends on its release.
	backward=$(with_library tcpdump -d -y EN10MB "$protochain" 2> /dev/null | sed -n 's/^(0*\([0-9]*\)) ja .*/\1/p')
	case_of "protochain" "$after: instruction $backward: backward jump|" "open=$device" \
		"filter=$protochain" $(traffic 1) read=300 report=all
	has 10 300
	case_of "4096 instructions" "$by_loader|" "open=$device" become=nobody program=long:4096 \
		$(traffic 1) read=300 report=all
	has 10 300
	case_of "262144 instructions" "in user space: it becomes a program of N instructions, and 160000 are the most|" \
		"open=$device" become=nobody program=long:262144 $(traffic 1) read=300 report=all
	has 10 300
	check "$this: pcap_geterr() says so" grep -q '^setfilter long:262144: 0 .*: The filter runs in user space: ' "$told"
	for who in root nobody; do
		case_of "too slow to load, as $who" "in user space: $complex|" \
			"open=$device" become=$who program=diamonds:300 $(traffic 1) read=300 report=all
		has 10 300
	done
	for invalid in empty no-return division-by-0 jump-out unknown-code long:262145; do
		case_of "invalid program ($invalid) leaves the filter as it is" "$by_loader|" \
			"open=$device" become=nobody "filter=$filter" program=$invalid $(traffic 1) \
			read=300 report=all
		has 10 300
		check "$this: it is refused" grep -q "^setfilter $invalid: -1 .*not.* valid" "$told"
	done
}

# refused_case NAME STEP...: the verifier's words are kept, and shown where that is asked for.
# shellcheck disable=SC2046
refused_case()
{
	this=$1
	shift
	case_of "refused by the verifier, $this" \
		\
		"in user space: too complex for the kernel's verifier, which follows a million instructions|" "open=$device" "$@" \
		program=too-complex:40 $(traffic 1) read=300 report=all
	has 10 300
	check "$this: the verifier's last words are shown" \
		grep -q '^\(BPF program is too large. Processed\|processed\) [0-9]* insn\|'"\($no_time\)\$" "$said"
	PCAP_AFXDP_DEBUG=0
	case_of "$this, not asked for" '' "open=$device" "$@" program=too-complex:40 $(traffic 1) read=300 \
		report=all
	has 10 300
	equal "$this: nothing is shown" 0 "$(wc -c < "$said")"
	PCAP_AFXDP_DEBUG=1
}

cases()
{
	queued_cases
	[ "$kind" = bound ] && return
	user_space_cases
	refused_case "root"
	refused_case "by the loader" become=nobody
}

both_kinds cases
check "no loader is left" wait_for 1 no_loader
finish
