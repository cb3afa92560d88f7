#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --who --drops: a packet that the host drops has the process whose socket lost it, and no other.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need jq tshark tc ping
kernel_since 6 11 || skip_all "needs a kernel that tells which socket lost a packet"
veth_pair
drops=$top/tests/who/drops.py
ip -n "$left" route add 239.0.0.0/8 dev va

# The host drops what goes to 9999, and what comes to 9998 while it may still have its sender's socket.
in_right tc qdisc add dev vb clsact
for at in 'egress 9999' 'ingress 9998'; do
	in_right tc filter add dev vb "${at% *}" bpf da bytecode "4,40 0 0 36,21 0 1 ${at#* },6 0 0 2,6 0 0 4294967295"
done

start_who --drops=only --who -w "$scratch/f.pcapng" --print
timeout 200 ip netns exec "$right" python3 "$drops" serve "$packets" 10.99.0.2 "$scratch/truth" \
	10.99.0.1 ip netns exec "$left" python3 "$drops" peer 10.99.0.1 > "$scratch/told" 2>&1
equal "services run: status" 0 $?
grep '^ok\|^FAILED' "$scratch/told" > "$scratch/results"
while read -r result what; do
	if [ "$result" = ok: ]; then ok "$what"; else bad "$what"; fi
done < "$scratch/results"
grep -v '^ok\|^FAILED' "$scratch/told"
equal "kinds" 10 "$(wc -l < "$scratch/results")"
check "it ends" stop "$capture"
check "no other process is named" python3 "$drops" check "$packets" "$scratch/truth"
cat "$scratch/output"
equal "in the file, those with a function and a process" \
	"$(jq -c 'select(.who.processes and .drop_place) | 1' "$packets" | wc -l)" "$(python3 "$drops" options "$scratch/f.pcapng")"
tshark -r "$scratch/f.pcapng" -T fields -e frame.comment > "$scratch/comments" 2> /dev/null
check "both are in comments" grep -q '^dropped: SOCKET_RCVBUFF in .*process python3\[' "$scratch/comments"
equal "each has one class" true \
	"$(grep '"final":true' "$said" | jq '.who_exact + .who_shared + .who_listener + .who_closed + .who_forwarded + .who_unknown == .captured')"
finish
