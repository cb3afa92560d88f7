#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Nothing is written until the trigger comes, then what is in memory and all that follows.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump ping python3
veth_pair
file=$scratch/f.pcapng

begin()
{
	start_xdpdump "$@" -w "$file"
	capture=$pid said=$err
}

in_file()
{
	[ "$(packets "$file")" = "$1" ]
}

# All fits into memory.
begin -Q in --pre-trigger 8M --trigger icmp
send -n 10000 -r 100000
sleep 0.3
equal "before the trigger: packets" 0 "$(packets "$file")"
in_left ping -qc 1 -W 5 10.99.0.2 > /dev/null
check "the trigger comes: all is written" wait_for 5 in_file 10001
send -n 1000 -r 100000
check "it ends well" stop "$capture" INT
equal "packets in the file" 11001 "$(packets "$file")"
equal "packets said" 11001 "$(count captured "$said")"
check "in the order of time" sh -c 'tcpdump -nn -tt -r "$0" 2> /dev/null | sort -c -k 1,1' "$file"

# More than fits: the newest, in eight full chunks of 1023 records of 128 bytes, and one that is being written.
begin --pre-trigger 1M
send -n 50000 -r 100000 -s 64
settle "$capture"
kill -USR1 "$capture"
check "SIGUSR1: how much is kept" wait_for 5 grep -q \
	'^0 packets captured, 50000 received by filter, waits for the trigger with 9080 packets, 1\.1 MiB' "$said"
kill -USR2 "$capture"
check "SIGUSR2: memory is written" wait_for 5 in_file 9080
send -n 100 -r 10000
check "SIGUSR2: it ends well" stop "$capture" INT
equal "SIGUSR2: packets in the file" 9180 "$(packets "$file")"
equal "SIGUSR2: packets said" 9180 "$(count captured "$said")"
equal "SIGUSR2: not kept, and why" 40920 \
	"$(sed -n 's/^\([0-9]*\) packets not kept: overwritten before the trigger$/\1/p' "$said")"
check "SIGUSR2: nothing for another reason" fails grep -q -e 'the capture ended' -e 'they came before' "$said"

# Sizes change: frames of all lengths, around the end of the memory many times.
begin --pre-trigger 1M
send -n 30000 -r 50000 -s mix
kill -USR2 "$capture"
check "a mix of sizes: it ends well" all_read "$capture"
equal "a mix of sizes: packets said, and in the file" "$(count captured "$said")" "$(packets "$file")"
check "a mix of sizes: the newest, without a gap" "$capcheck" --order flow "$file"
between "a mix of sizes: bytes" 1040000 1190000 "$(wc -c < "$file")"

# -c counts from the trigger on; a trigger alone keeps nothing before it.
begin --trigger icmp -c 5
send -n 100 -r 10000
in_left ping -qc 1 -W 5 10.99.0.2 > /dev/null
send -n 100 -r 10000
check "--trigger -c: ends by itself" ended "$capture" 5
equal "--trigger -c: before the trigger" 100 \
	"$(sed -n 's/^\([0-9]*\) packets not kept: they came before the trigger$/\1/p' "$said")"
equal "--trigger -c: packets in the file" 5 "$(packets "$file")"

# Cut by the snapshot length, several files, a filter that leaves the trigger out.
mkdir "$scratch/files"
start_xdpdump --pre-trigger 2M -s 40 -C 100K -w "$scratch/files/f" udp
capture=$pid said=$err
send -n 3000 -r 50000
kill -USR2 "$capture"
check "-C: it ends well" all_read "$capture"
equal "-C: packets in the files" 3000 "$(packets_in "$scratch/files")"
between "-C: largest file" 80000 102400 "$(largest "$scratch/files")"

# What is cut off the trigger does not see: said at once.
for cut in '--slice l2' '-s 40'; do
	# shellcheck disable=SC2086 # option and value
	begin --trigger icmp $cut
	check "$cut: a warning" grep -q '^xdpdump: warning: .*vb: --trigger sees only the part of a packet that the s' "$said"
	stop "$capture" INT
done
begin --trigger icmp -s 128
check "-s 128: no warning" fails grep -q -e --trigger "$said"
stop "$capture" INT

# Rotation by time does not begin, and costs nothing, before the trigger.
start_xdpdump --pre-trigger 1M -b duration:0.2 -w "$scratch/files/t.pcapng"
capture=$pid said=$err
sleep 1
before=$(($(cut -d ' ' -f 14-15 "/proc/$capture/stat" | tr ' ' '+')))
sleep 0.5
after=$(($(cut -d ' ' -f 14-15 "/proc/$capture/stat" | tr ' ' '+')))
between "it sleeps: ticks of CPU" 0 10 "$((after - before))"
send -n 10 -r 1000
check "no trigger: it ends well" stop "$capture" INT
check "no trigger: it says so" grep -q 'the trigger has not come: 10 packets in memory are not written' "$said"
equal "no trigger: captured" 0 "$(count captured "$said")"
check "no trigger: what is not kept" grep -q '^10 packets not kept: they came before the trigger$' "$said"

# Memory goes to a file that takes it slowly: signals are heard meanwhile.
mkfifo "$scratch/fifo"
sh -c 'while dd bs=64k count=4 of=/dev/null 2> /dev/null; do sleep 0.1; done < "$0"' "$scratch/fifo" &
slow=$!
started="$started $slow"
start_xdpdump --pre-trigger 32M -w "$scratch/fifo"
capture=$pid said=$err
send -n 20000 -r 100000 -s 1400
kill -USR2 "$capture"
sleep 0.5
kill -USR1 "$capture"
check "while memory is written: a report" wait_for 3 grep -q 'packets captured,' "$said"
between "while memory is written: packets" 1 19999 \
	"$(sed -n 's/^\([0-9]*\) packets captured,.*/\1/p' "$said" | head -n 1)"
kill -INT "$capture"
sleep 0.2
kill -TERM "$capture"
check "while memory is written: the second signal ends it" fails ended "$capture" 5
check "while memory is written: the reason" grep -q 'given up at the second signal' "$said"
kill "$slow"

# Its time begins at the trigger: what comes soon after is in the first file, which does not end at once. Where a busy
# machine needs all of the file's two seconds for it, once more.
trigger_late()
{
	what=$1
	shift
	for _ in 1 2 3 4 5; do
		mkdir "$scratch/late"
		start_xdpdump --pre-trigger 1M "$@" -w "$scratch/late/f.pcapng"
		capture=$pid said=$err
		sleep 2.2
		send -n 10 -r 1000
		triggered_at=$(date +%s%N)
		kill -USR2 "$capture"
		sleep 0.1
		goes_on=true
		kill -0 "$capture" 2> /dev/null || goes_on=false
		send -n 10 -r 1000
		settle "$capture"
		stop "$capture" INT
		[ $((($(date +%s%N) - triggered_at) / 1000000)) -ge 2000 ] || break
		rm -r "$scratch/late"
	done
	check "$what: it goes on" "$goes_on"
	equal "$what: files" 1 "$(find "$scratch/late" -type f | wc -l)"
	equal "$what: packets in the file" 20 "$(packets "$(find "$scratch/late" -type f)")"
	rm -r "$scratch/late"
}
trigger_late "-b duration, trigger after it" -b duration:2
trigger_late "the same, one file" -b duration:2 -a files:1

# What is of an interface that is not captured pulls no trigger, and is not of the capture.
not_pulled()
{
	settle "$capture"
	check "$1: it ends" stop "$capture"
	check "$1: it does not pull" grep -q 'the trigger has not come' "$said"
	check "$1: nor does it count" fails grep -q 'before the trigger' "$said"
}
ip -n "$right" link set lo up
start "$xdpdump" --netns "$right*" -i vb --trigger icmp -w "$file"
started_capturing
capture=$pid said=$err
in_right ping -qc 1 -W 5 127.0.0.1 > /dev/null
not_pulled "another interface of many namespaces"
if kernel_since 6 1; then
	start in_right "$xdpdump" --drops=only -i 'v[b]' --trigger udp -w "$file"
	started_capturing
	capture=$pid said=$err
	in_right python3 -c 'import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 2998))'
	not_pulled "a drop of another interface"
else
	skip "a drop of another interface: needs a kernel that names its reasons"
fi
finish
