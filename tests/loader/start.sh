#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A loader process that cannot start, and one that is killed: the capture goes on, the filter is
# exact in user space, and the application is told.
. "$(dirname "$0")/common.sh"
need_root
need_library
need bpftool
need_testprog trafgen
filter='udp dst port 7777'
device=xdp:vb
veth_pair
gone='in user space: the loader process has ended, or did not answer within 20 s'

no_program()
{
	wait_for 5 no_xdp_program "$right" vb || bad "the hook is not free"
}

# told WHAT PATTERN: the client said so.
told()
{
	if grep -q "$2" "$told"; then
		ok "$1"
	else
		bad "$1: no line matches: $2"
		show "$told"
	fi
}

# started STEP...: in the background, up to the file $scratch/set, which one of the steps touches.
started()
{
	no_program
	rm -f "$scratch/set" "$scratch/go" "$all_sent"
	start_client "$@"
	client=$pid said=$err told=$out
	wait_for 300 test -e "$scratch/set" || bad "the client does not get so far: $*"
}

# exact NAME FRAMES: it ends, and has all that match and no others.
exact()
{
	ended "$client" 300 || bad "$1: ended with $?"
	told "$1: just what matches, whole" "^all: frames=$2 matched=$2 rejected=0 corrupt=0 caplen=300"
}

# broken NAME PATH REASON: the loader is that; what the note says of it.
broken()
{
	PCAP_AFXDP_LOADER=$2
	started "open=$device" become=nobody "filter=$filter" "touch=$scratch/set" "$read_all" report=all
	took=$(sed -n 's/^activate 0 after \([0-9]*\) ms.*/\1/p' "$told")
	between "$1: ms to open, not the 20 s that a loader has" 0 19999 "${took:-99999}"
	PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
	send 10000 -s 300
	exact "$1" 100
	told "$1: a note with the path and the reason" \
		"^activate 0 .*privileges are dropped will run in user space: $3"
	level_is "$1" 'in user space: no privilege to load it, and no loader process' "$said"
}

# as_script TEXT: a loader of that text.
as_script()
{
	printf '#!/bin/sh\n%s\n' "$1" > "$scratch/loader"
	chmod 755 "$scratch/loader"
}

broken "missing" /nowhere/loader "cannot start /nowhere/loader: No such file or directory"
touch "$scratch/plain"
broken "not executable" "$scratch/plain" "cannot start $scratch/plain: Permission denied"
broken "a directory" "$scratch" "cannot start $scratch: Permission denied"
printf '\0\0not a program' > "$scratch/garbage"
chmod 755 "$scratch/garbage"
broken "no program" "$scratch/garbage" "cannot start $scratch/garbage: Exec format error"
broken "ends at once" /bin/false "cannot start /bin/false: ."
# shellcheck disable=SC2016 # for the script
as_script 'kill -SEGV $$'
broken "crashes" "$scratch/loader" "cannot start $scratch/loader: ."
# shellcheck disable=SC2016
as_script 'head -c 5 /dev/zero >&"$1"'
broken "an answer that is cut off" "$scratch/loader" "cannot start $scratch/loader: ."
# shellcheck disable=SC2016
as_script 'head -c 4096 /dev/urandom | tr "\0" "\377" >&"$1"'
broken "an answer that is none" "$scratch/loader" "cannot start $scratch/loader: ."
# Its version has the place of ours in the file: what it compares with.
version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$build/config.h")
sed "s/\\([^_]\\)$(echo "$version" | sed 's/\./\\./g')\\x00/\\1$(echo "$version" | tr 0-9 9)\\x00/g" \
	"$build/pcap-afxdp-loader" > "$scratch/other"
chmod 755 "$scratch/other"
if cmp -s "$build/pcap-afxdp-loader" "$scratch/other"; then
	bad "cannot make a loader of another version"
else
	broken "of another version" "$scratch/other" "$scratch/other is of another version than this lib"
fi

# What only a loader could stop is not loaded without one: neither as the first filter, nor in place of another.
for slow in program=diamonds:300 program=chase:2046 'program=all program=chase:2046'; do
	PCAP_AFXDP_LOADER=/nowhere/loader
	# shellcheck disable=SC2086 # words
	started "open=$device" $slow "touch=$scratch/set" "$read_all" report=all
	PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
	send 10000 -s 300
	exact "slow to load, $slow" 100
	check "slow to load, $slow: in user space, and why" grep -q \
		'filter in user space: the kernel may take long to load it\(, and only the loader process could stop it\|: it has 204[0-9] loads in a row that each begin where the one before says\)' \
		"$said"
done

# Killed before the filter comes.
started "open=$device" "touch=$scratch/set" "wait=$scratch/go" become=nobody "filter=$filter" \
	"$read_all" report=all
equal "killed before: one loader" 1 "$(loaders | wc -l)"
kill -KILL "$(loaders)"
touch "$scratch/go"
wait_for 20 grep -q '^setfilter' "$told"
send 10000 -s 300
exact "killed before" 100
level_is "killed before" "$gone" "$said"

# Signals to a whole service are not for it.
started "open=$device" "touch=$scratch/set" "wait=$scratch/go" become=nobody "filter=$filter" \
	"$read_all" report=all
for signal in HUP INT QUIT TERM USR1 USR2 PIPE; do
	kill "-$signal" "$(loaders)"
done
touch "$scratch/go"
wait_for 20 grep -q '^setfilter' "$told"
send 10000 -s 300
exact "other signals" 100
level_is "other signals" "$by_loader" "$said"

# traffic SECONDS: from now on, and some has come.
traffic()
{
	had=$(frames_of_vb)
	start in_left "$build/testprogs/trafgen" -i va -d "$1" -r 20000 -s 300 --match 100 7777
	sender=$pid sent=$out
	wait_for 20 more_frames "$had" || bad "no traffic comes"
}

frames_of_vb()
{
	in_right cat /sys/class/net/vb/statistics/rx_packets
}

more_frames()
{
	[ "$(frames_of_vb)" -gt "$1" ]
}

traffic_ends()
{
	ended "$sender" 30 || bad "$1: trafgen: $(cat "$sent")"
	touch "$all_sent"
}

# There is room for all of the traffic, however late the client comes to read.
roomy=$device,ring=64M

# Killed while the new filter is on its way: no frame is lost that both filters match.
# mid_swap NAME STEP
mid_swap()
{
	rm -f "$scratch/going"
	started "open=$roomy" become=nobody 'filter=udp' "touch=$scratch/set" "wait=$scratch/go" "touch=$scratch/going" \
		"$2" "$read_all" report=all
	traffic 3
	loader=$(loaders)
	kill -STOP "$loader"
	touch "$scratch/go"
	wait_for 60 test -e "$scratch/going" || bad "$1: the client does not go on"
	settle "$client" # it waits for the loader's answer
	kill -KILL "$loader"
	kill -CONT "$loader"
	traffic_ends "$1"
	matched=$(json "$sent" matched)
	exact "$1" "$matched"
	equal "$1: all frames sent" 0 "$(json "$sent" refused)"
	equal "$1: levels" "$by_loader|$gone|" \
		"$(levels "$said" | tr '\n' '|')"
}

mid_swap "killed in mid-swap" "filter=$filter"

# kernel_ticks PROCESS: for which it was in the kernel.
kernel_ticks()
{
	sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 13
}

# verifies PROCESS TICKS: the kernel works on what it has loaded since.
verifies()
{
	[ "$(kernel_ticks "$1")" -ge $(($2 + 2)) ]
}

# Killed while the kernel verifies a filter that is too complex for it, which takes it a while to see.
started "open=$roomy" become=nobody 'filter=udp' "touch=$scratch/set" "wait=$scratch/go" \
	program=too-complex:40 "$read_all" report=all
traffic 2
loader=$(loaders)
ticks=$(kernel_ticks "$loader")
touch "$scratch/go"
wait_for 60 verifies "$loader" "$ticks" || bad "killed while it loads: it does not load"
kill -KILL "$loader"
traffic_ends "killed while it loads"
exact "killed while it loads" "$(json "$sent" matched)"
equal "killed while it loads: levels" "$by_loader|$gone|" \
	"$(levels "$said" | tr '\n' '|')"

# Stopped for good: the application waits 20 s for it, signals or not, and then does without.
started "open=$device" become=nobody alarm=50 'filter=udp' "touch=$scratch/set" "wait=$scratch/go" \
	"filter=$filter" "$read_all" report=all
loader=$(loaders)
kill -STOP "$loader"
touch "$scratch/go"
wait_for 50 grep -q "^setfilter $filter" "$told" || bad "stopped: the filter is not set in 50 s"
took=$(sed -n "s/^setfilter $filter: 0 after \\([0-9]*\\) ms.*/\\1/p" "$told")
between "stopped: ms until the application goes on" 1000 40000 "${took:-99999}"
# It wakes up with the swap still before it.
kill -CONT "$loader"
send 10000 -s 300
exact "stopped, and awake later" 100
equal "stopped: levels" "$by_loader|$gone|" \
	"$(levels "$said" | tr '\n' '|')"
check "no loader is left" wait_for 10 no_loader
finish
