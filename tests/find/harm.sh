#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcapng-find where files are damaged, swapped or made to do harm: what is sound is found, what is not is told, memory has
# an end, and nobody learns what he may not read.
# shellcheck source=tests/find/lib.sh
. "$(dirname "$0")/lib.sh"
need python3 gzip zstd tcpdump
make="python3 $top/tests/find/harm.py"

# In a file of 8 MB each other MiB has a packet of 10.0.0.9.
mkdir "$scratch/one"
$make turns "$scratch/one/f.pcap"
gzip -1 "$scratch/one/f.pcap"
check "an index of a compressed file" run 0 --index "$scratch/one"
check "whose MiBs are wanted by turns" run 0 -c host 10.0.0.9 "$scratch/one"
check "all are found" count_is 4
check "and nothing of it is read twice" sh -c "sed -n 's/.*files, \(.*\) of \(.*\) MB$/\1 \2/p' '$err' | awk '{ exit !(\$1 > 0 && \$1 <= \$2) }'"
$make rot "$scratch/one/f.pcap.gz"
cp "$scratch/one/f.pcap.gz" "$scratch/one/g.pcap.gz"
cp "$scratch/one/f.pcap.gz.idx" "$scratch/one/g.pcap.gz.idx"
touch -r "$scratch/one/f.pcap.gz" "$scratch/one/g.pcap.gz"
$make turns "$scratch/one/h.pcap"
check "two that have rotten behind their indexes" run 1 -c host 10.0.0.9 "$scratch/one"
check "are told" said 'f.pcap.gz: what follows byte [0-9]* cannot be read: '
check "both" said 'g.pcap.gz: what follows byte [0-9]* cannot be read: '
check "and the other file is searched" sh -c "[ \$(sed -n 's/ packets.*//p' '$scratch/found') -ge 4 ]"

mkdir "$scratch/first"
$make long "$scratch/first/f.pcap"
zstd -q --long=28 --rm "$scratch/first/f.pcap"
check "a window that is too large is told, also in a folder" run 1 -q -c "$scratch/first"
check "with its reason" said 'f.pcap.zst: what follows byte 0 cannot be read: '
check "and it gets no index" run 1 -q --index "$scratch/first"
check "which is told as well" said 'f.pcap.zst gets no index: it is damaged'

mkdir "$scratch/names"
$make turns "$scratch/names/f.pcap"
cp "$scratch/names/f.pcap" "$scratch/names/g
h.pcap"
check "a name of two lines is not listed" run 1 --list "$scratch/names"
equal "but the other" "$scratch/names/f.pcap" "$(cat "$scratch/found")"
check "which is told" said '1 files are left out of the list: '

mkfifo "$scratch/pipe"
exec 3<> "$scratch/pipe"
start "$find" -c "$scratch/pipe"
wait_for 10 sh -c "ls -l /proc/$pid/fd 2> /dev/null | grep -q '$scratch/pipe' && grep -q '^State:.*S' /proc/$pid/status"
! command -v ionice > /dev/null || equal "meanwhile it is behind all others at the disk" idle "$(ionice -p "$pid")"
kill -INT "$pid"
ended "$pid" 10
exec 3>&-
check "a signal ends the wait for a pipe" grep -q 'it was interrupted: what was found so far is all there is' "$err"

# While it waits for the pipe, the files of a folder become others.
mkdir "$scratch/swapped"
touch "$scratch/swapped/f.pcap" "$scratch/swapped/g.pcap"
exec 3<> "$scratch/pipe"
start "$find" -c "$scratch/pipe" "$scratch/swapped" 3>&-
wait_for 10 sh -c "ls -l /proc/$pid/fd 2> /dev/null | grep -q '$scratch/pipe' && grep -q '^State:.*S' /proc/$pid/status"
rm "$scratch/swapped/f.pcap" "$scratch/swapped/g.pcap"
ln -s "$scratch/names/f.pcap" "$scratch/swapped/f.pcap"
mkfifo "$scratch/swapped/g.pcap"
$make null "$scratch/null.pcap"
cat "$scratch/null.pcap" >&3
exec 3>&-
ended "$pid" 10
check "a file that becomes a link or a pipe is not opened" grep -q '2 files were removed before they could be read' "$err"
check "and nothing of it is read" grep -q ' 10 packets; read 1 of 3 files' "$err"
check "who reads may have had enough" sh -c "{ '$find' -q '$scratch/names' 2> '$err'; echo \$? > '$scratch/status'; } | head -c 100 > '$scratch/head'"
equal "which is no failure" 0 "$(cat "$scratch/status")"
mkdir "$scratch/crowd"
$make crowd "$scratch/crowd/$(printf '%0200d' 0)"
check "also of a list" sh -c "{ '$find' --list '$scratch/crowd' 2> '$err'; echo \$? > '$scratch/status'; } | head -n 1 > '$scratch/head'"
equal "of files" "0 " "$(cat "$scratch/status") $(cat "$err")"
rm -r "$scratch/crowd"
check "a path whose folder is a file" run 1 -c tcp "$scratch/names/f.pcap/f.pcap"
check "is told for what it is" said 'names/f.pcap/f.pcap: Not a directory$'
check "and a name that is too long" run 1 -c tcp "$scratch/names/$(printf '%0300d' 0)"
check "as well" said '0: File name too long$'

# As tcpdump -W does: a file of a ring that is read becomes the newest.
# is_read FILE: it is, beyond its beginning.
is_read()
{
	for fd in "/proc/$pid/fd/"*; do
		[ "$(readlink "$fd")" = "$1" ] && grep -q '^pos:.*[1-9]' "/proc/$pid/fdinfo/${fd##*/}" && return
	done
	return 1
}
mkdir "$scratch/anew"
for how in without with; do
	$make turns "$scratch/anew/f.pcap"
	[ "$how" = without ] || "$find" -q --index "$scratch/anew"
	start "$find" -c --rate 3M "$scratch/anew"
	wait_for 10 is_read "$scratch/anew/f.pcap"
	$make null "$scratch/anew/f.pcap"
	ended "$pid" 10
	equal "a file $how an index that is written anew while it is read is a failure" 1 "$state"
	check "which is told" said 'f.pcap was written anew while it was searched: packets of before are missing'
done

# Numbers of processes are those of a file: in the output, others have them.
mkdir "$scratch/named"
$make alpha "$scratch/named/a.pcapng"
$make beta "$scratch/named/b.pcapng"
$make nameless "$scratch/named/c.pcapng"
check "files with processes and without" run 0 -w "$scratch/out.pcapng" "$scratch/named"
equal "no packet is of one of another file" "alpha beta nobody nobody nobody" \
	"$($make names "$scratch/out.pcapng" | sort | xargs)"

$make secrets "$scratch/secrets.pcapng"
echo mine > "$scratch/mine"
"$find" -c "$scratch/secrets.pcapng" > "$scratch/found" 2> "$err" <> "$scratch/mine"
equal "secrets without end are counted past: status" 0 "$?"
check "with all packets" count_is 18
equal "and nothing is written to standard input" mine "$(cat "$scratch/mine")"
rm "$scratch/secrets.pcapng"

$make simple "$scratch/simple.pcapng"
for expression in 'ether[40] = 0' 'ether[41] = 0' 'ether[42:2] = 0' 'host 10.0.0.2' 'greater 100'; do
	equal "simple packets that were cut: $expression" "$(tcpdump -nr "$scratch/simple.pcapng" "$expression" 2> /dev/null | wc -l)" \
		"$("$find" -q -c "$expression" "$scratch/simple.pcapng" | sed 's/ packets.*//')"
done

mkdir "$scratch/many"
$make processes "$scratch/many/f.pcapng"
zstd -q --rm "$scratch/many/f.pcapng"
check "processes without end" run 1 -c "$scratch/many"
check "have one" said 'f.pcapng.zst: what follows byte [0-9]* cannot be read: its interfaces and processes take more than 64 MiB'

# Who makes up link types gets neither a line for each nor the time to look through them all: ulimit counts CPU time.
$make links "$scratch/links.pcapng"
check "all link types, the last 800,000 times" sh -c "ulimit -t 20; '$find' -c host 10.0.0.1 '$scratch/links.pcapng' > '$scratch/found' 2> '$err'; [ \$? -eq 1 ]"
check "of which some are told" said 'links.pcapng: packets of link type [0-9]* are not searched, because the filter'
check "and how many there are" said ': packets of [0-9]* more link types are not searched$'
between "lines of that" 9 9 "$(grep -c 'link types\? .*are not searched' "$err")"
rm "$scratch/links.pcapng"

mkdir "$scratch/orders"
$make null "$scratch/orders/null.pcap"
check "loopback in the other byte order" run 0 -c ip "$scratch/orders"
check "is found" count_is 10
for kind in nflog usb null; do
	$make $kind "$scratch/orders/$kind.pcap"
	check "$kind in the other byte order is written" run 0 -w "$scratch/turned.pcapng" "$scratch/orders/$kind.pcap"
	equal "$kind: in this one" "$(tcpdump -nvr "$scratch/orders/$kind.pcap" 2> /dev/null | cksum)" \
		"$(tcpdump -nvr "$scratch/turned.pcapng" 2> /dev/null | cksum)"
	filter='link[0:4] = 0x02000000 or link[4:2] = 0x0800 or link[68:4] = 0x60000000'
	check "$kind: whose numbers are compared" run 0 -c "$filter" "$scratch/orders/$kind.pcap"
	check "$kind: as they are written" count_is "$(tcpdump -nr "$scratch/turned.pcapng" "$filter" 2> /dev/null | wc -l)"
done
equal "loopback that was turned is IP for libpcap" 10 "$(tcpdump -nr "$scratch/turned.pcapng" ip 2> /dev/null | wc -l)"
check "they get an index" run 0 --index "$scratch/orders"
check "of which nothing is said" sh -c "! grep -q 'link type' '$err'"

$make dgux "$scratch/dgux.pcap"
check "a version that libpcap reads" run 0 -w "$scratch/out.pcapng" "$scratch/dgux.pcap"
equal "is read as libpcap does" "$(tcpdump -nevr "$scratch/dgux.pcap" 2> /dev/null | cksum)" \
	"$(tcpdump -nevr "$scratch/out.pcapng" 2> /dev/null | cksum)"

$make big "$scratch/big.pcapng"
check "a packet of 300000 bytes" run 0 -w "$scratch/out.pcapng" "$scratch/big.pcapng"
check "is cut, which is told" said '1 packets were cut to 262144 bytes'
check "an output that takes nothing" run 1 -q -w /dev/full "$scratch/one/h.pcap"
check "is told" said '/dev/full: No space left on device$'
check "and not as want of room to sort" sh -c "! grep -q 'room to sort' '$err'"
check "a year that no file has" run 1 -c --until 2600-01-01 "$scratch/big.pcapng"
check "is refused" said 'until 2600-01-01: it has to be a time such as'
check "a day that no month has" run 1 -c --since 2026-11-31 "$scratch/big.pcapng"
check "is refused, too" said 'since 2026-11-31: it has to be a time such as'
check "but not that of a leap year" run 0 -c --since 2024-02-29T23:59:60Z "$scratch/big.pcapng"
check "the last one" run 0 -c --until 2554-01-01 "$scratch/big.pcapng"

if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
	chmod 755 "$scratch"
	mkdir "$scratch/group"
	chgrp 65534 "$scratch/group"
	chmod 2775 "$scratch/group"
	cp "$scratch/big.pcapng" "$scratch/group/f.pcapng"
	chgrp 0 "$scratch/group/f.pcapng"
	chmod 640 "$scratch/group/f.pcapng"
	check "an index in a folder of another group" run 0 --index "$scratch/group"
	equal "is of the file's" "0 640" "$(stat -c '%g %a' "$scratch/group/f.pcapng.idx")"
	rm "$scratch/group/f.pcapng.idx"
	chown 65534 "$scratch/group/f.pcapng"
	check "whose group the owner is not in" setpriv --reuid 65534 --regid 65534 --clear-groups "$find" -q --index "$scratch/group"
	equal "gives it nothing" 600 "$(stat -c %a "$scratch/group/f.pcapng.idx")"
	rm "$scratch/group/f.pcapng.idx"
	chmod 600 "$scratch/group/f.pcapng"
	check "root writes one of somebody's file" run 0 --index "$scratch/group"
	equal "which is the owner's" "65534 600" "$(stat -c '%u %a' "$scratch/group/f.pcapng.idx")"
	rm "$scratch/group/f.pcapng.idx"
	echo 'no capture' > "$scratch/group/README"
	check "what is no capture is nobody's business" \
		setpriv --reuid 65534 --regid 65534 --clear-groups "$find" -q --index "$scratch/group"
	rm "$scratch/group/README" "$scratch/group/f.pcapng.idx"
	chown 0 "$scratch/group/f.pcapng"
	chmod 644 "$scratch/group/f.pcapng"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$find" --index "$scratch/group" 2> "$err"
	equal "an index by another user is a failure" 1 "$?"
	check "it says by whom" said '1 files get no index: run it as root or as their owner'
	check "and is not there" [ ! -e "$scratch/group/f.pcapng.idx" ]
fi

# What was in files that few may read, few may read in what is written.
mkdir "$scratch/private"
cp "$scratch/big.pcapng" "$scratch/private/f.pcapng"
result=$scratch/private.pcapng
for mode in 644 640 600; do
	chmod "$mode" "$scratch/private/f.pcapng"
	(umask 022 && run 0 -q -w "$result" "$scratch/private") || bad "a search of a file of mode $mode"
	equal "what is written of a file of mode $mode" "$mode" "$(stat -c %a "$result")"
done
chmod 666 "$result"
check "a file that was there" run 0 -q -w "$result" "$scratch/private"
equal "is narrowed, too" 600 "$(stat -c %a "$result")"
if [ "$(id -u)" = 0 ]; then
	rm "$result"
	chmod 640 "$scratch/private/f.pcapng"
	chown 0:65534 "$scratch/private/f.pcapng"
	(umask 022 && run 0 -q -w "$result" "$scratch/private") || bad "a search of a file of another group"
	equal "of another group: not for ours" 600 "$(stat -c %a "$result")"
	# A folder where nobody else may make files, and in it a file of somebody else.
	mkdir "$scratch/given"
	: > "$scratch/given/out"
	chown 65534 "$scratch/given/out"
	chmod 600 "$scratch/private/f.pcapng"
	check "into a file of another user: refused" run 1 -q -w "$scratch/given/out" "$scratch/private"
	check "it says what is not searched" said 'f.pcapng is not searched: .*given/out cannot be made as private as it is: '
	check "and no packet of it is there" run 0 -c "$scratch/given/out"
	check "none" count_is 0
	chown 65534 "$scratch/private/f.pcapng"
	check "into one of the owner" run 0 -q -w "$scratch/given/out" "$scratch/private"
	chown 0 "$scratch/private/f.pcapng"
	chmod 644 "$scratch/private/f.pcapng"
	check "of a file that all may read" run 0 -q -w "$scratch/given/out" "$scratch/private"
fi

# Who opens it before it is known how private it has to be keeps it open.
rm -f "$result"
mkfifo "$scratch/fifo"
umask 022
start "$find" -q -w "$result" "$scratch/fifo"
capture=$pid
wait_for 10 [ -e "$result" ]
equal "while it is written, it is the owner's alone" 600 "$(stat -c %a "$result")"
cat "$scratch/big.pcapng" > "$scratch/fifo"
check "the search ends" ended "$capture" 20
equal "then it is as the umask says" 644 "$(stat -c %a "$result")"

# What is found does not fit into memory, and has no place.
$make long_ring "$scratch/long.pcap"
check "a folder to sort in that is not there" run 1 -q -w "$scratch/out.pcapng" --temporary "$scratch/nosuch" "$scratch/long.pcap"
check "is told" said "what was found cannot be sorted in $scratch/nosuch: No such file or directory; give another folder"
rm "$scratch/long.pcap"

if command -v fincore > /dev/null && [ "$(stat -f -c %T "$scratch")" != tmpfs ]; then
	sync "$scratch/big.pcapng"
	cat "$scratch/big.pcapng" > /dev/null
	check "the page cache has a file" [ "$(fincore -n -b -o RES "$scratch/big.pcapng")" -gt 0 ]
	check "which is read once" run 0 -c "$scratch/big.pcapng"
	equal "and given back, to its end" 0 "$(fincore -n -b -o RES "$scratch/big.pcapng" | tr -d ' ')"
	mkdir "$scratch/export"
	$make long_ring "$scratch/export/f.pcap"
	check "a long file gets an index" run 0 --index "$scratch/export"
	check "all of it" run 0 -w "$scratch/export.pcapng" "$scratch/export"
	check "are its packets" said '640 packets; read 1 of 1 files'
	equal "of what was read by an index, and is much, nothing stays in the page cache" 0 \
		"$(fincore -n -b -o RES "$scratch/export/f.pcap" | tr -d ' ')"
	between "of what was written, no more than is on its way to the disk" 0 $((33 << 20)) \
		"$(fincore -n -b -o RES "$scratch/export.pcapng" | tr -d ' ')"
	rm -f "$scratch/export.pcapng"
fi
finish
