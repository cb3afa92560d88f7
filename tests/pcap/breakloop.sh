#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcap_breakloop: the reads return what those of the system's libpcap return on a plain device. But for a handle
# that does not block and has nothing to read: the plain one keeps the break until a packet comes, so that Ctrl-C
# does not end libpcap's own capturetest -n.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library

# Each in a namespace of its own, so all at once. A plain device waits for frames whatever the timeout, which
# is that of the blocks it gets them in; xdp: returns at it.
start "$build/tests/pcap/breakloop" vb 10
plain=$pid lines=$out
devices='xdp:vb,ring=1M xdp:vb,ring=1M,hook=tc'
for device in $devices; do
	# shellcheck disable=SC2046 # one word per variable
	start env $(library_environment) "$build/tests/pcap/breakloop" "$device" 60000
	readers="${readers-} $pid" reports="${reports-} $out"
done

check "the plain device" ended "$plain" 120
check "a break in a callback is told at once" grep -q '^callback, frame 3.*: -2, 3 frames' "$lines"
kept='nothing .*, non-blocking'
check "not blocking, it keeps a break while nothing comes" grep -q "$kept, dispatch(-1): 0, .* -2 " "$lines"
grep -v "$kept" "$lines" > "$scratch/plain"
check "and in all $(wc -l < "$lines") cases no frame is lost" fails grep -v -e ' [27] frames in all$' "$lines"
# shellcheck disable=SC2086 # names without spaces
set -- $readers
for device in $devices; do
	check "$device ends well" ended "$1" 120
	shift
done
# shellcheck disable=SC2086
set -- $reports
for device in $devices; do
	grep -v "$kept" "$1" > "$scratch/ours"
	check "$device: returns what the plain device does" cmp "$scratch/plain" "$scratch/ours"
	diff "$scratch/plain" "$scratch/ours"
	equal "$device: not blocking, breaks at once while nothing comes" \
		"$(grep -c "$kept" "$lines")" "$(grep -c "$kept.*: -2, 0 frames" "$1")"
	shift
done
finish
