#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# With offloads on, one frame holds many segments, up to 64 KiB: it is captured whole, coming in
# (merged by GRO) and going out (not yet cut), byte for byte as by AF_PACKET.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ethtool python3
[ -x "$stream" ] || skip_all "needs tests/pcap/stream"
bytes=3000000
veth_pair

transfer()
{
	tcp "$1" "$2" "$3" $bytes || bad "a transfer of $bytes bytes to $3"
}

# longest FILE: of the frames in it, which are all whole.
longest()
{
	tcpdump -nn -e -r "$1" 2> "$scratch/unread" | sed -n 's/.*, length \([0-9]*\): [0-9f].*/\1/p' | sort -n | tail -n 1
}

cut()
{
	tcpdump -nn -r "$1" -v 2> "$scratch/unread" | grep -c -F '[|'
}

both_ways()
{
	transfer "$left" "$right" 10.99.0.2
	transfer "$right" "$left" 10.99.0.1
}

compare()
{
	batch "$1" "$right" vb "$2" "$3" <<-END
		100 100000
	END
	between "$1: longest frame" "$4" 65600 "$(longest "$scratch/0.ours")"
	equal "$1: frames cut" 0 "$(cut "$scratch/0.ours")"
}

in_left ethtool -K va tso on gso on gro on > "$scratch/ethtool" 2>&1
in_right ethtool -K vb tso on gso on gro on > "$scratch/ethtool" 2>&1
for hook in tc packet; do
	compare "offloads on," hook=$hook both_ways 40000
	batch "super-frames only," "$right" vb hook=$hook both_ways <<-END
		20 100000 tcp dst port 7000 and greater 20000
	END
done
offload()
{
	in_left ethtool -k va | sed -n 's/^tcp-segmentation-offload: //p'
}
equal "hook=tc leaves segmentation offload alone" on "$(offload)"

# on_veth OPTIONS WANTED-OFFLOAD [OPTION-OF-XDPDUMP]: with these in the environment, auto on a veth.
on_veth()
{
	start ip netns exec "$right" env PCAP_AFXDP_OPTIONS="$1" "$build/xdpdump/xdpdump" -i vb ${3:+"$3"} -w "$scratch/file"
	wait_for 20 grep -q listening "$err"
	said=$err
	equal "auto on a veth${1:+, $1}${3:+, $3}: segmentation offload" "$2" "$(offload)"
	stop "$pid" INT
}
on_veth '' on
check "auto on a veth: tc" grep -q '^listening on vb: received and sent frames at tc, ' "$said"
check "auto on a veth: no note" fails grep -q warning "$said"
on_veth hash=on off
on_veth '' off --load-xdp-program
on_veth veth=xdp off
check "veth=xdp: XDP" grep -q '^listening on vb: received frames at XDP (native), ' "$said"
check "veth=xdp: what that costs is said" grep -q 'warning: XDP on vb may drop frames under load' "$said"

# BIG TCP, of IPv6: frames beyond 64 KiB, where the interface's limits allow them.
big_limits()
{
	for end in "$left va" "$right vb"; do
		# shellcheck disable=SC2086 # two words
		set -- $end
		ip -n "$1" link set "$2" gso_max_size "$big" gro_max_size "$big" || return
	done
}

# digests FILE: a line for each frame, of lines that are too long for awk.
digests()
{
	python3 -c 'import hashlib, struct, sys
f = open(sys.argv[1], "rb").read()
at = 24
lines = []
while at < len(f):
    caplen, length = struct.unpack_from("<II", f, at + 8)
    lines.append(f"{length} {caplen} {hashlib.md5(f[at + 16:at + 16 + caplen]).hexdigest()}")
    at += 16 + caplen
print("\n".join(sorted(lines)))' "$1"
}

big_traffic()
{
	start ip netns exec "$right" python3 -c 'import socket
s = socket.create_server(("::", 7000), family=socket.AF_INET6)
print("ready", flush=True)
c = s.accept()[0]
while c.recv(1 << 20): pass'
	wait_for 5 grep -q ready "$out"
	server=$pid
	in_left python3 -c 'import socket
c = socket.create_connection(("fd00:99::2", 7000))
for i in range(20): c.sendall(bytes(1 << 20))'
	ended "$server" 10
}

trigger='' # its signal
# read_big: traffic for the capture that was started, to whose end. $said is what it said.
read_big()
{
	capture=$pid said=$err
	big_traffic
	settle "$capture"
	[ -z "$trigger" ] || kill "-$trigger" "$capture"
	all_read "$capture"
}

# xdpdump_big OPTION...: into $scratch/file.
xdpdump_big()
{
	start ip netns exec "$right" "$build/xdpdump/xdpdump" -i vb -Q in --hook tc "$@" -w "$scratch/file" 'ip6 and not ip6 multicast'
	wait_for 20 grep -q listening "$err"
	read_big
}

# whole TEXT FILE: the frames of BIG TCP in it.
whole()
{
	digests "$2" > "$scratch/ours.text"
	equal "BIG TCP, $1: frames that are cut" 0 "$(awk '$1 != $2' "$scratch/ours.text" | wc -l)"
	between "BIG TCP, $1: bytes" 20971520 23000000 "$(awk '{ n += $2 } END { print n }' "$scratch/ours.text")"
	between "BIG TCP, $1: longest frame" 100000 196700 "$(awk '$1 > n { n = $1 } END { print n + 0 }' "$scratch/ours.text")"
}

big=196608
if kernel_since 5 19 && big_limits 2> "$scratch/big"; then
	for end in "$left va 1" "$right vb 2"; do
		# shellcheck disable=SC2086 # three words
		set -- $end
		ip netns exec "$1" sysctl -qw "net.ipv6.conf.$2.disable_ipv6=0"
		ip -n "$1" addr add "fd00:99::$3/64" dev "$2" nodad
	done
	in_left sysctl -qw net.ipv4.tcp_wmem='4096 6291456 33554432'
	in_right sysctl -qw net.ipv4.tcp_rmem='4096 6291456 33554432'
	their_options='' # whose immediate mode cuts frames at 65,562 bytes
	for hook in tc packet; do
		start_pair big "$right" vb hook=$hook,ring=64M -s 262144 'ip6 and not ip6 multicast'
		big_traffic
		# shellcheck disable=SC2046 # two processes
		settle $(cat "$scratch/big.pids")
		end_pairs big
		digests "$scratch/big.theirs" > "$scratch/theirs.text"
		digests "$scratch/big.ours" > "$scratch/ours.text"
		# On a busy machine AF_PACKET loses some of these.
		equal "BIG TCP, hook=$hook: frames of AF_PACKET that are missing" 0 \
			"$(comm -23 "$scratch/theirs.text" "$scratch/ours.text" | wc -l)"
		whole "hook=$hook" "$scratch/big.ours"
	done
	# any; what waits for a trigger; and rings too small for them, which say so.
	device=xdp:any,ring=64M
	start_tcpdump -p -Z root -s 262144 -w "$scratch/any" 'ip6 and not ip6 multicast' || finish
	device=''
	read_big
	whole any "$scratch/any"
	trigger=USR2
	xdpdump_big --pre-trigger 64M
	trigger=''
	tcpdump -r "$scratch/file" -s 262144 -w "$scratch/kept" 2> "$scratch/unread"
	whole --pre-trigger "$scratch/kept"
	xdpdump_big --ring 1M
	check "small rings: it is said" grep -q 'BIG TCP frames of vb are cut to 65600 bytes: --ring 2M or more has them whole' "$said"
	check "small rings: it is counted" grep -q '[1-9][0-9]* packets cut to the most that is copied' "$said"
	their_options=--immediate-mode big=65536
	big_limits
else
	skip "BIG TCP: $(head -n 1 "$scratch/big" 2> /dev/null)"
fi

# The host's own traffic, of the largest MTU there is.
ip -n "$right" link set lo mtu 65536
own_traffic()
{
	transfer "$right" "$right" 127.0.0.1
}
batch "loopback," "$right" lo hook=tc own_traffic <<-END
	50 100000
END
between "loopback: longest frame" 60000 65600 "$(longest "$scratch/0.ours")"

# Generic XDP meets frames as their sender left them.
incoming()
{
	transfer "$left" "$right" 10.99.0.2
}
compare "generic XDP" xdp-mode=skb incoming 20000

# Native XDP has them one by one, as they would be on a wire: GRO comes behind it.
start_tcpdump -Z root -Q in -w "$scratch/x.pcap" tcp || finish
incoming
all_read "$pid"
between "native XDP: frames" 2000 4000 "$(packets "$scratch/x.pcap")"
between "native XDP: longest frame" 1514 1514 "$(longest "$scratch/x.pcap")"
nothing_left "$right" vb
finish
