#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Less than everything: slices down to a header, samples, the beginning of each flow; at every hook.
# What is left out is counted.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need python3
xdpdump=$build/xdpdump/xdpdump
frames=$(dirname "$0")/reduce.py
[ -x "$xdpdump" ] || skip_all "needs xdpdump"
veth_pair
file=$scratch/f.pcapng snaplen=0

# record OPTIONS COMMAND...: what the command sends, in $file; the statistics in $said.
record()
{
	options=$1
	shift
	start ip netns exec "$right" "$xdpdump" -i "xdp:vb,$options" -s "$snaplen" -w "$file" --json \
		--direction inout 'ether src 02:ab:00:00:00:01'
	capture=$pid said=$err
	wait_for 60 grep -q '^listening on' "$said" || bad "$options: xdpdump does not start"
	"$@" || bad "$options: traffic: $*"
	settle "$capture"
	asked_ns=$(date +%s%N)
	stop "$capture" INT
	equal "$options: xdpdump ends well" 0 $?
	took_ms=$((($(date +%s%N) - asked_ns) / 1000000))
}

counted()
{
	tail -n 1 "$said" | sed -n "s/.*\"$1\":\\([0-9]*\\).*/\\1/p"
}

lengths()
{
	python3 -S "$frames" captured "$file"
}

# by_python SIDE WORD...
by_python()
{
	side=$1
	shift
	if [ "$side" = left ]; then in_left python3 -S "$frames" "$@"; else in_right python3 -S "$frames" "$@"; fi
}

for hook in xdp tc packet; do
	for slice in 'l2 0' 'l3 0' 'l4 0' 'l4 32'; do
		depth=${slice% *} more=${slice#* }
		option=$depth
		[ "$more" = 0 ] || option=$depth+$more
		record "hook=$hook,slice=$option" by_python left frames va
		python3 -S "$frames" lengths "$depth" "$more" > "$scratch/wanted"
		lengths > "$scratch/got"
		check "hook=$hook, slice=$option: what is left of every kind of frame" \
			cmp -s "$scratch/wanted" "$scratch/got" || diff "$scratch/wanted" "$scratch/got" | head -n 10
	done
done
record 'hook=xdp,vlan=off,slice=l4' by_python left frames va
equal "a program of all devices: frames" 20 "$(lengths | wc -l)"
record 'slice=off' by_python left frames va
check "slice=off keeps all" test "$(lengths | sort -n | tail -n 1)" -gt 240

# 500 bytes each, of 2000: the frame that begins below the limit is kept whole.
for hook in xdp tc packet; do
	record "hook=$hook,flow-cutoff=2000" by_python left flow va udp:1:10 udp:2:3 udp:1:2 udp:1:5:vlan tcp:1:9
	equal "hook=$hook, flow-cutoff: frames kept: 4, 3, 0, 4, 4" 15 "$(lengths | wc -l)"
	equal "hook=$hook, flow-cutoff: frames cut" 14 "$(counted cut_frames)"
	equal "hook=$hook, flow-cutoff: bytes cut" 7000 "$(counted cut_bytes)"
done

both_ways()
{
	by_python left flow va udp:1:2 && by_python right flow vb udp:1:4:reverse && by_python left flow va udp:1:1
}
record "flow-cutoff=2000" both_ways
equal "both directions are one flow: frames kept" 4 "$(lengths | wc -l)"
equal "both directions are one flow: frames cut" 3 "$(counted cut_frames)"
record "flow-cutoff=2000" by_python left flow va syn:1:1 tcp:1:6 synack:1:1 syn:1:1 tcp:1:6
equal "a SYN begins a flow anew: frames kept" 8 "$(lengths | wc -l)"
record "flow-cutoff=500,slice=l4,sample=2" by_python left flow va udp:1:4 udp:2:4 udp:3:4
equal "all at once: two of three flows' first frames are in the sample" 3 "$(lengths | wc -l)"
equal "... sliced" 42 "$(lengths | sort -u)"
equal "... not in the sample" 6 "$(counted sampled_out)"
equal "... cut" 3 "$(counted cut_frames)"

for hook in xdp tc packet; do
	record "hook=$hook,sample=10" by_python left flow va udp:1:100
	kept=$(lengths | wc -l)
	equal "hook=$hook, sample=10: kept and not" 100 $((kept + $(counted sampled_out)))
	between "hook=$hook, sample=10: kept" 10 11 "$kept"
done
# More flows than are remembered: some begin anew, none is lost.
twice=$(seq -f 'udp:%g:1' 1 500; seq -f 'udp:%g:1' 1 500)
for table in 64 65536; do
	# shellcheck disable=SC2086 # one word per flow
	record "flow-cutoff=500,flow-table=$table" by_python left flow va $twice
	kept=$(lengths | wc -l)
	equal "flow-table=$table: kept and cut" 1000 $((kept + $(counted cut_frames)))
	[ "$table" = 64 ] || equal "flow-table=$table: kept" 500 "$kept"
	[ "$table" != 64 ] || between "flow-table=$table: kept" 800 1000 "$kept"
done
# The ports are looked for in the frame, not in what is kept of it.
snaplen=36
record "flow-cutoff=1000" by_python left flow va syn:1:1 tcp:1:3 syn:2:1 tcp:2:3 syn:1:1 tcp:1:1
equal "a short snapshot length: frames kept" 6 "$(lengths | wc -l)"
equal "a short snapshot length: bytes of each" 36 "$(lengths | sort -u)"
snaplen=0
# Cut to what XDP can copy: counted for records that a slice has not made shorter anyway.
ip -n "$left" link set va mtu 65535
ip -n "$right" link set vb mtu 65535
record "hook=xdp" by_python left flow va udp:1:3:huge
equal "huge frames: bytes of each" 65535 "$(lengths | sort -u)"
equal "huge frames: counted as shorter than they should be" 3 "$(counted truncated)"
record "hook=xdp,slice=l4" by_python left flow va udp:1:3:huge
equal "huge frames, sliced: bytes of each" 42 "$(lengths | sort -u)"
equal "huge frames, sliced: none is shorter than it should be" 0 "$(counted truncated)"
record "hook=xdp,flow-cutoff=100K" by_python left flow va udp:1:9:huge
equal "huge frames of a flow that is cut: kept" 2 "$(lengths | wc -l)"
equal "huge frames of a flow that is cut: only those are shorter" 2 "$(counted truncated)"
# A second would be a wait for frames that were left out, each time. Where others have the processors one of these is
# short.
for try in 1 2 3 4 5 6 7 8; do
	record "sample=50" by_python left flow va udp:1:100
	[ "$took_ms" -ge 1000 ] || break
done
between "an end without a wait, ms, of try $try" 0 999 "$took_ms"
nothing_left "$right" vb
finish
