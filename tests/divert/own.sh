#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# xdp-obj=FILE: an XDP program of the user's own decides first, and calls the capture where it wants to,
# by either engine; filters are swapped under it. What is no such program is refused with the reason.
# shellcheck source=tests/divert/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump
need_testprog trafgen
own=$build/testprogs/own_xdp.bpf.o
[ -e "$own" ] || skip_all "needs testprogs/own_xdp.bpf.o"
veth_pair
offloads_off

room=$build/testprogs/own_room.bpf.o
# With it the host gets what is passed, and the capture what it is called for; where it leaves a socket no room in front
# of a frame, as some drivers have none, the rings have the frames.
for engine in tap divert divert,zero-copy=off room; do
	own=$build/testprogs/own_xdp.bpf.o
	[ $engine != room ] || own=$room engine=divert,zero-copy=off
	host_begin
	start_capture tcpdump -i "xdp:vb,engine=$engine,xdp-obj=$own" -Q in -nn -Z root -w "$scratch/f.pcap" \
		'udp or arp'
	wait_for 20 grep -q 'listening on' "$err" || bad "$engine: $(cat "$err")"
	tcpdump=$pid
	settle "$tcpdump" # its first read
	send 100 -r 5000 --match 2 7
	in_left ip neigh flush dev va
	ip -n "$left" neigh del 10.99.0.2 dev va 2> /dev/null
	in_left timeout 2 ping -qc 1 -W 1 10.99.0.2 > /dev/null 2>&1 # asks by ARP
	settle "$tcpdump"
	stop "$tcpdump" INT
	host_end
	equal "$engine: captured, of 50 to port 9 and 50 to port 7" "50 0" \
		"$(packets "$scratch/f.pcap" udp port 9) $(packets "$scratch/f.pcap" udp port 7)"
	equal "$engine: ARP, which it keeps to the host" 0 "$(packets "$scratch/f.pcap" arp)"
	wanted=50
	[ $engine = tap ] || wanted=0
	equal "$engine: reached the host" "$wanted" "$reached"
	ip -n "$left" neigh replace 10.99.0.2 lladdr 02:74:67:00:00:02 dev va
	check "$engine: nothing stays attached" wait_for 5 no_xdp_program "$right" vb
done
own=$build/testprogs/own_xdp.bpf.o

# told NAME WORDS OPTION...: the same by xdpdump, which says so, and counts it.
told()
{
	what=$1 words=$2 counts=$scratch/room$#.json
	shift 2
	start ip netns exec "$right" "$build/xdpdump/xdpdump" -i vb --engine divert --zero-copy off --xdp-obj "$room" \
		-Q in --stats-file "$counts" -w "$scratch/room.pcapng" "$@" udp
	capture=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said" || bad "$what: $(cat "$said")"
	settle "$capture"
	send 100 -r 5000 --match 2 7
	check "$what: says so" wait_for 10 grep -q "vb has no room in front of them for AF_XDP sockets$words" "$said"
	check "$what: ends well" stop "$capture" INT
	equal "$what: counted by its own name" 50 "$(json "$counts" no_headroom)"
}
told "no room" ''
equal "no room: recorded, and passed on" "50 0" "$(json "$counts" captured) $(json "$counts" passed_no_socket)"
told "no room, and nobody reads the rings" ': leave --engine divert out' --files-per-queue
equal "no room, and nobody reads the rings: recorded, and passed on" "0 50" \
	"$(json "$counts" captured) $(json "$counts" passed_no_socket)"

echo 'not an object' > "$scratch/text.o"
refused 'No such file' "xdp:vb,xdp-obj=$scratch/none.o"
refused 'is no BPF object' "xdp:vb,xdp-obj=$scratch/text.o"
refused 'XDP programs, and needs one' "xdp:vb,xdp-obj=$build/bpf/capture.bpf.o"
refused 'has to be in xdp.frags' "xdp:vb,xdp-obj=$build/testprogs/generator/trafgen.bpf.o"
refused 'has no PROG_ARRAY called pcap_afxdp' "xdp:vb,xdp-obj=$build/testprogs/own_bare.bpf.o"
refused 'is for the XDP hook' "xdp:vb,xdp-obj=$own,hook=tc"
refused 'does not go with xdp-obj' "xdp:vb,xdp-obj=$own,hash=on"
refused 'at most 255 characters' "xdp:vb,xdp-obj=$(printf '%0300d' 0)"

# with_bpffs COMMAND...: in $right, with a bpffs of its own.
with_bpffs()
{
	in_right sh -c 'mount -t bpf bpf /sys/fs/bpf && exec "$@"' sh "$@"
}

# Nothing is pinned; what is pinned already is shared.
pins=$build/testprogs/own_pins.bpf.o
# shellcheck disable=SC2046 # one word per variable
with_bpffs env $(library_environment) sh -c '
	timeout 10 tcpdump -nn -Z root -c 1 -i "xdp:vb,xdp-obj=$1"
	ls /sys/fs/bpf | grep afxdp
	bpftool map create /sys/fs/bpf/afxdp_shared type array key 4 value 4 entries 1 name afxdp_shared || exit 3
	timeout 2 tcpdump -nn -Z root -i "xdp:vb,xdp-obj=$1"' sh "$pins" > "$scratch/left" 2> "$scratch/said"
status=$?
check "a map that would be left pinned: refused" grep -q \
	'afxdp_shared would stay at /sys/fs/bpf/afxdp_shared when the capture ends: pin one there before' "$scratch/said"
equal "nothing is pinned" '' "$(cat "$scratch/left")"
if [ "$status" -eq 3 ]; then
	skip "a map that is pinned: needs bpftool"
else
	check "a map that is pinned already: shared" grep -q 'listening on' "$scratch/said"
	grep -q 'listening on' "$scratch/said" || show "$scratch/said"
fi

# Whose file has the capabilities loads no programs for whoever runs it, and cuts the host off for nobody. Such a
# program ignores LD_LIBRARY_PATH: it finds the libraries as after an install, in a mount namespace.
mkdir "$scratch/bin"
cp "$(command -v tcpdump)" "$scratch/bin/tcpdump"
cp "$own" "$scratch/own.o"
chmod 755 "$scratch/bin" "$scratch/bin/tcpdump" "$scratch/own.o"
mkdir "$scratch/lib"
copy_library "$scratch/lib"
library_cache "$scratch/ld.so.cache" "$scratch/lib"
if is_sanitized; then
	skip "file capabilities: the library with sanitizers has to be loaded first"
elif ! setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/bin/tcpdump" 2> "$scratch/text" ||
	! unshare -m mount --bind "$scratch/ld.so.cache" /etc/ld.so.cache 2> "$scratch/text"; then
	skip "file capabilities: $(head -n 1 "$scratch/text")"
else
	for option in "xdp-obj=$scratch/own.o" engine=divert after=drop after=drop,rest=drop; do
		in_right unshare -m sh -c "mount --bind $scratch/ld.so.cache /etc/ld.so.cache &&
			exec timeout 20 setpriv --reuid 65534 --regid 65534 --clear-groups $scratch/bin/tcpdump -nn -c 1 \
				-i xdp:vb,$option" > "$scratch/text" 2>&1
		check "file capabilities: ${option%%"$scratch"*} is refused" \
			grep -q 'not for programs with file capabilities' "$scratch/text"
	done
fi
finish
