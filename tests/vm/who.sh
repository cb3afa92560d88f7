#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: which process is behind a packet, sent, received or dropped, on this kernel; and what an older
# one says. A row of check-vm's table.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need busybox ip
veth_pair

# able RESULT
able()
{
	result=$1
	[ "$failed" -eq 0 ] || result='FAILED'
	echo "able: $(uname -r | sed 's/[+-][a-z].*//') | xdpdump --who, also with --drops | $result"
}

start "$xdpdump" --netns "$right" -i vb --who
wait_for 60 grep -q -e 'listening on' -e '^xdpdump: --who' "$err"
if ! grep -q 'listening on' "$err"; then
	check "it is refused: why" grep -q '^xdpdump: --who needs Linux 6.3 or newer, or one ' "$err"
	show "$err"
	able 'no: it says what it needs'
	finish
fi
stop "$pid"
# Sockets are handed on in all ways, and who says of each moment who held them.
check "holders, as they were" "$build/tests/who/holders_test"
check "what is closed during a look is closed" "$build/tests/who/closes_test"
mkdir -p /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
check "from a container, others' sockets" "$build/tests/who/contained_test"
trap '' PIPE # where one of them has ended
hooks='tc xdp'
kernel_since 6 6 || hooks=xdp # and packet sockets, which see no socket, where frames are sent
for hook in $hooks; do
	mkfifo "$scratch/$hook.server" "$scratch/$hook"
	# Its input does not end, as it holds it open itself: else it may end the connection before there is data.
	start ip netns exec "$right" sh -c 'exec busybox nc -l -p 2000 <> "$1"' sh "$scratch/$hook.server"
	server=$pid
	check "$hook: it listens" wait_for 30 in_right grep -qs ':07D0 [0-9A-F:]* 0A ' /proc/net/tcp /proc/net/tcp6
	start "$xdpdump" --netns "$right" -i vb -Q inout --hook "$hook" --who --drops --json tcp
	started_capturing "$hook"
	capture=$pid printed=$out
	start ip netns exec "$left" sh -c 'exec busybox nc 10.99.0.2 2000 < "$1"' sh "$scratch/$hook"
	client=$pid
	exec 9> "$scratch/$hook"
	rounds=0
	until grep -q "\"dst_port\":2000.*\"exact\".*\"pid\":$server,\"command\":\"busybox\"" "$printed" || [ $rounds -gt 40 ]; do
		echo data >&9 2> /dev/null || break
		sleep 0.5
		rounds=$((rounds + 1))
	done
	check "$hook: a server" wait_for 30 grep -q "\"dst_port\":2000.*\"exact\".*\"pid\":$server,\"command\":\"busybox\"" "$printed"
	start ip netns exec "$right" busybox nc 10.99.0.77 2001
	caller=$pid
	check "$hook: whose packet is dropped, as its neighbour does not answer" \
		wait_for 30 grep -q "\"dst_port\":2001.*\"drop_reason\":\"NEIGH_FAILED\".*\"exact\".*\"pid\":$caller," "$printed"
	stop "$caller" TERM
	exec 9>&-
	ended "$client" 20
	check "$hook: it ends" stop "$capture"
	grep '"who"' "$printed" > "$scratch/labeled"
	check "$hook: nobody else is named" fails grep -Ev "\"pid\":($server|$client|$caller),|\"class\":\"(unknown|closed|forwarded)\"}" "$scratch/labeled"
	[ "$failed" -eq 0 ] || show "$printed"
done
[ "$hooks" = xdp ] && able 'of TCP, received' || able yes
finish
