#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# -i any and patterns: interfaces that come join, those that go leave, each has its block; every frame that was
# sent 200 ms after an interface was told of is in the file, without privilege; nothing stays of those that go.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump tshark capinfos ping python3 ethtool nsenter unshare pgrep
veth_pair
in_right ethtool -K vb gro on # so that the generator reaches it without XDP
file=$scratch/f.pcapng

# start_any OPTION...: in $right.
start_any()
{
	start ip netns exec "$right" "$xdpdump" "$@"
	started_capturing "$@"
	capture=$pid said=$err printed=$out
}

# statistics FILE: of its interface blocks, how many have one.
statistics()
{
	capinfos "$1" 2> /dev/null | grep -c 'Number of stat entries = 1'
}

# --- All of them, as lines.
start_any -i any -Q inout -c 6 icmp
check "any: how many there are" grep -q '^listening on any (2 interfaces): received and sent frames by a packet socket, whole packets$' "$said"
in_left ping -qc 2 -i 0.05 -W 20 10.99.0.2 > /dev/null
in_right ping -qc 1 -W 20 127.0.0.1 > /dev/null
check "any: ends by -c" ended "$capture" 20
equal "any: a line names the interface and the side" "2 2 2" \
	"$(grep -c ' vb In  IP 10.99.0.1 > 10.99.0.2: ICMP echo request,' "$printed") $(
	grep -c ' vb Out IP 10.99.0.2 > 10.99.0.1: ICMP echo reply,' "$printed") $(
	grep -c ' lo In  IP 127.0.0.1 > 127.0.0.1: ICMP' "$printed")"

start_any -i any -c 1 --json icmp
in_left ping -qc 1 -W 20 10.99.0.2 > /dev/null
ended "$capture" 20
check "any: JSON names the interface" grep -q '"interface":"vb"' "$printed"

# --- In a file; rotated, each file has the blocks that it needs.
mkdir "$scratch/many"
start_any -i any -w "$scratch/many/f.pcapng" -C 512K -s 64 udp
send -n 20000 -r 50000
check "files: it ends well" all_read "$capture"
equal "files: captured" 20000 "$(count captured "$said")"
equal "files: in all of them" 20000 "$(packets_in "$scratch/many")"
wrong=0 several=0
for file in "$scratch/many"/*; do
	several=$((several + 1))
	[ "$(fields frame.interface_name | sort | uniq -c | wc -l)" = 1 ] || wrong=$((wrong + 1))
	[ "$(fields frame.interface_name | sort -u)" = vb ] || wrong=$((wrong + 1))
	[ "$(statistics "$file")" = 2 ] || wrong=$((wrong + 1))
	[ "$(tcpdump -nr "$file" 2> /dev/null | wc -l)" = "$(packets "$file")" ] || wrong=$((wrong + 1))
done
check "files: there are several" [ "$several" -gt 2 ]
equal "files: that tshark, capinfos or tcpdump read otherwise" 0 "$wrong"
file=$scratch/f.pcapng

start_any -i any -w "$scratch/f.pcap" --use-pcap -c 5 udp
send -n 5
ended "$capture" 20
equal "pcap: tcpdump reads it" 5 "$(tcpdump -nr "$scratch/f.pcap" 2> /dev/null | grep -c ' UDP')"

# --- Patterns, of which none is there at first.
start_any -v -Q in -i 'late*' -i 'x[0-9]' -w "$file" icmp
check "patterns: it says that it waits" grep -q 'no interface matches late\* x\[0-9\] yet: waiting for one' "$said"
ip -n "$left" link add pl type veth peer name late netns "$right"
wait_for 5 grep -q ': late joins the capture$' "$said"
check "patterns: one that comes is told of" grep -q ': late joins the capture$' "$said"
ip -n "$left" link set pl up
ip -n "$right" link set late up
ip -n "$left" addr add 10.98.0.1/24 dev pl
ip -n "$right" addr add 10.98.0.2/24 dev late
check "patterns: ping is answered" in_left ping -qc 3 -i 0.05 -W 20 10.98.0.2
send -n 1000
check "patterns: others answer, too" in_left ping -qc 3 -i 0.05 -W 20 10.99.0.2
ip -n "$right" link set late down
ip -n "$right" link set late name x1
ip -n "$right" link set x1 up
wait_for 5 grep -q ': x1 joins the capture$' "$said"
check "patterns: a new name is another interface" grep -q ': late leaves the capture$' "$said"
check "patterns: ping is answered again" in_left ping -qc 2 -i 0.05 -W 20 10.98.0.2
ip -n "$right" link del x1
wait_for 5 grep -q ': x1 leaves the capture$' "$said"
check "patterns: one that goes is told of" grep -q ': x1 leaves the capture$' "$said"
check "patterns: it ends well" all_read "$capture"
between "patterns: frames that were looked at" 5 100 "$(sed -n 's/ packets seen by the capture program$//p' "$said")"
equal "patterns: packets by name" "3 late 2 x1" "$(fields frame.interface_name | sort | uniq -c | xargs)"
equal "patterns: all of them have statistics" 3 "$(statistics "$file")"
capinfos "$file" > "$scratch/info" 2> /dev/null
check "patterns: the first block is of all" grep -q 'Name = late\* x\[0-9\]$' "$scratch/info"

# --- Interfaces come and go under traffic, when the privileges are gone; one pattern of two names.
start_any -i 'c*' -Z nobody -w - 'ether proto 0x88b5'
sleep 0.5
before=$(find "/proc/$capture/fd" | wc -l)
resident=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$capture/status")
in_left python3 "$top/tests/xdpdump/spaces/any_churn.py" "$left" "$right" "$said" "$CHURN_INTERFACES" > "$scratch/sure" \
	2> "$scratch/churn.err"
equal "churn: all were told of" 0 $?
show "$scratch/churn.err"
settle "$capture"
between "churn: descriptors" 1 "$before" "$(find "/proc/$capture/fd" | wc -l)"
between "churn: memory, in KiB" 1 $((resident + resident / 5)) \
	"$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$capture/status")"
check "churn: it ends well" all_read "$capture"
cp "$printed" "$file"
fields frame.interface_name data.data | while read -r name bytes; do
	echo "$name $bytes"
done | python3 -c 'import sys
for line in sys.stdin:
    name, data = line.split()
    print(name, bytes.fromhex(data).split(b";")[0].decode())' > "$scratch/got"
cut -d ' ' -f 2 "$scratch/got" | sort > "$scratch/frames"
sort "$scratch/sure" > "$scratch/wanted"
check "churn: frames were sent" [ "$(wc -l < "$scratch/wanted")" -ge $((CHURN_INTERFACES * 3 / 4 * 10)) ]
equal "churn: frames that are missing" 0 "$(comm -13 "$scratch/frames" "$scratch/wanted" | wc -l)"
equal "churn: frames of others" 0 "$(grep -c ' d' "$scratch/got")"
equal "churn: frames by another name" 0 "$(awk '{ split($2, of, ":"); if (of[1] != $1) n++ } END { print n + 0 }' "$scratch/got")"
same "churn: those that joined and those that left" "$(grep -c 'joins the capture' "$said")" "$(grep -c 'leaves the capture' "$said")"
equal "churn: dropped" 0 "$(count dropped "$said")"

# --- Many interfaces: each has its block, and what came by it.
many=many$$x
remove_many()
{
	ip netns del "$many" 2> /dev/null
}
at_exit remove_many
ip netns add "$many"
ip netns exec "$many" sh -c 'echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6'
seq 1 $((SPACES_MANY / 2)) | sed 's/.*/link add v& type veth peer name w&\nlink set v& up\nlink set w& up/' > "$scratch/batch"
check "$SPACES_MANY interfaces are made" ip -n "$many" -batch "$scratch/batch"
start ip netns exec "$many" "$xdpdump" -i any -Q inout -w "$file" 'ether proto 0x88b5'
started_capturing
capture=$pid said=$err
check "$SPACES_MANY interfaces: how many there are" grep -q "^listening on any ($((SPACES_MANY + 1)) interfaces)" "$said"
ip netns exec "$many" python3 -c 'import socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
for i in range(1, int(sys.argv[1]) + 1):
    for side in "vw":
        s.sendto(b"\xff" * 6 + b"\2" + bytes(5) + b"\x88\xb5" + bytes(46), (f"{side}{i}", 0x88b5))' $((SPACES_MANY / 2))
check "$SPACES_MANY interfaces: it ends well" all_read "$capture"
equal "$SPACES_MANY interfaces: captured" $((2 * SPACES_MANY)) "$(count captured "$said")"
equal "$SPACES_MANY interfaces: dropped" 0 "$(count dropped "$said")"
equal "$SPACES_MANY interfaces: that have two packets" "$SPACES_MANY" \
	"$(fields frame.interface_name | sort | uniq -c | grep -c '^ *2 [vw]')"
equal "$SPACES_MANY interfaces: blocks with statistics" $((SPACES_MANY + 1)) "$(statistics "$file")"
remove_many

# --- A container: the namespace of a process, which nothing of ours holds when it has ended.
start ip netns exec "$right" unshare --net --fork --pid --mount-proc sleep 60
container=$pid
wait_for 5 pgrep -P "$container"
inside=$(pgrep -P "$container")
ip -n "$left" link add pod type veth peer name eth0 netns "$inside"
nsenter --net --target "$inside" sh -c 'ip link set lo up && ip addr add 10.97.0.2/24 dev eth0 && ip link set eth0 up'
ip -n "$left" addr add 10.97.0.1/24 dev pod
ip -n "$left" link set pod up
start "$xdpdump" --netns "$inside" -i any -Q inout -w "$file" icmp
started_capturing
capture=$pid said=$err
check "container: ping is answered" in_left ping -qc 2 -i 0.05 -W 20 10.97.0.2
settle "$capture"
kill -KILL "$inside"
ended "$capture" 10
equal "container: status when it has ended" 1 $?
check "container: that is told" grep -q ": process $inside has ended, whose network namespace any is in" "$said"
equal "container: packets by name" "4 $inside/eth0" "$(fields frame.interface_name | sort | uniq -c | xargs)"
check "container: its end of the pair is gone" wait_for 5 fails ip -n "$left" link show pod
run_xdpdump --netns 4194305 -i any
equal "no such process: status" 1 "$state"
check "... and why" grep -q 'network namespace 4194305: no such name, and no process with this number' "$err"

# --- What does not go together.
refused()
{
	run_xdpdump "$@"
	equal "refused: $*: status" 1 "$state"
}
refused -i any -p all
check "... and why" grep -q 'XDP programs are those of one interface: name it in place of any' "$err"
refused -i 'v*' --files-per-queue -w "$scratch/none"
check "... and why" grep -q 'files-per-queue and v\* do not go together' "$err"
refused -i any vlan 5
check "... and why" grep -q 'no filter for many interfaces sees VLAN tags' "$err"
refused -i any --hook tc
check "... and why" grep -q 'any is captured by a packet socket' "$err"
refused -i 'v*' -i 'w*,ring=1M'
check "... and why" grep -q 'options follow the first pattern' "$err"
finish
