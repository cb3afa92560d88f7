# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of the files it reads
# What the tests of engine=divert share: a capture by pcapread, and the host beside it, of which
# AF_PACKET tells what reached it.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

# by FORM: what engine=divert is from here on: "rings", as it is where the driver has no zero-copy, or "sockets".
by()
{
	form=$1
	case $1 in
	rings) diverting=engine=divert ;;
	sockets) diverting=engine=divert,zero-copy=off ;;
	esac
}
by rings

# divert OPTIONS ARGUMENT...: pcapread on vb; $reader, its report in $report. "%" stands for none.
divert()
{
	case $1 in %) device=xdp:vb,$diverting ;; *) device=xdp:vb,$diverting,$1 ;; esac
	shift
	rm -f "$scratch/ready"
	start_capture testprogs/pcapread -i "$device" --ready "$scratch/ready" -t 300 "$@"
	reader=$pid report=$out said=$err
	wait_for 20 [ -e "$scratch/ready" ] || {
		bad "$device $*: does not start: $(cat "$report" "$said")"
		return 1
	}
}

# host_begin: counts what reaches the host's stack through vb.
host_begin()
{
	start ip netns exec "$right" tcpdump -Z root --immediate-mode -s 128 -B 65536 -nn -Q in -i vb \
		-w "$scratch/host.pcap" udp
	host=$pid
	wait_for 20 grep -q 'listening on' "$err" || bad "tcpdump on vb does not start"
}

# host_end: how many they were, in $reached.
host_end()
{
	settle "$host"
	stop "$host" INT
	reached=$(packets "$scratch/host.pcap")
}

# read_out NAME: the reader ends; its own verdict.
read_out()
{
	settle "$reader"
	stop "$reader" INT
	equal "$1: verdict of the reader" 0 $?
	[ "$state" -eq 0 ] || show "$report"
}

# send COUNT OPTION...
send()
{
	number=$1
	shift
	in_left testprogs/trafgen -i va -n "$number" "$@" > "$scratch/sent" || bad "trafgen $*"
}

# refused PATTERN DEVICE ARGUMENT...: by tcpdump, which says why.
refused()
{
	pattern=$1 device=$2
	shift 2
	with_library timeout 10 tcpdump -nn -Z root -c 1 -i "$device" "$@" > "$scratch/output" 2>&1 < /dev/null
	status=$?
	if [ "$status" -eq 1 ] && grep -q -e "$pattern" "$scratch/output"; then
		ok "$device $*: $(grep -m 1 -e "$pattern" "$scratch/output")"
	else
		bad "$device $*: status $status"
		show "$scratch/output"
	fi
}
