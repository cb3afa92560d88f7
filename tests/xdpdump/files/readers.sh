#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Every kind of file that xdpdump and pcapng-find write is read whole by the system's tcpdump, with the system's
# libpcap, and by Wireshark's programs: devices of raw IP beside Ethernet, both directions, drops, any, processes,
# rotated, compressed, by pipes and from --listen. In the long form Scapy and the tcpdump of later releases do, too.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need tcpdump capinfos tshark ping python3 zstd
veth_pair
files=$scratch/files
mkdir "$files"
mkfifo "$scratch/orders"
# Read and written: neither end waits for the other.
exec 3<> "$scratch/orders"
sh -c 'exec "$@" < "$0"' "$scratch/orders" ip netns exec "$right" python3 "$(dirname "$0")/tun_ping.py" 98.0 98.1 \
	> "$scratch/answers" 2>&1 &
peer=$!
started="$started $peer"
wait_for 20 grep -q ready "$scratch/answers" || skip_all "no device of raw IP: $(cat "$scratch/answers")"
orders=0
tun0=$(in_right cat /sys/class/net/tun0/ifindex) vb=$(in_right cat /sys/class/net/vb/ifindex)

answered()
{
	[ "$(grep -c '^done' "$scratch/answers")" -eq "$orders" ]
}

# tun N COUNT [PORT]: echo requests into tunN, and their replies; a datagram to that port, where nobody listens.
tun()
{
	orders=$((orders + 1))
	echo "$@" >&3
	wait_for 20 answered && return
	bad "packets by tun$1"
	show "$scratch/answers"
	finish
}

veth()
{
	in_left ping -qc "$1" -i 0.02 -W 10 10.99.0.2 > "$scratch/sent" 2>&1 || bad "packets by vb"
}

raw()
{
	tun 0 4
}

raws()
{
	tun 0 4
	tun 1 3
}

raw_ethernet()
{
	tun 0 4
	veth 3
}

# file_has NAME PACKETS FILE...: the system's tcpdump reads them all, without a complaint.
file_has()
{
	what=$1 wanted=$2 got=0
	shift 2
	: > "$scratch/complaints"
	for one; do
		got=$((got + $(tcpdump -nn -r "$one" 2> "$scratch/read" | wc -l)))
		grep -v -e '^reading from file' -e '^Warning: interface names might be incorrect' "$scratch/read" >> "$scratch/complaints"
	done
	equal "$what: packets that tcpdump reads" "$wanted" "$got"
	equal "... and its complaints" '' "$(cat "$scratch/complaints")"
}

# begin OPTION...: a capture into the next file; $capture, $said.
begin()
{
	start ip netns exec "$right" "$xdpdump" "$@"
	capture=$pid said=$err printed=$out
	started_capturing "$@"
}

# captures NAME PACKETS TRAFFIC OPTION...: of so many packets, which that function makes, in a file of this name.
captures()
{
	kind=$1 number=$2 traffic=$3
	shift 3
	begin -c "$number" -w "$files/$kind.pcapng" "$@"
	"$traffic"
	check "$kind: it ends" ended "$capture" 20
	file_has "$kind" "$number" "$files/$kind.pcapng"
}

# blocks FILE: its interface blocks, and how many link types they have.
blocks()
{
	capinfos "$1" | sed -n 's/^Number of interfaces in file: //p'
}

is_quick || captures raw-in 4 raw -i tun0 -Q in
is_quick || captures raw-out 4 raw -i tun0 -Q out
captures raw-inout 8 raw -i tun0 -Q inout
equal "raw IP: interface blocks" 1 "$(blocks "$files/raw-inout.pcapng")"
equal "raw IP: directions" '4 x 1 4 x 2' "$(tshark -r "$files/raw-inout.pcapng" -T fields -e frame.packet_flags_direction 2> /dev/null |
	sed 's/^0x0*//' | sort | uniq -c | awk '{ printf "%s%s x %s", n++ ? " " : "", $1, $2 }')"
captures raw-snaplen 8 raw -i tun0 -Q inout -s 40
captures raw-pcap 8 raw -i tun0 -Q inout --use-pcap

if "$xdpdump" --zstd -h > /dev/null 2>&1; then
	begin -i tun0 -Q inout --zstd -c 8 -w "$scratch/raw.zst"
	raw
	check "raw-zstd: it ends" ended "$capture" 20
	zstd -qdc "$scratch/raw.zst" > "$files/raw-zstd.pcapng"
	file_has raw-zstd 8 "$files/raw-zstd.pcapng"
fi

begin -i tun0 -Q inout -b packets:3 -c 8 -w "$files/raw-rotated.pcapng"
raw
check "raw-rotated: it ends" ended "$capture" 20
file_has raw-rotated 8 "$files"/raw-rotated_*.pcapng

begin -i tun0 -Q inout --decode -c 8
raw
check "raw-decode: it ends" ended "$capture" 20
equal "raw-decode: lines" 8 "$(grep -c 'ICMP echo' "$printed")"

start ip netns exec "$right" sh -c '"$0" -i tun0 -Q inout -c 8 -w - | tcpdump -nn -r - > "$1"' "$xdpdump" "$scratch/piped"
capture=$pid
started_capturing
raw
check "raw-pipe: it ends" ended "$capture" 20
equal "raw-pipe: lines" 8 "$(wc -l < "$scratch/piped")"

# Several of raw IP; raw IP beside Ethernet.
captures raws 14 raws -i tun0 -i tun1 -Q inout
is_quick || captures raws-in 7 raws -i tun0 -i tun1 -Q in
captures pattern 14 raws -i 'tun*' -Q inout
captures raw-ethernet 14 raw_ethernet -i tun0 -i vb -Q inout icmp
check "the note" grep -q 'tun0 has raw IP, vb has Ethernet: all packets get a header of LINUX_SLL2' "$said"
file=$files/raw-ethernet.pcapng
equal "cooked: link type" 'Linux cooked-mode capture v2' "$(capinfos -E "$file" | sed -n 's/^File encapsulation: *//p')"
tshark -r "$file" -o ip.check_checksum:TRUE -T fields -e sll.pkttype -e sll.ifindex -e ip.src -e sll.src.eth -e ip.checksum.status \
	2> /dev/null | sort | uniq -c | awk '{ $1 = $1; print }' | sort > "$scratch/cooked"
printf '%s\n' "3 0 $vb 10.99.0.1 02:00:00:00:00:0a 1" "3 4 $vb 10.99.0.2 02:74:67:00:00:02 1" \
	"4 0 $tun0 10.98.0.2 1" "4 4 $tun0 10.98.0.1 1" | sort > "$scratch/wanted"
check "cooked: direction, interface, sender's address, and sound packets" diff "$scratch/wanted" "$scratch/cooked"
captures raw-ethernet-pcap 14 raw_ethernet -i tun0 -i vb -Q inout --use-pcap icmp
captures ethernet-raw-cut 14 raw_ethernet -i vb -i tun0 -Q inout -s 30 icmp
captures any 14 raw_ethernet -i any -Q inout icmp

begin -i vb -i tun0 -Q inout -C 8K -w "$files/cooked-rotated.pcapng" icmp
tun 0 20
veth 20
all_read "$capture"
file_has cooked-rotated 80 "$files"/cooked-rotated.pcapng*
between "cooked-rotated: bytes of the largest" 4000 8192 "$(wc -c "$files"/cooked-rotated.pcapng* | grep -v total | sort -n | awk 'END { print $1 }')"

# With processes; rotated, compressed and with indexes; and what was found in these.
if in_right "$xdpdump" -i tun0 --who -a duration:0.1 > "$scratch/read" 2>&1; then
	captures who 8 raw -i tun0 -Q inout --who
	captures who-cooked 14 raw_ethernet -i tun0 -i vb -Q inout --who icmp
elif lacks_who "$scratch/read"; then
	skip "$(head -n 1 "$scratch/read")"
else
	bad "--who: $(head -n 1 "$scratch/read")"
fi
if "$xdpdump" --zstd -h > /dev/null 2>&1; then
	mkdir "$scratch/indexed"
	begin -i tun0 -Q inout --zstd --index -b packets:3 -c 8 -w "$scratch/indexed/f.zst"
	raw
	check "indexed: it ends" ended "$capture" 20
	equal "indexed: files, and their indexes" '3 3' \
		"$(find "$scratch/indexed" ! -name '*.idx' -type f | wc -l) $(find "$scratch/indexed" -name '*.idx' | wc -l)"
	cp "$files/raw-inout.pcapng" "$scratch/indexed"
	[ ! -e "$files/who.pcapng" ] || cp "$files/who.pcapng" "$scratch/indexed"
	found=$(($(find "$scratch/indexed" -name '*.pcapng' | wc -l) * 8 + 8))
	check "indexed: they are searched" "$build/find/pcapng-find" -q -w "$files/found.pcapng" icmp "$scratch/indexed"
	file_has found "$found" "$files/found.pcapng"
fi

# Drops: of raw IP, of Ethernet, beside raw IP, and of any.
dropped()
{
	kind=$1
	shift
	begin --drops -Q in -w "$files/$kind.pcapng" "$@"
	tun 0 1 9
	in_left python3 -c '
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("10.99.0.2", 9))'
	all_read "$capture"
	number=$(count captured "$said")
	file_has "$kind" "$number" "$files/$kind.pcapng"
	check "$kind: a dropped packet, with its reason" sh -c 'tshark -r "$0" -V -Y udp 2> /dev/null | grep -q NO_SOCKET' "$files/$kind.pcapng"
}
if kernel_since 5 17; then
	dropped drops-raw -i tun0
	is_quick || dropped drops-ethernet -i vb
	dropped drops-both -i tun0 -i vb
	dropped drops-any -i any
	is_quick || dropped drops-pattern -i 'tun*'
	equal "drops-both: a dropped packet's interface" "$tun0" \
		"$(tshark -r "$files/drops-both.pcapng" -Y 'frame.interface_name contains "tun0:drops" && udp' -T fields -e sll.ifindex 2> /dev/null | head -n 1)"
fi

# By --listen, in both formats.
port=5599
for format in pcapng pcap; do
	begin -i tun0 -i vb -Q inout --listen "$port" --listen-format "$format" -c 8 icmp
	start ip netns exec "$right" sh -c 'nc 127.0.0.1 "$0" > "$1"' "$port" "$files/listen.$format"
	reader=$pid
	check "listen: a reader is there" wait_for 10 in_right sh -c 'ss -Htn state established "( sport = :$0 )" | grep -q .' "$port"
	raw
	check "listen: it ends" ended "$capture" 20
	ended "$reader" 10
	file_has "listen, $format" 8 "$files/listen.$format"
done

# Wireshark's programs read each of them, too.
check "capinfos reads all" sh -c 'capinfos -cM "$0"/* > "$1" 2>&1' "$files" "$scratch/infos"
for one in "$files"/*; do
	printf '%s: %s\n' "$one" "$(sed -n "\\|^File name: *$one\$|,/^Number of packets/s/^Number of packets: *//p" "$scratch/infos")"
done > "$scratch/by_capinfos"
for one in "$files"/*; do
	printf '%s: %s\n' "$one" "$(packets "$one")"
done > "$scratch/by_tcpdump"
check "mergecap reads all" mergecap -w "$scratch/merged" "$files"/*
equal "... their packets" "$(sed 's/.*: //' "$scratch/by_tcpdump" | awk '{ n += $1 } END { print n }')" \
	"$(capinfos -cM "$scratch/merged" | sed -n 's/^Number of packets: *//p')"
check "as many packets by both, of $(wc -l < "$scratch/by_tcpdump") files" cmp "$scratch/by_capinfos" "$scratch/by_tcpdump"

# release SUITE: tcpdump and Suricata of that Debian, unpacked and not installed, in $system.
release()
{
	system=${PCAP_AFXDP_CACHE:-$build}/readers/$1
	[ ! -e "$system/done" ] || return 0
	apt=$scratch/apt-$1
	rm -rf "$system"
	mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$system/dev" "$system/tmp"
	for folder in bin sbin lib lib64; do
		mkdir -p "$system/usr/$folder"
		ln -s "usr/$folder" "$system/$folder"
	done
	mknod "$system/dev/null" c 1 3
	mknod "$system/dev/urandom" c 1 9
	# shellcheck disable=SC2016 # a word for apt
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg target=Packages] $mirror $1 main" > "$apt/sources.list"
	set -- -q -y -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State=$apt" \
		-o Dir::State::status=/dev/null -o "Dir::Cache=$apt" -o APT::Sandbox::User= -o Debug::NoLocking=1
	apt-get "$@" update && apt-get "$@" -d --no-install-recommends install tcpdump suricata || return
	for package in "$apt"/archives/*.deb; do
		dpkg -x "$package" "$system" || return
	done
	touch "$system/done"
}

# Suricata reads LINUX_SLL2 from version 8 on; 7 does not even end.
has_suricata_8()
{
	chroot "$system" suricata -V | grep -q 'version \([89]\|[1-9][0-9]\)\.'
}

# read_by_others SUITE: each file, by the programs there.
read_by_others()
{
	if ! release "$1" > "$scratch/fetched" 2>&1; then
		skip "$1: its programs cannot be had: $(tail -n 1 "$scratch/fetched")"
		return
	fi
	for one in "$files"/*; do
		wanted=$(tcpdump -nn -r "$one" 2> /dev/null | wc -l) base=$(basename "$one")
		cp "$one" "$system/tmp/f"
		rm -rf "$system/tmp/log"
		mkdir "$system/tmp/log"
		equal "$1, $base: packets that tcpdump reads" "$wanted" \
			"$(chroot "$system" tcpdump -Z root -nn -r /tmp/f 2> /dev/null | wc -l)"
		has_suricata_8 || continue
		timeout 60 chroot "$system" suricata -r /tmp/f -l /tmp/log -S /dev/null -k none --runmode single > "$scratch/suricata" 2>&1
		equal "$1, $base: packets that Suricata reads" "$wanted" \
			"$(sed -n 's/.*pcap: read 1 file, \([0-9]*\) packets.*/\1/p' "$scratch/suricata")"
	done
	rm -rf "$system/tmp/f" "$system/tmp/log"
}

# shellcheck disable=SC2016 # for Python
if [ "$CHECK_SIZE" = long ]; then
	read_by_others trixie
	read_by_others forky
	if /usr/bin/python3 -c 'import scapy' 2> /dev/null; then
		for one in "$files"/*; do
			equal "$(basename "$one"): packets that Scapy reads" "$(tcpdump -nn -r "$one" 2> /dev/null | wc -l)" \
				"$(/usr/bin/python3 -c 'import sys
from scapy.all import PcapReader
print(sum(1 for _ in PcapReader(sys.argv[1])))' "$one" 2> /dev/null)"
		done
	else
		skip "Scapy is not installed"
	fi
fi

# Links as they are, for who asks.
begin -i tun0 -i vb -Q inout --mixed-links -c 14 -w "$scratch/mixed.pcapng" icmp
tun 0 4
veth 3
check "--mixed-links: it ends" ended "$capture" 20
equal "--mixed-links: packets that tshark reads" 14 "$(tshark -r "$scratch/mixed.pcapng" 2> /dev/null | wc -l)"
equal "--mixed-links: link types" 'Ethernet Raw IP' "$(capinfos "$scratch/mixed.pcapng" | sed -n 's/^ *Encapsulation = \(.*\) (.*/\1/p' | sort -u | tr '\n' ' ' | sed 's/ $//')"
if [ -e "$library/libpcap.so.0.8" ]; then # issue 1252 of libpcap, which ours has mended
	begin -i tun0 -i tun1 -Q inout --mixed-links -c 6 -w "$scratch/mixed-raw.pcapng"
	tun 0 2
	tun 1 1
	check "--mixed-links, raw IP: it ends" ended "$capture" 20
	with_library tcpdump -nn -r "$scratch/mixed-raw.pcapng" > "$scratch/read" 2> "$scratch/complaints"
	equal "--mixed-links, raw IP: packets that our libpcap reads" 6 "$(wc -l < "$scratch/read")"
fi
run_xdpdump -i tun0 -i vb --use-pcap --mixed-links -w "$scratch/no"
equal "--use-pcap --mixed-links: status" 1 "$state"
check "--use-pcap --mixed-links: why" grep -q '^xdpdump: --use-pcap and --mixed-links do not go together' "$err"
run_xdpdump -i tun0 -i vb --listen "$port" --listen-format pcap --mixed-links
equal "--listen-format pcap --mixed-links: status" 1 "$state"
check "--listen-format pcap --mixed-links: why" grep -q '^xdpdump: --listen-format pcap takes one kind of link, and tun0 has raw IP' "$err"
# What the name says.
if "$xdpdump" --zstd -h > /dev/null 2>&1; then
	begin -i tun0 -Q in -c 2 -w "$scratch/named.zst"
	tun 0 2
	check "a name in .zst: it ends" ended "$capture" 20
	equal "a name in .zst: packets" 2 "$(zstd -qdc "$scratch/named.zst" | tcpdump -nn -r - 2> /dev/null | wc -l)"
	is_refused 'named.zst: the older format is not compressed' --use-pcap -w "$scratch/named.zst"
fi
for suffix in gz XZ bz2 lz4; do
	is_refused "f[.]$suffix: [.][a-z0-9]* files are not written: end the name in .zst" -w "$scratch/f.$suffix"
	check "a name in .$suffix: no file" [ ! -e "$scratch/f.$suffix" ]
done
begin -i tun0 -Q in -c 2 -w "$scratch/named.pcap"
tun 0 2
check "a name in .pcap: it ends" ended "$capture" 20
check "a name in .pcap: the note" grep -q 'named.pcap is a pcapng file, whatever its name' "$said"
begin -i tun0 -Q in -c 2 --use-pcap -w "$scratch/named.pcap"
tun 0 2
check "--use-pcap and a name in .pcap: it ends" ended "$capture" 20
check "--use-pcap and a name in .pcap: no note" fails grep -q 'whatever its name' "$said"
finish
