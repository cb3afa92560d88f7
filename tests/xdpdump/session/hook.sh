#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Directions and hooks: what is captured where, and that it says so.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need tcpdump ping bpftool
veth_pair
in_right sysctl -q -w net.ipv6.conf.vb.disable_ipv6=1
in_left sysctl -q -w net.ipv6.conf.va.disable_ipv6=1
file=$scratch/f.pcapng

# of_direction DIRECTION HOOK REQUESTS REPLIES: in a capture of five pings from va.
of_direction()
{
	what="-Q $1, --hook $2"
	if ! start_xdpdump -Q "$1" --hook "$2" -w "$file" icmp; then
		return
	fi
	capture=$pid said=$err
	in_left ping -qc 5 -i 0.05 10.99.0.2 > /dev/null
	check "$what: it ends well" all_read "$capture"
	equal "$what: requests" "$3" "$(tcpdump -nnr "$file" 'icmp[0] == 8' 2> /dev/null | wc -l)"
	equal "$what: replies" "$4" "$(tcpdump -nnr "$file" 'icmp[0] == 0' 2> /dev/null | wc -l)"
	equal "$what: captured" $(($3 + $4)) "$(count captured "$said")"
	equal "$what: received" $(($3 + $4)) "$(count received "$said")"
}

# What there is to say is said in words that can be typed here.
start_xdpdump -w "$file" && stop "$pid" INT
check "a note names options as they are typed" grep -q '^xdpdump: warning: .*; --hook tc avoids that$' "$err"
start_xdpdump -w "$file" && {
	holder=$pid
	in_right "$xdpdump" -i vb --hook xdp -w "$file.2" 2> "$scratch/said"
	check "so does an error" grep -q 'held by .*, or use --hook tc to capture behind it$' "$scratch/said"
	stop "$holder" INT
}

for hook in xdp tc; do
	of_direction in "$hook" 5 0
	of_direction out "$hook" 0 5
	of_direction inout "$hook" 5 5
done
check "the tc hook is named" grep -q '^listening on vb: received and sent frames at tc, ' "$said"
check "nothing is left at tc" sh -c "! ip netns exec $right bpftool net show dev vb 2> /dev/null | grep -q 'tcx\|tc_'"

# Frames of both directions before the direction is known to the library: none of the wrong one.
start ip netns exec "$left" ping -qf -w 30 10.99.0.2
flood=$pid
wrong=0
for round in 1 2 3 4 5; do
	start_xdpdump -c 50 -w "$file" -Q out
	ended "$pid" 10 || bad "round $round: status"
	wrong=$((wrong + $(tcpdump -nnr "$file" 'icmp[0] == 8' 2> /dev/null | wc -l)))
done
equal "requests in captures of what goes out" 0 "$wrong"
stop "$flood" INT

# Text tells one from the other.
start_xdpdump -Q inout -c 2 icmp
capture=$pid printed=$out
in_left ping -qc 2 -i 0.1 10.99.0.2 > /dev/null
ended "$capture" 10
equal "received, in text" 1 "$(grep -c ' vb In  IP ' "$printed")"
equal "sent, in text" 1 "$(grep -c ' vb Out IP ' "$printed")"

# The device name of the library, with options in it.
start ip netns exec "$right" "$xdpdump" -i xdp:vb,hook=tc,ring=512K -c 1 icmp
started_capturing
in_left ping -qc 2 -i 0.1 10.99.0.2 > /dev/null
check "a device name with options" ended "$pid" 10

# Two at once: the second finds the hook taken, says so, and sees the frames all the same.
start_xdpdump -Q in -w "$scratch/first.pcapng" icmp
first=$pid
start_xdpdump -Q in -w "$file" icmp
second=$pid said=$err
in_left ping -qc 5 -i 0.05 10.99.0.2 > /dev/null
settle "$first" "$second"
stop "$second" INT
stop "$first" INT
equal "requests in the first of two captures" 5 "$(packets "$scratch/first.pcapng")"
equal "requests in the second" 5 "$(packets "$file")"

# detach [PROGRAM]: all links of the capture, or that of the program with this name.
detach()
{
	cat /proc/"$capture"/fdinfo/* 2> /dev/null | sed -n 's/^link_id:[[:space:]]*//p' | sort -u > "$scratch/links"
	while read -r link; do
		[ $# -eq 0 ] || bpftool prog show id "$(bpftool link show id "$link" | sed -n 's/.*prog \([0-9]*\).*/\1/p')" |
			grep -q " name $1 " || continue
		bpftool link detach id "$link" > "$scratch/bpftool" 2>&1 || bad "detach: $(cat "$scratch/bpftool")"
	done < "$scratch/links"
}

# is_told WHAT: the capture ends and says why.
is_told()
{
	ended "$capture" 10
	equal "$1: status" 1 $?
	check "$1: the reason" grep -q '^xdpdump: another program has detached the capture from vb' "$said"
}

# One side of two is taken off, while the other one has frames all the time.
start_xdpdump --hook tc -w "$file"
capture=$pid said=$err
start in_right ping -qf -c 1000000 10.99.0.1
flood=$pid
detach tc_ingress
is_told "one side is detached, the other is busy"
stop "$flood" INT

# Somebody takes the capture off: a loader looks. Without one the next frames tell, which the interface counts and the
# program does not; also where they stop at once, and came in the second in which the program had others.
for loader in '' /nonexistent; do
	what="detached by somebody else${loader:+, no loader}"
	[ -z "$loader" ] || export PCAP_AFXDP_LOADER=$loader
	start_xdpdump --hook tc -w "$file"
	capture=$pid said=$err
	detach
	start in_left ping -q -i 0.1 -w 30 10.99.0.2
	ping=$pid
	is_told "$what, then frames"
	stop "$ping" INT
done
start_xdpdump --hook tc -Q in -w "$file"
capture=$pid said=$err
in_left ping -qc 1 -W 1 10.99.0.2 > /dev/null
detach
in_left ping -qc 1 -W 1 10.99.0.2 > /dev/null
is_told "$what, then silence"
finish
