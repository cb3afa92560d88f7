#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016 # commands in quotes are for inner shells
# Targets that cannot take it all: one sentence, status 1, and the file ends with a whole block that
# the statistics count.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need mount tcpdump

veth_pair
file=$scratch/f.pcapng

for filter in '' 'ip6 protochain 17 or udp'; do
	fill_disk "full disk" '-t tmpfs -o size=1m none' ${filter:+"$filter"}
	whole_files "full disk" "$disk"
	between "full disk: bytes used" 900000 1048576 "$(wc -c < "$disk/f")"
done

# On a medium, where long pieces go past the page cache.
mkdir -p "$scratch/small"
if command -v mkfs.ext4 > /dev/null && truncate -s 40M "$scratch/image" && mkfs.ext4 -q "$scratch/image" &&
	in_right sh -c 'mount -o loop "$0" "$1" && umount "$1"' "$scratch/image" "$scratch/small" 2> /dev/null; then
	fill_disk "full medium" "-o loop $scratch/image"
	whole_files "full medium" "$disk"
	between "full medium: bytes used" 20000000 41943040 "$(wc -c < "$disk/f")"
else
	skip "no loop device, for a medium that is full"
fi

run_xdpdump -i vb -w /dev/full
equal "/dev/full: status" 1 "$state"
check "/dev/full: the reason" grep -q '^xdpdump: /dev/full: No space left on device$' "$err"

# One of several files is renamed into place, and a device, or a link to one, would be gone.
mknod "$scratch/device" c 1 7
ln -s /dev/full "$scratch/link"
why="it is no regular file, and files that rotate are renamed into place: name another, or leave out -C, -G and -b"
for options in "-C 100K -w $scratch/device" "-G 1 -w $scratch/device" "-C 100K -w $scratch/link"; do
	# shellcheck disable=SC2086 # words
	run_xdpdump -i vb $options
	equal "rotation, $options: status" 1 "$state"
	check "... the reason" grep -q -e "^xdpdump: $scratch/[a-z]*: $why\$" "$err"
done
run_xdpdump --doctor -i vb -C 100K -w "$scratch/device"
equal "rotation, --doctor: status" 1 "$state"
check "... the reason" sh -c 'tr -s "\n " "  " < "$1" | grep -q "capture bad .*: it is no regular file"' sh "$out"
mknod "$scratch/f1" c 1 7
start_xdpdump -C 100K -W 3 -w "$scratch/f" udp
capture=$pid said=$err
send -n 3000 -r 20000
ended "$capture" 20
equal "rotation to a device: status" 1 $?
check "... the reason" grep -q "^xdpdump: $scratch/f1: $why\$" "$said"
check "... the file before it is whole" "$capcheck" "$scratch/f0"
check "devices and links are there" test -c "$scratch/device" -a -c "$scratch/f1" -a -h "$scratch/link" -a -c /dev/full
rm "$scratch/f0" "$scratch/f1"

# Full in the text output as well.
start sh -c 'exec ip netns exec "$0" "$1" -i vb > /dev/full' "$right" "$xdpdump"
started_capturing
send -n 10 -r 1000
ended "$pid" 5
equal "text: status" 1 $?
check "text: the reason" grep -q '^xdpdump: standard output: No space left on device$' "$err"
equal "text: captured" 0 "$(count captured "$err")"

# None at all: what is opened next must not take its place.
start ip netns exec "$right" sh -c 'exec "$0" -i vb -w - >&-' "$xdpdump"
ended "$pid" 10
equal "no standard output: status" 1 $?
check "no standard output: the reason" grep -q '^xdpdump: standard output: Bad file descriptor$' "$err"

# A limit on the file's size: EFBIG comes with a signal, which is ignored.
start ip netns exec "$right" sh -c 'ulimit -f 100; exec "$@"' sh "$xdpdump" -i vb -w "$file"
started_capturing
capture=$pid said=$err
send -n 5000 -r 100000
ended "$capture" 10
equal "file size limit: status" 1 $?
check "file size limit: the reason" grep -q '^xdpdump: .*: File too large$' "$said"
"$capcheck" "$file" > "$scratch/checked" 2>&1
equal "file size limit: packets said, and in the file" "$(count captured "$said")" \
	"$(json "$scratch/checked" delivered)"

# The main thread writes text, the first blocks of a file, and metrics. With 0 there is no room for the reason.
start ip netns exec "$right" sh -c 'exec > "$0"; ulimit -f 4; exec "$@"' "$scratch/text" "$xdpdump" -i vb
started_capturing
capture=$pid said=$err
send -n 1000 -r 100000
ended "$capture" 10
equal "file size limit, text: status" 1 $?
check "file size limit, text: the reason" grep -q '^xdpdump: standard output: File too large$' "$said"
start ip netns exec "$right" sh -c 'ulimit -f 0; exec "$@"' sh "$xdpdump" -i vb -w "$scratch/none"
ended "$pid" 10
equal "file size limit of 0: status" 1 $?
start ip netns exec "$right" sh -c 'ulimit -f 4; exec "$@"' sh "$xdpdump" -i vb -w /dev/null --metrics "$scratch/m.prom"
started_capturing
check "file size limit, metrics: the capture goes on" wait_for 10 \
	grep -q '^xdpdump: warning: --metrics .*: File too large: the capture goes on$' "$err"
stop "$pid"
equal "file size limit, metrics: status" 0 $?

for option in -D --help --version '-d udp'; do
	# shellcheck disable=SC2086 # option and expression
	"$xdpdump" $option > /dev/full 2> "$scratch/said"
	equal "$option to /dev/full: status" 1 $?
	check "$option to /dev/full: the reason" grep -q 'No space left on device$' "$scratch/said"
done
check "no XDP program is left" no_xdp_program "$right" vb
finish
