#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The lines of packets say what tcpdump -nn says, as far as they go: of the frames that frames.py makes, whole,
# malformed, and cut at every length; from a wire; with and without Ethernet.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need tcpdump python3
lines=$build/tests/xdpdump/output/lines
frames=$top/tests/xdpdump/output/frames.py
same=$top/tests/xdpdump/output/same_lines.py

# theirs FILE: as tcpdump tells of it; -#, as some of its packets take several lines.
theirs()
{
	tcpdump -nn -t -# -r "$1" 2> /dev/null
}

# compare NAME OPTION...: of frames.py, by the decoder alone.
compare()
{
	what=$1
	shift
	python3 "$frames" "$@" --write "$scratch/frames.pcap" --names > "$scratch/names"
	"$lines" "$scratch/frames.pcap" > "$scratch/ours"
	theirs "$scratch/frames.pcap" > "$scratch/theirs"
	check "$what: the lines are tcpdump's" python3 "$same" "$scratch/ours" "$scratch/theirs" "$scratch/names"
	tail -n 1 "$scratch/output"
}

compare "whole frames"
between "kinds of frames" 50 1000 "$(wc -l < "$scratch/names")"
compare "frames cut at every length" --cut
compare "raw IP" --raw
compare "raw IP cut at every length" --raw --cut
python3 "$frames" --write "$scratch/frames.pcap"
"$lines" "$scratch/frames.pcap" | grep -o 'vlan [0-9]*' > "$scratch/ours"
tcpdump -nn -t -e -r "$scratch/frames.pcap" 2> /dev/null | grep -o 'vlan [0-9]*' > "$scratch/theirs"
check "VLAN tags are tcpdump's" cmp "$scratch/ours" "$scratch/theirs"
between "VLAN tags" 5 100 "$(wc -l < "$scratch/ours")"

need_root
need_xdpdump
veth_pair
offloads_off
python3 "$frames" --names --wire > "$scratch/names"
count=$(wc -l < "$scratch/names")

# from_wire NAME OPTION...: xdpdump with the options prints what tcpdump writes, as they both see it.
from_wire()
{
	what=$1
	shift
	start ip netns exec "$right" tcpdump -i vb -Q in --immediate-mode -c "$count" -w "$scratch/wire.pcap" "$@"
	theirs=$pid
	wait_for 20 grep -q 'listening on' "$err" || bad "$what: tcpdump does not start"
	start_xdpdump -P -t -c "$count" "$@"
	ours=$pid printed=$out
	in_left python3 "$frames" --send va
	check "$what: as many lines as frames" ended "$ours" 10
	check "$what: as many for tcpdump" ended "$theirs" 10
	theirs "$scratch/wire.pcap" > "$scratch/theirs"
	equal "$what: interface and direction" "$count" "$(grep -c '^vb In  ' "$printed")"
	sed 's/^vb In  //' "$printed" > "$scratch/ours"
	check "$what: the lines are tcpdump's" python3 "$same" "$scratch/ours" "$scratch/theirs" "$scratch/names"
}
from_wire "from a wire"
from_wire "from a wire, 60 bytes of each" -s 60

# Raw IP: a tun device.
mkfifo "$scratch/orders"
ip netns exec "$right" python3 "$frames" --tun tn0 < "$scratch/orders" > "$scratch/tun" 2>&1 &
started="$started $!"
exec 3> "$scratch/orders"
if wait_for 10 grep -q made "$scratch/tun" && ip -n "$right" link set tn0 up; then
	python3 "$frames" --raw --write "$scratch/frames.pcap" --names > "$scratch/names"
	count=$(wc -l < "$scratch/names")
	start ip netns exec "$right" "$xdpdump" -i tn0 -t -c "$count"
	started_capturing
	ours=$pid printed=$out
	echo go >&3
	check "raw IP from a tun device: as many lines as packets" ended "$ours" 10
	sed 's/^tn0 In  //' "$printed" > "$scratch/ours"
	theirs "$scratch/frames.pcap" > "$scratch/theirs"
	check "raw IP from a tun device: the lines are tcpdump's" \
		python3 "$same" "$scratch/ours" "$scratch/theirs" "$scratch/names"
else
	skip "no raw IP device: $(cat "$scratch/tun")"
fi
exec 3>&-
finish
