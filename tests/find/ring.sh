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

# plain FILE: not compressed
plain()
{
	zstd -dcq "$1" 2> /dev/null || gzip -dcq "$1" 2> /dev/null || lz4 -dcq "$1" 2> /dev/null || cat "$1"
}

# readable [EXPRESSION]: what tcpdump reads of a file that is cut, up to where it is.
readable()
{
	total=0
	for file in "$folder"/*; do
		[ "${file%.idx}" = "$file" ] || continue
		total=$((total + $(plain "$file" | tcpdump -nnr - "$@" 2> /dev/null | wc -l)))
	done
	echo "$total"
}

# ring WORDS OPTION...: of files whose indexes are made as the options say.
ring()
{
	how=$1
	shift
	rm -rf "$folder"
	mkdir "$folder"
	start_xdpdump -C 300K -W 3 -w "$folder/f" "$@"
	capture=$pid said=$err
	send -n 20000 -r 100000 -s 100
	check "$how: the capture ends well" stop "$capture" INT
	files > "$scratch/files.list"
	indexes > "$scratch/indexes.list"
	check "$how: each file that is kept has an index, and none is left of those that are not" \
		cmp "$scratch/files.list" "$scratch/indexes.list"
	equal "$how: each packet is found" "$(readable)" "$(found "$folder")"
	equal "$how: an address that nobody had: files that would be read" 0 "$("$find" --list host 10.9.9.9 "$folder"; echo $?)"
}

# What pcapng-find makes afterwards of the same file is the same.
are_same()
{
	same=0
	for file in $(indexes); do
		cp "$folder/$file.idx" "$scratch/ours"
		rm "$folder/$file.idx"
		"$find" -q --index "$folder/$file" && cmp "$folder/$file.idx" "$scratch/ours" && same=$((same + 1))
	done
	equal "$how: indexes that are those of pcapng-find, of 3" 3 "$same"
}

ring 'by -z' -z 'pcapng-find -q --index'
ring 'by --index' --index
are_same
if command -v zstd > /dev/null && "$xdpdump" --zstd -h > /dev/null 2>&1; then
	ring 'of zstd in one frame, by --index' --index --zstd
	ring 'of zstd, by --index' --index --zstd=seekable
	are_same
else
	skip "indexes of files that xdpdump compresses: needs zstd, here and in the build"
fi
ring 'of a command that takes the file away, by --index' --index -z rm

# What has the name of an index, and is none, is somebody's.
rm -rf "$folder"
mkdir "$folder"
echo 'my list' > "$folder/f1.idx"
cp "$scratch/ours" "$folder/f2.idx"
head -c 200 "$scratch/ours" > "$folder/f2.idx.part"
: > "$folder/f3.idx.part"
start_xdpdump -C 300K -w "$folder/f" -z rm
capture=$pid said=$err
send -n 20000 -r 100000 -s 100
check "a capture whose files are taken away ends well" stop "$capture" INT
equal "indexes go, and what was left of them, and nothing else" f1.idx "$(ls "$folder")"
start_xdpdump --index -C 300K -w "$folder/f"
capture=$pid said=$err
send -n 6000 -r 100000 -s 100
check "a capture beside what has the name of an index fails" fails stop "$capture" INT
equal "which stays" 'my list' "$(cat "$folder/f1.idx")"
check "and is told" grep -q "f1 gets no index: what has its name and .idx or .idx.part is no index: move it elsewhere" "$said"
check "other files have theirs" [ -s "$folder/f2.idx" ]
check "pcapng-find does not take the name either" fails "$find" --index "$folder"
equal "it stays again" 'my list' "$(cat "$folder/f1.idx")"
mv "$folder/f1.idx" "$folder/f1.idx.part"
check "nor that in which an index is made" fails "$find" --index "$folder"
equal "it stays as well" 'my list' "$(cat "$folder/f1.idx.part")"
rm "$folder/f1.idx.part"
ln -s nowhere "$folder/f1.idx"
check "nor that of a link" fails "$find" --index "$folder"
rm "$folder/f1.idx"
head -c 200 "$folder/f2.idx" > "$folder/f1.idx"
check "an index that is cut is replaced" "$find" -q --index "$folder"
check "by one that is whole" [ "$(wc -c < "$folder/f1.idx")" -gt 200 ]

# foreign NAME COMMAND...: a ring of another program's; where NAME ends in "by PROGRAM", that compresses its files.
foreign()
{
	how=$1
	shift
	rm -rf "$folder"
	mkdir "$folder"
	start ip netns exec "$right" "$@"
	capture=$pid said=$err
	wait_for 20 grep -q 'listening on\|^File: ' "$said" || show "$said"
	send -n 20000 -r 100000 -s 100
	stop "$capture" INT
	case $how in
	*' by '*) "${how##* }" -q "$folder"/* && find "$folder" -type f ! -name '*.gz' ! -name '*.zst' ! -name '*.lz4' -delete ;;
	esac
	check "$how: indexes are written" "$find" -q --index "$folder"
	files > "$scratch/files.list"
	indexes > "$scratch/indexes.list"
	check "$how: of each file" cmp "$scratch/files.list" "$scratch/indexes.list"
	check "$how: of several" [ "$(wc -l < "$scratch/files.list")" -gt 1 ]
	equal "$how: each packet is found" "$(readable)" "$(found "$folder")"
	equal "$how: and those of a port" "$(readable udp port 9)" "$(found udp port 9 "$folder")"
	equal "$how: of an address that nobody had no file is read" 0 "$("$find" --list host 10.9.9.9 "$folder"; echo $?)"
}

# trafgen's peer has to poll where no xdpdump does.
in_right ethtool -K vb gro on > "$scratch/ethtool" 2>&1
if command -v dumpcap > /dev/null; then
	foreign 'dumpcap -b' dumpcap -q -i vb -b filesize:500 -b files:4 -w "$folder/d.pcapng"
else
	skip "dumpcap's rings: needs dumpcap"
fi
foreign 'tcpdump -C' tcpdump -Z root -i vb -C 1 -W 4 -w "$folder/c"
if ! is_quick; then
	foreign 'tcpdump -G' tcpdump -Z root -i vb --time-stamp-precision=nano -G 1 -C 1 -w "$folder/g-%s"
	for program in gzip zstd lz4; do
		! command -v "$program" > /dev/null || foreign "tcpdump -C by $program" tcpdump -Z root -i vb -C 1 -W 4 -w "$folder/c"
	done
fi

# Whose files another user's group may read: so is the index.
rm -rf "$folder"
mkdir "$folder"
chmod 755 "$scratch"
chown 65534 "$folder"
old=$(umask)
umask 027
start_xdpdump --index -Z nobody -C 300K -w "$folder/f"
umask "$old"
capture=$pid
send -n 4000 -r 100000 -s 100
check "as another user: the capture ends well" stop "$capture" INT
equal "modes and owners of files and indexes" 1 "$(stat -c '%a %u %g' "$folder"/* | sort -u | wc -l)"
check "there are several" [ "$(indexes | wc -l)" -gt 1 ]

# One file, by a link; its index is where its name is.
rm -rf "$folder"
mkdir "$folder"
ln -s "$scratch/target" "$folder/link"
start_xdpdump --index -w "$folder/link"
capture=$pid
send -n 100 -r 1000 -s 100
check "a file behind a link: the capture ends well" stop "$capture" INT
check "it has an index" [ -s "$folder/link.idx" ]
equal "it is found by that name" 100 "$(found udp port 9 "$folder/link")"
equal "and by no other port" 0 "$(found udp port 10 "$folder/link")"

# What a disk may hold is of files and indexes: of files so short these are a third.
space()
{
	cat "$folder"/* | wc -c
}

rm -rf "$folder"
mkdir "$folder"
start_xdpdump --index -C 10K --disk-limit 200K -w "$folder/f"
capture=$pid said=$err
send -n 6000 -r 10000 -s 100
check "a capture with --disk-limit ends well" stop "$capture" INT
between "bytes of files and indexes" 50000 $((200 * 1024)) "$(space)"
check "files are several" [ "$(indexes | wc -l)" -gt 4 ]
check "others were removed" [ "$(indexes | sed 's/.*f0*//' | sort -n | tail -n 1)" -gt 30 ]

# One file leaves room for its own.
rm -rf "$folder"
mkdir "$folder"
start_xdpdump --index --disk-limit 200K -w "$folder/f"
capture=$pid
send -n 3000 -r 100000 -s 100
check "of one file: it ends by itself" ended "$capture" 10
between "bytes of one file, as far as there is room, and of its index" 150000 $((200 * 1024)) "$(space)"

misses=0
kills=0
while [ "$kills" -lt "$FIND_KILLS" ]; do
	kills=$((kills + 1))
	rm -rf "$folder"
	mkdir "$folder"
	start_xdpdump -C 300K -w "$folder/f" --index
	capture=$pid
	in_left "$trafgen" -i va -n $((kills * 3000)) -r 100000 -s 100 > "$scratch/sent" 2> "$scratch/sent.err"
	stop "$capture" KILL
	there=$(readable)
	got=$(found "$folder")
	[ "$there" = "$got" ] || { misses=$((misses + 1)); echo "after $kills: $there can be read, $got were found"; }
done
equal "captures that were killed, of which packets were missed" 0 "$misses"
finish
