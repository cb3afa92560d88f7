#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016,SC2010 # commands in quotes are for inner shells; names are ours
# Compressed files: others read them, in full, and up to the last frame when they were cut off.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need zstd tcpdump bash
"$xdpdump" --zstd -h > /dev/null 2>&1 || skip_all "built without libzstd"
veth_pair
packed=$scratch/f.pcapng.zst
plain=$scratch/f.pcapng

# unpack FILE: into $plain; what there is of one that was cut off.
unpack()
{
	zstd -q -d -c "$1" > "$plain" 2> "$scratch/unpacked"
}

delivered()
{
	"$capcheck" --cut-is-fine "$plain" | tr ',' '\n' | sed -n 's/"delivered":\([0-9]*\)/\1/p'
}

# last_bytes N FILE: the last N bytes, as hexadecimal digits.
last_bytes()
{
	tail -c "$1" "$2" | od -An -v -tx1 | tr -d ' \n'
}

# frames FILE: as the seek table tells them; the sum of their sizes, and of the table's, in $sizes.
frames()
{
	set -- "$1" "$(last_bytes 9 "$1")"
	count_le=$(printf %d "0x$(echo "$2" | sed 's/^\(..\)\(..\)\(..\)\(..\).*/\4\3\2\1/')")
	tail -c $((count_le * 8 + 17)) "$1" | od -An -v -w4 -tu4 | awk -v n="$count_le" '
		NR == 1 && $1 != 407710302 { print "magic"; exit }
		NR == 2 && $1 != n * 8 + 9 { print "size"; exit }
		NR > 2 && NR <= 2 + 2 * n { if (NR % 2) packed += $1; else plain += $1 }
		END { print n, packed + 8 * n + 17, plain }'
}

# everything NAME OPTION: compressed, all is there, for zstd too.
everything()
{
	start_xdpdump "$2" -w "$packed"
	capture=$pid said=$err
	send -n 30000 -r 100000 -s mix
	check "$1: it ends well" stop "$capture" INT
	check "$1: zstd has no complaint" zstd -q -t "$packed"
	unpack "$packed"
	check "$1: every frame once" accounted "$plain" --dropped 0
	equal "$1: packets said, and in the file" "$(count captured "$said")" "$(delivered)"
	check "$1: it is smaller" [ "$(($(wc -c < "$packed") * 3))" -lt "$(wc -c < "$plain")" ]
}

everything seekable --zstd=3,seekable
equal "ends with the table" "00b1ea928f" "$(last_bytes 5 "$packed")"
sizes=$(frames "$packed")
equal "the table's sizes" "$(wc -c < "$packed") $(wc -c < "$plain")" "${sizes#* }"
check "there are several frames" [ "${sizes%% *}" -gt 2 ]

everything --zstd --zstd
if tshark --version 2> /dev/null | grep -q Zstandard; then
	equal "packets for tshark" 30000 "$(tshark -r "$packed" -T fields -e frame.number 2> /dev/null | wc -l)"
	equal "packets for tshark, in two passes" 30000 \
		"$(tshark -2 -r "$packed" -T fields -e frame.number 2> /dev/null | wc -l)"
	check "packets for capinfos" sh -c 'capinfos -cM "$0" | grep -q "30000$"' "$packed"
else
	skip "tshark reads no Zstandard here"
fi

# What is gathered comes within a second, or when it is asked for.
start_xdpdump --zstd=19 -w "$packed"
capture=$pid
there()
{
	unpack "$packed"
	[ "$(packets "$plain")" = "$1" ]
}
send -n 10 -r 1000
check "after a second all is in the file" wait_for 5 there 10
send -n 10 -r 1000
kill -USR2 "$capture"
check "SIGUSR2: at once" wait_for 1 there 20
check "level 19 ends well" stop "$capture" INT

# Through a pipe, with a count.
start ip netns exec "$right" sh -c '"$0" -i vb --zstd=1 -c 500 -w - | zstd -q -d > "$1"' "$xdpdump" "$plain"
started_capturing
capture=$pid
send -n 1000 -r 20000
check "-c through a pipe ends" ended "$capture" 10
equal "-c: packets" 500 "$(packets "$plain")"

# Rotation: sizes are those before compression.
mkdir "$scratch/files"
start_xdpdump --zstd -C 1 -w "$scratch/files/f"
capture=$pid said=$err
send -n 30000 -r 100000 -s 100
check "-C: it ends well" stop "$capture" INT
equal "-C: names" "f f1 f2 f3 f4" "$(cd "$scratch/files" && echo *)"
for one in "$scratch/files"/*; do
	check "-C: $(basename "$one") is whole" zstd -q -t "$one"
	unpack "$one"
	mv "$plain" "$one"
done
equal "-C: packets said, and in the files" "$(count captured "$said")" "$(packets_in "$scratch/files")"
equal "-C: packets sent" 30000 "$(count captured "$said")"

killed()
{
	start_xdpdump "$1" -w "$packed"
	capture=$pid
	kill_amidst is_longer 200000 "$packed"
	ended "$sender" 20
	unpack "$packed"
	between "$1, killed: packets in the file" 1000 100000 "$(delivered)"
	# Of a single frame that was cut off, zstd leaves out what is in its last buffer.
	[ "$1" != "${1%seekable}" ] || return
	"$capcheck" "$plain" > "$scratch/checked" 2>&1
	equal "$1, killed: the file ends with a whole block" 0 "$(json "$scratch/checked" cut_bytes)"
}

full()
{
	fill_disk "$1, full disk" '-t tmpfs -o size=1m none' "$1"
	check "$1, full disk: nothing is cut off" zstd -q -t "$disk/f"
	unpack "$disk/f"
	mv "$plain" "$disk/f"
	whole_files "$1, full disk" "$disk"
}

# A medium that fails, from the ninth write on: what was written before is a whole file.
fails_in_the_middle()
{
	start ip netns exec "$right" strace -f -qq -o /dev/null -e trace=pwritev -e inject=pwritev:error=EIO:when=9+ \
		"$xdpdump" -i vb "$1" -w "$packed"
	started_capturing
	capture=$pid said=$err
	start in_left "$trafgen" -i va -n 200000 -r 20000 -s mix
	sender=$pid
	ended "$capture" 40
	equal "$1, EIO: status" 1 $?
	check "$1, EIO: the reason" grep -q '^xdpdump: .*/f.pcapng.zst: Input/output error$' "$said"
	check "$1, EIO: zstd reads it up to its end" zstd -q -t "$packed"
	unpack "$packed"
	equal "$1, EIO: packets said, and in the file" "$(count captured "$said")" "$(packets "$plain")"
	between "$1, EIO: packets" 1 199999 "$(count captured "$said")"
	stop "$sender" KILL
}

if command -v strace > /dev/null && strace -qq -o /dev/null true 2> /dev/null; then
	fails_in_the_middle --zstd=1
	fails_in_the_middle --zstd=1,seekable
else
	skip "a medium that fails: needs strace, and leave to trace"
fi

for option in --zstd=1 --zstd=1,seekable; do
	killed "$option"
	full "$option"
done

# Nobody empties the pipe, which frames that cannot be compressed fill to the last byte: the second signal
# ends it. To an address that is not there, so that nothing comes back.
ip -n "$left" neigh replace 10.99.0.9 lladdr 02:74:67:00:00:02 dev va
mkfifo "$scratch/fifo"
sh -c 'exec sleep 60 < "$0"' "$scratch/fifo" &
started="$started $!"
start_xdpdump --zstd=1 -w "$scratch/fifo"
capture=$pid said=$err
check "frames are sent" in_left bash -c \
	'dd if=/dev/urandom bs=1400 count=3000 status=none > /dev/udp/10.99.0.9/9'
settle "$capture"
kill -INT "$capture"
sleep 0.5
kill -TERM "$capture"
ended "$capture" 5
equal "stuck pipe: status" 1 $?
check "stuck pipe: the reason" grep -q 'given up at the second signal' "$said"
check "no XDP program is left" wait_for 5 no_xdp_program "$right" vb
finish
