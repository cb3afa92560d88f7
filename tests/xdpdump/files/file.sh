#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What xdpdump writes to a file: others can read it, and it says of itself what is true.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump tshark capinfos taskset python3 ping
veth_pair
file=$scratch/f.pcapng

# says NAME LINE: capinfos says so of $file.
says()
{
	capinfos -I "$file" 2> /dev/null > "$scratch/info"
	capinfos "$file" 2> /dev/null >> "$scratch/info"
	if grep -q "$2" "$scratch/info"; then
		ok "$1"
	else
		bad "$1: no line \"$2\" by capinfos"
		show "$scratch/info"
	fi
}

start_xdpdump -w "$file"
capture=$pid said=$err
check "an XDP program is attached" fails no_xdp_program "$right" vb
equal "promiscuity without -P" 0 "$(promiscuity "$right" vb)"
send -n 20000 -r 100000 -s mix
check "it ends well on SIGTERM" stop "$capture" TERM
equal "captured" 20000 "$(count captured "$said")"
equal "received by filter" 20000 "$(count received "$said")"
equal "dropped" 0 "$(count dropped "$said")"
check "every frame is in the file, in order" accounted "$file" --monotonic
equal "packets for tcpdump" 20000 "$(packets "$file")"
equal "packets for tshark" 20000 "$(tshark -r "$file" -T fields -e frame.number 2> /dev/null | wc -l)"
equal "times are there to the nanosecond" 0 \
	"$(tshark -r "$file" -c 100 -T fields -e frame.time_epoch 2> /dev/null | grep -cv '\.[0-9]\{9\}$')"
equal "queue of a packet, for tshark" 0 \
	"$(tshark -r "$file" -c 1 -T fields -e frame.packet_flags_direction -e frame.interface_queue 2> /dev/null | awk '{print $2 + 0}')"
says "interface name" 'Name = vb$'
says "snapshot length" 'Capture length = 262144$'
says "nanoseconds" 'Time precision = nanoseconds (9)'
says "driver" 'Hardware = driver veth'
says "system" "Operating system = Linux $(uname -r)"
says "application" '^Capture application: xdpdump (pcap-afxdp '
says "statistics block" 'Number of stat entries = 1'
says "order of time" 'Strict time order: *True'
check "no XDP program is left" no_xdp_program "$right" vb

# The number of a packet, as the manual has it: 12 bits of CPU, 8 that change with the filter, 44 of count.
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
start_xdpdump -Q in -w "$file" icmp
capture=$pid
in_left taskset -c "$cpu" ping -qc 5 -i 0.02 10.99.0.2 > /dev/null
stop "$capture"
numbers=$(python3 - "$file" << 'END'
import struct, sys
data, at = open(sys.argv[1], "rb").read(), 0
while at < len(data):
    kind, length = struct.unpack_from("=II", data, at)
    if kind == 6:
        option = at + 28 + (struct.unpack_from("=I", data, at + 20)[0] + 3) // 4 * 4
        while option < at + length - 4:
            code, size = struct.unpack_from("=HH", data, option)
            if code == 5:
                number = struct.unpack_from("=Q", data, option + 4)[0]
                print(number >> 52, number & (1 << 44) - 1)
            option += 4 + (size + 3) // 4 * 4
    at += length
END
)
equal "CPU and count in the numbers of packets" "$(seq 5 | sed "s/^/$cpu /" | xargs)" "$(echo "$numbers" | xargs)"

# The same with a filter and promiscuous, ended by count.
start_xdpdump -P -c 150 -w "$file" udp dst port 99
capture=$pid said=$err
equal "promiscuity with -P" 1 "$(promiscuity "$right" vb)"
send -n 5000 -r 20000 --match 10 99
check "-c ends it" ended "$capture" 10
equal "captured with -c 150" 150 "$(count captured "$said")"
equal "packets in the file" 150 "$(packets "$file")"
equal "of these to port 99" 150 "$(tcpdump -nnr "$file" 'udp dst port 99' 2> /dev/null | wc -l)"
says "filter" 'Filter string = udp dst port 99$'
equal "promiscuity at the end" 0 "$(promiscuity "$right" vb)"

# Past the page cache, where the file system can: the long pieces, not only a descriptor for them.
if ! dd if=/dev/zero of="$scratch/page" bs=4096 count=1 oflag=direct 2> /dev/null ||
	[ "$(stat -f -c %T "$scratch")" = tmpfs ]; then
	skip "past the page cache: not on the file system of $scratch"
elif ! command -v strace > /dev/null; then
	skip "no strace, to see what goes past the page cache"
else
	# The leak check of a sanitizer does not run under strace.
	start ip netns exec "$right" env ASAN_OPTIONS=detect_leaks=0 \
		strace -f -e trace=openat,pwrite64 -o "$scratch/calls" "$xdpdump" -i vb -w "$file"
	started_capturing
	capture=$(pgrep -P "$pid" -x xdpdump) said=$err
	send -n 200000 -s mix
	kill -INT "$capture"
	check "traced: it ends well" ended "$pid" 10
	direct=$(sed -n 's/.*O_DIRECT[|)].* = \([0-9]*\)$/\1/p' "$scratch/calls" | head -n 1)
	# Where another thread came in between, strace has the end of a call on a line of its own.
	past=$(sed -n "/pwrite64(${direct:-none},/,\$p" "$scratch/calls" |
		grep -c "pwrite64[( ].* = [0-9]\{6,\}\$")
	between "pieces of 100 KB and more past the page cache" 5 1000 "$past"
	check "traced: every frame once" accounted "$scratch/f.pcapng" --dropped "$(count dropped "$said")"
fi

# A filter that the kernel does not run to its end: one with a loop.
start_xdpdump -v -w "$file" -s 100 'ip6 protochain 17 or udp dst port 99'
capture=$pid said=$err
send -n 5000 -r 20000 --match 10 99 -s 1000
stop "$capture" INT
equal "filtered in user space as well" 500 "$(count captured "$said")"
equal "and there rejected" 0 \
	"$(sed -n 's/^\([0-9]*\) packets rejected by the filter in user space$/\1/p' "$said")"
check "and cut to the snapshot length" accounted "$file" --matched --snaplen 100

# A file that is there is replaced; a capture that cannot begin leaves it alone.
run_xdpdump -i nosuch -w "$file"
equal "packets of the capture before" 500 "$(packets "$file")"
start_xdpdump -w "$file"
check "a capture of nothing ends well" stop "$pid" INT
equal "packets of a capture of nothing" 0 "$(packets "$file")"

# Standard output that is a file with something in it.
echo before > "$scratch/appended"
ip netns exec "$right" "$xdpdump" -i vb -c 1 -w - >> "$scratch/appended" 2> "$scratch/said" &
pid=$! started="$started $pid" err=$scratch/said
started_capturing
send -n 10 -r 100
check "appends to standard output" ended "$pid" 10
equal "what was there" before "$(head -n 1 "$scratch/appended")"
tail -c +8 "$scratch/appended" > "$file"
equal "packets behind it" 1 "$(packets "$file")"

# A file that another option names is not written over, whatever it is called.
echo 10.99.0.1 > "$scratch/addresses"
ln "$scratch/addresses" "$scratch/hard"
ln -s addresses "$scratch/link"
for name in hard link; do
	run_xdpdump -i vb --hosts "$scratch/addresses" -w "$scratch/$name"
	equal "over a $name of the addresses: status" 1 "$state"
	equal "over a $name of the addresses: said" \
		"xdpdump: --hosts and --write name the same file: each needs its own" "$(cat "$err")"
done
equal "the addresses are as they were" 10.99.0.1 "$(cat "$scratch/addresses")"
finish
