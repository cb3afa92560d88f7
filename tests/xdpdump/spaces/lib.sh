# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # $said is of who reads it
# What the tests of network namespaces share: namespaces whose names begin with $prefix, or with un$prefix, which are
# unique, and go when the test ends.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
prefix=$(basename "$0" .sh | tr -d _)$$x

remove_spaces()
{
	for path in /run/netns/"$prefix"* /run/netns/un"$prefix"*; do
		[ ! -e "$path" ] || ip netns del "${path#/run/netns/}"
	done
}
at_exit remove_spaces

# add NAME: a namespace, with lo up.
add()
{
	ip netns add "$prefix$1" && ip -n "$prefix$1" link set lo up
}

# number NAME: the inode of that namespace.
number()
{
	stat -Lc %i "/run/netns/$1"
}

# add_with NUMBER NAME: a namespace with the inode of one that is gone, which the kernel gives again. It has another
# name first, un..., by which nobody captures. false: the kernel gave that to somebody else.
add_with()
{
	for try in $(seq 50); do
		ip netns add "un$prefix$2$try"
		[ "$(number "un$prefix$2$try")" != "$1" ] || break
	done
	[ "$(number "un$prefix$2$try")" = "$1" ] || return
	ip -n "un$prefix$2$try" link set lo up
	touch "/run/netns/$prefix$2"
	mount --bind "/run/netns/un$prefix$2$try" "/run/netns/$prefix$2"
}

# is_captured NAME: by a packet socket that is bound in it.
is_captured()
{
	[ "$(ip netns exec "$prefix$1" awk '$4 == "0003"' /proc/net/packet | wc -l)" = 1 ]
}

# drop NAME N: the namespace drops so many datagrams to $host, as nobody listens at $port there. No other test that drops
# at the same time sends there.
host=127.$(($$ / 250 % 250)).$(($$ % 250)).77
port=2998
drop()
{
	ip netns exec "$prefix$1" python3 -c 'import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(int(sys.argv[3])):
    s.sendto(b"x", (sys.argv[1], int(sys.argv[2])))' "$host" "$port" "$2"
}

# by_name: packets of $file, by their interface, whose namespace is without $prefix.
by_name()
{
	fields frame.interface_name | sort | uniq -c | sed "s,$prefix,,g" | xargs
}

# told WORDS: in a line of the capture, whose standard error $said is.
told()
{
	wait_for 60 grep -q -- "$1" "$said"
}
