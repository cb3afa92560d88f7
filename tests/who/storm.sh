#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --who with 5,000 connections a second, of which each lives for 5 ms: 99.9 % of their packets have the process that made
# the connection, and no other; and memory has a limit. Ports are not used again: the long form has 20,000.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
storm=$build/tests/who/storm
[ -x "$storm" ] || skip_all "needs tests/who/storm"
rate=5000 count=5000
[ "$WHO_LOOPS" -eq 1 ] || count=20000
if is_sanitized; then
	rate=500 count=2000
fi
veth_pair
in_right sysctl -qw net.ipv4.ip_local_port_range='1024 65000'
start in_left "$storm" serve 10.99.0.1
wait_for 10 test -s "$out"
port=$(cat "$out")

start_who --hook tc -Q inout --who
check "$count connections" timeout 120 ip netns exec "$right" "$storm" call 10.99.0.1 "$port" "$count" "$rate" 5
mv "$scratch/output" "$scratch/calls"
memory=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$capture/status")
check "it ends" stop "$capture"
equal "all were made" "$count" "$(wc -l < "$scratch/calls")"
is_sanitized || between "MiB of memory" 1 150 "$memory"
python3 - "$packets" "$scratch/calls" > "$scratch/judged" <<'END'
import collections
import json
import sys

whose = collections.defaultdict(set)
with open(sys.argv[2], encoding="ascii") as calls:
    for line in calls:
        port, pid = map(int, line.split())
        whose[port].add(pid)
n = named = wrong = 0
with open(sys.argv[1], encoding="utf-8") as packets:
    for p in map(json.loads, packets):
        local = p.get("src_port" if p["direction"] == "out" else "dst_port")
        if local not in whose:
            continue
        got = {one["pid"] for one in p["who"].get("processes", [])}
        n += 1
        named += bool(got)
        wrong += not got <= whose[local]
print(f"{n} packets, {named} with a process, {wrong} wrong")
sys.exit(wrong or not n or named < n * 0.999)
END
state=$?
equal "99.9 % have their process, and no other: $(cat "$scratch/judged")" 0 $state
grep '^xdpdump: warning: --who' "$said"
finish
