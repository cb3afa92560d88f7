#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016 # commands in quotes are for inner shells
# -w - into tcpdump and tshark: packets come through at once, also a single one.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen
need tcpdump tshark ping mkfifo
veth_pair
mkfifo "$scratch/pipe"

now_ms()
{
	echo $(($(date +%s%N) / 1000000))
}

# lines FILE N: has it that many?
lines()
{
	[ "$(grep -c 'ICMP' "$1")" -ge "$2" ]
}

# through READER...: a reader of the pipe prints each packet within the time.
through()
{
	start "$@"
	reader=$pid printed=$out
	start sh -c 'exec ip netns exec "$0" "$1" -i vb -w - icmp > "$2"' "$right" "$xdpdump" "$scratch/pipe"
	started_capturing
	capture=$pid said=$err
	in_left ping -qc 1 10.99.0.2 > /dev/null
	check "$1: first packet arrives" wait_for 20 lines "$printed" 1
	slowest=0
	for packet in 2 3 4 5 6; do
		sleep 0.1
		before=$(now_ms)
		in_left ping -qc 1 10.99.0.2 > /dev/null
		until lines "$printed" "$packet" || [ $(($(now_ms) - before)) -gt 5000 ]; do
			:
		done
		took=$(($(now_ms) - before))
		[ "$took" -le "$slowest" ] || slowest=$took
	done
	between "$1: slowest of five packets, ping's own time included, in ms" 0 300 "$slowest"
	check "$1: xdpdump ends well" stop "$capture" INT
	check "$1 sees the end" ended "$reader" 20
	equal "$1: packets" "$(count captured "$said")" "$(grep -c ICMP "$printed")"
}

through tcpdump -lnn -r "$scratch/pipe"
through sh -c 'exec tshark -ln -r - < "$0"' "$scratch/pipe"

# The reader has all it wants and goes: an end like any other, and nothing is left.
start head -c 100 "$scratch/pipe"
start sh -c 'exec ip netns exec "$0" "$1" -i vb -w - > "$2"' "$right" "$xdpdump" "$scratch/pipe"
started_capturing
capture=$pid said=$err
in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
ended "$capture" 5
equal "status when the reader has gone" 0 $?
check "no complaint" fails grep -q '^xdpdump: [^w]' "$said"
check "statistics" grep -q ' packets captured$' "$said"
check "no XDP program is left" no_xdp_program "$right" vb

# As it is typed, in each form of text.
for format in '' '--json' '--format xdp-tools'; do
	# shellcheck disable=SC2086 # words
	start ip netns exec "$right" sh -c '{ "$@" 2> "$0" || echo failed >> "$0"; } | head -n 3' \
		"$scratch/said" "$xdpdump" -i vb $format icmp
	reader=$pid printed=$out
	wait_for 20 grep -q 'listening on' "$scratch/said" || bad "$format | head -n 3 does not start"
	in_left ping -qc 20 -i 0.05 10.99.0.2 > /dev/null
	check "$format | head -n 3 ends" ended "$reader" 10
	equal "$format | head -n 3: lines" 3 "$(wc -l < "$printed")"
	check "$format | head -n 3: status 0, no complaint" fails grep -e '^failed' -e '^xdpdump: [^w]' "$scratch/said"
	rm "$scratch/said"
done

# The same while nothing comes: noticed at once, for packets and for text.
for format in '-w -' ''; do
	start sh -c 'exec sleep 60 < "$0"' "$scratch/pipe"
	reader=$pid
	start sh -c 'exec ip netns exec "$0" "$1" -i vb $2 > "$3"' "$right" "$xdpdump" "$format" "$scratch/pipe"
	started_capturing
	capture=$pid said=$err
	settle "$capture"
	stop "$reader" TERM
	before=$(now_ms)
	ended "$capture" 5
	equal "$format: status when the reader goes and nothing comes" 0 $?
	between "$format: ms until the end" 0 1000 $(($(now_ms) - before))
	check "$format: no complaint" fails grep -q '^xdpdump: [^w]' "$said"
done

# into NAME OPTION...: a capture into the pipe NAME, that somebody holds open and nobody reads; $capture, $reader.
# With $filled, it is full before.
filled=''
into()
{
	pipe=$scratch/$1
	shift
	[ -p "$pipe" ] || mkfifo "$pipe"
	start sh -c 'exec sleep 60 < "$0"' "$pipe"
	reader=$pid
	[ -z "$filled" ] || fill "$pipe"
	start sh -c 'pipe=$1 && shift && exec ip netns exec "$@" > "$pipe"' sh "$pipe" "$right" "$xdpdump" -i vb "$@"
	started_capturing
	capture=$pid said=$err
}

# fill PIPE: no byte more goes into it.
fill()
{
	wait_for 20 dd if=/dev/zero of="$1" oflag=nonblock bs=1 count=1
	dd if=/dev/zero of="$1" oflag=nonblock bs=1 count=2000000 2> "$scratch/filled"
}

# not_read FILE: it is told that the capture has ended, and nobody reads.
not_read()
{
	grep -q '^xdpdump: the capture has ended, but nobody reads standard output: ' "$1"
}

# A reader that reads nothing. A limit is heard at once, for packets, compressed ones and text; nothing is
# waited for longer than told, and what is not written is counted.
ends=''
start ip netns exec "$left" "$trafgen" -i va -d 60 -r 2000 -s 1000 --via socket
sender=$pid
for format in '-w -' '--zstd -w -' ''; do
	[ "$format" != '--zstd -w -' ] || filled=yes
	# shellcheck disable=SC2086 # words
	into "stuck$format" $format --hook tc -a duration:1.5
	filled=''
	ends="$ends $capture:$said:$reader"
done
for one in $ends; do
	capture=${one%%:*} said=${one#*:} reader=${one##*:}
	said=${said%:*}
	check "nobody reads: told" wait_for 20 not_read "$said"
	ended "$capture" 20
	equal "nobody reads: status" 1 $?
	check "nobody reads: given up" grep -q '^xdpdump: standard output: given up, because nobody reads it$' "$said"
	equal "nobody reads: captured, dropped and not kept" "$(count received "$said")" \
		$(($(count captured "$said") + $(count dropped "$said") + $(sed -n 's/ packets not kept: .*//p' "$said")))
	stop "$reader" TERM
done
stop "$sender" TERM

# One signal is heard, and waits for the reader; the second ends at once.
into stuck -w -
in_left ping -qfc 2000 -s 1000 -w 10 10.99.0.2 > /dev/null
kill -INT "$capture"
check "one SIGINT: told" wait_for 20 not_read "$said"
check "one SIGINT: the program is off" no_xdp_program "$right" vb
check "one SIGINT waits for the reader" fails process_gone "$capture"
kill -TERM "$capture"
before=$(now_ms)
ended "$capture" 5
equal "status after the second" 1 $?
between "ms until the end" 0 1000 $(($(now_ms) - before))
check "the reason" grep -q 'given up at the second signal' "$said"
stop "$reader" TERM

# What is told while the last words have no room is not counted twice.
into words -w -
in_left ping -qc 5 -i 0.01 10.99.0.2 > /dev/null
fill "$pipe"
kill -INT "$capture"
check "last words: told that nobody reads" wait_for 20 not_read "$said"
kill -USR1 "$capture"
check "last words: figures meanwhile" wait_for 20 grep -q '^[1-9].* packets captured, .* received by filter' "$said"
start sh -c 'exec cat "$0" > "$1"' "$pipe" "$scratch/words.late"
check "last words: it ends well" ended "$capture" 20
equal "last words: as many are captured at the end" "$(sed -n 's/ packets captured, .*//p' "$said" | tail -n 1)" \
	"$(count captured "$said")"
stop "$reader" TERM

# Nobody reads the names of files: told, and the second signal ends.
mkdir "$scratch/named"
into stuck -w "$scratch/named/f" --print-name
fill "$pipe"
kill -INT "$capture"
check "names: told" wait_for 20 grep -q '^xdpdump: the capture has ended, but nobody reads the names' "$said"
kill -TERM "$capture"
ended "$capture" 10
equal "names: status" 1 $?
check "names: the file is there" test -s "$scratch/named/f"
stop "$reader" TERM

# A reader of names that has had enough is no failure.
mkdir "$scratch/first"
start sh -c 'exec head -n 1 < "$0"' "$scratch/pipe"
reader=$pid
start sh -c 'exec ip netns exec "$0" "$1" -i vb -b packets:10 -w "$2" --print-name > "$3"' \
	"$right" "$xdpdump" "$scratch/first/f" "$scratch/pipe"
started_capturing
capture=$pid said=$err
in_left ping -qc 20 -i 0.01 -W 20 10.99.0.2 > /dev/null
check "the first name is enough: its reader ends" ended "$reader" 20
in_left ping -qc 20 -i 0.01 -W 20 10.99.0.2 > /dev/null
check "the first name is enough: the capture ends well" stop "$capture" INT
check "the first name is enough: nothing is said of the others" fails grep 'Broken pipe' "$said"
check "the first name is enough: there are more" test "$(find "$scratch/first" -type f | wc -l)" -ge 4

# A reader that was only stopped gets all.
start sh -c 'exec cat "$0" > "$1"' "$scratch/stuck" "$scratch/late.pcapng"
reader=$pid
start sh -c 'exec ip netns exec "$0" "$1" -i vb -w - > "$2"' "$right" "$xdpdump" "$scratch/stuck"
started_capturing
capture=$pid said=$err
kill -STOP "$reader"
in_left ping -qfc 2000 -s 1000 -w 10 10.99.0.2 > /dev/null
kill -INT "$capture"
check "a reader that was stopped: told" wait_for 20 not_read "$said"
kill -CONT "$reader"
check "a reader that was stopped: it ends well" ended "$capture" 20
ended "$reader" 20
equal "a reader that was stopped: packets" "$(count captured "$said")" "$(packets "$scratch/late.pcapng")"
check "a reader that was stopped: it has many" test "$(count captured "$said")" -ge 1000

# Both signals at once, when nothing is being written and nobody reads what fills the pipe: its last
# words have no room.
start sh -c 'exec sleep 60 < "$0"' "$scratch/pipe"
reader=$pid
start sh -c 'exec ip netns exec "$0" "$1" -i vb -w - > "$2"' "$right" "$xdpdump" "$scratch/pipe"
started_capturing
capture=$pid said=$err
settle "$capture"
dd if=/dev/zero of="$scratch/pipe" oflag=nonblock bs=1 count=200000 2> "$scratch/filled"
kill -STOP "$capture"
kill -INT "$capture"
kill -TERM "$capture"
kill -CONT "$capture"
ended "$capture" 5
equal "status after both at once" 1 $?
check "both at once: the reason" grep -q 'given up at the second signal' "$said"
stop "$reader" TERM

# A named pipe that nobody opens: a signal ends the wait.
mkfifo "$scratch/unopened"
start ip netns exec "$right" env --default-signal=INT "$xdpdump" -i vb -w "$scratch/unopened"
capture=$pid said=$err
wait_for 20 fails no_xdp_program "$right" vb
settle "$capture"
check "nobody opens the pipe: it waits" fails process_gone "$capture"
kill -INT "$capture"
ended "$capture" 10
equal "nobody opens the pipe: status" 1 $?
check "nobody opens the pipe: the reason" grep -q 'a signal ended the capture before anybody read it$' "$said"
finish
