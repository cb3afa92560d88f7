#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Where the filter of each kind of application runs, and who put it there: as root, after dropping
# privileges in every way, with capabilities of its own. Each must capture just what matches.
. "$(dirname "$0")/common.sh"
need_root
need_library
need tcpdump bpftool setpriv setcap
need_testprog trafgen
filter='udp dst port 7777'

# captures_exactly NAME: of 1000 frames the 10 that match, by tcpdump's own account.
captures_exactly()
{
	send 1000
	all_read "$tcpdump" || bad "$1: tcpdump ended with $?"
	equal "$1: captured" 10 "$(tcpdump_count captured "$said")"
	equal "$1: received by filter" 10 "$(tcpdump_count received "$said")"
	equal "$1: dropped" 0 "$(tcpdump_count dropped "$said")"
}

# tcpdump_case NAME WANTED OPTION...
tcpdump_case()
{
	this="$kind: $1" wanted=$2
	shift 2
	start_tcpdump "$@" || return
	tcpdump=$pid said=$err
	level_is "$this" "$wanted" "$said"
	check "$this: attached as meant" is_attached_as "$kind"
	captures_exactly "$this"
}

# client_case NAME WANTED STEP...: an application that drops its privileges by these steps.
client_case()
{
	this="$kind: $1" wanted=$2
	shift 2
	rm -f "$scratch/set" "$all_sent"
	start_client "open=$device" "$@" "filter=$filter" "touch=$scratch/set" "$read_all" report=all
	client=$pid said=$err told=$out
	wait_for 40 test -e "$scratch/set" || bad "$this: no filter set"
	send 1000
	ended "$client" 60 || bad "$this: ended with $?"
	level_is "$this" "$wanted" "$said"
	check "$this: just what matches" \
		grep -q '^all: frames=10 matched=10 rejected=0 corrupt=0' "$told"
	grep -q '^all: frames=10 ' "$told" || show "$told"
}

tcpdump_cases()
{
	tcpdump_case "tcpdump -Z root" "$in_kernel" -Z root "$filter"
	tcpdump_case "tcpdump -Z root -w" "$in_kernel" -Z root -w "$scratch/f" "$filter"
	equal "$kind: frames in the file" 10 "$(packets "$scratch/f")"
	if ! id tcpdump > /dev/null 2>&1; then
		skip "$kind: no user tcpdump"
		return
	fi
	tcpdump_case "tcpdump as user tcpdump" "$by_loader" "$filter"
	# With -w it drops its privileges later, for the file's sake; with -C it cannot wait.
	tcpdump_case "tcpdump -w" "$in_kernel" -w "$scratch/g" "$filter"
	equal "$kind: frames in the file" 10 "$(packets "$scratch/g")"
	tcpdump_case "tcpdump -w -C" "$by_loader" -C 1 -w "$scratch/h" "$filter"
	equal "$kind: frames in the file" 10 "$(packets "$scratch/h")"
}

client_cases()
{
	client_case "root" "$in_kernel"
	client_case "setresuid" "$by_loader" become=nobody
	client_case "capset, all gone" "$by_loader" keep=0
	# As dumpcap 4.4 does: CAP_NET_ADMIN and CAP_NET_RAW.
	client_case "capset, network only" "$by_loader" keep=3000
	# CAP_BPF too, but not CAP_PERFMON: the verifier refuses what the loader can load.
	client_case "capset, no CAP_PERFMON" "$by_loader" keep=8000003000
	client_case "signals every 20 ms" "$by_loader" alarm=20 become=nobody
}

# As after `make install`, in the mount namespace of one command: the libraries in the linker's cache, the
# loader in libexec. A program with capabilities of its own is not told by its environment.
as_installed()
{
	installed=$(strings "$build/libafxdpcapture.so.0" | grep '/pcap-afxdp-loader$')
	mkdir -p "$scratch/lib"
	copy_library "$scratch/lib"
	library_cache "$scratch/lib.cache" "$scratch/lib"
	# shellcheck disable=SC2016 # for the shell in the namespace
	start ip netns exec "$right" sh -c '
		mount -t tmpfs tmpfs /usr/local && mkdir -p "$(dirname "$1")" /usr/local/bin &&
		cp "$2/pcap-afxdp-loader" "$1" && cp "$(command -v tcpdump)" /usr/local/bin/tcpdump &&
		setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep /usr/local/bin/tcpdump &&
		mount --bind "$3" /etc/ld.so.cache || exit 9
		unset PCAP_AFXDP_LOADER
		shift 3
		exec "$@"' sh "$installed" "$build" "$scratch/lib.cache" "$@"
}

# capabilities_case NAME COMMAND...: tcpdump with capabilities of its own, run by an ordinary user.
capabilities_case()
{
	this="$kind: $1"
	shift
	as_installed "$@" tcpdump -i "$device,veth=xdp" -nn "$filter" # a program with capabilities heeds no environment
	tcpdump=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said" || {
		bad "$this: does not start"
		show "$said"
		return
	}
	equal "$this: uid" 1234 "$(stat -c %u "/proc/$tcpdump/task")"
	equal "$this: one loader runs" 1 "$(loaders | wc -l)"
	equal "$this: the loader's uid" 1234 "$(sed -n 's/^Uid:.\([0-9]*\).*/\1/p' "/proc/$(loaders)/status")"
	level_is "$this" "$in_kernel" "$said"
	captures_exactly "$this"
}

capabilities_cases()
{
	case $(library_environment) in
	*LD_PRELOAD*)
		skip "$kind: file capabilities: not with sanitizers, which have to be preloaded"
		return
		;;
	esac
	case $(strings "$build/libafxdpcapture.so.0" | grep '/pcap-afxdp-loader$') in
	/usr/local/*) ;;
	*)
		skip "$kind: file capabilities: not configured for /usr/local"
		return
		;;
	esac
	# Whose environment names another loader, in vain.
	capabilities_case "setcap tcpdump by an ordinary user" \
		setpriv --reuid 1234 --regid 1234 --clear-groups \
		env PCAP_AFXDP_LOADER=/bin/false PATH=/usr/local/bin:/usr/bin:/bin
	capabilities_case "ambient capabilities by an ordinary user" \
		setpriv --reuid 1234 --regid 1234 --clear-groups \
		--inh-caps=+bpf,+net_admin,+net_raw,+perfmon \
		--ambient-caps=+bpf,+net_admin,+net_raw,+perfmon env PATH=/usr/bin:/bin
}

cases()
{
	tcpdump_cases
	client_cases
	capabilities_cases
	check "$kind: no loader is left" wait_for 10 no_loader
}

both_kinds cases
finish
