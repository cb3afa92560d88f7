#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Who may capture, and how little it takes: root that becomes user tcpdump, root that stays, a user
# with capabilities of the process or of the file, and users who lack one of them.
# shellcheck source=tests/apps/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ping setpriv
veth_pair
# Where a user can read it, whoever owns the build.
mkdir "$scratch/lib"
copy_library "$scratch/lib"
cp "$build/pcap-afxdp-loader" "$scratch/loader"
library=$scratch/lib
PCAP_AFXDP_LOADER=$scratch/loader
PCAP_AFXDP_DEBUG=1
export PCAP_AFXDP_DEBUG
setcap_line='setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep'

# captures NAME COMMAND...: starts tcpdump in one way or other; it sees the five requests, no more.
captures()
{
	name=$1
	shift
	start_capture "$@" --immediate-mode -l -nn 'icmp[0] == 8'
	tcpdump=$pid said=$err printed=$out
	wait_for 20 grep -q 'listening on' "$said" || {
		bad "$name: does not start"
		show "$said"
		ended "$tcpdump" 1
		return 1
	}
	user=$(sed -n 's/^Uid:[[:space:]]*[0-9]*[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$tcpdump/status")
	ping_right 5
	wait_for 5 grep -q 'seq 5' "$printed"
	stop "$tcpdump" INT
	equal "$name: ends well" 0 $?
	equal "$name: requests" 5 "$(grep -c 'echo request' "$printed")"
	equal "$name: nothing else" 5 "$(grep -c . "$printed")"
}

# runs_as NAME UID: the last one did, at the end.
runs_as()
{
	equal "$1: user id" "$2" "$user"
}

has_processes()
{
	[ -n "$(ip netns pids "$right")" ]
}

gone()
{
	wait_for 3 fails has_processes
	equal "no process is left" '' "$(ip netns pids "$right")"
	nothing_left "$right" vb
}

# refused NAME COMMAND...: no capture; the last words are in $scratch/said.
refused()
{
	name=$1
	shift
	with_library timeout 10 "$@" -c 1 -nn > "$scratch/said" 2>&1
	equal "$name is refused" 1 $?
	check "$name: says what to type" says "$setcap_line" "$scratch/said"
}

for device in xdp:vb xdp:vb,hook=tc xdp:vb,hook=packet; do
	captures "root, -Z root, on $device" tcpdump -Z root -i $device
	runs_as "root, -Z root" 0
	if id tcpdump > "$scratch/id" 2>&1; then
		captures "root, default drop, on $device" tcpdump -i $device &&
			check "its filter is in the kernel" grep -q 'filter in the kernel' "$said"
		runs_as "root, default drop" "$(id -u tcpdump)"
	else
		skip "root, default drop: no user tcpdump"
	fi
done
gone

# A user whose process has the four capabilities, or three of them.
as_user()
{
	echo "setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all$1 --ambient-caps -all$1"
}
every=,+bpf,+net_admin,+net_raw,+perfmon
# shellcheck disable=SC2046 # words
for device in xdp:vb xdp:vb,hook=tc xdp:vb,hook=packet; do
	captures "a user with four capabilities, on $device" $(as_user $every) tcpdump -i $device &&
		check "the filter is in the kernel" grep -q 'filter in the kernel' "$said"
	runs_as "a user with four capabilities" 65534
done
for missing in bpf net_admin net_raw perfmon; do
	few=$(echo $every | sed "s/,+$missing//")
	# shellcheck disable=SC2046 # words
	for device in xdp:vb xdp:vb,hook=tc; do
		refused "a user without $missing, on $device" $(as_user "$few") tcpdump -i $device
		check "without $missing: names it" says "CAP_$(echo $missing | tr '[:lower:]' '[:upper:]') missing" "$scratch/said"
	done
done
# shellcheck disable=SC2046 # words
refused "a user with none" $(as_user '') tcpdump -i xdp:vb
check "with none: names all" says 'CAP_BPF, CAP_NET_ADMIN, CAP_NET_RAW, CAP_PERFMON missing' "$scratch/said"
gone

# The line of the error message, typed: a program with file capabilities ignores LD_LIBRARY_PATH, as it
# should, so it finds the libraries as after an install, in a mount namespace.
cp "$(command -v tcpdump)" "$scratch/tcpdump"
library_cache "$scratch/ld.so.cache" "$library"
if ! command -v setcap > "$scratch/setcap" || ! $setcap_line "$scratch/tcpdump" 2> "$scratch/setcap"; then
	skip "file capabilities: $(cat "$scratch/setcap")"
elif ! unshare -m mount --bind "$scratch/ld.so.cache" /etc/ld.so.cache 2> "$scratch/mount"; then
	skip "file capabilities: $(cat "$scratch/mount")"
elif has_sanitizers; then
	skip "file capabilities: the library with sanitizers has to be loaded first"
else
	captures "a user, by file capabilities" unshare -m sh -c "mount --bind $scratch/ld.so.cache /etc/ld.so.cache &&
		exec setpriv --reuid 65534 --regid 65534 --clear-groups $scratch/tcpdump \"\$@\"" sh -i xdp:vb
	runs_as "a user, by file capabilities" 65534
fi
gone
finish
