#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Lists of a thousand terms run in the kernel, soon; and where a filter cannot, every place says so.
. "$(dirname "$0")/common.sh"
need_root
need_library
need tcpdump
need_testprog trafgen

# list COUNT TERM: so many terms, of which none matches; TERM has %d for two bytes of an address.
list()
{
	awk -v n="$1" -v term="$2" 'BEGIN {
		for (i = 0; i < n; i++)
			printf term " or ", i / 256, i % 256
		print "udp dst port 7777"
	}'
}

# ranges COUNT: of ports, none with 7777 in it.
ranges()
{
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "udp dst portrange %d-%d or ", 10000 + 60 * i, 10039 + 60 * i
		print "udp dst port 7777"
	}'
}

# Sanitizers make the translation some times slower.
slower=1 hosts=1000 diamonds='100 300 8000'
! is_sanitized || slower=4 hosts=300 diamonds=8000
starts_within=300

# What is asked for is how long a processor runs for it: on a busy machine everything takes longer.

# ran_for PROCESS...: ms.
ran_for()
{
	for process; do
		sed 's/.*) //' "/proc/$process/stat"
	done | awk -v a_second="$(getconf CLK_TCK)" '{ ticks += $12 + $13 } END { printf "%d\n", ticks * 1000 / a_second }'
}

# count_ran: $ran, ms for all that this shell has waited for.
count_ran()
{
	times > "$scratch/times"
	ran=$(awk 'NR == 2 { split($1, user, "[ms]"); split($2, kernel, "[ms]")
		printf "%d", 1000 * (60 * (user[1] + kernel[1]) + user[2] + kernel[2]) }' "$scratch/times")
}

# file_case NAME SECONDS [USER]: of 1000 frames the 10 that match, by tcpdump -O -F; set up so soon. For another
# user than root the loader translates.
file_case()
{
	this=$1
	wait_for 60 no_xdp_program "$right" vb # else this one is at tc, which the sender's frames do not come to
	start_tcpdump -Z "${3:-root}" -O -F "$scratch/list" || return
	tcpdump=$pid said=$err
	# shellcheck disable=SC2046 # processes
	between "$this: ms of a processor" 1 $(($2 * 1000 * slower)) "$(ran_for "$tcpdump" $(loaders))"
	if [ "${3:-root}" = root ]; then
		level_is "$this" "$in_kernel" "$said"
	else
		level_is "$this" "$by_loader" "$said"
	fi
	send 1000
	all_read "$tcpdump" || bad "$this: tcpdump ended with $?"
	equal "$this: captured" 10 "$(tcpdump_count captured "$said")"
}

# program_case PROGRAM MILLISECONDS: that is set, by a processor that runs for no longer, with all of the client.
program_case()
{
	count_ran
	before=$ran
	client "open=$device" "program=$1" report=all
	count_ran
	check "$1: it is set" grep -q "^setfilter $1: 0 after" "$out"
	between "$1: ms of a processor" 1 $(($2 * slower)) $((ran - before))
}

smaller_cases()
{
	list 150 'net 203.%d.%d.0/24' > "$scratch/list"
	file_case "$kind: 150 nets" 10
	program_case long:4096 5000
}

# Of the quick size the largest, by one kind of program; with sanitizers one of those that differ in their numbers only.
# What takes long of a list is libpcap's compiler, by the square of its terms: the client's programs come without it.
cases()
{
	if ! is_quick; then
		smaller_cases
	elif [ "$kind" = shared ]; then
		return
	fi
	if ! is_sanitized; then
		list 1000 'net 203.%d.%d.0/24' > "$scratch/list"
		file_case "$kind: 1000 nets" 60
	fi
	list "$hosts" 'host 203.0.%d.%d' > "$scratch/list"
	is_quick || is_sanitized || file_case "$kind: $hosts hosts" 60
	file_case "$kind: $hosts hosts, by the loader" 60 nobody
	for count in ${LARGE_RANGES:-200}; do
		ranges "$count" > "$scratch/list"
		file_case "$kind: $count ranges" 30
	done
	if ! is_sanitized; then
		program_case hosts:2000 10000
		level_is "$kind: hosts:2000" "$in_kernel" "$err"
	fi
	# Half a second of some processors, more than the second that it has of others.
	program_case hosts:4000 10000
	levels "$err" > "$scratch/levels"
	check "$kind: hosts:4000: in the kernel, or too long for this processor" \
		sh -c 'grep -x -e "$2" -e "in user space: the kernel does not load it within a second" -e "in user space: the machine is busy: .*" "$1"' - "$scratch/levels" "$in_kernel"
	program_case long:262144 5000
}

user_space='in user space, after 8 rounds in the kernel: instruction [0-9]*: backward jump'

xdpdump_says()
{
	start_capture "$build/xdpdump/xdpdump" -i vb -w "$scratch/f" "$@" 'ip protochain 17'
	xdpdump=$pid said=$err
	wait_for "$starts_within" grep -q 'listening on' "$said" || bad "xdpdump does not start"
	check "listening line says where it runs" grep -q "^listening on .*, filter $user_space\$" "$said"
	stop "$xdpdump" INT || bad "xdpdump ended with $?"
}

told_cases()
{
	unset PCAP_AFXDP_DEBUG
	xdpdump_says
	check "closing statistics say it" grep -q "^the filter ran $user_space\$" "$said"
	xdpdump_says --json
	check "statistics as JSON say it" grep -q "\"filter\":\"$user_space\"" "$said"
	start_capture "$build/xdpdump/xdpdump" --doctor vb 'ip protochain 17'
	ended "$pid" 300
	check "--doctor says it" grep -q 'runs in user space' "$out"
	start_capture "$build/xdpdump/xdpdump" --doctor vb 'udp port 53'
	ended "$pid" 300
	check "--doctor says that another runs in the kernel" grep -q 'filter .*in the kernel' "$out"
	client "open=$device" program=backward report=all
	check "pcap_geterr() says it" \
		grep -q "^setfilter backward: 0 .*: The filter runs $user_space\$" "$out"
}

# What keeps the verifier busy for minutes: pcap_setfilter() waits for seconds at most, whoever has the CPU. What the client
# does itself comes on top of these: on a busy machine one of three is in time.
slow_cases()
{
	for count in $diamonds; do
		for _ in 1 2 3; do
			client "open=$device" "program=diamonds:$count" report=all
			took=$(sed -n "s/^setfilter diamonds:$count: 0 after \([0-9]*\) ms.*/\1/p" "$out")
			[ "${took:-99999}" -gt $((18000 * slower)) ] || break
		done
		between "diamonds:$count: milliseconds" 0 $((18000 * slower)) "${took:-99999}"
		check "diamonds:$count: in user space" grep -q 'filter in user space: ' "$err"
	done
	# In place of another filter, which this process would load by itself. The verifier is not asked.
	count_ran
	before=$ran
	client "open=$device" program=all program=chase:2046 report=all
	count_ran
	between "chase:2046: ms of a processor" 1 $((1000 * slower)) $((ran - before))
	check "chase:2046: in user space" grep -q 'filter in user space: ' "$err"
	program_case diamonds:16 5000
	level_is "diamonds:16" "$in_kernel" "$err"
}

given_up_cases()
{
	if ! command -v strace > /dev/null; then
		skip "what the verifier has given up on: needs strace"
		return
	fi
	start_capture strace -f -qq -e trace=bpf -o "$scratch/trace" \
		"$build/tests/loader/client" "open=$device" program=too-complex:40
	ended "$pid" 300
	# Or its second was over: EAGAIN, and another try where others had the CPU.
	between "what the verifier has given up on is not tried again" 0 1 "$(grep -c 'E2BIG' "$scratch/trace")"
	equal "nor is any form of it loaded" 0 "$(awk '/BPF_PROG_LOAD/ { n++ }
		/E2BIG|EAGAIN/ { n = 0; seen = 1 } END { print seen ? n : "never given up" }' "$scratch/trace")"
}

both_kinds cases
told_cases
export PCAP_AFXDP_DEBUG=1
slow_cases
given_up_cases
finish
