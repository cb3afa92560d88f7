#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The snapshot length: kept exactly, and told exactly, with and without a filter.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need capinfos tshark
veth_pair
file=$scratch/f.pcapng

for snaplen in 1 14 64 65535 262144 0; do
	for filter in '' 'udp' 'ip6 protochain 17 or udp'; do
		what="-s $snaplen${filter:+ \"$filter\"}"
		# shellcheck disable=SC2086 # an expression of several words, or of none
		start_xdpdump -Q in -s "$snaplen" -w "$file" $filter
		send -n 240 -r 20000 -s mix
		stop "$pid" INT || bad "$what: status"
		[ "$snaplen" -ne 0 ] || snaplen=262144
		equal "$what: in the interface block" "$snaplen" \
			"$(capinfos "$file" 2> /dev/null | sed -n 's/.*Capture length = //p')"
		equal "$what: packets" 240 "$(count captured "$err")"
		# Length and captured length of what was sent: 64, 576 and 1500 bytes.
		tshark -r "$file" -T fields -e frame.len -e frame.cap_len 2> /dev/null |
			awk -v n="$snaplen" '$2 != ($1 < n ? $1 : n) { bad++ } END { exit bad > 0 || NR != 240 }' ||
			bad "$what: captured lengths"
		[ "$snaplen" -lt 64 ] || check "$what: bytes" accounted "$file" --snaplen "$snaplen"
	done
done
finish
