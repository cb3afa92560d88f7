#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --listen: tshark, dumpcap and nc read the capture live, each from its joining on. One that stalls loses, and is
# told in its own stream; one that leaves, and one that stalls, cost nobody else a packet, nor does a crowd.
# shellcheck disable=SC2016 # commands in quotes are for inner shells
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tshark tcpdump dumpcap capinfos nc ss zstd python3
veth_pair
offloads_off
port=5555

# served: has it said where it serves?
served()
{
	wait_for 20 grep -q "^xdpdump: packets are served on 127.0.0.1:$port: wireshark " "$said"
}

# connected N: so many readers are there, by the kernel's own list.
connected()
{
	[ "$(in_right ss -Htn state established "( sport = :$port )" | wc -l)" -eq "$1" ]
}

# server: the process that serves.
server()
{
	for process in $(ip netns pids "$right"); do
		[ "$process" != "$capture" ] && [ "$(cat "/proc/$process/comm" 2> /dev/null)" = xdpdump ] &&
			! process_gone "$process" && echo "$process"
	done
}

lines()
{
	[ "$(wc -l < "$1")" -ge "$2" ]
}

# told_lost FILE: packets that are missing by what it says itself.
told_lost()
{
	strings -n 12 "$1" | sed -n 's/.*\b\([0-9][0-9]*\) packets are missing here: this reader .*/\1/p' |
		awk '{ n += $1 } END { print n + 0 }'
}

# statistics FILE: packets that were delivered, by its last block, which has statistics (isb_usrdeliv).
statistics()
{
	python3 - "$1" <<-'END'
		import struct, sys
		data, at, delivered = open(sys.argv[1], "rb").read(), 0, "none"
		while at + 12 <= len(data):
		    kind, length = struct.unpack_from("=II", data, at)
		    delivered, option = "none", at + 20
		    while kind == 5 and option < at + length - 4:
		        code, n = struct.unpack_from("=HH", data, option)
		        if code == 8:
		            delivered = struct.unpack_from("=Q", data, option + 4)[0]
		        option += 4 + (n + 3) // 4 * 4
		    at += length
		print(delivered)
	END
}

# Alone: nothing is printed, and the file is none.
start_xdpdump --listen $port -v
capture=$pid said=$err printed=$out
check "where it serves" served
serving=$(server)
check "one process serves" test "$(echo "$serving" | wc -w)" -eq 1
equal "its capabilities" 0000000000000000 "$(sed -n 's/^CapEff:\t//p' "/proc/$serving/status")"
equal "it cannot get any" 1 "$(sed -n 's/^NoNewPrivs:\t//p' "/proc/$serving/status")"
is_sanitized || equal "its seccomp filter" 2 "$(sed -n 's/^Seccomp:\t//p' "/proc/$serving/status")"
check "it is not root's" test "$(awk '/^Uid:/ { print $2 }' "/proc/$serving/status")" -ne 0
# shellcheck disable=SC2012 # names are numbers
equal "its descriptors" "0 1 2 3 4" "$(ls "/proc/$serving/fd" | sort -n | paste -sd ' ')"
start ip netns exec "$right" nc 127.0.0.1 $port
first=$pid first_file=$out
check "nc joins" wait_for 10 connected 1
# Signals to all processes of the name are for the one that captures.
kill -USR1 "$serving"
kill -USR2 "$serving"
send -n 1000 -r 20000 -s mix
# tshark joins in mid-capture.
start ip netns exec "$right" tshark -lni TCP@127.0.0.1:$port -T fields -e frame.len
reader=$pid lens=$out
check "tshark joins" wait_for 20 connected 2
send -n 500 -r 20000 -s 100 --start-seq 1000
check "tshark prints what came since" wait_for 20 lines "$lens" 500
equal "tshark's packets" "500 100" "$(sort "$lens" | uniq -c | awk '{ print $1, $2 }')"
# dumpcap writes a file, and leaves.
start ip netns exec "$right" dumpcap -q -i TCP@127.0.0.1:$port -c 300 -w "$scratch/dumpcap.pcapng"
dumpcap=$pid
check "dumpcap joins" wait_for 20 connected 3
send -n 400 -r 20000 -s 200 --start-seq 1500
check "dumpcap ends at its limit" ended "$dumpcap" 20
equal "dumpcap's packets" 300 "$(packets "$scratch/dumpcap.pcapng")"
before=$(wc -l < "$lens")
send -n 1 -s 200 --start-seq 1900
check "a single packet comes by itself" wait_for 5 lines "$lens" $((before + 1))
stop "$capture" INT
equal "status" 0 $?
check "tshark sees the end" ended "$reader" 20
check "nc sees the end" ended "$first" 20
check "its process has ended" process_gone "$serving"
equal "nothing is printed" 0 "$(wc -c < "$printed")"
equal "captured" 1901 "$(count captured "$said")"
equal "readers" "3 readers came by --listen" "$(grep readers "$said")"
equal "nc's packets" 1901 "$(packets "$first_file")"
check "nc's packets, each once and in order" "$capcheck" --sent 1901 "$first_file"
equal "statistics at the end" 1901 "$(statistics "$first_file")"

# Beside files, in the older format; compressed files go on as they were.
start_xdpdump --listen 127.0.0.1:$port --listen-format pcap --zstd -w "$scratch/f.zst"
capture=$pid said=$err
check "beside a file: where it serves" served
start ip netns exec "$right" nc 127.0.0.1 $port
reader=$pid got=$out
start ip netns exec "$right" sh -c "nc 127.0.0.1 $port | tcpdump -nn -r - -c 3000"
printing=$pid printed=$out
check "nc and tcpdump join" wait_for 10 connected 2
send -n 3000 -r 20000 -s mix
settle "$capture"
stop "$capture" INT
equal "beside a file: status" 0 $?
ended "$reader" 20
check "beside a file: the file" sh -c 'zstd -dcq "$0" | "$1" --sent 3000 -' "$scratch/f.zst" "$capcheck"
equal "pcap, nanoseconds" "4d3cb2a1" "$(od -An -tx1 -N4 "$got" | tr -d ' ')"
ended "$printing" 20
equal "pcap: nc | tcpdump -r -" "0 3000" "$? $(wc -l < "$printed")"
check "pcap: each once and in order" "$capcheck" --sent 3000 --dropped 0 "$got"

# A reader that stalls, beside one that does not, and one that is killed in the middle.
start_xdpdump --listen $port -w "$scratch/all.pcapng" --ring 64M
capture=$pid said=$err
served || bad "it does not serve"
start ip netns exec "$right" python3 "$top/tests/xdpdump/feed/slow_reader.py" $port "$scratch/go" "$scratch/slow.pcapng"
slow=$pid
start ip netns exec "$right" nc 127.0.0.1 $port
good=$pid good_file=$out
start ip netns exec "$right" nc 127.0.0.1 $port
gone=$pid
check "three readers" wait_for 10 connected 3
send -n 60000 -r 30000 -s 1500
kill -KILL "$gone"
touch "$scratch/go"
check "one is gone" wait_for 10 connected 2
cp "$scratch/sent" "$scratch/sent.first"
send -n 2000 -r 20000 -s 300 --start-seq 60000
settle "$capture"
stop "$capture" INT
equal "with a reader that stalls: status" 0 $?
check "the one that stalled has the rest" ended "$slow" 20
ended "$good" 20
equal "captured" 62000 "$(count captured "$said")"
equal "dropped by kernel" 0 "$(count dropped "$said")"
equal "the file" 62000 "$(packets "$scratch/all.pcapng")"
check "who kept up has all" "$capcheck" --sent 62000 "$good_file"
equal "who kept up: statistics at the end" 62000 "$(statistics "$good_file")"
lost=$(told_lost "$scratch/slow.pcapng") got=$(packets "$scratch/slow.pcapng")
check "who stalled has lost" test "$lost" -gt 10000
equal "who stalled: read and told missing" 62000 $((got + lost))
equal "who stalled: statistics at the end" "$got" "$(statistics "$scratch/slow.pcapng")"
check "who stalled: each once and in order" "$capcheck" --sent 62000 --dropped "$lost" "$scratch/slow.pcapng"
equal "told at the end" "$lost" "$(sed -n 's/ packets that readers were too slow for.*//p' "$said")"

# The process that serves is stopped for a while: what the pipe and memory cannot hold is lost for readers, who are
# told in the stream; the file has all.
start_xdpdump --listen $port -w "$scratch/all.pcapng" --ring 64M
capture=$pid said=$err
served || bad "it does not serve"
serving=$(server)
start ip netns exec "$right" nc 127.0.0.1 $port
reader=$pid reader_file=$out
check "a reader of one that is stopped" wait_for 10 connected 1
send -n 1000 -r 20000 -s 1500
settle "$capture"
kill -STOP "$serving"
send -n 20000 -r 30000 -s 1500 --start-seq 1000
kill -CONT "$serving"
settle "$capture" "$serving"
send -n 1000 -r 20000 -s 1500 --start-seq 21000
settle "$capture"
stop "$capture" INT
equal "who serves was stopped: status" 0 $?
ended "$reader" 20
equal "who serves was stopped: the file" 22000 "$(packets "$scratch/all.pcapng")"
lost=$(sed -n 's/ packets not served, because .*//p' "$said") got=$(packets "$reader_file")
check "who serves was stopped: lost" test "${lost:-0}" -gt 1000
equal "who serves was stopped: told in the stream" "$lost" "$(strings -n 12 "$reader_file" |
	sed -n 's/.*\b\([0-9][0-9]*\) packets are missing here: the process .*/\1/p' | awk '{ n += $1 } END { print n + 0 }')"
check "who serves was stopped: each once and in order" "$capcheck" --sent 22000 --dropped "$lost" "$reader_file"

# Interfaces that come later, and files that change: the stream has what the files have, by the same interfaces.
mkdir "$scratch/files"
start ip netns exec "$right" "$xdpdump" -i 'v*' --listen $port -C 1 -w "$scratch/files/f.pcapng"
started_capturing
capture=$pid said=$err
served || bad "it does not serve"
start ip netns exec "$right" nc 127.0.0.1 $port
reader=$pid reader_file=$out
check "a pattern: nc joins" wait_for 10 connected 1
send -n 1500 -r 20000 -s 1500 --via socket
ip -n "$right" link add vlater type veth peer name vother
ip -n "$right" link set vlater up
ip -n "$right" link set vother up
wait_for 10 grep -q 'vlater joins' "$said"
in_right ping -qc 1 -I vlater 224.0.0.1 > /dev/null 2>&1
send -n 1500 -r 20000 -s 1500 --start-seq 1500 --via socket
settle "$capture"
stop "$capture" INT
equal "a pattern: status" 0 $?
ended "$reader" 20
check "a pattern: more than one file" test "$(find "$scratch/files" -type f | wc -l)" -gt 1
# By section: tshark 4.0 takes the names of the first one for all.
cat > "$scratch/names.py" <<-'END'
	import struct, sys
	for path in sys.argv[1:]:
	    data, at, names = open(path, "rb").read(), 0, []
	    while at + 12 <= len(data):
	        kind, length = struct.unpack_from("=II", data, at)
	        if kind == 0x0a0d0d0a:
	            names = []
	        elif kind == 1:
	            code, n = struct.unpack_from("=HH", data, at + 16)
	            names.append(data[at + 20:at + 20 + n].decode() if code == 2 else "?")
	        elif kind == 6:
	            interface, high, low = struct.unpack_from("=III", data, at + 8)
	            print(names[interface], high << 32 | low)
	        at += length
END
python3 "$scratch/names.py" "$scratch/files/f.pcapng" "$scratch"/files/f.pcapng?* > "$scratch/wanted"
python3 "$scratch/names.py" "$reader_file" > "$scratch/got"
check "a pattern: tshark reads it" tshark -nr "$reader_file" -c 3000
check "a pattern: the packets of the files, by the same interfaces" cmp "$scratch/wanted" "$scratch/got"
check "a pattern: all of them" test "$(wc -l < "$scratch/got")" -ge 3000

# By IPv6 many connect, say a lot and never read: some find no room, and who reads has the packets.
in_right sysctl -qw net.ipv6.conf.lo.disable_ipv6=0
start_xdpdump --listen '[::1]:'$port -w "$scratch/all.pcapng" --ring 64M -v
capture=$pid said=$err
check "IPv6: where it serves" grep -q "^xdpdump: packets are served on \\[::1\\]:$port: " "$said"
serving=$(server)
start ip netns exec "$right" nc ::1 $port
reader=$pid reader_file=$out
check "IPv6: nc joins" wait_for 10 connected 1
start ip netns exec "$right" python3 "$top/tests/xdpdump/spaces/crowd.py" $port 300 "$scratch/go.crowd"
crowd=$pid crowd_said=$out
check "a crowd: it has come" wait_for 30 grep -q '^connected' "$crowd_said"
send -n 20000 -r 20000 -s 1500
settle "$capture" "$serving"
touch "$scratch/go.crowd"
check "a crowd: it goes" ended "$crowd" 20
stop "$capture" INT
equal "a crowd: status" 0 $?
ended "$reader" 20
lost=$(strings -n 12 "$reader_file" | sed -n 's/.*\b\([0-9][0-9]*\) packets are missing here: .*/\1/p' |
	awk '{ n += $1 } END { print n + 0 }')
check "a crowd: who reads has all, or word of it" "$capcheck" --sent 20000 --dropped "$lost" "$reader_file"
equal "a crowd: dropped by kernel" 0 "$(count dropped "$said")"
equal "a crowd: who found room" "32 readers came by --listen" "$(grep 'came by' "$said")"
equal "a crowd: who did not" "269 readers found no room" "$(grep 'found no room' "$said")"

# At once, with a sentence that says what to do.
start ip netns exec "$right" nc -lk 127.0.0.1 $port
holder=$pid
wait_for 10 in_right sh -c "ss -Htln 'sport = :$port' | grep -q ." || bad "nc does not listen"
is_refused 'another program has this port' --listen $port
stop "$holder" TERM
is_refused 'no interface here has this address' --listen 192.0.2.7:$port
for address in '' x 65536 127.0.0.1 localhost:5555 :5555 ::1:5555 '[::1]' 1.2.3.4: 5555x; do
	is_refused '^xdpdump: --listen \(takes \[ADDRESS:\]PORT\|needs a port\)' --listen "$address"
done
is_refused '^xdpdump: --listen-format needs --listen PORT$' --listen-format pcap
is_refused '^xdpdump: --files-per-queue and --listen do not go together' --listen $port --files-per-queue -w "$scratch/q"

# Keys go there, too: the warning, also on loopback.
echo 'CLIENT_RANDOM 00 11' > "$scratch/keys"
start_xdpdump --listen $port --tls-keylog "$scratch/keys" -w "$scratch/keys.pcapng"
stop "$pid" INT
check "keys: the warning" grep -q '^xdpdump: warning: every user of this machine can read the packets and the TLS keys there$' "$err"

# Another address than loopback's: the warning.
start_xdpdump --listen 10.99.0.2:0
capture=$pid said=$err
check "open to all: the warning" grep -q '^xdpdump: warning: whoever reaches 10.99.0.2:[1-9][0-9]* reads the packets' "$said"
# Who serves is killed: told, and the end.
kill -KILL "$(server)"
ended "$capture" 10
equal "who serves is killed: status" 1 $?
check "who serves is killed: told" grep -q '^xdpdump: the process that serves --listen has ended' "$said"
# xdpdump is killed: who serves ends.
start_xdpdump --listen $port
capture=$pid said=$err
serving=$(server)
kill -KILL "$capture"
check "xdpdump is killed: who serves ends" wait_for 10 process_gone "$serving"
finish
