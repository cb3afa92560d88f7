#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Applications that have no privilege when they open: the loader opens for them, where it may. Then
# everything is as with privilege; where it may not, the error says what is missing.
. "$(dirname "$0")/common.sh"
need_root
need_library
need bpftool setcap
need_testprog trafgen
filter='udp dst port 7777'
mkdir "$scratch/capable"
capable=$scratch/capable/pcap-afxdp-loader
cp "$build/pcap-afxdp-loader" "$capable"
chmod 755 "$capable"
setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$capable" 2> /dev/null ||
	skip_all "cannot set file capabilities in $scratch"

# opens NAME UID STEP...: with the loader $PCAP_AFXDP_LOADER, which runs as that uid.
opens()
{
	this="$kind: $1" uid=$2
	shift 2
	rm -f "$scratch/set" "$scratch/go"
	wait_for 5 no_xdp_program "$right" vb || bad "$this: the hook is not free"
	start_client promiscuous "$@" "open=$device" "filter=$filter" "touch=$scratch/set" \
		"wait=$scratch/go" read=300 report=all stats=all close sleep=1000
	client=$pid said=$err told=$out
	wait_for 20 test -e "$scratch/set" || {
		bad "$this: does not open"
		show "$told"
	}
	level_is "$this" "$by_loader" "$said"
	check "$this: attached as meant" is_attached_as "$kind"
	check "$this: promiscuous" is_promiscuous "$right" vb
	status=/proc/$(loaders)/status
	equal "$this: one loader" 1 "$(loaders | wc -l)"
	equal "$this: its uid" "$uid" "$(sed -n 's/^Uid:.\([0-9]*\).*/\1/p' "$status")"
	equal "$this: its capabilities" 000000c000001000 "$(sed -n 's/^CapPrm:.//p' "$status")"
	equal "$this: those it can inherit" 0000000000000000 "$(sed -n 's/^CapInh:.//p' "$status")"
	equal "$this: its seccomp mode" 2 "$(sed -n 's/^Seccomp:.//p' "$status")"
	send 1000 -s 300
	touch "$scratch/go"
	wait_for 10 grep -q '^all: received' "$told"
	check "$this: nothing is attached after close" wait_for 1 no_xdp_program "$right" vb
	check "$this: not promiscuous after close" wait_for 1 fails is_promiscuous "$right" vb
	check "$this: no loader after close" wait_for 1 no_loader
	ended "$client" 20
	equal "$this: just what matches" 'all: frames=10 matched=10 rejected=0 corrupt=0 caplen=300' \
		"$(grep '^all: frames' "$told")"
	equal "$this: received" 'all: received=10 dropped=0' "$(grep '^all: received' "$told")"
}

# The loader holds what it has opened; so does the application, and captures on when it is killed.
goes_on()
{
	this="$kind: the loader is killed"
	rm -f "$scratch/set" "$scratch/go"
	start_client keep=0 "open=$device" "filter=$filter" "touch=$scratch/set" "wait=$scratch/go" read=300 \
		report=all close
	client=$pid told=$out
	wait_for 20 test -e "$scratch/set" || bad "$this: does not open"
	kill -KILL "$(loaders)"
	wait_for 5 no_loader
	send 1000 -s 300
	touch "$scratch/go"
	ended "$client" 20
	equal "$this: just what matches" 'all: frames=10 matched=10 rejected=0 corrupt=0 caplen=300' \
		"$(grep '^all: frames' "$told")"
}

# refuses NAME PATTERN STEP...: PCAP_ERROR_PERM_DENIED (-8), with what is missing.
refuses()
{
	this="$kind: $1" pattern=$2
	shift 2
	start_client "$@"
	told=$out
	ended "$pid" 20
	check "$this: the error says what is missing" grep -q "^activate -8 .*$pattern" "$told"
	grep -q "^activate -8 .*$pattern" "$told" || show "$told"
	check "$this: nothing is attached" no_xdp_program "$right" vb
	check "$this: no loader" wait_for 1 no_loader
}

# with_capabilities GROUP MODE: the loader with capabilities. chgrp takes them away.
with_capabilities()
{
	chgrp "$1" "$capable"
	chmod "$2" "$capable"
	setcap $caps "$capable"
}

# lines LOADER: what is to be typed, as a pattern.
lines()
{
	echo "L=$1; chgrp [^ ]* \$L; chmod 750 \$L; setcap $caps \$L\$"
}

# half_installed: what make install has not finished, or somebody has copied.
half_installed()
{
	chmod 644 "$capable"
	refuses "a loader that is not executable" "$all: .*$(lines "$capable")" become=nobody "open=$device"
	refuses "a loader that is not executable, for root" "$all, though this is root, .*Permission denied" keep=0 \
		"open=$device"
	chmod 755 "$capable"
	setcap -r "$capable"
	refuses "a loader without capabilities" "$all: .*$(lines "$capable")" become=nobody "open=$device"
	setcap "$(echo $caps | sed 's/,cap_perfmon//')" "$capable"
	refuses "a loader with three of four" "$all: .*$(lines "$capable")" become=nobody "open=$device"
	setcap "${caps%+ep}+p" "$capable"
	refuses "a loader whose capabilities are not effective" "$all: .*$(lines "$capable")" become=nobody "open=$device"
}

# The loader has a better reason than the missing privilege: it is told, as root itself is told it.
true_reason()
{
	this="$kind: the hook is held"
	[ "$device" = xdp:vb ] || return
	start_tcpdump -w "$scratch/held.pcap" || return
	holder=$pid
	for who in keep=0 keep=3000 sleep=1; do
		start_client "$who" "open=$device,hook=xdp"
		told=$out
		ended "$pid" 20
		check "$this, $who: the error says so" grep -q '^activate -1 .*the XDP hook of vb is held by xdp_capture' "$told"
		grep -q '^activate -1 .*the XDP hook of vb is held by xdp_capture' "$told" || show "$told"
	done
	stop "$holder" INT
	PCAP_AFXDP_LOADER=$scratch/other
	version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$build/config.h")
	sed "s/\\([^_]\\)$(echo "$version" | sed 's/\./\\./g')\\x00/\\1$(echo "$version" | tr 0-9 9)\\x00/g" \
		"$build/pcap-afxdp-loader" > "$scratch/other"
	chmod 755 "$scratch/other"
	start_client keep=0 "open=$device"
	told=$out
	ended "$pid" 20
	check "$kind: a loader of another version: what to do" grep -q \
		"^activate -1 .*$scratch/other is of another version than this library ($version): install both" "$told"
}

cases()
{
	PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
	# As dumpcap: root, with two capabilities left, or with none.
	opens "root, network capabilities only" 65534 keep=3000
	opens "root without capabilities" 65534 keep=0
	goes_on
	true_reason
	PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
	refuses "an ordinary user" "$all: .*$(lines "$build/pcap-afxdp-loader")" become=nobody "open=$device"
	refuses "root without capabilities, loader=off" "$all, though this is root.*loader=off" keep=0 \
		"open=$device,loader=off"
	refuses "an ordinary user, loader=off" "$all: .*setcap $caps .*/client\$" become=nobody \
		"open=$device,loader=off"
	PCAP_AFXDP_LOADER=$capable
	opens "an ordinary user, a loader with capabilities" 65534 become=nobody
	with_capabilities 0 750
	refuses "an ordinary user, a loader for root" "$all: .*$(lines "$capable")" become=nobody "open=$device"
	with_capabilities 4321 750
	refuses "an ordinary user, a loader for another group" "$all: .*member of the group of $capable: usermod" \
		become=nobody "open=$device"
	with_capabilities 65534 750
	opens "an ordinary user, a loader for its group" 65534 become=nobody
	half_installed
	with_capabilities 0 755
	PCAP_AFXDP_LOADER=/nowhere/loader
	refuses "an ordinary user, no loader" "$all, and /nowhere/loader, which would help, is not there: make install" \
		become=nobody "open=$device"
	refuses "root without capabilities, no loader" "$all, though this is root, and /nowhere/loader, which would help, is not there. Kept by" keep=0 "open=$device"
}

all='CAP_BPF, CAP_NET_ADMIN, CAP_NET_RAW, CAP_PERFMON missing'
caps=cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep
both_kinds cases
finish
