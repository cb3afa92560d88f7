#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# More captures on one interface than it takes: the kernel has room for 63 programs at tc. The next one
# is refused with the reason, and those before it go on.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need ping
veth_pair

# too_many OPTIONS COUNT: so many can be opened, and no more.
too_many()
{
	rm -f "$scratch/go" "$scratch/said"
	mkfifo "$scratch/go"
	exec 9<> "$scratch/go"
	# shellcheck disable=SC2046 # one word per variable
	ip netns exec "$right" env $(library_environment) "$build/tests/hooks/many" \
		"xdp:vb,ring=512K,loader=off,$1" 80 < "$scratch/go" > "$scratch/said" 2>&1 &
	pid=$!
	started="$started $pid"
	wait_for 60 grep -q opened "$scratch/said"
	equal "$1: captures at once" "$2 opened" "$(grep opened "$scratch/said")"
	check "$1: the error of the next one: $(grep -m 1 '^-' "$scratch/said")" \
		grep -q '^-[0-9]* vb has 63 programs at tc already, which is the limit: end another capture, or use hook=packet' \
		"$scratch/said"
	ping_right 10
	echo > "$scratch/go"
	ended "$pid" 30
	equal "$1: they end well" 0 $?
	exec 9>&-
	equal "$1: each has every frame" "$2 20 frames" "$(grep frames "$scratch/said" | sort | uniq -c | xargs)"
	nothing_left "$right" vb
}

too_many hook=tc 63
too_many hook=auto 63
finish
