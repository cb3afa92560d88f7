#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcapng-find beside captures: each file of a ring has its index when its command has ended, and none outlives its
# file; while xdpdump writes, and after it was killed at any moment, all that tcpdump -r reads is found.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need_testprog trafgen
need tcpdump
find=$build/find/pcapng-find
PATH=$build/find:$PATH
veth_pair
folder=$scratch/files

indexes()
{
	(cd "$folder" && ls) | sed -n 's/\.idx$//p'
}

files()
{
	(cd "$folder" && ls) | grep -v '\.idx$'
}

# found OPTION...: packets
found()
{
	"$find" -q -c "$@" | sed 's/ packets.*//'
}

# What tcpdump reads of a file that is cut, up to where it is.
readable()
{
	total=0
	for file in "$folder"/*; do
		[ "${file%.idx}" = "$file" ] || continue
		total=$((total + $(tcpdump -nnr "$file" 2> /dev/null | wc -l)))
	done
	echo "$total"
}

mkdir "$folder"
start_xdpdump -C 300K -W 3 -w "$folder/f" -z 'pcapng-find -q --index'
capture=$pid said=$err
send -n 20000 -r 100000 -s 100
check "a capture whose files get indexes ends well" stop "$capture" INT
files > "$scratch/files.list"
indexes > "$scratch/indexes.list"
check "each file that is kept has one, and none is left of those that are not" cmp "$scratch/files.list" "$scratch/indexes.list"
equal "by them each file is found" "$(readable)" "$(found "$folder")"
equal "an address that nobody had: files that would be read" '' "$("$find" --list host 10.9.9.9 "$folder")"

misses=0
kills=0
while [ "$kills" -lt "$FIND_KILLS" ]; do
	kills=$((kills + 1))
	rm -rf "$folder"
	mkdir "$folder"
	start_xdpdump -C 300K -w "$folder/f" -z 'pcapng-find -q --index'
	capture=$pid
	in_left "$trafgen" -i va -n $((kills * 3000)) -r 100000 -s 100 > "$scratch/sent" 2> "$scratch/sent.err"
	stop "$capture" KILL
	wait_for 10 sh -c "! ls '$folder' | grep -q 'idx.part$'"
	there=$(readable)
	got=$(found "$folder")
	[ "$there" = "$got" ] || { misses=$((misses + 1)); echo "after $kills: $there can be read, $got were found"; }
done
equal "captures that were killed, of which packets were missed" 0 "$misses"
finish
