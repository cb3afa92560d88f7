# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests with programs nobody here wrote share, on top of ../lib.sh, with those of hooks/.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
export PCAP_AFXDP_LOADER
foreign=$build/tests/hooks/foreign

# Was the library built with --enable-sanitizers?
has_sanitizers()
{
	grep -q __asan_init "$library/libpcap.so.0.8"
}

# hooked NAMESPACE INTERFACE: programs in its hooks, as "xdp 1 ingress 0 egress 1".
hooked()
{
	ip netns exec "$1" "$foreign" list "$2"
}

# is_hooked NAMESPACE INTERFACE: by a program, or by a packet socket for all protocols.
is_hooked()
{
	[ "$(hooked "$1" "$2")" != 'xdp 0 ingress 0 egress 0' ] ||
		ip netns exec "$1" grep -q '^[^ ]* [0-9]* *3 *0003 ' /proc/net/packet
}

# hooks_are_free NAMESPACE INTERFACE
hooks_are_free()
{
	[ "$(hooked "$1" "$2")" = 'xdp 0 ingress 0 egress 0' ]
}

# nothing_left NAMESPACE INTERFACE: of captures that have ended. Who ends waits 200 ms for the loader to let go, and a busy
# machine may take longer.
nothing_left()
{
	wait_for 10 hooks_are_free "$1" "$2"
	equal "nothing is left in the hooks of $2" 'xdp 0 ingress 0 egress 0' "$(hooked "$1" "$2")"
	equal "promiscuity of $2 is gone" 0 "$(promiscuity "$1" "$2")"
}

# start_on COMMAND...: as start_capture, and wait until it is in a hook of vb in $right.
start_on()
{
	start_capture "$@"
	wait_for 20 is_hooked "$right" vb || {
		bad "does not start capturing: $*"
		show "$err"
		return 1
	}
}

# ping_right COUNT: so many echo requests from va, each answered: twice as many frames on vb.
ping_right()
{
	in_left ping -qc "$1" -i 0.01 -W 5 10.99.0.2 > "$scratch/ping" ||
		bad "ping is answered while a capture runs"
}

# says TEXT FILE: it is in there as it stands.
says()
{
	grep -q -F -e "$1" "$2"
}

# has_lines COUNT PATTERN FILE: at least so many that match.
has_lines()
{
	[ "$(grep -c -e "$2" "$3")" -ge "$1" ]
}

# sum PATTERN FILE: of the first numbers of the lines that match.
sum()
{
	awk -v pattern="$1" '$0 ~ pattern { n += $1 } END { print n + 0 }' "$2"
}
