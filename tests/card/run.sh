#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make check-card CARDS='eth1 eth2': what check-vm tries on emulated cards, on two ports of this machine that a cable joins.
# Both move into network namespaces meanwhile; afterwards they are as before. tests/card/table.md of the build directory
# is what to send us: docs/hardware.md.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/card/cards.sh
. "$(dirname "$0")/cards.sh"
# shellcheck source=tests/vm/judge.sh
. "$(dirname "$0")/../vm/judge.sh"
# shellcheck source=tests/vm/table.sh
. "$(dirname "$0")/../vm/table.sh"
need_root
need_library
need ethtool ip tcpdump ping ss
need_testprog trafgen pcapread capcheck
logs=${CARD_LOGS:-$build/tests/card}
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/*.kernel

refuse()
{
	echo "check-card: $1" >&2
	exit 2
}

# unused CARD: nobody would miss it.
unused()
{
	[ -e "/sys/class/net/$1" ] || refuse "there is no interface $1; ip link lists them"
	[ "$1" != lo ] || refuse "lo is no card"
	[ -z "$(ip -o address show dev "$1" scope global)" ] ||
		refuse "$1 has an address, so the host uses it; choose another, or: ip address flush dev $1"
	[ -z "$(ip route show dev "$1")$(ip -6 route show dev "$1" | grep -v '^fe80')" ] ||
		refuse "$1 has routes, so the host uses it; choose another"
	[ ! -e "/sys/class/net/$1/master" ] || refuse "$1 is a port of a bridge or bond: ip link set $1 nomaster"
	! ip -d link show "$1" | grep -q 'prog/xdp' || refuse "$1 has an XDP program: bpftool net shows whose"
}

# shellcheck disable=SC2086 # two names
set -- ${CARDS:-}
[ $# -eq 2 ] && [ "$1" != "$2" ] ||
	refuse "give two ports that a cable joins, and that the host does not use: make check-card CARDS='eth1 eth2'"
for card; do
	unused "$card"
	setting "$card" > "$scratch/before-$card"
done
driver=$(ethtool -i "$2" | sed -n 's/^driver: //p')
for test in ${CARD_TESTS:-vm/nic.sh vm/divert.sh}; do
	echo "== $test"
	CARDS="$1 $2" pairs=cards timeout 1800 sh "$top/tests/$test"
done > "$logs/$driver.log" 2>&1
echo "== end" >> "$logs/$driver.log"
judge "$logs/$driver.log"
machine_is "$driver" "$(uname -r)" "$driver"
for card; do
	setting "$card" > "$scratch/after"
	check "$card is as before" diff "$scratch/before-$card" "$scratch/after"
done
{
	echo "    $(uname -srm)"
	ethtool -i "$2" | sed -n -e 's/^driver: /    driver: /p' -e 's/^version: /    version: /p' -e 's/^firmware-version: /    firmware: /p'
	"$build/xdpdump/xdpdump" --doctor "$2" 2>&1 | sed 's/^/    /'
	write_table 'Written by make check-card.'
} > "$logs/table.md"
cat "$logs/table.md"
echo "what to send: $logs/table.md"
finish
