#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --who is never wrong: services of more than 30 kinds, whose sockets change hands in every way there is, write down who
# held which socket when; each label is held against that. The long form has 100,000 packets.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need unshare
veth_pair
new_namespace inner
inner=$namespace
ROUNDS=$WHO_ROUNDS
export ROUNDS

oracle()
{
	python3 "$top/tests/who/oracle.py" "$@"
}

# A namespace behind the right one, and a tunnel to the left one.
ip -n "$right" link add vi type veth peer name vo netns "$inner"
ip -n "$right" addr add 10.98.0.2/24 dev vi
ip -n "$right" link set vi up
ip -n "$inner" addr add 10.98.0.3/24 dev vo
ip -n "$inner" link set vo up
ip -n "$inner" link set lo up
ip -n "$inner" route add default via 10.98.0.2
ip -n "$left" route add 10.98.0.0/24 via 10.99.0.2
ip -n "$left" route add 239.0.0.0/8 dev va
ip -n "$left" route add 10.96.0.0/24 via 10.99.0.2
ip -n "$right" route add local 10.96.0.0/24 dev lo
ip netns exec "$right" sysctl -qw net.ipv4.ip_forward=1
ip -n "$right" link add vx type vxlan id 5 remote 10.99.0.1 dstport 4789 dev vb 2> /dev/null &&
	ip -n "$left" link add vx type vxlan id 5 remote 10.99.0.2 dstport 4789 dev va &&
	ip -n "$right" addr add 10.97.0.2/24 dev vx && ip -n "$left" addr add 10.97.0.1/24 dev vx &&
	ip -n "$right" link set vx up && ip -n "$left" link set vx up

start_who -i lo --who -Q inout -w "$scratch/all.pcapng" --print
check "services run" timeout $((60 + WHO_LOOPS * WHO_ROUNDS)) ip netns exec "$right" python3 "$top/tests/who/oracle.py" serve "$scratch/truth" \
	10.99.0.2 "$WHO_LOOPS" "ip netns exec $left python3 $top/tests/who/oracle.py peer 10.99.0.1" \
	"ip netns exec $inner python3 $top/tests/who/oracle.py peer 10.98.0.3"
cat "$scratch/output"
check "it ends" stop "$capture"
check "no label is wrong, and most are known" oracle check "$scratch/truth" "$packets" \
	exact=$((WHO_LOOPS * WHO_ROUNDS * 40)) listener=$((WHO_LOOPS * 20)) closed=$((WHO_LOOPS * 20)) forwarded=1
tee "$scratch/classes" < "$scratch/output"
! ip -n "$right" link show vx > /dev/null 2>&1 ||
	check "what a tunnel wraps is of who sent it" grep -q '^tunnel  *[0-9]*  *[1-9]' "$scratch/classes"
# Wireshark shows processes from 4.6 on: TSHARK may be another one's command, which reads standard input.
oracle names "$packets" "$scratch/all.pcapng" > "$scratch/output" 2>&1
case $? in
0) ok "Wireshark's column has the same: $(head -n 1 "$scratch/output")" ;;
77) skip "this tshark has no column of processes: 4.6 has" ;;
*)
	bad "Wireshark's column has the same"
	show "$scratch/output"
	;;
esac
show "$said"
finish
