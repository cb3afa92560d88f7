# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests of the filter exchange share, beside tests/lib.sh, which it reads.

. "$(dirname "$0")/../lib.sh"
PCAP_AFXDP_DEBUG=1
PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
chmod 777 "$scratch" # also for those who have dropped their privileges
export PCAP_AFXDP_DEBUG PCAP_AFXDP_LOADER
in_kernel='in the kernel'
by_loader='in the kernel, by the loader'

# both_kinds FUNCTION: with a program bound to the device, as veth gets one for the tags' sake, and
# with the root program, which calls the one with the filter. The device to open is $device.
both_kinds()
{
	kind=bound
	device=xdp:vb
	veth_pair
	"$1"
	for namespace in "$left" "$right"; do
		ip netns del "$namespace"
	done
	kind=shared
	device=xdp:vb,vlan=off
	veth_pair
	"$1"
}

# levels FILE: where the filters that were set ran, one a line.
levels()
{
	sed -n 's/^pcap-afxdp: xdp:[^ ]*: filter //p' "$1"
}

# level_is NAME WANTED FILE
level_is()
{
	equal "$1: level" "$2" "$(levels "$3")"
}

# is_attached_as KIND: the program in the hook of vb is the one that this kind has.
is_attached_as()
{
	case $1 in
	bound) program=xdp_capture_dev ;;
	shared) program=xdp_root ;;
	esac
	in_right bpftool prog show id "$(xdp_program "$right" vb)" | grep -q "name $program"
}

# A client that reads with "$read_all" reads what is sent until this file is there.
all_sent=$scratch/all-sent
read_all=read-all=$all_sent

# send COUNT [OPTION...]: numbered frames into va, of which every 100th goes to UDP port 7777. Then $all_sent is there.
send()
{
	count=$1
	shift
	in_left "$build/testprogs/trafgen" -i va -n "$count" --match 100 7777 "$@" > "$scratch/sent" ||
		bad "trafgen: $(cat "$scratch/sent")"
	touch "$all_sent"
}

no_loader()
{
	[ -z "$(loaders)" ]
}

# start_client STEP...: tests/loader/client in $right; as start.
start_client()
{
	start_capture "$build/tests/loader/client" "$@"
}

# client STEP...: to its end; its words are in $out, those of the library in $err.
client()
{
	start_client "$@"
	ended "$pid" 600 || bad "client ended with $?: $*"
}
