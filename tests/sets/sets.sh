#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# hosts=FILE and its like: exactly the frames of the addresses in the file, at each hook; all that a file may have, and
# one clear sentence for what it may not.
# shellcheck source=tests/sets/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library

oracle oracle "$SETS_SINGLES" "$SETS_PREFIXES" "$SETS_FRAMES" "$scratch"
if [ "$SETS_EXCHANGED" -gt 0 ]; then
	for hook in xdp tc packet; do
		check "$SETS_EXCHANGED frames at $hook, and none is wrong" \
			"$build/tests/sets/oracle" "$SETS_SINGLES" "$SETS_PREFIXES" "$SETS_EXCHANGED" "$scratch" "vb,hook=$hook"
	done
fi

veth_pair
list=$scratch/list option=--hosts
# As many as there can be with their lines; sanitizers take memory and time beside, and see as much of fewer.
most=1990000
! is_sanitized || most=20000

# refuses WORDS: xdpdump does not begin with this list, and says so.
refuses()
{
	refuses_options "$1" "$option" "${2-$list}"
}

refuses_ports()
{
	option=--ports
	refuses "$1"
	option=--hosts
}

# starts WHAT ARGUMENT...: xdpdump captures with these, which is WHAT. Where a program is verified fastest.
starts()
{
	what=$1
	shift
	start_capture "$build/xdpdump/xdpdump" -i vb --hook packet "$@"
	if wait_for 60 grep -q 'listening on' "$err"; then
		ok "taken: $what"
	else
		bad "taken: $what"
		show "$err"
	fi
	stop "$pid"
}

# line TEXT: of the list, behind one that is right.
line()
{
	printf '192.0.2.1\n%b\n' "$1" > "$list"
}

line '10.0.0.1/8' && refuses 'line 2: 10.0.0.1/8: the address has bits behind its first 8'
line '10.0.0.0/33' && refuses 'line 2: 10.0.0.0/33: give a length from 0 to 32'
line '2001:db8::/129' && refuses 'give a length from 0 to 128'
line '10.0.0.9-10.0.0.1' && refuses 'the first address is above the last'
line '10.0.0.1-2001:db8::' && refuses 'line 2: 10.0.0.1-2001:db8::: give an address'
line '10.0.0.256' && refuses 'line 2: 10.0.0.256: give an address'
line '010.0.0.1' && refuses 'line 2: 010.0.0.1: give an address'
line 'fe80::1%eth0' && refuses 'frames have no scope'
line 'www.example.com' && refuses 'line 2: www.example.com: give an address'
line '0.0.0.0 ads.example.com' && refuses 'names are not looked up'
line '192.0.2.0 192.0.2.255 24' && refuses 'one address, prefix or range to a line'
line '192.0.2.1 dhcp 192.0.2.100-192.0.2.200' && refuses 'line 2: 192.0.2.100-192.0.2.200: one address, prefix or range to a line'
line '2001:db8::1 fd00::1' && refuses 'line 2: fd00::1: one address, prefix or range to a line'
line '2001:db8::1 name fd00::/8' && refuses 'line 2: fd00::/8: one address, prefix or range to a line'
line '192.0.2.77 comment "x, 192.0.2.78' && refuses 'line 2: a " has no other one behind it'
line 'set b { type ipv4_addr; elements = { 192.0.2.1 } }' && refuses 'line 2: begin a new line behind each {'
line '} 192.0.2.2' && refuses 'line 2: begin a new line behind each }'
line 'elements = { 192.0.2.1 }, 192.0.2.2' && refuses 'line 2: begin a new line behind each }'
line 'type ipv4_addr; elements = { 192.0.2.1 }' && refuses 'line 2: begin a new line behind each {'
line 'add s 10.0.0.0/8 nomatch' && refuses 'exceptions are for a file of their own'
line 'add s 10.0.0.1,tcp:80' && refuses 'line 2: tcp:80: give an address'
printf '1\0009\0002\000.\000' > "$list" && refuses 'line 1: this is no text, or one in UTF-16'
head -c 300 /dev/zero | tr '\0' 9 > "$list" && refuses 'line 1: 99999'
truncate -s 10G "$list" && refuses 'has 10240 MiB, and 256 MiB are the most'
rm "$list"
refuses 'No such file'
refuses 'is not a regular file' /dev/zero
refuses 'is not a regular file' "$scratch"
mkfifo "$scratch/fifo"
{ : > "$scratch/fifo" && : > "$scratch/opened"; } &
writer=$!
refuses 'is not a regular file' "$scratch/fifo"
check "and it was not opened: who writes there waits for a reader still" test ! -e "$scratch/opened"
kill "$writer"
refuses 'filesystems changed while it was read' /proc/filesystems # it has more bytes than it says
printf '53\n65536\n' > "$list" && refuses_ports 'line 2: 65536: give ports from 0 to 65535'
printf 'icmp/8\n' > "$list" && refuses_ports 'line 1: icmp/8: give ports'
printf '90-80' > "$list" && refuses_ports 'line 1: 90-80: give ports'
head -c 300 /dev/zero | tr '\0' 9 > "$list" && refuses_ports 'line 1: 99999'
if ! is_sanitized; then
	awk 'BEGIN { for (i = 0; i < 900000; i++) printf "10.%d.%d.%d/31\n", i / 32768, i / 128 % 256, i % 128 * 2 }' > "$list"
	refuses 'the first 0 addresses and 75' # and the file is read no further
fi
line 192.0.2.2
refuses_options 'room for 2097152 addresses and their lines takes 2' --hosts "$list" --set-max 2097152 --entries
refuses_options 'MiB, and 200 MiB are the most: give a smaller --set-max' --hosts "$list" --set-max 2097152 --entries
in_right timeout 120 "$build/xdpdump/xdpdump" -i vb --hosts "$list" --engine divert --rest drop -c 1 > "$scratch/said" 2>&1
check "refused with rest=drop" grep -q 'knows nothing of files of addresses or ports' "$scratch/said"
in_right timeout 120 "$build/xdpdump/xdpdump" -i vb --hosts "$list" --engine divert --sock-fds 3 -c 1 \
	3< /dev/null > "$scratch/said" 2>&1
check "refused with sock-fds=" grep -q 'ports and their like do not go with' "$scratch/said"

starts "$most addresses at most, with their lines" --hosts "$list" --set-max "$most" --entries
printf '\357\273\277%300s\r\n' 53,54 > "$list" && starts "a long line of ports, behind a byte order mark" --ports "$list"
awk -v count=$((most / 8)) 'BEGIN { for (i = 0; i < count; i++) print "0-65535" }' > "$list"
starts "all ports, many times" --ports "$list"
seq -f '10.%g.0.0/16' 32 > "$list"
seq -f '10.%g.7.0/24' 32 > "$scratch/inner"
starts "prefixes of one file inside those of another" --hosts "$list" --dst-hosts "$scratch/inner"
printf '%s\n' ::/64 ffff:ffff:ffff:ffff::/64 ffff:ffff:ffff:fff0::-ffff:ffff:ffff:ffff:: 0.0.0.0/31 255.255.255.0/24 > "$list"
starts "prefixes at either end of all addresses" --hosts "$list"
# Of a hash that only multiplies the first half these would share few places, whatever its seed.
awk 'BEGIN { for (i = 0; i < 128; i++) for (j = 0; j < 128; j++)
	printf "%x:db8::%x:0:%x:0\n", i * 512 + 1, j * 512, j * 512 }' > "$list"
starts "addresses that were made to share places" --hosts "$list"

# A filter that uses all of its stack: there is enough for both.
start_capture "$build/xdpdump/xdpdump" -i vb -vv --hook xdp --hosts "$list" \
	'ip[((ip[12:1] & 0xf0) >> 2) + (ip[13:1] & 3) + (ip[14:1] & 7):4] + (ip[8:2] & ip[2:1]) = 0x47455420'
wait_for 60 grep -q 'listening on' "$err"
check "with a large filter, too, it is in the kernel" grep -q 'filter: in the kernel' "$err"
stop "$pid"

# A program with set-user-id opens for its user what that user may read, by a path that is open to him.
mkdir -m 700 "$scratch/shut" && echo 192.0.2.1 > "$scratch/shut/list" && chmod 644 "$scratch/shut/list"
chmod 755 "$scratch" && cp "$build/xdpdump/xdpdump" "$scratch/suid" && chmod 4755 "$scratch/suid"
in_right timeout 120 setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/suid" -i vb \
	--hosts "$scratch/shut/list" -c 1 > "$scratch/said" 2>&1
check "with set-user-id a folder that is shut to the user stays shut" \
	grep -q 'cannot open .*shut/list: Permission denied' "$scratch/said"

# What block lists look like: each has the address, and not the one behind it.
cat > "$scratch/plain" << 'END'
# a comment
; another
192.0.2.77	; SBL1
END
printf '\357\273\277192.0.2.77\r\n192.0.2.77\r\n' > "$scratch/dos"
cat > "$scratch/hosts" << 'END'
127.0.0.1 localhost
::1 localhost ip6-localhost
192.0.2.77 bad.example.com bad
192.0.2.90 "bad, 0.0.0.0/0, too"
END
cat > "$scratch/ipset" << 'END'
create bad hash:net family inet hashsize 1024 maxelem 65536
add bad 198.51.100.0/24
add bad 192.0.2.77 timeout 300 packets 0 bytes 0 comment "a # word; {a, b}"
add bad 192.0.2.77 comment "x, 0.0.0.0/0 y"
END
cat > "$scratch/nft" << 'END'
table inet filter {
	set bad {
		type ipv4_addr
		flags interval,timeout
		auto-merge
		elements = { 198.51.100.0/24 timeout 1h expires 2m,
			     192.0.2.70-192.0.2.77, 203.0.113.1 comment "a }, 0.0.0.0/0" }
	}
}
END
echo '192.0.2.0/26, 192.0.2.76/31' > "$scratch/commas"
echo '::ffff:192.0.2.77' > "$scratch/mapped"

cat > "$scratch/send.py" << 'END'
import socket, struct, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("va", 0))
for last in sys.argv[1:]:
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28, 0, 0, 64, 17, 0, bytes((198, 18, 0, 1)), bytes((192, 0, 2, int(last))))
    s.send(b"\2\0\0\0\0\2\2\0\0\0\0\1\x08\0" + ip + struct.pack("!HHHH", 9, 9, 8, 0) + bytes(18))
END
# shellcheck disable=SC2317 # these are called by wait_for
# sees LAST [OTHER]: frames to these addresses are sent until one to the first is there.
sees()
{
	# shellcheck disable=SC2086 # one word or none
	in_left python3 "$scratch/send.py" ${2-} "$1"
	grep -q "> 192.0.2.$1.9: " "$out"
}
told()
{
	[ "$(grep -c -- "$1" "$err")" -ge "$2" ]
}
# renamed TEXT: into place.
renamed()
{
	printf '%b\n' "$1" > "$list.new" && mv "$list.new" "$list"
}

if command -v tcpdump > /dev/null && command -v python3 > /dev/null; then
	line '192.0.2.2 \033[31m'
	with_library timeout 120 tcpdump -i "xdp:vb,hosts=$list" -c 1 > "$scratch/said" 2>&1
	check "no byte of the file comes to the terminal as it is" \
		sh -c 'grep -q "line 2: " "$1" && ! grep -q "$(printf "\033")" "$1"' sh "$scratch/said"
	# By one tcpdump, which has dropped its privileges; each kind has an address of its own in place of 77.
	line 192.0.2.99
	start_capture tcpdump -i "xdp:vb,hook=packet,hosts=$list,dst-hosts=$list" -n -l -Z nobody udp
	wait_for 60 grep -q 'listening on' "$err"
	n=101
	for kind in plain dos hosts ipset nft commas mapped; do
		sed -e "s/192\.0\.2\.77/192.0.2.$n/" -e "s/192\.0\.2\.76/192.0.2.$((n - 1))/" \
			-e "s/192\.0\.2\.70/192.0.2.$((n - 7))/" "$scratch/$kind" > "$list.new"
		mv "$list.new" "$list"
		check "tcpdump sees what the file lists: $kind" wait_for 60 sees "$n" $((n + 1))
		n=$((n + 20))
	done
	stop "$pid"
	equal "and nothing of what is beside it" 0 "$(grep -c '> 192\.0\.2\.[0-9]*2\.9: ' "$out")"
else
	skip "files of all kinds: needs tcpdump and python3"
fi

# All addresses of one kind: those of IPv4 are none of ::/0. Frames of IPv4, of IPv6 and of neither, by their lengths.
cat > "$scratch/kinds.py" << 'END'
import socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("va", 0))
link = b"\2\0\0\0\0\2\2\0\0\0\0\1"
s.send(link + b"\x08\0" + bytes.fromhex("45000014000000004011000000000000ffffffff") + bytes(70 - 34))
s.send(link + b"\x86\xdd" + bytes.fromhex("6000000000003b40") + bytes(16) + b"\xff" * 16 + bytes(80 - 54))
s.send(link + b"\x88\xb5" + bytes(90 - 14))
END
# kinds OPTION PREFIX LENGTHS: which of them come.
kinds()
{
	echo "$2" > "$scratch/all"
	start_capture "$build/xdpdump/xdpdump" -i vb --hook packet "$1" "$scratch/all" --json
	wait_for 60 grep -q 'listening on' "$err"
	in_left python3 "$scratch/kinds.py"
	all_read "$pid"
	equal "$1 with $2" "$3" "$(sed -n 's/.*"length":\([0-9]*\).*/\1/p' "$out" | sort -n | tr '\n' ' ')"
}
if command -v python3 > /dev/null; then
	for option in --hosts --src-hosts; do
		kinds "$option" 0.0.0.0/0 '70 '
		kinds "$option" ::/0 '80 '
	done
	kinds --not-hosts 0.0.0.0/0 '80 90 '
	kinds --not-hosts ::/0 '70 90 '
fi

# By which lines: of an address that stands alone before that of a prefix, and of prefixes of the one that begins first;
# each option has its own, also where it shares an address or a part of a prefix with another.
if command -v python3 > /dev/null; then
	printf '# a list\n192.0.0.0/16\n192.0.2.0/24\n192.0.2.5,192.0.2.5\n\n198.18.0.1\n' > "$list"
	printf '192.0.2.5 # too\n192.0.2.4/31\n192.0.2.4/30\n192.0.2.6\n' > "$scratch/destinations"
	printf '53\n1-100\nudp/9\n' > "$scratch/listed-ports"
	cat > "$scratch/comments.py" << 'END'
import struct, sys
data, at, comments = open(sys.argv[1], "rb").read(), 0, set()
while at < len(data):
    kind, length = struct.unpack_from("<II", data, at)
    option = at + 28 + (struct.unpack_from("<I", data, at + 20)[0] + 3 & ~3)
    codes = []
    while kind == 6 and (not codes or codes[-1]):
        code, n = struct.unpack_from("<HH", data, option)
        option += 4 + (n + 3 & ~3)
        codes.append(code)
    if kind == 6 and (option + 4 != at + length or {0x80fd, 0x80fe} & set(codes)):
        sys.exit("a record is not whole, or as the kernel wrote it: %r" % codes)
    if kind == 6:
        comments.add(codes.count(1))
    at += length
print(*sorted(comments))
END
	# A process of this side has the packets, because those of nobody have no comment.
	for last in 4 5 6 7 8; do
		in_right ip address add "192.0.2.$last/32" dev vb
	done
	ip netns exec "$right" python3 -c 'import signal, socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("", 9))
print("bound", flush=True)
signal.pause()' > "$scratch/bound" &
	holder=$!
	wait_for 60 grep -q bound "$scratch/bound"
	for hook in xdp tc packet; do
		who='' comments=1
		# In a pid namespace of its own --who is refused; the number is that of the first one.
		[ "$hook" = xdp ] && kernel_since 6 3 && [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] &&
			who=--who comments=2
		# shellcheck disable=SC2086 # one word or none
		start_capture "$build/xdpdump/xdpdump" -i vb --hook "$hook" --hosts "$list" --src-ports "$scratch/listed-ports" \
			--dst-hosts "$scratch/destinations" --entries $who --json -w "$scratch/entries.pcapng" --print
		wait_for 60 grep -q 'listening on' "$err"
		in_left python3 "$scratch/send.py" 4 5 6 7 8
		wait_for 60 grep -q '"dst":"192.0.2.7"' "$out"
		equal "each packet names its lines: $hook" \
			'["hosts:6","hosts:2","dst-hosts:3","src-ports:2"] ["hosts:6","hosts:4","dst-hosts:1","src-ports:2"] ["hosts:6","hosts:2","dst-hosts:4","src-ports:2"] ["hosts:6","hosts:2","dst-hosts:3","src-ports:2"]' \
			"$(sed -n 's/.*"entries":\([^]]*]\).*/\1/p' "$out" | tr '\n' ' ' | sed 's/ $//')"
		stop "$pid"
		equal "so do those in a file: $hook" 1 "$(grep -a -c 'hosts:6 hosts:4 dst-hosts:1 src-ports:2' "$scratch/entries.pcapng")"
		equal "by a comment of each, whole, and one of its process: $hook $who" "$comments" \
			"$(python3 "$scratch/comments.py" "$scratch/entries.pcapng")"
	done
	stop "$holder" TERM
	for last in 4 5 6 7 8; do
		in_right ip address del "192.0.2.$last/32" dev vb
	done
	in_right timeout 120 "$build/xdpdump/xdpdump" -i vb --not-hosts "$list" --entries -c 1 > "$scratch/said" 2>&1
	check "--entries wants a file that frames are in" grep -q -- '--entries names lines of --hosts' "$scratch/said"
	in_right timeout 120 "$build/xdpdump/xdpdump" -i vb --hosts "$list" --engine divert --zero-copy off --entries -c 1 > "$scratch/said" 2>&1
	check "and does not go with sockets" grep -q 'in which there is no room for entries' "$scratch/said"
fi

# A folder that may be passed, but not be watched, by who has no privilege.
mkdir -m 711 "$scratch/shut-list" && : > "$scratch/shut-list/none" && chown 65534 "$scratch/shut-list"
: > "$list"
: > "$scratch/no-ports"
start_capture "$build/xdpdump/xdpdump" -i vb --hook packet --hosts "$list" \
	--not-hosts "$scratch/shut-list/none" --ports "$scratch/no-ports"
wait_for 60 grep -q 'listening on' "$err"
check "of an empty file it is said that nothing matches" grep -q 'list has no addresses' "$err"
check "and of each other one" grep -q 'none has no addresses.*no-ports has no ports' "$err"
check "and what else there is to say of them, too" \
	wait_for 60 told 'nobody sees when .*shut-list/none changes: Permission denied: ' 1
stop "$pid"

# reloader: the process that reads files again.
reloader()
{
	for process in $(loaders); do
		readlink "/proc/$process/fd/"* | grep -q inotify && echo "$process"
	done
}

bytes_read()
{
	sed -n 's/^rchar: //p' "/proc/$reloader/io"
}
# shellcheck disable=SC2317 # called by wait_for
has_read()
{
	[ "$(bytes_read)" -ge "$1" ]
}

# A file that has a quarter more: behind 262,144 addresses there are twice as many bits in front for each.
if ! is_sanitized && command -v python3 > /dev/null; then
	# numbered COUNT: so many addresses of 10.0.0.0/8.
	numbered()
	{
		awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++) printf "10.%d.%d.%d\n", i / 65536, i / 256 % 256, i % 256 }'
	}
	numbered 262144 > "$list"
	start_capture "$build/xdpdump/xdpdump" -i vb --hook packet --hosts "$list" -l -n
	wait_for 60 grep -q 'listening on' "$err"
	{
		numbered 327679
		echo 192.0.2.30
	} > "$list.new" && mv "$list.new" "$list"
	check "there is room for a quarter more than the file has" wait_for 60 sees 30
	stop "$pid"
fi

# Of a file that is changed while it is used, by root without privileges; a folder of its own.
feed=$scratch/feed list=$scratch/feed/list
if command -v python3 > /dev/null; then
	mkdir "$feed" "$feed/elsewhere"
	echo 192.0.2.10 > "$list"
	# The first interface has no file: SIGHUP is for the other.
	start_capture "$build/xdpdump/xdpdump" -i lo -i "xdp:vb,hook=packet,set-max=4096,hosts=$list" -l -n -Z nobody
	wait_for 60 grep -q 'listening on' "$err"
	check "before: the first file counts" wait_for 60 sees 10
	reloader=$(reloader)
	equal "who reads it again has no capability" 0000000000000000 \
		"$(sed -n 's/^CapEff:[^0-9]*//p' "/proc/$reloader/status")"
	equal "and a seccomp filter" 2 "$(sed -n 's/^Seccomp:[^0-9]*//p' "/proc/$reloader/status")"
	equal "and no folder of the application" "$(readlink "/proc/$reloader/root")" "$(readlink "/proc/$reloader/cwd")"
	renamed 192.0.2.11
	check "a file that is renamed into place is read again" wait_for 60 sees 11
	renamed '192.0.2.12\nsecret'
	check "a broken one is told" wait_for 60 told 'the old addresses and ports stay: .*list, line 2: mend this line' 1
	equal "and none of its words, which may be of another file" 0 "$(grep -c secret "$err")"
	: > "$out"
	check "and changes nothing" wait_for 60 sees 11 12
	equal "and changes nothing: the new one" 0 "$(grep -c '192.0.2.12' "$out")"
	kill -HUP "$pid"
	check "SIGHUP has it read again" wait_for 60 told 'the old addresses and ports stay: ' 2
	awk 'BEGIN { for (i = 0; i < 60000; i++) printf "10.0.%d.%d\n", i / 256, i % 256 }' > "$list"
	check "more than there is room for is told" \
		wait_for 60 told '60000 addresses and 0 prefixes are more than there was made room for' 1
	echo 192.0.2.13 > "$feed/elsewhere/today"
	ln -s elsewhere/today "$feed/link" && mv "$feed/link" "$list"
	check "a link in its place" wait_for 60 sees 13
	check "and that all is well again is told" \
		wait_for 60 told 'were read again, and nothing is wrong with them any more' 1
	echo 192.0.2.14 > "$feed/elsewhere/today"
	check "what the link leads to, under another name, is written" wait_for 60 sees 14
	: > "$list" # by the link
	check "an empty one is told" wait_for 60 told 'list has no addresses: no frame has one of them' 1
	rm "$list"
	renamed 192.0.2.21
	check "a file in place of the link" wait_for 60 sees 21
	echo 192.0.2.22 > "$list.new" && chown 65534 "$list.new" && chmod 600 "$list.new" && mv "$list.new" "$list"
	check "what nobody may read is told" wait_for 60 told 'the old addresses and ports stay: cannot open .*list: Permission denied' 1
	: > "$out"
	check "and the old ones stay" wait_for 60 sees 21
	mkdir "$feed.new" && echo 192.0.2.23 > "$feed.new/list" && mv "$feed" "$feed.old" && mv "$feed.new" "$feed"
	check "another folder in place of the first" wait_for 60 sees 23
	renamed 192.0.2.24
	check "and what is renamed there" wait_for 60 sees 24
	mv "$feed" "$feed.older"
	check "that it is gone is told" wait_for 60 told 'nobody sees when .*list changes: No such file' 1
	mkdir "$feed.new" && echo 192.0.2.26 > "$feed.new/list" && mv "$feed.new" "$feed"
	check "one that comes later" wait_for 60 sees 26
	renamed 192.0.2.27
	check "and what is renamed there, too" wait_for 60 sees 27
	equal "and only the folder that is there is watched" 1 "$(cat "/proc/$reloader/fdinfo/"* | grep -c '^inotify ')"
	# More changes than the kernel keeps, and among those that are lost the folder's.
	kill -STOP "$reloader"
	before=$(bytes_read)
	python3 - "$feed" "$(cat /proc/sys/fs/inotify/max_queued_events)" << 'END'
import os, sys
folder, most = sys.argv[1], int(sys.argv[2])
for i in range(most + 2): # twice the same in a row is one
    os.close(os.open("%s/of-others-%d" % (folder, i & 1), os.O_WRONLY | os.O_CREAT))
os.rename(folder, folder + ".moved")
os.mkdir(folder)
os.link(folder + ".moved/list", folder + "/list")
END
	kill -CONT "$reloader"
	check "after more changes than the kernel keeps the files are read again" wait_for 60 has_read $((before + 11))
	renamed 192.0.2.25
	check "and what is renamed in the folder that is there" wait_for 60 sees 25
	# Of two things that are said while nobody listens.
	kill -STOP "$pid"
	{
		head -c 9000 /dev/zero | tr '\0' '#'
		printf '\n192.0.2.300\n'
	} > "$list.new"
	before=$(bytes_read) && mv "$list.new" "$list"
	wait_for 60 has_read $((before + 9000))
	before=$(bytes_read) && renamed '192.0.2.301'
	wait_for 60 has_read $((before + 12))
	kill -CONT "$pid"
	check "of two that are broken while nobody listens, the first is told" wait_for 60 told 'list, line 2: mend' 1
	check "and the second" wait_for 60 told 'list, line 1: mend' 1
	rm -r "$feed"
	check "of a folder that is gone it is told" wait_for 60 told 'nobody sees when .*list changes: No such file' 2
	kill -KILL "$reloader"
	check "so is the end of who reads the files" wait_for 60 told 'warning: .*has ended: open the device again' 1
	kill -HUP "$pid"
	check "and who asks hears of it" wait_for 60 told 'the old addresses and ports stay: the process .*has ended' 1
	check "the capture goes on until it is asked to end" stop "$pid"
fi
finish
