#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# In a virtual machine, as they need kprobes: --who, ptcpdump (VM_PTCPDUMP) and ss four times a second, of the same
# connections in the same run. Each connection's process is known, because it wrote down which port it called from.
# Only --who is judged; the counts of the others are printed.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need ss ip nsenter
kernel_since 6 6 || skip_all "needs TCX (Linux 6.6), to see frames that are sent"
theirs=$build/ptcpdump storm=$build/tests/who/storm
[ -x "$theirs" ] || skip_all "needs VM_PTCPDUMP"
mkdir -p /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup 2> /dev/null
mount -t debugfs none /sys/kernel/debug 2> /dev/null
veth_pair
count=${BESIDE_CONNECTIONS:-200} rate=20

# In $left, but with this /sys, which has the tracepoints.
within()
{
	nsenter --net="/run/netns/$left" "$@"
}

# Each names who it takes for the caller of a port: "PORT PID", and "PORT" for a packet without a name.
by_who()
{
	awk -v server="$served" '
		function number(name,    at) {
			at = index($0, "\"" name "\":")
			return at ? substr($0, at + length(name) + 3) + 0 : 0
		}
		/"src_port"/ {
			port = number("src_port") == server ? number("dst_port") : number("src_port")
			named = 0
			rest = $0
			while ((at = index(rest, "\"pid\":"))) {
				rest = substr(rest, at + 6)
				print port, rest + 0
				named = 1
			}
			if (!named)
				print port
		}' "$scratch/who.json"
}

by_ptcpdump()
{
	awk -v server="$served" '
		/ IP / {
			split($0, parts, / IP /)
			split(parts[2], ends, /[ :]+/)
			n = split(ends[1], from, ".")
			m = split(ends[3], to, ".")
			port = from[n] == server ? to[m] : from[n]
			n = split($3, named, ".")
			print port, (n > 1 ? named[n] : "")
		}' "$scratch/ptcpdump"
}

by_ss()
{
	sed -n "s/.*10\.99\.0\.1:\([0-9]*\) *10\.99\.0\.2:$served .*users:((\"[^\"]*\",pid=\([0-9]*\),.*/\1 \2/p" "$scratch/ss"
}

# judged NAME < PORT PID...: connections that have their own process and no other, that have another, that have none;
# and of what it named them for, how often it did so, and how often wrongly.
judged()
{
	awk -v name="$1" '
		NR == FNR { whose[$1] = $2; all++; next }
		!($1 in whose) { next }
		{ n++ }
		NF > 1 && $2 == whose[$1] { right[$1] = 1; named++ }
		NF > 1 && $2 != whose[$1] { wrong[$1] = 1; bad++ }
		END {
			for (port in whose)
				if (port in wrong)
					w++
				else if (port in right)
					r++
			printf "%s: of %d connections %d right, %d wrong, %d without; of %d lines %d right, %d wrong\n",
				name, all, r, w, all - r - w, n, named, bad
		}' "$scratch/calls" -
}

poll()
{
	while [ ! -e "$scratch/enough" ]; do
		within ss -tnpH >> "$scratch/ss" 2> /dev/null
		echo poll >> "$scratch/ss"
		sleep 0.25
	done
}

is_calm()
{
	lines=$(wc -l < "$1")
	sleep 5
	[ "$(wc -l < "$1")" -eq "$lines" ]
}

for life in 5 50 500; do
	start in_right "$storm" serve 10.99.0.2
	server=$pid
	wait_for 20 test -s "$out"
	served=$(cat "$out")
	start "$xdpdump" --netns "$left" -i va -Q inout --hook tc --who --json "tcp port $served"
	started_capturing --who
	capture=$pid json=$out said=$err
	start nsenter --net="/run/netns/$left" "$theirs" -i va -n --context=process "tcp port $served"
	peer=$pid printed=$out complained=$err
	check "$life ms: ptcpdump begins" wait_for 120 grep -qi capturing "$complained"
	sleep 3
	rm -f "$scratch/enough"
	: > "$scratch/ss"
	begun=$(date +%s)
	poll &
	polls=$!
	in_left "$storm" call 10.99.0.2 "$served" "$count" "$rate" "$life" > "$scratch/calls"
	touch "$scratch/enough"
	wait "$polls"
	seconds=$(($(date +%s) - begun))
	wait_for 60 is_calm "$printed"
	wait_for 60 is_calm "$json"
	check "$life ms: xdpdump ends" stop "$capture"
	stop "$peer" INT
	stop "$server" TERM
	cp "$json" "$scratch/who.json"
	cp "$printed" "$scratch/ptcpdump"
	equal "$life ms: connections made" "$count" "$(wc -l < "$scratch/calls")"
	by_who | judged who | tee "$scratch/judged"
	by_ptcpdump | judged ptcpdump
	by_ss | judged "ss, polled $(grep -c poll "$scratch/ss") times in $seconds s"
	grep -i packets "$complained"
	[ "$life" != 5 ] || head -n 3 "$scratch/ptcpdump"
	check "$life ms: --who names no other process" grep -q ' 0 wrong, .* 0 wrong$' "$scratch/judged"
done
finish
