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
ip -n "$host" link set c2 up
in_host()
{
	ip netns exec "$host" "$@"
}
in_host ethtool -K c2 gro on tso off

# refused WHAT CARD PEER WORDS
refused()
{
	CARD=$2 PEER=$3 in_host sh "$top/tests/card/card.sh" > "$scratch/out" 2>&1
	equal "$1: status" 1 $?
	check "$1: why" grep -q "^check-card: $4" "$scratch/out"
}
refused "no cards" '' '' "name both cards"
refused "one twice" c1 c1 "CARD and PEER are the two ends of a cable"
refused "not there" c3 c1 "there is no interface c3"
ip -n "$host" addr add 192.0.2.1/24 dev c1
refused "an address" c2 c1 "c1 has an address"
ip -n "$host" addr flush dev c1
ip -n "$host" link add bridge type bridge
ip -n "$host" link set c2 master bridge
refused "a port of a bridge" c2 c1 "c2 belongs to another interface"
ip -n "$host" link del bridge

settings()
{
	for card in c1 c2; do
		ip -n "$host" -o link show "$card" | sed 's/^[0-9]*: *//; s/@[^:]*//; s/ state [A-Z]*//'
		in_host ethtool -k "$card"
	done
}
settings > "$scratch/before"
# A page that is wrong: a veth takes programs; and a page that has zero-copy where a test, made up, found none.
sed -e '/^| veth |/s/| receive queues[^|]*|/| always |/' -e '/^| veth, tap |/s/| no |/| yes |/' "$top/docs/drivers.md" \
	> "$scratch/page.md"
cat > "$scratch/copies.sh" <<-END
	echo 'table: 6.12 | veth | divert | zero-copy=auto: copies | 9'
	echo '1 passed, 0 failed, 0 skipped'
END
CARD_PAGE=$scratch/page.md CARD=c2 PEER=c1 CARD_LOGS=$scratch/logs \
	CARD_TESTS="vm/nic.sh $(realpath --relative-to="$top/tests" "$scratch/copies.sh")" \
	in_host sh "$top/tests/card/card.sh" > "$scratch/out" 2>&1
equal "it runs: status" 1 $?
wrong='docs/drivers.md, veth, refuses when: "always"; here: takes a program yes'
equal "it fails for the page alone" "$wrong; docs/drivers.md, veth, AF_XDP zero-copy: \"yes\"; here: zero-copy no" \
	"$(sed -n 's/^FAILED: //p' "$scratch/out" | paste -s -d ';' | sed 's/;docs/; docs/')"
check "the table says so" grep -q '^| takes a program | always | yes | \*\*the page is wrong\*\* |' "$scratch/logs/table.md"
check "... also where the page promises" grep -q '^| zero-copy | yes | no | \*\*the page is wrong\*\* |' "$scratch/logs/table.md"
check "what was not tried is not compared" grep -q '^| tags are lost | .* | not seen | not compared |' "$scratch/logs/table.md"
settings > "$scratch/after"
check "the ports are as before" diff "$scratch/before" "$scratch/after"
check "the table has the driver" grep -q '^| driver, firmware | veth, ' "$scratch/logs/table.md"
check "the table has the counts" grep -q '^| vm/nic.sh | [1-9][0-9]* | 0 | 0 |' "$scratch/logs/table.md"
[ "$failed" -eq 0 ] || show "$scratch/out"
finish
