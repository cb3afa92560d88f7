# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # $said is of who reads it
# What the tests of network namespaces share: namespaces whose names begin with $prefix, which are unique, and go when
# the test ends.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
prefix=$(basename "$0" .sh | tr -d _)$$x

remove_spaces()
{
	for path in /run/netns/"$prefix"*; do
		[ ! -e "$path" ] || ip netns del "${path#/run/netns/}"
	done
}
at_exit remove_spaces

# add NAME: a namespace, with lo up.
add()
{
	ip netns add "$prefix$1" && ip -n "$prefix$1" link set lo up
}

# told WORDS: in a line of the capture, whose standard error $said is.
told()
{
	wait_for 60 grep -q -- "$1" "$said"
}
