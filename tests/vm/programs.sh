#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: xdpdump on XDP programs that are there already, by fentry and fexit, which many
# hosts forbid. One program in the hook, a function of it, and programs behind a dispatcher of libxdp.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need tcpdump ping bpftool
kernel_since 5 18 || skip_all "needs Linux 5.18"
stream=$build/tests/pcap/stream
object=$build/tests/vm/verdicts.bpf.o
program=xdp_verdicts_of_a_long_name
bpffs=$scratch/bpf # ip(8) mounts another /sys
mkdir "$bpffs"
mount -t bpf bpf "$bpffs" || skip_all "no BPF file system"
veth_pair mtu 9000
bpftool prog load "$object" "$bpffs/verdicts" > "$scratch/said" 2>&1 || {
	bad "the program to capture on cannot be loaded"
	show "$scratch/said"
	finish
}
ip -n "$right" link set dev vb xdpdrv pinned "$bpffs/verdicts" || skip_all "no native XDP on veth"
id=$(in_right "$xdpdump" -D | awk '$2 == "vb" { print $4 }')

# start_on OPTION...: xdpdump, printing; $capture, $printed, $said.
start_on()
{
	start_xdpdump "$@"
	capture=$pid printed=$out said=$err
}

# traffic: five datagrams for each verdict.
traffic()
{
	for port in 7000 7001 7002 7003 7004; do
		in_left "$stream" udp-send 10.99.0.2 $port 5 100 1000 > "$scratch/traffic"
	done
	sleep 0.5
}

# lines PATTERN: printed ones that begin, after the time, with it
lines()
{
	grep -c "^[0-9.]*: $1: packet size [0-9]* bytes.* on if_index [0-9]*, rx queue [0-9]*, id [0-9]*\$" "$printed"
}

# Entry and exit, with what the program returned.
start_on -v -p all --rx-capture entry,exit 'udp portrange 7000-7004'
traffic
check "entry and exit: ends well" stop "$capture" INT
equal "entry: packets" 25 "$(lines "$program()@entry")"
for name in ABORTED DROP PASS TX REDIRECT; do
	equal "exit, $name: packets" 5 "$(lines "$program()@exit\\[$name\\]")"
done
equal "both: packets" 50 "$(wc -l < "$printed")"
equal "announced, as upstream's" 2 "$(grep -c "^listening on vb, ingress XDP program ID $id func $program, capture mode e[nx][a-z]*, capture size" "$said")"
equal "filters are in the kernel" 2 "$(grep -c 'filter: in the kernel, each load by helper$' "$said")"
[ "$failed" -eq 0 ] || show "$said"

# Only some verdicts, decided in the kernel; by name, as the kernel has it, and by id.
start_on -p xdp_verdicts_of --rx-capture exit --verdict drop,tx
traffic
stop "$capture" INT
equal "--verdict drop,tx: packets" '5 5' "$(lines "$program()@exit\\[DROP\\]") $(lines "$program()@exit\\[TX\\]")"
equal "--verdict drop,tx: no others" 10 "$(wc -l < "$printed")"
equal "--verdict drop,tx: none came to user space" 10 "$(count received "$said")"

start_on -p "$id" 'udp port 7001 and greater 142'
traffic
stop "$capture" INT
equal "-p ID, a filter: packets" 5 "$(lines "$program()@entry")"
equal "-p ID, a filter: the kernel took no others" 5 "$(count received "$said")"

start_on -p "verdict_of@$id" --rx-capture exit --verdict pass udp
traffic
stop "$capture" INT
equal "a function of the program: packets" 5 "$(lines 'verdict_of()@exit\[PASS\]')"

# Less than all: longer programs.
start_on -p all --rx-capture exit --slice l3 'udp port 7002'
traffic
stop "$capture" INT
equal "--slice l3: packets" 5 "$(grep -c 'packet size 142 bytes, captured 34 bytes' "$printed")"
start_on -p all --rx-capture exit --flow-cutoff 300 --sample 1 'udp port 7002'
traffic
stop "$capture" INT
equal "--flow-cutoff 300: packets" 3 "$(wc -l < "$printed")"

# The file: an interface block for each hook, verdicts as options, frames as they are at exit.
file=$scratch/f.pcapng
start_on -p $program --rx-capture entry,exit -w "$file" 'udp port 7001'
traffic
stop "$capture" INT
equal "file: packets" 10 "$(packets "$file")"
for hook in fentry fexit; do
	equal "file: interface $hook" 1 "$(grep -ac "vb:$program()@$hook" "$file")"
done
od -An -v -tx1 "$file" | tr -d ' \n' > "$scratch/hex"
equal "file: verdicts, DROP" 5 "$(grep -o '07000900020100000000000000000000' "$scratch/hex" | wc -l)"
equal "file: changed by the program, seen at the exit" 5 "$(tcpdump -enr "$file" 2> /dev/null | grep -c ' ee:00:00:00:00:0a > ')"
equal "file: unchanged, seen at the entry" 5 "$(tcpdump -enr "$file" 2> /dev/null | grep -c ' 02:00:00:00:00:0a > ')"

# The same by Wireshark's library, where there is it.
if [ -x "$build/tests/xdpdump/files/wiretap" ]; then
	"$build/tests/xdpdump/files/wiretap" "$file" > "$scratch/read"
	equal "Wireshark: interfaces" "interface 0 vb:$program()@fentry interface 1 vb:$program()@fexit" \
		"$(grep interface "$scratch/read" | xargs)"
	equal "Wireshark: entry, no verdict" 5 "$(grep -c '^packet 0 142 flags=1 .* verdict=-$' "$scratch/read")"
	equal "Wireshark: exit, DROP" 5 "$(grep -c '^packet 1 142 flags=1 .* verdict=1$' "$scratch/read")"
else
	skip "as Wireshark sees it: needs libwiretap (package libwireshark-dev)"
fi

# Frames in several pieces: whole, byte by byte what was sent; filters on them run in user space.
start ip netns exec "$left" tcpdump -i va -Q out -w "$scratch/sent.pcap" -s 0 --immediate-mode icmp
wait_for 20 grep -q 'listening on' "$err"
sender=$pid
start_on -p all -w "$file" 'icmp and ip[2:2] > 5000'
in_left ping -qc 3 -i 0.2 -s 100 10.99.0.2 > /dev/null
in_left ping -qc 3 -i 0.2 -s 8000 10.99.0.2 > /dev/null
sleep 0.5
stop "$capture" INT
stop "$sender" INT
equal "frames in pieces: packets" 3 "$(packets "$file")"
tcpdump -ttnnxxr "$file" 2> /dev/null | grep '^	' > "$scratch/theirs"
tcpdump -ttnnxxr "$scratch/sent.pcap" 'ip[2:2] > 5000' 2> /dev/null | grep '^	' > "$scratch/ours"
check "frames in pieces: every byte is right" cmp "$scratch/ours" "$scratch/theirs"
equal "frames in pieces: lines of bytes" $((3 * 503)) "$(wc -l < "$scratch/theirs")"
start_on -v -p all --slice l3
in_left ping -qc 3 -i 0.2 -s 8000 10.99.0.2 > /dev/null
sleep 0.5
stop "$capture" INT
equal "frames in pieces, --slice l3: packets" 3 "$(grep -c 'packet size 8042 bytes, captured 34 bytes' "$printed")"
equal "frames in pieces, --slice l3: nothing is missing" 0 "$(sed -n 's/^\([0-9]*\) packets cut, as XDP.*/\1/p' "$said")"
start_on -p all -s 1000 icmp
in_left ping -qc 3 -i 0.2 -s 8000 10.99.0.2 > /dev/null
sleep 0.5
stop "$capture" INT
equal "frames in pieces, -s: packets" 3 "$(grep -c 'packet size 8042 bytes, captured 1000 bytes' "$printed")"

# Sent = delivered + counted.
start_on -p all -w "$file"
send -n 20000 -s 64
settle "$capture"
stop "$capture" INT
check "20000 frames: delivered or counted" accounted "$file"
echo "  $(count dropped "$said") dropped"

# Programs that are not there, and one that goes.
run_xdpdump -i vb -p nobody
check "no such name: the reason" grep -q "no program or function of that name on vb; there are $program@$id" "$err"
start_on -p all
ip -n "$right" link set dev vb xdpdrv off
ended "$capture" 10
equal "the program goes: status" 1 $?
check "the program goes: the reason" grep -q '^xdpdump: the XDP program of vb was detached or replaced$' "$said"
rm "$bpffs/verdicts"
umount "$bpffs"
equal "no link is left" 0 "$(bpftool link | grep -c 'type 26\|tracing')"
start_on -p all
check "no program: captures at the hook, and says so" grep -q 'vb has no XDP program: capturing as without' "$said"
stop "$capture" INT

# Behind a dispatcher.
command -v xdp-loader > /dev/null || {
	skip "a dispatcher: needs xdp-loader (package xdp-tools)"
	finish
}
# Older dispatchers take no frames in pieces.
ip -n "$right" link set dev vb mtu 1500
ip -n "$left" link set dev va mtu 1500
# What it pins is gone with this process and its /sys; we need not see it.
start ip netns exec "$right" sh -c "mount -t bpf bpf /sys/fs/bpf && xdp-loader load vb '$object' '$object' && echo loaded && exec sleep 600"
wait_for 60 grep -q '^loaded' "$out" || {
	bad "xdp-loader"
	show "$err"
	finish
}
in_right "$xdpdump" -D > "$scratch/list"
show "$scratch/list"
first=$(awk -v name=$program '$1 == "=>" && $4 == name { print $3 }' "$scratch/list" | head -n 1)
second=$(awk -v name=$program '$1 == "=>" && $4 == name { print $3 }' "$scratch/list" | tail -n 1)
check "-D: both programs behind the dispatcher" test "$first" -ne "$second"
run_xdpdump -i vb -p $program
check "the same name twice: the reason" grep -q "more than one of that name (give NAME@ID).* there are xdp_dispatcher@[0-9]*, $program@$first, $program@$second\$" "$err"
start_on -p "xdp_dispatcher,$program@$second" --rx-capture entry,exit udp
traffic
stop "$capture" INT
equal "dispatcher, entry" 25 "$(lines 'xdp_dispatcher()@entry')"
equal "dispatcher, exit, DROP" 5 "$(lines 'xdp_dispatcher()@exit\[DROP\]')"
# The first program passes on what it passes.
equal "second program, entry" 5 "$(lines "$program()@entry")"
equal "second program, exit, PASS" 5 "$(lines "$program()@exit\\[PASS\\]")"
finish
