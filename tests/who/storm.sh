#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --who with 5,000 connections a second, of which each lives for 5 ms: 99.9 % of their packets have the process that made
# the connection, and where it captures at the other end the one that serves it, and no other; and memory has a limit.
# Ports are not used again: the long form has 20,000.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
storm=$build/tests/who/storm
[ -x "$storm" ] || skip_all "needs tests/who/storm"
rate=5000 count=5000 share=99.9
[ "$WHO_LOOPS" -eq 1 ] || count=20000
if is_sanitized; then # it looks too seldom beside other tests; that nobody else is named holds
	rate=500 count=2000 share=50
fi
veth_pair
in_left sysctl -qw net.ipv4.ip_local_port_range='1024 65000'
in_right sysctl -qw net.ipv4.ip_local_port_range='1024 65000'

# judge SERVER: who is named in $packets, beside $scratch/calls; 0: those who called.
judge()
{
	python3 - "$packets" "$scratch/calls" "$1" "$share" > "$scratch/judged" <<'END'
import collections
import json
import sys

server = int(sys.argv[3])
whose = {}
with open(sys.argv[2], encoding="ascii") as calls:
    for line in calls:
        port, pid = map(int, line.split())
        whose[port] = server or pid
n = named = wrong = 0
unnamed = collections.Counter()
with open(sys.argv[1], encoding="utf-8") as packets:
    for p in map(json.loads, packets):
        is_local = (p["direction"] == "out") != bool(server)
        caller = p.get("src_port" if is_local else "dst_port")
        if caller not in whose:
            continue
        got = {one["pid"] for one in p["who"].get("processes", [])}
        n += 1
        named += bool(got)
        wrong += not got <= {whose[caller]}
        if not got:
            unnamed[p["direction"], p.get("tcp_flags"), p["who"]["class"]] += 1
print(f"{n} packets, {named} with a process, {wrong} wrong")
for what, times in unnamed.items():
    print(*what, times)
sys.exit(wrong or not n or named * 100 < n * float(sys.argv[4]))
END
}

# storm CALLERS ADDRESS SERVERS WHAT: $capture is of the one that the name says.
storm()
{
	start "$3" "$storm" serve "$2"
	listener=$pid server=$pid listens=$out
	wait_for 10 test -s "$listens"
	start_who --hook tc -Q inout --who
	check "$4: $count connections" timeout 120 ip netns exec "$1" "$storm" call "$2" "$(cat "$listens")" "$count" "$rate" 5
	mv "$scratch/output" "$scratch/calls"
	memory=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$capture/status")
	check "$4: it ends" stop "$capture"
	equal "$4: all were made" "$count" "$(wc -l < "$scratch/calls")"
	is_sanitized || between "$4: MiB of memory" 1 150 "$memory"
	[ "$3" = in_right ] || server=0
	judge "$server"
	judged=$?
	equal "$4: $share % have their process, and no other: $(head -n 1 "$scratch/judged")" 0 "$judged"
	sed 1d "$scratch/judged"
	grep '^xdpdump: warning: --who' "$said"
	stop "$listener" TERM
}

storm "$right" 10.99.0.1 in_left 'at those who call'
storm "$left" 10.99.0.2 in_right 'at the one that serves'
finish
