# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests that run programs share. A test reads this file first, is run from the build
# directory, and ends with `finish`.
# shellcheck disable=SC2034 # much of it is for them
#
# Interfaces are made in network namespaces of the test's own, with names nobody else has; on exit,
# however it comes about, they are removed and the test's own processes are killed.

set -u
LC_ALL=C
export LC_ALL
top=$(cd "$(dirname "$0")" && pwd) || exit 1
while [ ! -e "$top/tests/lib.sh" ]; do
	[ -n "$top" ] || exit 1
	top=${top%/*}
done
# shellcheck source=tests/sizes.sh
. "$top/tests/sizes.sh"
build=$(pwd)
library=$build/libpcap-build
# The helper that sets filters after privileges are dropped, where it is not installed.
PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
export PCAP_AFXDP_LOADER
unset PCAP_AFXDP_LIST PCAP_AFXDP_DEBUG
# The pairs of the tests stand for cards, which auto takes XDP on.
PCAP_AFXDP_OPTIONS=veth=xdp
export PCAP_AFXDP_OPTIONS
passed=0 failed=0 skipped=0
started='' namespaces='' last_steps=''
begun=$(date +%s)
PATH=$PATH:/usr/sbin:/sbin
scratch=$(mktemp -d) || exit 1
chmod 755 "$scratch"
trap clean_up EXIT
trap 'exit 130' HUP INT PIPE TERM

ok()
{
	passed=$((passed + 1))
	echo "ok: $1"
}

bad()
{
	failed=$((failed + 1))
	echo "FAILED: $1"
}

skip()
{
	skipped=$((skipped + 1))
	echo "skipped: $1"
}

# show FILE: what a program said, for the reader of a failure.
show()
{
	sed -e 's/^/    /' -e 20q "$1"
}

# check NAME COMMAND...: passes when the command succeeds.
check()
{
	check_name=$1
	shift
	if "$@" > "$scratch/output" 2>&1; then
		ok "$check_name"
	else
		bad "$check_name: $*"
		show "$scratch/output"
	fi
}

# fails COMMAND...: it says no. One that is not there, crashes or is ended by timeout has said nothing, nor has grep
# without the file.
fails()
{
	"$@"
	case $1:$? in
	grep:1) ;;
	grep:* | *:0 | *:124 | *:126 | *:127 | *:132 | *:134 | *:135 | *:136 | *:139) return 1 ;;
	esac
}

# equal NAME WANTED GOT. Two reports that are missing are not equal.
equal()
{
	case $3 in
	no.*.said | no.*.reported | no.capture.file) bad "$1: wanted $2, got $3" ;;
	"$2") ok "$1: $3" ;;
	*) bad "$1: wanted $2, got $3" ;;
	esac
}

# same NAME ONE OTHER: two counts, or lists, of the same things agree; and there are some.
same()
{
	case $2 in
	'' | 0) bad "$1: there are none" ;;
	*) equal "$@" ;;
	esac
}

# between NAME LOWEST HIGHEST GOT, of whole numbers
between()
{
	if [ "$4" -ge "$2" ] && [ "$4" -le "$3" ]; then
		ok "$1: $4"
	else
		bad "$1: wanted $2 to $3, got $4"
	fi
}

finish()
{
	[ $((passed + failed + skipped)) -gt 0 ] || bad "this test has asked for nothing"
	echo "$(($(date +%s) - begun)) s"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ] || exit 1
	[ "$passed" -gt 0 ] || exit 77
	exit 0
}

skip_all()
{
	skip "$1"
	finish
}

need_root()
{
	[ "$(id -u)" -eq 0 ] || skip_all "needs root, for network namespaces and XDP"
	# In a mount namespace, so that nothing is left whatever ends it.
	unshare -m sh -c 'mkdir -p /run/netns && mount -t tmpfs none /run/netns && ip netns add probe' 2> /dev/null ||
		skip_all "cannot make network namespaces here"
}

# kernel_since MAJOR MINOR: is it that one, or a newer one?
kernel_since()
{
	uname -r | awk -F '[.-]' -v major="$1" -v minor="$2" \
		'{ exit !($1 > major || ($1 == major && $2 + 0 >= minor)) }'
}

# need PROGRAM...: skips the whole test where one is missing.
need()
{
	for program; do
		command -v "$program" > /dev/null || skip_all "needs $program"
	done
}

need_library()
{
	[ -e "$library/libpcap.so.0.8" ] || skip_all "libpcap was not built: make libpcap-build/libpcap.so.0.8"
}

# need_testprog NAME...: those of testprogs/, made by `make check`.
need_testprog()
{
	for program; do
		[ -x "$build/testprogs/$program" ] || skip_all "needs testprogs/$program"
	done
}

kill_started()
{
	for pid in $started; do
		kill -KILL "$pid" 2> /dev/null && kill -CONT "$pid" 2> /dev/null
		wait "$pid" 2> /dev/null
	done
	started=''
}

# at_exit COMMAND: before namespaces and files go, however the test ends.
at_exit()
{
	last_steps="$1; $last_steps"
}

clean_up()
{
	status=$?
	trap - EXIT
	trap '' HUP INT PIPE TERM # one signal follows another: ./check sends its own behind Ctrl-C
	eval "$last_steps"
	kill_started
	for namespace in $namespaces; do
		ip netns del "$namespace" 2> /dev/null
	done
	rm -rf "$scratch"
	exit "$status"
}

# start COMMAND...: in the background; its process in $pid, its output in the files that $out and $err name.
start()
{
	case $1 in # signals are for the program, not for a shell that waits for it
	in_left) shift && set -- ip netns exec "$left" "$@" ;;
	in_right) shift && set -- ip netns exec "$right" "$@" ;;
	esac
	starts=$((${starts:-0} + 1))
	while [ -e "$scratch/out.$starts" ]; do # of a start in a subshell
		starts=$((starts + 1))
	done
	out=$scratch/out.$starts err=$scratch/err.$starts
	: > "$out" 2> "$err"
	"$@" > "$out" 2> "$err" < /dev/null &
	pid=$!
	started="$started $pid"
}

# stop PID [SIGNAL]: and wait for its end, whose status it returns. On a busy machine that may take its time.
stop()
{
	kill "-${2:-INT}" "$1" 2> /dev/null
	ended "$1" 60
}

# ended PID SECONDS: wait for a started process to end; its status. After the time it is 124, and a busy machine gives it
# a minute more. Who hangs even then is killed. That is a failure whatever the caller asks for, and so is a crash, but
# where the caller $judges_crashes.
ended()
{
	late=false
	wait_for "$2" process_gone "$1" || {
		late=true
		echo "process $1 did not end in $2 s"
		wait_for "${hangs_after:-60}" process_gone "$1" || {
			bad "$(tr '\0' ' ' < "/proc/$1/cmdline") hangs"
			kill -KILL "$1" 2> /dev/null
		}
	}
	wait "$1"
	state=$?
	case $state in
	132 | 134 | 135 | 136 | 139) [ -n "${judges_crashes-}" ] || bad "process $1 crashed: status $state" ;;
	*) ! $late || state=124 ;;
	esac
	started=" $started "
	case $started in
	*" $1 "*) started="${started%%" $1 "*} ${started#*" $1 "}" ;;
	esac
	return "$state"
}

# state_of PROCESS: $state_of, a letter; nothing: it is not there. Asked often, so that no program is started for it.
state_of()
{
	state_of=''
	{ read -r state_of < "/proc/$1/stat"; } 2> /dev/null
	state_of=${state_of##*) } state_of=${state_of%% *}
}

is_asleep()
{
	state_of "$1"
	[ "$state_of" = S ]
}

# settle PID...: until they have done with what there is, and sleep; however busy the machine. Longer than the
# 100 ms for which a buffer may be kept back.
settle()
{
	calm=0 looks=0
	while [ "$calm" -lt 8 ] && [ "$looks" -lt 1000 ]; do
		looks=$((looks + 1)) calm=$((calm + 1))
		sleep 0.02
		for process; do
			is_asleep "$process" || process_gone "$process" || calm=0
		done
	done
}

# all_read READER [PROCESS...]: when it and they have nothing more to do, it is asked to end, and its status
# is this one's. What is too much has come by then as well.
all_read()
{
	settle "$@"
	stop "$1" INT
}

process_gone()
{
	state_of "$1"
	[ -z "$state_of" ] || [ "$state_of" = Z ]
}

# loaders: processes of loaders in $right, that of the captures.
loaders()
{
	for process in $(ip netns pids "$right"); do
		[ "$(cat "/proc/$process/comm" 2> /dev/null)" = pcap-afxdp-load ] &&
			! process_gone "$process" && echo "$process"
	done
}

# wait_for SECONDS COMMAND...: until it succeeds; fails after the time. It asks less often the longer it takes: each
# time starts programs, which many tests side by side have no processor for.
wait_for()
{
	most_ms=$(($1 * 1000)) waited_ms=0
	shift
	while [ "$most_ms" -gt "$waited_ms" ]; do
		"$@" > /dev/null 2>&1 && return 0
		if [ "$waited_ms" -lt 400 ]; then
			sleep 0.05
			waited_ms=$((waited_ms + 50))
		elif [ "$waited_ms" -lt 2000 ]; then
			sleep 0.1
			waited_ms=$((waited_ms + 100))
		else
			sleep 0.25
			waited_ms=$((waited_ms + 250))
		fi
	done
	return 1
}

# new_namespace NAME: a namespace of this test, called $namespace.
new_namespace()
{
	pairs=$((${pairs:-0} + 1))
	namespace=afxdp-$$-$1$pairs
	ip netns add "$namespace" || exit 1
	namespaces="$namespaces $namespace"
	# The kernel's own multicasts would be counted among the frames of a test.
	ip netns exec "$namespace" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 \
		net.ipv6.conf.default.disable_ipv6=1 2> /dev/null
	ip -n "$namespace" link set lo up
}

# pair_namespaces: $left and $right.
pair_namespaces()
{
	new_namespace a
	left=$namespace
	new_namespace b
	right=$namespace
}

# pair_up: va is 10.99.0.1, vb 10.99.0.2; they know each other without asking.
pair_up()
{
	ip -n "$left" addr add 10.99.0.1/24 dev va
	ip -n "$right" addr add 10.99.0.2/24 dev vb
	ip -n "$left" link set va up
	ip -n "$right" link set vb up
	ip -n "$left" neigh replace 10.99.0.2 lladdr 02:74:67:00:00:02 dev va
	ip -n "$right" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb
}

# veth_pair [OPTION...]: va in $left, vb in $right; options as of ip link.
veth_pair()
{
	pair_namespaces
	ip -n "$left" link add va address 02:00:00:00:00:0a "$@" type veth \
		peer name vb address 02:74:67:00:00:02 "$@" netns "$right" || exit 1
	pair_up
}

in_left()
{
	ip netns exec "$left" "$@"
}

in_right()
{
	ip netns exec "$right" "$@"
}

# What every frame crosses as it is: no offload merges, splits or completes it on the way.
offloads_off()
{
	in_left ethtool -K va tso off gso off gro off rx off tx off > /dev/null 2>&1
	in_right ethtool -K vb tso off gso off gro off rx off tx off > /dev/null 2>&1
}

# A library with sanitizers calls into their runtime, which foreign programs have to load first.
is_sanitized()
{
	grep -q -e __asan_init -e __tsan_init "$library/libpcap.so.0.8" 2> /dev/null
}

# The environment for programs on the library of the build, one variable a line.
library_environment()
{
	echo "LD_LIBRARY_PATH=$library"
	is_sanitized || return
	cc=$(sed -n 's/^CC = //p' "$build/Makefile" 2> /dev/null)
	cc=${cc:-cc}
	# No foreign program runs with TSan, which shells that it starts do not survive.
	grep -q '^SANITIZE_CFLAGS = .*thread' "$build/Makefile" 2> /dev/null && return
	echo "LD_PRELOAD=$($cc -print-file-name=libasan.so):$($cc -print-file-name=libubsan.so)"
	echo "ASAN_OPTIONS=detect_leaks=0"
}

# with_library COMMAND...: of $right, as are captures.
# shellcheck disable=SC2046 # one word per variable
with_library()
{
	ip netns exec "$right" env $(library_environment) "$@"
}

# copy_library DIR: libpcap of the build and what it loads, where any user can read them.
copy_library()
{
	cp -L "$library/libpcap.so.0.8" "$1"
	[ ! -e "$library/libafxdpcapture.so.0" ] || cp -L "$library/libafxdpcapture.so.0" "$1"
}

# library_cache FILE DIR: what /etc/ld.so.cache would be if the libraries of DIR came before all others. In a
# mount namespace it takes that one's place, for programs with capabilities, which ignore LD_LIBRARY_PATH.
library_cache()
{
	{
		echo "$2"
		sed 's|^include  *\([^/]\)|include /etc/\1|' /etc/ld.so.conf
	} > "$1.conf"
	ldconfig -X -f "$1.conf" -C "$1"
}

# api_tests NAME...: programs of tests/pcap, on the library of the build. Each has a namespace of its own, so they run
# side by side: they wait for the kernel more than they compute.
api_tests()
{
	for program; do
		# shellcheck disable=SC2046 # one word per variable
		start env $(library_environment) "$build/tests/pcap/$program"
		runs="${runs-} $program:$pid:$out:$err"
	done
	for run in $runs; do
		program=${run%%:*} run=${run#*:}
		ended "${run%%:*}" 300
		state=$? run=${run#*:}
		cat "${run#*:}" "${run%:*}" > "$scratch/said"
		grep -v -e RUN -e '=====' "$scratch/said"
		counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "${run%:*}")
		if [ -z "$counts" ]; then
			bad "$program ended with status $state"
			continue
		fi
		# shellcheck disable=SC2086 # three numbers
		set_counts $counts
	done
}

set_counts()
{
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# start_capture COMMAND...: the same in the background; as in start.
# shellcheck disable=SC2046
start_capture()
{
	start ip netns exec "$right" env $(library_environment) "$@"
}

# start_tcpdump OPTION...: on $device (xdp:vb unless set) in $right; returns when it is listening.
start_tcpdump()
{
	start_capture tcpdump -i "${device:-xdp:vb}" -nn "$@"
	wait_for "${starts_within:-120}" grep -q 'listening on' "$err" || {
		bad "tcpdump -i ${device:-xdp:vb} $* does not start"
		show "$err"
		return 1
	}
	if grep -q WARNING "$err"; then # programs take one for a failure: nobody asked for it
		bad "tcpdump -i ${device:-xdp:vb} $* is warned"
		show "$err"
	fi
}

# xdp_program NAMESPACE INTERFACE: the id of the program in the XDP hook; nothing: none.
xdp_program()
{
	ip -n "$1" -d link show dev "$2" 2> /dev/null | sed -n 's/.*prog\/xdp[a-z]* id \([0-9]*\).*/\1/p'
}

no_xdp_program()
{
	[ -z "$(xdp_program "$1" "$2")" ]
}

# Rings, by map id, that no process holds: a program or link that was left would keep them. Other
# captures of this machine may come and go meanwhile.
orphaned_rings()
{
	bpftool map show | sed -n 's/^\([0-9]*\): array  name rings[_0-9]* .*/\1/p' | sort > "$scratch/rings"
	sed -n 's/^map_id:[^0-9]*//p' /proc/[0-9]*/fdinfo/* 2> /dev/null | sort -u > "$scratch/held"
	comm -23 "$scratch/rings" "$scratch/held"
}

promiscuity()
{
	ip -n "$1" -d link show dev "$2" | sed -n 's/.*promiscuity \([0-9]*\).*/\1/p'
}

is_promiscuous()
{
	[ "$(promiscuity "$1" "$2")" -gt 0 ]
}

# json FILE NAME: a number in what a test program reported. Without it a word that is equal to no number, and
# that no sum takes: for dash no_word would be a variable, and 0.
json()
{
	number=$(tr ',{' '\n\n' < "$1" | sed -n "s/^ *\"$2\": *\\([0-9]*\\).*/\\1/p" | head -n 1)
	echo "${number:-no.$2.reported}"
}

# tcpdump's closing statistics: captured|received|dropped FILE. Without them a word, as json has it.
tcpdump_count()
{
	case $1 in
	captured) words='packets* captured' ;;
	received) words='packets* received by filter' ;;
	dropped) words='packets* dropped by kernel' ;;
	esac
	sed -n "s/^\\([0-9]*\\) $words.*/\\1/p" "$2" | tail -n 1 | grep . || echo "no.$1.said"
}

# packets FILE [FILTER]: how many a capture file holds, also one that is cut off. Of what is none, a word as json has it.
packets()
{
	tcpdump -nnr "$@" 2> /dev/null | sed -n '$=' | grep . && return
	if tcpdump -nnr "$@" > /dev/null 2>&1; then echo 0; else echo no.capture.file; fi
}
