#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# configure --with-capture-group: what make install then puts there, keeps and refuses; and members of
# the group capture by dumpcap, tshark, tcpdump and Wireshark's extcap door, others do not.
# shellcheck source=tests/apps/installed.sh
. "$(dirname "$0")/installed.sh"
need_root
need_library
need dumpcap tshark tcpdump ping strings
has_sanitizers && skip_all "programs with capabilities do not load the runtime of the sanitizers first"
veth_pair
need_copy

# told WORDS: by the last install.
told()
{
	check "it says: $1" grep -q -e "$1" "$scratch/install"
}

installs()
{
	check "installs without the option" install_for ''
	check "for root alone, without capabilities" loader_is root:root 755 ''
	check "installs for a group" install_for wireshark
	check "for the group, with capabilities" loader_is root:wireshark 750 "$caps_there"
	check "installs without the option again" install_for ''
	told 'keeps its group (wireshark)'
	check "as it was" loader_is root:wireshark 750 "$caps_there"
	check "a group that is not there is refused" fails install_for nosuch
	told 'no group nosuch: groupadd --system nosuch, or configure'
	check "as it was" loader_is root:wireshark 750 "$caps_there"
	check "installs --without-capture-group" install_for -
	check "for root alone again" loader_is root:root 755 ''
	# By the lines of the message.
	inside sh -c "L=$loader; chgrp member \$L; chmod 750 \$L; setcap $caps \$L"
	check "installs over what was set up by hand" install_for ''
	check "as it was" loader_is root:member 750 "$caps_there"
	inside chmod 4755 "$loader"
	inside setcap $caps "$loader"
	check "installs over a mode that is too wide" install_for ''
	check "is closed" loader_is root:member 750 "$caps_there"
	inside mv /usr/sbin/setcap /usr/sbin/setcap.away
	inside mv /sbin/setcap /sbin/setcap.away 2> "$scratch/merged"
	check "without setcap it is refused" fails install_for wireshark
	told 'libcap2-bin'
	inside mv /usr/sbin/setcap.away /usr/sbin/setcap
	inside mv /sbin/setcap.away /sbin/setcap 2> "$scratch/merged"
	check "as it was" loader_is root:member 750 "$caps_there"
	equal "no other file is left" pcap-afxdp-loader "$(inside ls "$(dirname "$loader")")"
}

staged()
{
	DESTDIR=/stage as_by_make "$@"
}

# as_by_make COMMAND...: install-loader, with DESTDIR.
as_by_make()
{
	"$@" env DESTDIR="$DESTDIR" sh "$top/capture/install-loader" "$build/pcap-afxdp-loader" /libexec "$group" \
		> "$scratch/install" 2>&1
}

stages()
{
	group=wireshark
	check "stages by root" staged inside
	equal "staged: group and mode" 'root:wireshark 750' "$(inside stat -c '%U:%G %a' /stage/libexec/pcap-afxdp-loader)"
	group=''
	check "stages again without the option" staged inside
	equal "staged: kept" 'root:wireshark 750' "$(inside stat -c '%U:%G %a' /stage/libexec/pcap-afxdp-loader)"
	inside rm -r /stage
	inside mkdir -m 777 /stage
	group=wireshark
	check "stages without root" staged as_user other
	told 'without root.*chgrp wireshark /libexec/pcap-afxdp-loader; chmod 750 .*; setcap cap_bpf'
	DESTDIR=''
	check "without root, not staged, it is refused" fails as_by_make as_user other
	told 'takes root'
}

# captures NAME USER COMMAND...: the user's program sees five requests and as many replies.
captures()
{
	name=$1 user=$2
	shift 2
	file=/tmp/capture-$$.pcapng
	start as_user "$user" "$@" -f icmp -c 10 -w $file
	capture=$pid said=$err
	wait_for 20 is_hooked "$right" vb || {
		bad "$name: does not start"
		show "$said"
		ended "$capture" 1
		return
	}
	sleep 0.5
	ping_right 5
	ended "$capture" 20
	equal "$name: ends well" 0 $?
	equal "$name: packets" 10 "$(as_user "$user" tcpdump -nnr $file 2> /dev/null | grep -c ICMP)"
	inside rm -f $file
	wait_for 5 fails is_hooked "$right" vb
}

# refuses NAME WORDS USER COMMAND...
refuses()
{
	name=$1 words=$2
	shift 2
	as_user "$@" > "$scratch/said" 2>&1
	check "$name: is refused" test $? -ne 0
	check "$name: the reason" grep -q -e "$words" "$scratch/said"
	grep -q -e "$words" "$scratch/said" || show "$scratch/said"
}

group_captures()
{
	install_for wireshark || bad "does not install"
	captures "dumpcap by a member" member dumpcap -q -i xdp:vb
	captures "dumpcap by a member, hook=tc" member dumpcap -q -i xdp:vb,hook=tc
	captures "tshark by a member" member tshark -q -i xdp:vb
	captures "tshark by a member, extcap" member tshark -q -i xdpdump:vb -o extcap.xdpdump_vb.direction:inout
	# Root's tcpdump drops its privileges, and has its filter loaded as before.
	start inside env PCAP_AFXDP_DEBUG=1 tcpdump -i xdp:vb -nn -c 5 icmp
	tcpdump=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said" || bad "tcpdump by root does not start"
	ping_right 5
	ended "$tcpdump" 20
	check "tcpdump by root: its filter is in the kernel" grep -q 'filter in the kernel' "$said"
	refuses "tcpdump by somebody else" "member of the group of $loader: usermod -aG wireshark USER" \
		other tcpdump -i xdp:vb -c 1
	start_on tcpdump -Z root -i xdp:vb -w "$scratch/held.pcap" || return
	tcpdump=$pid
	refuses "dumpcap by a member on a held hook" 'the XDP hook of vb is held by' \
		member dumpcap -q -i xdp:vb,hook=xdp -a duration:1 -w /tmp/x
	stop "$tcpdump" INT
	inside setcap -r "$loader"
	refuses "dumpcap by a member, a loader without capabilities" \
		"L=$loader; chgrp [^ ]* \$L; chmod 750 \$L; setcap $caps \$L" member dumpcap -q -i xdp:vb -w /tmp/x
}

# As getcap prints them, in the kernel's order.
caps_there=cap_net_admin,cap_net_raw,cap_perfmon,cap_bpf=ep
installs
stages
group_captures
check "uninstalls" inside make -s -C "$build" uninstall
check "the loader is gone, and its folder" fails inside test -e "$(dirname "$loader")"
nothing_left "$right" vb
finish
