#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# All sources of a capture begin at one moment, and end at one.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need python3 tshark
tool=$(dirname "$0")/together.py
file=$scratch/f.pcapng many=14
veth_pair
for i in $(seq 0 $((many - 1))); do
	ip -n "$left" link add "wa$i" type veth peer name "wb$i" address "02:74:67:00:00:$(printf %02x $((i + 2)))" netns "$right"
	ip -n "$left" link set "wa$i" up
	ip -n "$right" link set "wb$i" up
done
in_right sh -c 'echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter'

# has_sent LINES: of the sender, so many since it began.
has_sent()
{
	[ "$(wc -l < "$sent")" -ge "$1" ]
}

# rounds NAME OPTION...: captured while the sender goes on, and $scratch/fields has what was captured.
rounds()
{
	what=$1
	shift
	start ip netns exec "$right" "$xdpdump" -Q in -w "$file" "$@"
	started_capturing "$@"
	capture=$pid said=$err
	wait_for 120 has_sent $(($(wc -l < "$sent") + 3)) || bad "$what: nothing is sent"
	check "$what: it ends" stop "$capture" INT
	equal "$what: nothing is lost" 0 "$(count dropped "$said")"
	tshark -r "$file" -T fields -e frame.interface_name -e ip.id -e frame.time_epoch -e udp.dstport 2> /dev/null > "$scratch/all"
	equal "$what: all that was counted is there" "$(count received "$said")" "$(wc -l < "$scratch/all")"
	grep '	9$' "$scratch/all" > "$scratch/fields"
}

in_left python3 -c 'pass' # in the cache
start ip netns exec "$left" python3 "$tool" send "$many" wa
sender=$pid sent=$out
wait_for 120 has_sent 1 || bad "the sender does not begin"
all=''
for i in $(seq 0 $((many - 1))); do
	all="$all -i wb$i"
done
# shellcheck disable=SC2086 # words
rounds "$many interfaces" $all
check "$many interfaces: one beginning, one end" python3 "$tool" rounds "$scratch/fields" "$many"
cat "$scratch/output"
rounds "three hooks" -i xdp:wb0,hook=tc -i xdp:wb1,hook=packet -i wb2
check "three hooks: one beginning, one end" python3 "$tool" rounds "$scratch/fields" 3
rounds "patterns" -i 'wb1*' -i wb2
check "patterns: one beginning, one end" python3 "$tool" rounds "$scratch/fields" 6
rounds "drops" -i wb0 --drops
check "each frame has its drop, from the first" python3 "$tool" drops "$scratch/fields" wb0
cat "$scratch/output"
rounds "drops of a pattern" -i 'wb0*' --drops
check "of a pattern, too" python3 "$tool" drops "$scratch/fields" wb0
kill "$sender"

# ring_bytes PROCESS: of all rings that it has mapped, each with a page in front.
ring_bytes()
{
	sum=0
	for range in $(awk '/anon_inode:bpf-map/ { print $1 }' "/proc/$1/maps"); do
		bytes=$((0x${range#*-} - 0x${range%-*} - $(getconf PAGESIZE)))
		[ "$bytes" -lt 500000 ] || sum=$((sum + bytes))
	done
	echo "$sum"
}

# is_within BYTES OPTION...: the rings of all interfaces together.
is_within()
{
	most=$1
	shift
	start ip netns exec "$right" "$xdpdump" -Q in -w "$file" "$@"
	started_capturing "$@"
	bytes=$(ring_bytes "$pid")
	check "$most bytes for all rings, $bytes are taken" test "$bytes" -gt 0 -a "$bytes" -le "$most"
	stop "$pid" INT
}

of_each=$(($(nproc) * 512 * 1024)) # no ring is smaller
# shellcheck disable=SC2086 # words
is_within $((16 * of_each)) $all --ring-total $((16 * of_each))
is_within $((4 * of_each)) -i wb0 -i wb1 --drops --ring-total $((4 * of_each))
# shellcheck disable=SC2086 # words
is_within $((256 * 1024 * 1024)) $all

# Less than the smallest rings take is refused, with the smallest that works; that works.
for those in '-i wb0' '-i wb0 -i wb1 --drops'; do
	# shellcheck disable=SC2086 # words
	run_xdpdump $those -Q in --ring-total 512K
	if [ "$(nproc)" -eq 1 ] && [ "$those" = '-i wb0' ]; then
		skip "--ring-total 512K: one ring fits"
		continue
	fi
	equal "$those --ring-total 512K: status" 1 "$state"
	smallest=$(sed -n 's/.*--ring-total 512K is less than [0-9]* rings of 512K take, the smallest: give --ring-total \([0-9]*K\) or more$/\1/p' "$err")
	check "$those: the smallest that works is told" test -n "$smallest"
	# shellcheck disable=SC2086 # words
	is_within $((${smallest%K} * 1024)) $those --ring-total "$smallest"
done

run_xdpdump --doctor -i wb0 -i wb1 --ring 4M
check "--doctor adds up" grep -q "$((2 * $(nproc))) rings of 4096 KiB" "$out"
finish
