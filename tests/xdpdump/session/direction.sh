#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Without -Q both directions are captured, but where what is sent makes no sense or cannot be had.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ping tshark
veth_pair
file=$scratch/f.pcapng

# pinged OPTION...: what of the host's three pings is in the file, by direction: $received, $sent.
pinged()
{
	rm -f "$file"
	start_xdpdump -w "$file" "$@" icmp
	capture=$pid said=$err
	in_right ping -qc 3 -i 0.02 -W 1 10.99.0.1 > /dev/null 2>&1
	settle "$capture"
	check "$*: it ends well" stop "$capture" INT
	received=$(fields frame.packet_flags_direction icmp.type | grep -c '^0x0*1 0$')
	sent=$(fields frame.packet_flags_direction icmp.type | grep -c '^0x0*2 8$')
}

# has RECEIVED SENT OPTION...
has()
{
	wanted="$1 $2"
	shift 2
	pinged "$@"
	equal "${*:-no option}: received and sent" "$wanted" "$received $sent"
}

has 3 3
has 3 0 -Q in

# What keeps frames from the host, or has a program of the user's choose them.
has 3 0 --engine divert
has 3 0 --after drop
start ip netns exec "$right" "$xdpdump" -i xdp:vb,engine=divert -i lo -c 4 -t icmp
started_capturing
capture=$pid printed=$out
in_right ping -qc 3 -i 0.02 -W 1 10.99.0.1 > /dev/null 2>&1
in_right ping -qc 1 127.0.0.1 > /dev/null
check "of two interfaces one diverts: it ends" ended "$capture" 10
equal "of two interfaces one diverts" "1 lo In 3 vb In" "$(cut -d ' ' -f 1,2 "$printed" | sort | uniq -c | xargs)"

# What is sent to readers would be captured again; and scripts of xdp-tools.
has 3 0 --listen 127.0.0.1:0
has 3 0 --format xdp-tools
has 3 0 --rx-capture entry

# No room at egress: the received ones, with a note; but an error if the sent ones were asked for.
foreign=$build/tests/hooks/foreign
if [ -x "$foreign" ] && [ "$(ip netns exec "$right" "$foreign" list vb | cut -d ' ' -f 5)" = egress ]; then
	start ip netns exec "$right" "$foreign" full vb
	full=$pid
	check "egress is full" wait_for 20 grep -q attached "$out"
	has 3 0 --hook tc
	check "a note says so" grep -q '^xdpdump: warning: capturing only what vb receives, because what it sends cannot be captured: ' "$said"
	equal "... and names one block" 1 "$(capinfos "$file" | grep -c 'Name = vb$')"
	is_refused 'vb' -Q inout --hook tc -w "$scratch/none"
	stop "$full" INT
else
	skip "egress is full: needs tests/hooks/foreign, and Linux 6.6"
fi
finish
