#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A stack of 128 KiB, which a thread has under musl, is enough for each command, in each of its threads; and where
# memory ends, it says so.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_library
need prlimit tcpdump
is_sanitized && skip_all "sanitizers have frames of their own size"
veth_pair
folder=$scratch/files
mkdir "$folder"
: > "$scratch/keys"
echo 10.99.0.0/24 > "$scratch/nets"

# Of glibc's threads RLIMIT_STACK is the size, too. bounded LIMIT COMMAND...: its words in $scratch/said.
bounded()
{
	limit=$1
	shift
	in_right timeout 60 prlimit "$limit" "$@" > "$scratch/said" 2>&1
	state=$?
}

# enough WANTED COMMAND...: it ends with this status.
enough()
{
	wanted=$1
	shift
	bounded --stack=131072 "$@"
	shift
	equal "$*: status" "$wanted" "$state"
	[ "$state" = "$wanted" ] || show "$scratch/said"
}

enough 0 "$xdpdump" --help all
enough 0 "$xdpdump" -D
enough 0 "$xdpdump" -D --json
enough 0 "$xdpdump" --extcap-interfaces
enough 0 "$xdpdump" --extcap-interface xdpdump:vb --extcap-config
enough 0 "$xdpdump" -i vb -J
enough 0 "$xdpdump" --doctor vb
enough 0 "$xdpdump" --doctor vb --json --report "$scratch/report"
enough 1 "$xdpdump" -i nosuch
enough 1 "$xdpdump" -i vb --drop-reasons nosuch --drops
enough 0 "$xdpdump" -i vb -a duration:0.2
enough 0 "$xdpdump" -i vb -i lo -a duration:0.2 --json -v
for options in '' '-C 1' '--zstd' '--use-pcap' '--print' '-v --metrics METRICS --stats-file STATS' '--hook tc -Q inout' \
	'--files-per-queue -C 1' '--engine divert --yes' '--listen 0' '--pre-trigger 1M --trigger icmp' '-z true'; do
	# shellcheck disable=SC2046 # words
	enough 0 "$xdpdump" -i vb -a duration:0.2 -w "$folder/f" $(echo "$options" | sed "s|METRICS|$folder/m.prom|; s|STATS|$folder/s|")
done
enough 0 "$xdpdump" -i vb -a duration:0.2 -w "$folder/keys" --tls-keylog "$scratch/keys"
enough 0 "$xdpdump" -i any -a duration:0.2
enough 0 "$xdpdump" --netns all -i any -a duration:0.2
if kernel_since 6 1 && in_right "$xdpdump" -i vb --drops -a duration:0.1 > /dev/null 2>&1; then
	enough 0 "$xdpdump" -i vb --drops -a duration:0.2
fi
enough 0 "$xdpdump" -i vb -a duration:0.2 "$(printf 'net 10.%s.0.0/16 or ' $(seq 1 200))host 1.2.3.4"
# Some kernels refuse these, and say so; whoever is not refused ends well.
for options in --who --who=cmdline; do
	wanted=0
	in_right timeout 60 "$xdpdump" -i vb -a duration:0.1 "$options" > "$scratch/said" 2>&1 || wanted=$?
	[ "$wanted" = 0 ] || check "$options: refused with a reason" grep -q '^xdpdump: .*--who' "$scratch/said"
	enough "$wanted" "$xdpdump" -i vb -a duration:0.2 "$options"
done
for options in "--hosts $scratch/nets" "--index -w $folder/i" "--index --zstd -C 1 -w $folder/z"; do
	# shellcheck disable=SC2086 # words
	enough 0 "$xdpdump" -i vb -a duration:0.2 $options
done
# The commands that work on files, on what was captured.
for words in "--help" "--count $folder" "--list $folder" "--index $folder" "--no-index -w $scratch/found host 10.99.0.1 $folder"; do
	# shellcheck disable=SC2086 # words
	enough 0 "$build/find/pcapng-find" $words
done
if [ -x "$build/kafka/pcapng-kafka" ]; then
	mkdir "$scratch/spool"
	enough 0 "$build/kafka/pcapng-kafka" --help
	# Nobody answers there.
	enough 1 "$build/kafka/pcapng-kafka" get -w "$scratch/got" kafka://127.0.0.1:9/t
	enough 0 "$build/kafka/pcapng-kafka" put --spool "$scratch/spool:16M" --end-wait 1 kafka://127.0.0.1:9/t "$folder/f"
fi
# An application's stack.
LD_LIBRARY_PATH=$library enough 124 timeout 1 tcpdump -i xdp:vb -w "$folder/t"

# Memory that ends: below the first of these the C library itself cannot start.
for kib in 768 1024 2048 4096 8192 16384; do
	bounded --data=$((kib << 10)) "$xdpdump" -i vb -w "$folder/f" -a duration:0.2
	between "$kib KiB of data: status" 0 1 "$state"
	check "... and a reason" grep -q '^xdpdump: \|packets captured' "$scratch/said"
done
finish
