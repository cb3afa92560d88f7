#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: what this kernel can of what needs no card. All interfaces in one capture and those of a
# pattern, drops with their reasons, rings that keep the newest, short frames copied without a helper, constants
# within a program, a CPU that goes. A row of check-vm's table for each.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_library
need_xdpdump
need tcpdump ping bpftool ethtool
need_testprog trafgen pcapread
kernel_since 5 18 || skip_all "needs Linux 5.18"
raw=$build/tests/vm/raw stream=$build/tests/pcap/stream
file=$scratch/f.pcapng
[ -x "$raw" ] || skip_all "needs tests/vm/raw"
veth_pair
in_right ethtool -K vb gro on
before=0

# able WHAT [RESULT]: of all since the last one.
able()
{
	result=${2:-yes}
	[ "$failed" -eq "$before" ] || result='FAILED'
	before=$failed
	echo "able: $(uname -r | sed 's/[+-][a-z].*//') | $1 | $result"
}

# --- xdp:any

start_capture env PCAP_AFXDP_DEBUG=1 tcpdump -i xdp:any -nne -l --immediate-mode -Z root icmp
capture=$pid printed=$out said=$err
wait_for 30 grep -q 'listening on' "$said"
check "xdp:any: ping is answered" in_left ping -qc 3 -i 0.1 -W 20 10.99.0.2
wait_for 10 grep -q 'echo reply.*seq 3' "$printed"
stop "$capture" INT
equal "xdp:any: requests in, replies out" "3 3" \
	"$(grep -c ' In .*echo request' "$printed") $(grep -c ' Out .*echo reply' "$printed")"
form=$(sed -n 's/.*any: filter in the kernel\(.*\)/\1/p' "$said" | head -n 1)
check "xdp:any: the filter is in the kernel$form" grep -q 'any: filter in the kernel' "$said"
[ "$failed" -eq 0 ] || show "$said"
able xdp:any "yes; filter in the kernel$form"

# --- xdpdump -i any, and patterns

start ip netns exec "$right" "$xdpdump" -v -i any -Q inout -c 4 icmp
started_capturing -i any
capture=$pid said=$err printed=$out
check "-i any: ping is answered" in_left ping -qc 2 -i 0.1 -W 20 10.99.0.2
check "-i any: ends by -c" ended "$capture" 20
equal "-i any: a line names interface and side" "2 2" \
	"$(grep -c ' vb In  IP 10.99.0.1 > 10.99.0.2: ICMP echo request,' "$printed") $(
	grep -c ' vb Out IP 10.99.0.2 > 10.99.0.1: ICMP echo reply,' "$printed")"
able 'xdpdump -i any'

start ip netns exec "$right" "$xdpdump" -v -i 'late*' -Q in -w "$file" icmp
started_capturing -i 'late*'
capture=$pid said=$err
ip -n "$left" link add pl type veth peer name late1 netns "$right"
ip -n "$left" link set pl up
ip -n "$right" link set late1 up
ip -n "$left" addr add 10.98.0.1/24 dev pl
ip -n "$right" addr add 10.98.0.2/24 dev late1
check "patterns: one that comes joins" wait_for 10 grep -q ': late1 joins the capture$' "$said"
check "patterns: ping is answered" in_left ping -qc 3 -i 0.1 -W 20 10.98.0.2
in_left ping -qc 3 -i 0.1 -W 20 10.99.0.2 > "$scratch/ping"
settle "$capture"
ip -n "$right" link del late1
check "patterns: one that goes leaves" wait_for 10 grep -q ': late1 leaves the capture$' "$said"
check "patterns: ends well" all_read "$capture"
equal "patterns: packets, of this one alone" 3 "$(packets "$file")"
[ "$failed" -eq "$before" ] || show "$said"
able "xdpdump -i 'late*', joining and leaving"

# --- what the stack drops

start ip netns exec "$right" "$xdpdump" -v --drops -i vb --json
started_capturing --drops
capture=$pid said=$err printed=$out
in_left "$stream" udp-send 10.99.0.2 7 5 100 1000 > "$scratch/sent"
in_right ping -qc 1 -W 4 10.99.0.77 > "$scratch/ping"
ip netns exec "$left" "$raw" lengths va 60 64 # of a protocol that nobody has
wait_for 10 grep -q NEIGH_FAILED "$printed"
check "--drops: ends well" all_read "$capture"
equal "--drops: datagrams without a socket" 5 "$(grep -c '"drop_reason":"NO_SOCKET"' "$printed")"
equal "--drops: the same, as they came" 5 "$(grep '"place":"entry"' "$printed" | grep -c '"length":142,')"
check "--drops: a neighbour that does not answer" grep -q '"drop_reason":"NEIGH_FAILED"' "$printed"
equal "--drops: frames of an unknown protocol" 5 "$(grep -c '"drop_reason":"UNHANDLED_PROTO"' "$printed")"
check "--drops: and where" grep -q '"drop_place":"[a-z_]' "$printed"
sed -n 's/.*"drop_reason":"\([^"]*\)".*/\1/p' "$printed" | sort | uniq -c
[ "$failed" -eq "$before" ] || {
	show "$said"
	show "$printed"
}
start ip netns exec "$right" "$xdpdump" -v --drops=only --drop-reasons NO_SOCKET -w "$file" udp
started_capturing --drops=only
capture=$pid said=$err
in_left "$stream" udp-send 10.99.0.2 7 5 100 1000 > "$scratch/sent"
in_left ping -qc 3 -i 0.1 -W 20 10.99.0.2 > "$scratch/ping"
check "--drops=only: ends well" all_read "$capture"
equal "--drops=only --drop-reasons NO_SOCKET: packets" 5 "$(packets "$file")"
[ "$failed" -eq "$before" ] || show "$said"
able '--drops, with reason and place'
in_right sh -c 'echo 2 > /sys/class/net/vb/queues/rx-0/rps_cpus'
start ip netns exec "$right" "$xdpdump" -v --drops -w "$file" udp
started_capturing --drops
capture=$pid said=$err
send -n 40000 -r 10000
check "--drops with RPS: ends well" all_read "$capture"
in_right sh -c 'echo 0 > /sys/class/net/vb/queues/rx-0/rps_cpus'
equal "--drops with RPS: recorded, or counted" "$(json "$scratch/sent" sent)" "$(count received "$said")"
equal "--drops with RPS: packets" "$(count captured "$said")" "$(packets "$file")"
[ "$failed" -eq "$before" ] || show "$said"
able '--drops with RPS: 40,000, each recorded or counted'

# --- rings that keep the newest

start_xdpdump --pre-trigger 1M -Q in -w "$file"
capture=$pid said=$err
send -n 20000 -r 20000 -s 1400
kill -USR2 "$capture"
check "--pre-trigger: ends well" all_read "$capture"
over=$(sed -n 's/^\([0-9]*\) packets not kept: overwritten before the trigger$/\1/p' "$said")
captured=$(count captured "$said")
check "--pre-trigger: something was overwritten: ${over:-0}" [ "${over:-0}" -gt 0 ]
equal "--pre-trigger: captured, overwritten, dropped" 20000 $((captured + ${over:-0} + $(count dropped "$said")))
equal "--pre-trigger: packets in the file" "$captured" "$(packets "$file")"
[ "$failed" -eq "$before" ] || show "$said"
start_xdpdump --pre-trigger 1M -Q in --trigger 'udp port 7' -c 5 -w "$file" 'udp port 7 or udp port 9'
capture=$pid said=$err
send -n 20000 -r 20000 -s 1400 --start-seq 1 --match 15000 7
check "--trigger: the kernel sees it, and -c ends it" ended "$capture" 30
captured=$(count captured "$said")
equal "--trigger: it is the fifth from the end" "$((captured - 4))" \
	"$(tcpdump -nn -r "$file" 2> /dev/null | grep -n '198.19.0.2.7:' | cut -d : -f 1)"
[ "$failed" -eq "$before" ] || show "$said"
able '--pre-trigger: rings that overwrite; --trigger in the kernel'

# --- short frames

# dump FILE: bytes and lengths, without the time.
dump()
{
	tcpdump -nnt -xx -e -r "$1" 2> /dev/null
}

# short OPTIONS [ARGUMENT...]: the frames of AF_PACKET, of each length, both ways.
short()
{
	options=$1
	shift
	device=xdp:vb${options:+,$options} start_tcpdump "$@" -Z root -w "$scratch/xdp.pcap" ether proto 0x88b5 || return
	xdp=$pid
	device=vb start_tcpdump "$@" -Z root --immediate-mode -B 16384 -w "$scratch/vb.pcap" ether proto 0x88b5 || return
	vb=$pid
	in_left "$raw" lengths va 14 160
	in_right "$raw" lengths vb 14 160
	settle "$xdp" "$vb"
	stop "$xdp" INT
	stop "$vb" INT
	dump "$scratch/xdp.pcap" > "$scratch/xdp.dump"
	dump "$scratch/vb.pcap" > "$scratch/vb.dump"
	equal "${options:-auto} $*: frames" 294 "$(grep -c length "$scratch/vb.dump")"
	check "${options:-auto} $*: the bytes of AF_PACKET" cmp "$scratch/xdp.dump" "$scratch/vb.dump"
}

for options in '' hook=tc hook=packet; do
	short "$options"
done
for snaplen in 33 64 65 128; do
	short '' -s "$snaplen"
done
able 'short frames without a helper: 14 to 160 bytes, at each hook'

# --- constants

# loads: of constants by their map, in the capture program that was loaded last.
loads()
{
	program=$(bpftool prog show | sed -n 's/^\([0-9]*\): xdp  name xdp_capture.*/\1/p' | tail -n 1)
	map=$(bpftool map show | sed -n 's/^\([0-9]*\): array  name capture_.rodata.*/\1/p' | tail -n 1)
	bpftool prog dump xlated id "$program" | grep -c "map\[id:$map\]"
}

start_xdpdump -v -w "$file" --hook xdp
capture=$pid
whole=$(loads)
stop "$capture" INT
start_xdpdump -v -w "$file" --hook xdp -Q in icmp
capture=$pid
check "constants: ping is answered" in_left ping -qc 3 -i 0.1 -W 20 10.99.0.2
settled=$(loads)
settle "$capture"
stop "$capture" INT
equal "constants: packets of the program with a filter" 3 "$(packets "$file")"
check "constants: $whole loads without a filter, $settled with one" test "$settled" -gt 0 -a "$settled" -lt "$whole"
able 'constants as instructions, not loads' "yes: $settled loads are left, of $whole"

# --- a CPU that goes while its ring has frames, and comes back

going=/sys/devices/system/cpu/cpu1/online
# frames_on CPU FIRST: 200 of them.
frames_on()
{
	in_left testprogs/trafgen -i va -n 200 --cpu "$1" --start-seq "$2" > "$scratch/sent"
}

if [ -e /modules/order ] && [ -e "$going" ]; then # not of a machine that others use
	for hook in xdp tc packet; do
		rm -f "$scratch/ready"
		start_capture "$build/testprogs/pcapread" -i "xdp:vb,hook=$hook" -Q in -f 'udp port 9' -c 600 -t 60 \
			--ready "$scratch/ready"
		wait_for 30 test -e "$scratch/ready"
		kill -STOP "$pid"
		frames_on 0 0
		frames_on 1 200
		echo 0 > "$going"
		kill -CONT "$pid"
		frames_on 0 400
		ended "$pid" 60
		equal "a CPU goes, hook=$hook: status" 0 $?
		equal "a CPU goes, hook=$hook: frames, dropped" "600 0" "$(json "$out" frames) $(json "$out" ps_drop)"
		rm -f "$scratch/ready"
		start_capture "$build/testprogs/pcapread" -i "xdp:vb,hook=$hook" -Q in -f 'udp port 9' -c 400 -t 60 \
			--ready "$scratch/ready"
		wait_for 30 test -e "$scratch/ready"
		echo 1 > "$going"
		frames_on 0 0
		frames_on 1 200
		ended "$pid" 60
		equal "it comes back, hook=$hook: status" 0 $?
		equal "it comes back, hook=$hook: frames, dropped" "400 0" "$(json "$out" frames) $(json "$out" ps_drop)"
	done
	able 'a CPU that goes while its ring has frames, and one that comes'
else
	skip "a CPU that goes: in a virtual machine of check-vm's only"
fi
check "nothing is left attached" no_xdp_program "$right" vb
finish
