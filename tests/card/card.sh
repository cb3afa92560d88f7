#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make check-card on a veth pair: what it refuses, that the ports are as before, and its table.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need ethtool ip tcpdump ping ss
need_testprog trafgen pcapread capcheck
[ -x "$build/tests/hooks/foreign" ] || skip_all "tests/hooks/foreign was not built: make check"
new_namespace host
host=$namespace
ip -n "$host" link add c1 type veth peer name c2
ip -n "$host" link set c1 up
ip -n "$host" link set c2 up mtu 1400
in_host()
{
	ip netns exec "$host" "$@"
}
in_host ethtool -K c2 gro on tso off

# refused WHAT CARDS WORDS
refused()
{
	CARDS=$2 in_host sh "$top/tests/card/run.sh" > "$scratch/out" 2>&1
	equal "$1: status" 2 $?
	check "$1: why" grep -q "^check-card: $3" "$scratch/out"
}
refused "no cards" '' "give two ports that a cable joins"
refused "one twice" 'c1 c1' "give two ports"
refused "not there" 'c1 c3' "there is no interface c3"
refused "lo" 'c1 lo' "lo is no card"
ip -n "$host" addr add 192.0.2.1/24 dev c1
refused "an address" 'c1 c2' "c1 has an address"
ip -n "$host" addr flush dev c1
ip -n "$host" link add bridge type bridge
ip -n "$host" link set c2 master bridge
refused "a port of a bridge" 'c1 c2' "c2 is a port of a bridge or bond"
ip -n "$host" link del bridge

settings()
{
	for card in c1 c2; do
		ip -n "$host" -o link show "$card" | sed 's/^[0-9]*: *//; s/@[^:]*//; s/ state [A-Z]*//'
		in_host ethtool -k "$card"
	done
}
settings > "$scratch/before"
CARDS='c1 c2' CARD_TESTS=vm/nic.sh CARD_LOGS=$scratch/logs in_host sh "$top/tests/card/run.sh" > "$scratch/out" 2>&1
equal "it runs: status" 0 $?
settings > "$scratch/after"
check "the ports are as before" diff "$scratch/before" "$scratch/after"
check "the table has the kernel, the driver and the counts" \
	grep -q "^| $(date +%F) | $(uname -r) | veth | vm/nic.sh | [1-9][0-9]* | 0 | 0 |" "$scratch/logs/table.md"
check "and what the doctor says" grep -q 'Capture on c2 works' "$scratch/logs/table.md"
[ "$failed" -eq 0 ] || show "$scratch/out"
finish
