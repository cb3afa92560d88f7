#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Files as Wireshark's own library reads them: interfaces, direction, queue, number, losses, verdict.
# Of epb_hash its version 4.0 tells nothing to its users: only that it takes a file with it is seen.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
wiretap=$build/tests/xdpdump/files/wiretap
[ -x "$wiretap" ] || skip_all "needs libwiretap when configured (packages libwireshark-dev, libglib2.0-dev)"
need_root
need_xdpdump
need_testprog trafgen
need ping taskset nproc od
stream=$build/tests/pcap/stream
[ -x "$stream" ] || skip_all "needs tests/pcap/stream"
veth_pair
file=$scratch/f.pcapng

# read_file: what the library says, in $scratch/read
read_file()
{
	check "$1: the library takes the file" sh -c "'$wiretap' '$file' > '$scratch/read'"
}

start_xdpdump -Q inout -w "$file" icmp
capture=$pid
in_left ping -qc 5 -i 0.1 10.99.0.2 > /dev/null
all_read "$capture"
read_file "both directions"
equal "both directions: interfaces" 'interface 0 vb, interface 1 vb' \
	"$(grep interface "$scratch/read" | paste -sd, | sed 's/,/, /')"
equal "both directions: received" 5 "$(grep -c '^packet 0 98 flags=1 queue=0 id=[0-9]* dropped=- verdict=-$' "$scratch/read")"
equal "both directions: sent" 5 "$(grep -c '^packet 1 98 flags=2 queue=0 id=[0-9]* dropped=- verdict=-$' "$scratch/read")"

# Flooded: what the records say was lost before them, summed, is what the end says.
start_xdpdump --ring 512K -w - -s 1500
capture=$pid said=$err written=$out
kill -STOP "$capture"
send -n 20000 -s 1500
kill -CONT "$capture"
settle "$capture"
# What was lost is told in the next record of the same CPU.
for cpu in $(seq 0 $(($(nproc --all) - 1))); do
	in_left taskset -c "$cpu" ping -qc 1 10.99.0.2 > "$scratch/ping" 2>&1
done
settle "$capture"
stop "$capture" INT
cp "$written" "$file"
read_file "losses"
dropped=$(count dropped "$said")
check "losses: there are some" test "$dropped" -gt 1000
equal "losses: the records tell of all" "$dropped" \
	"$(sed -n 's/.* dropped=\([0-9]*\) .*/\1/p' "$scratch/read" | awk '{ n += $1 } END { print n + 0 }')"
equal "losses: packets" "$(count captured "$said")" "$(grep -c '^packet' "$scratch/read")"

start_xdpdump --hash on -w "$file" udp
capture=$pid
in_left "$stream" udp-send 10.99.0.2 7 3 100 1000 > "$scratch/sent"
all_read "$capture"
read_file "with hashes"
check "with hashes: they are in the file" sh -c "od -An -v -tx1 '$file' | tr -d ' \n' | grep -q 03000500"
equal "with hashes: the other options" 3 "$(grep -c '^packet 0 142 flags=1 queue=0 id=[0-9]* dropped=- verdict=-$' "$scratch/read")"
finish
