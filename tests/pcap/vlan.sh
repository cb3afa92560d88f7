#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# VLAN tags are never lost: whether the device takes them off (and tells the program bound to it) or
# leaves them in the frame, records and filters are those of AF_PACKET.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping python3
need_testprog trafgen capcheck vlanpush
kernel_since 6 8 || skip_all "drivers tell XDP of VLAN tags since Linux 6.8"
veth_pair
offloads_off

# Of what libpcap looks at itself, as of the first frame behind pcap_setfilter(), 1.11 leaves out what the kernel's
# filter has found by a tag. lacks_first FILTER...: AF_PACKET lacks one frame; ours without the first are in rest.pcap.
lacks_first()
{
	tcpdump --version 2>&1 | grep -q 'libpcap version 1\.1[1-9]' || return
	case $* in vlan*) ;; *) return 1 ;; esac
	[ $(($(packets "$scratch/vb.pcap") + 1)) -eq "$(packets "$scratch/xdp.pcap")" ] || return
	python3 - "$scratch/xdp.pcap" "$scratch/rest.pcap" <<-'END'
		import struct, sys
		data = open(sys.argv[1], "rb").read()
		second = 40 + struct.unpack_from("<I", data, 32)[0]
		open(sys.argv[2], "wb").write(data[:24] + data[second:])
	END
}

# compare NAME FEWEST MOST FILTER...: both captures while tagged and untagged frames come.
compare()
{
	comparison=$1 fewest=$2 most=$3
	shift 3
	start_tcpdump -Q in -Z root -w "$scratch/xdp.pcap" "$@" || finish
	xdp=$pid said=$err
	device=vb start_tcpdump -Q in -Z root --immediate-mode -B 16384 -w "$scratch/vb.pcap" "$@" || finish
	vb=$pid
	traffic
	settle "$xdp" "$vb"
	stop "$xdp" INT
	stop "$vb" INT
	compared=$scratch/xdp.pcap
	lacks_first "$@" && compared=$scratch/rest.pcap
	testprogs/capcheck --compare --tolerance 5 "$compared" "$scratch/vb.pcap" \
		> "$scratch/counts" 2> "$scratch/verdict"
	state=$?
	equal "$comparison: status of the comparison, $(packets "$scratch/vb.pcap") packets" 0 $state
	show "$scratch/verdict"
	between "$comparison: packets" "$fewest" "$most" "$(packets "$scratch/xdp.pcap")"
	grep -q 'VLAN tags off' "$said" && bad "$comparison: warns of tags that it does put back"
}

# as_recorded NAME COUNT FILTER...: filters see the frame with its tag, as they will in the file. (For
# AF_PACKET's filter in the kernel it is not there.)
as_recorded()
{
	comparison=$1 wanted=$2
	shift 2
	start_tcpdump -Q in -Z root -w "$scratch/xdp.pcap" "$@" || finish
	xdp=$pid
	start_tcpdump -Q in -Z root -w "$scratch/all.pcap" || finish
	all=$pid
	traffic
	settle "$xdp" "$all"
	stop "$xdp" INT
	stop "$all" INT
	equal "$comparison: packets" "$wanted" "$(packets "$scratch/xdp.pcap")"
	equal "$comparison: of the file of all" "$wanted" "$(tcpdump -nnr "$scratch/all.pcap" "$@" 2> /dev/null | wc -l)"
}

# 200 tagged datagrams of ID 5, 100 of ID 7 with priority, 100 untagged ones.
traffic()
{
	in_left testprogs/vlanpush -i va -v 5 -- testprogs/trafgen -i va -n 200 -s mix -r 5000 --via socket > "$scratch/tag" 2>&1 || show "$scratch/tag"
	in_left testprogs/vlanpush -i va -v 7 --priority 3 -- testprogs/trafgen -i va -n 100 -r 5000 --via socket > /dev/null 2>&1
	in_left testprogs/trafgen -i va -n 100 -r 5000 --via socket > /dev/null
}

both()
{
	compare "$1, no filter" 400 400
	compare "$1, vlan" 300 300 vlan
	compare "$1, vlan 5" 200 200 vlan 5
	compare "$1, vlan 7" 100 100 vlan 7
	as_recorded "$1, udp (which a tag hides)" 100 udp
	as_recorded "$1, a length that the tag is part of" 100 'vlan 7 and greater 68'
	as_recorded "$1, a length beyond it" 0 'vlan 7 and greater 69'
	compare "$1, cut at 14" 400 400 -s 14
	compare "$1, cut at 17" 400 400 -s 17
	compare "$1, len >= 600" 16 17 'len >= 600'
}

both "tags taken off by the device"
equal "the tag as printed" "vlan 5, p 0, ethertype IPv4 (0x0800)" \
	"$(tcpdump -enr "$scratch/xdp.pcap" -c 1 2> /dev/null | sed -n 's/.*\(vlan 5, p 0, ethertype IPv4 (0x0800)\).*/\1/p')"
in_right ethtool -K vb rxvlan off > /dev/null || skip "vb cannot leave tags in place"
in_left ethtool -K va txvlan off > /dev/null
both "tags in the frame"
# A veth's own setting takes no effect: what its peer leaves beside the frame stays there.
in_left ethtool -K va txvlan on > /dev/null
compare "rxvlan off, and yet beside the frame, vlan 5" 200 200 vlan 5
compare "rxvlan off, and yet beside the frame, no filter" 400 400
finish
