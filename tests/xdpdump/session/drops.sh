#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What the host's stack drops is captured with the kernel's reason, beside the frames as they came.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need python3 tshark tcpdump capinfos tc jq ethtool
need_testprog trafgen capcheck vlanpush
kernel_since 6 1 || skip_all "needs a kernel that names its reasons"
tool=$(dirname "$0")/drops.py
veth_pair
offloads_off
printed='' capture=''

frame()
{
	in_left python3 "$tool" frame "$@"
}

sysctl_right()
{
	in_right sysctl -qw "$@"
}

# serve ARGUMENT...: of the tool in $right, until it is ready.
serve()
{
	start ip netns exec "$right" python3 "$tool" "$@"
	wait_for 10 grep -q ready "$out" || bad "$* is not ready"
}

# is_told REASON SINCE: in a line of the capture behind so many.
is_told()
{
	tail -n "+$(($2 + 1))" "$printed" | grep -q "\"drop_reason\":\"$1\""
}

# dropped REASON COMMAND...: the command has the host drop a frame for this reason.
dropped()
{
	reason=$1 since=$(wc -l < "$printed")
	shift
	"$@" > "$scratch/provoked" 2>&1
	if wait_for 5 is_told "$reason" "$since"; then
		ok "$reason"
	else
		bad "$reason: not told"
		show "$scratch/provoked"
		tail -n "+$((since + 1))" "$printed" | sed 's/.*drop_reason":\("[^"]*"\).*/    told: \1/' | sort | uniq -c
	fi
}

# What the kernel itself says, in a mount namespace that has its tracing.
start_kernel()
{
	kernel=''
	command -v perf > /dev/null || return
	# shellcheck disable=SC2016 # for the inner shell
	start unshare -m sh -c 'mount -t tracefs tracefs /sys/kernel/tracing &&
		exec perf record -q -a -e skb:kfree_skb -o "$1"' sh "$scratch/perf.data"
	kernel=$pid
	wait_for 10 test -s "$scratch/perf.data" || kernel=''
	sleep 1
}

kernel_says()
{
	unshare -m sh -c 'mount -t tracefs tracefs /sys/kernel/tracing && perf script -i "$1"' \
		sh "$scratch/perf.data"
}

# Unknown reasons, before anything is opened.
run_xdpdump --drops --drop-reasons NO_SOCKET,OF_COURSE
equal "an unknown reason: status" 1 "$state"
check "an unknown reason is named" grep -q 'no reason "OF_COURSE" to drop a frame' "$err"
check "and those that there are" grep -q ' NO_SOCKET, .* NETFILTER_DROP, ' "$err"
run_xdpdump --drops --drop-reasons NO_SOCKET,
equal "an empty reason: status" 1 "$state"
run_xdpdump -i vb --drop-reasons NO_SOCKET
check "reasons without --drops" grep -q -- '--drop-reasons needs --drops' "$err"
run_xdpdump --drops=all
check "--drops=all" grep -q 'takes nothing, =only or =summary, not "all"' "$err"
run_xdpdump -i vb --drops --files-per-queue -w "$scratch/f.pcapng"
check "--files-per-queue" grep -q 'do not go together' "$err"
start ip netns exec "$right" setpriv --reuid nobody --clear-groups "$xdpdump" --drops
ended "$pid" 20
equal "without privilege: status" 1 $?
check "without privilege: what is missing" grep -q 'CAP_BPF' "$err"

# The clock adds what others take of the CPU, and sanitizers take most of it for themselves.
if is_sanitized; then
	skip "how soon it listens: with sanitizers"
else
	between "ms of CPU until the first line" 1 300 "$(in_right python3 "$tool" first "$xdpdump" --drops)"
fi

serve listen 2000
serve listen 2001 small
serve listen 2002 none
serve tcp 2003
start_kernel
start_xdpdump --drops --hook tc --json -x
capture=$pid printed=$out said=$err
wait_for 10 grep -q 'host.s stack drops' "$said"

dropped NO_SOCKET frame udp
dropped UDP_CSUM frame udp_csum
dropped TCP_CSUM frame tcp_csum
dropped TCP_FLAGS frame tcp_flags
dropped ICMP_CSUM frame icmp_csum
dropped IP_NOPROTO frame noproto
dropped UNHANDLED_PROTO frame unhandled
dropped OTHERHOST frame otherhost
dropped IP_INHDR frame inhdr
dropped IP_CSUM frame ip_csum
dropped PKT_TOO_SMALL frame too_small
dropped SOCKET_RCVBUFF frame small 20
dropped SOCKET_FILTER frame filtered
sysctl_right net.ipv4.conf.vb.rp_filter=1
dropped IP_RPFILTER frame rpfilter
dropped IP_INVALID_SOURCE frame source
dropped IP_LOCALNET frame localnet
sysctl_right net.ipv4.ip_forward=0
dropped IP_INADDRERRORS frame elsewhere
sysctl_right net.ipv4.ip_forward=1
dropped IP_INNOROUTES frame elsewhere
ip -n "$right" route add 10.98.0.0/24 via 10.99.0.1
dropped IP_INHDR frame ttl
sysctl_right net.ipv4.conf.vb.drop_unicast_in_l2_multicast=1
dropped UNICAST_IN_L2_MULTICAST frame multicast
dropped IPV6DISABLED frame ipv6
dropped DUP_FRAG frame fragment 2
dropped NEIGH_FAILED in_right ping -qc 1 -W 4 10.99.0.77

# Traffic control, in both directions.
in_right tc qdisc add dev vb clsact
in_right tc filter add dev vb ingress bpf da bytecode '1,6 0 0 2'
dropped TC_INGRESS frame open
in_right tc filter del dev vb ingress
in_right tc filter add dev vb egress bpf da bytecode '1,6 0 0 2'
dropped TC_EGRESS in_right ping -qc 1 -W 1 10.99.0.1
in_right tc qdisc del dev vb clsact
in_right tc qdisc add dev vb root tbf rate 8kbit burst 1600 limit 1600
dropped 'QDISC_[A-Z]*' in_right ping -qc 5 -i 0.01 -s 1000 -W 1 10.99.0.1
in_right tc qdisc del dev vb root

if in_right ip link set dev vb xdpgeneric obj "$build/testprogs/own_xdp.bpf.o" sec xdp.frags 2> "$scratch/why"; then
	dropped "\(XDP\|NOT_SPECIFIED\)" frame xdp # 6.18 does not say
	in_right ip link set dev vb xdpgeneric off
else
	skip "XDP: $(head -n 1 "$scratch/why")"
fi
if in_right python3 "$tool" refuse 1 2> "$scratch/why"; then # NF_INET_LOCAL_IN
	dropped NETFILTER_DROP frame open
else
	skip "NETFILTER_DROP: $(cat "$scratch/why")"
fi
settle "$capture"
same "what is counted of the drops is what was printed" "$(grep -c '"drop_reason"' "$printed")" \
	"$(kill -USR1 "$capture"; wait_for 5 grep -q '"final":false' "$said"
		grep '"final":false' "$said" | jq '.interfaces[] | select(.place == "drop") | .captured')"
check "JSON says what died" grep -q '"dst":"10\.99\.0\.2".*"protocol":"udp",.*"dst_port":[0-9]*,.*"drop_reason":"NO_SOCKET"' "$printed"
check "the capture ends" stop "$capture" INT
equal "by reason, as many as were printed" \
	"$(sed -n 's/.*"drop_reason":"\([^"]*\)".*/\1/p' "$printed" | sort | uniq -c | awk '{ print $2, $1 }' | sort | xargs)" \
	"$(grep '"final":true' "$said" | jq -r '.drop_reasons | to_entries[] | "\(.key) \(.value)"' | sort | xargs)"
equal "drops of an interface of which the name is missing" 0 \
	"$(grep '"drop_ifindex":[1-9]' "$printed" | grep -vc '"drop_interface":"[a-z]')"
check "what arrived was captured before it was dropped" python3 "$tool" arrived "$printed"
if [ -n "$kernel" ]; then
	stop "$kernel" INT
	kernel_says > "$scratch/kernel" 2> "$scratch/why"
	check "places and reasons are those the kernel tells" python3 "$tool" compare "$printed" "$scratch/kernel"
	cat "$scratch/output"
else
	skip "what the kernel tells: needs perf and tracefs"
fi

# drops_file OPTION...: what $right drops, of all interfaces, in a file; from another namespace.
file=$scratch/f.pcapng
drops_file()
{
	start "$xdpdump" --netns "$right" --drops -w "$file" "$@"
	started_capturing --drops "$@"
	capture=$pid said=$err
}

# told FIELD...: as tshark reads them.
told()
{
	fields=''
	for field; do
		fields="$fields -e $field"
	done
	# shellcheck disable=SC2086 # words
	tshark -r "$file" -T fields $fields 2> /dev/null
}

ip netns exec "$right" python3 "$tool" pass || bad "netfilter still drops"

# What the host was about to send, without a link header: user space filters.
in_right python3 "$tool" refuse 3 || bad "netfilter does not drop" # NF_INET_LOCAL_OUT
drops_file icmp and host 10.99.0.1
start ip netns exec "$right" "$xdpdump" -i vb --drops --hook tc --json icmp
started_capturing
of_one=$pid one=$out
start "$xdpdump" --netns all --drops=only -n icmp and host 10.99.0.1
started_capturing
of_all=$pid all=$out all_said=$err
in_right ping -qc 2 -i 0.1 -W 1 10.99.0.1 > "$scratch/ping" 2>&1
frame udp_csum
in_right python3 "$tool" pass
check "drops at the OUTPUT hook, of one interface: it ends" all_read "$of_one"
equal "they are of the interface that they were to go out by" 2 \
	"$(grep -c '"drop_reason":"NETFILTER_DROP".*"drop_interface":"vb"' "$one")"
check "drops of all namespaces: it ends" all_read "$of_all"
check "a line for each reason at the end" grep -q "^2 packets captured that the host's stack dropped: NETFILTER_DROP$" "$all_said"
equal "each line has the namespace and the interface" 2 "$(grep -c " $right/vb Drop .*NETFILTER_DROP" "$all")"
check "drops without a link header: it ends" all_read "$capture"
equal "their frames, and nothing but the expression's" \
	"2 00:00:00:00:00:00 10.99.0.1 8 0x00000002 NETFILTER_DROP" \
	"$(told eth.src ip.dst icmp.type frame.packet_flags frame.comment |
		sed 's/dropped: \([A-Z_]*\) in .*/\1/' | sort | uniq -c | xargs)"
equal "tcpdump reads them" 2 "$(tcpdump -nr "$file" 2> /dev/null | grep -c '> 10.99.0.1: ICMP echo request')"

# A route that goes away under a connection: a frame of no interface, and as yet without headers.
drops_file
start ip netns exec "$left" python3 "$tool" tcp 2004
wait_for 10 grep -q ready "$out"
mkfifo "$scratch/go"
# shellcheck disable=SC2016 # for the inner shell
start ip netns exec "$right" sh -c 'exec python3 "$1" talk 2004 < "$2"' sh "$tool" "$scratch/go"
talker=$out
exec 9> "$scratch/go"
wait_for 10 grep -q ready "$talker"
ip -n "$right" route del 10.99.0.0/24 dev vb
frame udp
echo >&9
wait_for 10 grep -q sent "$talker"
exec 9>&-
ip -n "$right" route add 10.99.0.0/24 dev vb src 10.99.0.2
check "drops of no interface: it ends" all_read "$capture"
told eth.src frame.packet_flags frame.comment > "$scratch/told"
check "IP_OUTNOROUTES" \
	grep -q '^00:00:00:00:00:00	0x00000002	dropped: IP_OUTNOROUTES in [a-z_]*+0x[0-9a-f]*$' "$scratch/told"

# A tag beside the frame; a large frame is in several pieces, of which the kernel may hide where they are.
ip -n "$left" link set va mtu 9000
ip -n "$right" link set vb mtu 9000
in_right tc qdisc add dev vb clsact
in_right tc filter add dev vb ingress bpf da bytecode '1,6 0 0 2'
for kind in tagged tagged_large; do
	drops_file --drop-reasons TC_INGRESS
	in_left "$build/testprogs/vlanpush" -i va -v 7 -- python3 "$tool" frame "$kind" 2> /dev/null
	check "$kind: it ends" all_read "$capture"
	tshark -r "$file" -T jsonraw > "$scratch/raw" 2> /dev/null
	check "$kind: its bytes, with the tag in their midst" python3 "$tool" bytes "$kind" "$scratch/raw"
done
in_right tc qdisc del dev vb clsact
ip -n "$left" link set va mtu 1500
ip -n "$right" link set vb mtu 1500

# Expression and reasons, both in the kernel.
drops_file --drop-reasons skb_drop_reason_no_socket,IP_CSUM -s 30 udp
frame udp 5
frame ip_csum 3
frame tcp_csum
frame noproto
frame udp_csum
check "reasons and an expression: it ends" all_read "$capture"
equal "frames dropped for want of a socket" 5 "$(told frame.comment | grep -c '^dropped: NO_SOCKET in .* on vb$')"
equal "... and for their checksum" 3 "$(told frame.comment | grep -c '^dropped: IP_CSUM in .* on vb$')"
check "the function has an option of its own, too" python3 "$tool" functions "$file" 8
equal "and no others" 8 "$(packets "$file")"
equal "cut to what was asked for" "30 46" "$(told frame.cap_len frame.len | sort -u | tr '\t' ' ')"
check "interfaces are named" sh -c 'capinfos "$1" | grep -q "Name = .*/any:drops"' sh "$file"

# A datagram of fragments can be copied in part: what is cut and then left out by the filter is not called cut.
for expression in '3 udp' '0 tcp port 99'; do
	drops_file --drop-reasons NO_SOCKET -v "${expression#? }"
	for _ in 1 2 3; do
		in_left python3 -c 'import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(bytes(20000), ("10.99.0.2", 99))'
	done
	check "fragments, ${expression#? }: it ends" all_read "$capture"
	equal "... captured of three, and cut" "${expression%% *} ${expression%% *}" \
		"$(count captured "$said") $(sed -n 's/^\([0-9]*\) packets cut to the most .*/\1/p' "$said")"
	equal "... and rejected" $((3 - ${expression%% *})) \
		"$(sed -n 's/^\([0-9]*\) packets rejected by the filter in user space/\1/p' "$said")"
done

# 200,000 a second: each is recorded, or counted. A fragment from before may be dropped meanwhile, once its 30 s are over.
in_right ethtool -K vb gro on
drops_file -v udp dst port 9
send -n 200000 -r 200000
check "200,000 a second: it ends" all_read "$capture"
equal "200,000 a second: recorded, or counted" "$(json "$scratch/sent" sent)" "$(count received "$said")"
equal "packets in the file" "$(count captured "$said")" "$(packets "$file")"
check "capcheck finds each frame" accounted "$file" --order none

# Beside a capture of many interfaces: one file with one kind of link.
ip -n "$right" link add wx type veth peer name wy
ip -n "$right" link set wx up
ip -n "$right" link set wy up
for pattern in any 'v*' 'w*'; do
	case $pattern in
	w*) wanted=0 ;;
	*) wanted=3 ;;
	esac
	start ip netns exec "$right" "$xdpdump" -i "$pattern" --drops -w "$file" udp and less 56 # send has longer ones
	started_capturing
	capture=$pid said=$err
	frame udp 3
	check "$pattern: it ends" all_read "$capture"
	equal "$pattern: drops" "$wanted" "$(told frame.interface_name frame.comment | grep -c ":drops	dropped: NO_SOCKET in .* on vb$")"
	equal "$pattern: the frames as they came" "$wanted" "$(told frame.interface_name | grep -c '^vb$')"
	equal "$pattern: packets" "$((2 * wanted)) $((2 * wanted)) $((2 * wanted))" \
		"$(told frame.number | wc -l) $(count captured "$said") $(count received "$said")"
	equal "$pattern: packets that tcpdump reads" "$((2 * wanted))" "$(packets "$file")"
done
# The kernel does not drop what a packet socket gets, as that of any does.
for how in --drops:0 --drops=only:3; do
	start ip netns exec "$right" "$xdpdump" -i any "${how%:*}" --json ether proto 0x88b5
	started_capturing
	capture=$pid printed=$out
	frame unhandled 3
	check "any ${how%:*}: it ends" all_read "$capture"
	equal "any ${how%:*}: drops of an unknown protocol" "${how#*:}" "$(grep -c '"drop_reason":"UNHANDLED_PROTO".*"drop_interface":"vb"' "$printed")"
done
start ip netns exec "$right" "$xdpdump" -i 'v*' -i 'w*' --drops=only --json udp
started_capturing
capture=$pid printed=$out
frame udp 2
check "two patterns, drops alone: it ends" all_read "$capture"
equal "two patterns, drops alone: each once" 2 "$(grep -c '"drop_reason":"NO_SOCKET".*"drop_interface":"vb"' "$printed")"
start "$xdpdump" --netns all -i any --drops=only -w "$file" udp dst port 2999 and dst host 10.99.0.2
started_capturing
capture=$pid said=$err
in_left python3 -c 'import socket
for i in range(4):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("10.99.0.2", 2999))'
check "all namespaces: it ends" all_read "$capture"
equal "all namespaces: drops" 4 "$(told frame.interface_name frame.comment | grep -c '^all/any:drops	dropped: NO_SOCKET in .* on vb$')"

# Counted each second. Lines have what was dropped since the line before; a terminal one table, with a message.
start ip netns exec "$right" "$xdpdump" --drops=summary -c 8 udp
started_capturing
capture=$pid lines=$out
check "a summary: what is listened for" grep -qx "listening on any for what the host's stack drops, a summary each second" "$err"
start ip netns exec "$right" python3 "$tool" terminal "$xdpdump" -i vb --drops=summary -c 8 udp
started_capturing
table=$pid shown=$out
has_lines()
{
	[ "$(grep -c 'dropped: ' "$lines")" -ge "$1" ] && grep -q " since the start" "$shown"
}
has_tables()
{
	[ "$(tr '\033' '\n' < "$shown" | grep -c '^\[[0-9]*A')" -ge "$1" ]
}
frame udp 3
check "a summary: a line, and a table" wait_for 10 has_lines 1
check "a summary: the table is written anew" wait_for 10 has_tables 2
frame udp 2
frame udp_csum
frame udp 3
check "a summary: lines end" ended "$capture" 10
check "a summary: the table ends" ended "$table" 10
equal "a summary: the lines have each drop once" 8 \
	"$(sed -n 's/^[0-9:]* \([0-9]*\) dropped: .*/\1/p' "$lines" | awk '{ n += $1 } END { print n }')"
equal "a summary: which, why, where" "NO_SOCKET in vb" \
	"$(sed -n 's/.*dropped: .*\(NO_SOCKET\) in [a-z0-9_]*+0x[0-9a-f]* on \(vb\).*/\1 in \2/p' "$lines" | sort -u)"
python3 "$tool" screen "$shown" > "$scratch/screen"
equal "a summary: one table stands on the terminal" 1 "$(grep -c 'since the start' "$scratch/screen")"
check "a summary: in it are all" grep -q '^ *[0-9]* *7  NO_SOCKET in .* on vb' "$scratch/screen"
for other in '-w f' --listen=5000 --to=kafka://a/b --decode --print -x -e --format=line -t --pre-trigger=1M --trigger=udp; do
	# shellcheck disable=SC2086 # words
	run_xdpdump --drops=summary $other
	check "a summary and $other" grep -q 'drops=summary counts packets and shows none: leave .* out, or give --drops=only' "$err"
done

# Where nobody else sees: another namespace.
start "$xdpdump" --netns "$left" --drops --json
capture=$pid printed=$out
started_capturing --drops
frame udp 5
check "another namespace: it ends" all_read "$capture"
equal "nothing of $right" 0 "$(grep -c NO_SOCKET "$printed")"
finish
