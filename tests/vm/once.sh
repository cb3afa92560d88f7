#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine, on a card with zero-copy where there is one: a capture that diverts has its sockets before its
# program, and attaches that once. Beside somebody's zero-copy sockets no verdict is given on frames that do not come.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
# shellcheck source=tests/vm/cards.sh
. "$(dirname "$0")/cards.sh"
need_root
need_library
need_xdpdump
need_testprog trafgen
need tcpdump ping ethtool ip
kernel_since 6 6 || skip_all "needs TCX (Linux 6.6)"
join_cards
driver=$(in_right ethtool -i eth1 | sed -n 's/^driver: //p')
queues=$(in_right sh -c 'ls -d /sys/class/net/eth1/queues/rx-*' | wc -l)

# pinged: it takes a card some time to come up again.
pinged()
{
	in_left ping -qc 1 -W 1 10.99.0.2 > /dev/null
}

# captured WORDS OPTION...: a capture on eth1, with what it did to the XDP hook in $operations, gets a ping.
captured()
{
	words=$1
	shift
	head -c 12 /dev/zero > "$scratch/counts"
	start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_COUNTS="$scratch/counts" \
		PCAP_AFXDP_LOADER="$build/pcap-afxdp-loader" "$xdpdump" -Q in -i eth1 -w "$scratch/once.pcapng" "$@" icmp
	capture=$pid said=$err
	check "$*: begins" wait_for 60 grep -q "^listening on eth1.*$words" "$said"
	show "$said"
}

# has_come: somebody pings, whom the host does not answer where the frames are diverted.
has_come()
{
	pinged
	[ "$(tcpdump -nnr "$scratch/once.pcapng" 2> /dev/null | wc -l)" -ge 1 ]
}

# ends: within a minute, as the card comes down meanwhile.
ends()
{
	kill -INT "$capture"
	ended "$capture" 60
}

# operations: programs attached, and exchanged.
operations()
{
	od -A n -t u4 "$scratch/counts" | awk '{ print $1, $2 }'
}

captured '' --engine divert
equal "$driver, divert: programs attached and exchanged" "1 0" "$(operations)"
check "... a frame comes" wait_for 60 has_come
check "... ends well" ends
captured '' --hook xdp
check "$driver, tap: a frame comes" wait_for 60 has_come
equal "... programs attached and exchanged" "1 0" "$(operations)"
check "... ends well" ends

# Somebody's sockets, with a program neither of theirs nor of ours.
check "the cards are joined" wait_for 60 pinged
start ip netns exec "$right" "$build/tests/vm/raw" sockets eth1 "$queues"
holder=$pid
if wait_for 20 grep -q bound "$out"; then
	captured 'at XDP (native)' --hook auto
	start ip netns exec "$left" ping -q -i 0.05 10.99.0.2
	pings=$pid
	sleep 6
	stop "$pings" INT
	check "beside somebody's zero-copy sockets: no verdict" fails grep -q 'frames came to it' "$said"
	check "... and frames come" has_come
	check "... ends well" ends
	stop "$holder" KILL
else
	skip "zero-copy sockets on $driver: $(head -n 1 "$err")"
	stop "$holder" KILL
fi

finish
