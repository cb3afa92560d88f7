#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make check-card CARD=eth1 PEER=eth2: the tests of a driver on a card of this machine; docs/hardware.md is for who runs
# it. PEER is the card at the other end of the cable. Both are lent to network namespaces and go back as they were.
# It refuses a card that the host uses, and ends with a table to send to us.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/vm/cards.sh
. "$(dirname "$0")/../vm/cards.sh"
logs=${CARD_LOGS:-$build/tests/card}
tests=${CARD_TESTS:-vm/nic.sh vm/divert.sh}

refuse()
{
	echo "check-card: $1" >&2
	exit 1
}

# is_free CARD: refuses one that the host needs. An address may be that of the login by which somebody runs this.
is_free()
{
	[ -e "/sys/class/net/$1" ] || refuse "there is no interface $1: ip link lists them"
	[ -z "$(ip -o addr show dev "$1" scope global)" ] ||
		refuse "$1 has an address, so the host uses it. Take it away first if nobody needs it: ip addr flush dev $1"
	[ -z "$(ip route show table all dev "$1" | grep -v -e '^fe80' -e '^multicast' -e '^ff00' -e '^local fe80' -e '^anycast')" ] ||
		refuse "there is a route by $1, so the host uses it"
	for upper in "/sys/class/net/$1"/upper_* "/sys/class/net/$1/master"; do
		[ ! -e "$upper" ] || refuse "$1 belongs to another interface (${upper##*/}), so the host uses it"
	done
	[ -z "$(ip -d link show dev "$1" | sed -n 's/.*prog\/xdp.* id \([0-9]*\).*/\1/p')" ] ||
		refuse "$1 has an XDP program of somebody else"
}

# state CARD: what has to be the same afterwards.
state()
{
	ip -o link show dev "$1" | sed -e 's/^[0-9]*: //' -e 's/ state [A-Z]*//' -e 's/,*LOWER_UP//' -e 's/,*NO-CARRIER//' \
		-e 's/@[^:]*//' -e 's/ link-netns [^ ]*//' -e 's/ link-netnsid [0-9]*//' -e 's/ qdisc [a-z]*//' -e 's/ group .*//' \
		-e 's/<,/</'
	features "$1"
	rings_of "$1"
}

of_ethtool()
{
	ethtool -i "$CARD" 2> /dev/null | sed -n "s/^$1: //p"
}

pci_id()
{
	folder=/sys/class/net/$CARD/device
	[ -e "$folder/vendor" ] && echo "$(cat "$folder/vendor"):$(cat "$folder/device")" | sed 's/0x//g'
}

describe()
{
	echo "| | |"
	echo "|---|---|"
	echo "| driver, firmware | $(of_ethtool driver), $(of_ethtool firmware-version) |"
	echo "| PCI | $(pci_id) |"
	echo "| speed, queues | $(ethtool "$CARD" 2> /dev/null | sed -n 's/^[[:space:]]*Speed: //p'), $(rings_of "$CARD") |"
	echo "| kernel, machine | $(uname -r), $(uname -m) |"
	echo "| revision | $(git -C "$top" describe --always --dirty 2> /dev/null || sed -n 's/^VERSION = //p' "$build/Makefile") |"
}

# run TEST: in a log of its own; a row of the table.
run()
{
	log=$logs/$(basename "$1" .sh).log
	echo "check-card: $1; its words are in $log"
	CARD=$CARD PEER=$PEER pairs=cards sh "$top/tests/$1" > "$log" 2>&1
	status=$?
	verdict=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 | \2 | \3/p' "$log" | tail -n 1)
	echo "| $1 | ${verdict:-did not end \| \|} |" >> "$scratch/rows"
	[ "$status" -eq 0 ] && ok "$1" || bad "$1"
	grep -e '^FAILED' "$log"
	wait_for 10 test -e "/sys/class/net/$CARD"
}

# cell COLUMN: of the card's row in docs/drivers.md, without marks; nothing where there is no row.
page=${CARD_PAGE:-$top/docs/drivers.md}
cell()
{
	driver=$(of_ethtool driver)
	case $driver in
	mlx5_core) driver=mlx5 ;;
	mlx4_en) driver=mlx4 ;;
	bnxt_en) driver=bnxt ;;
	st_gmac) driver=stmmac ;;
	nicvf) driver=thunderx ;;
	fsl_enetc) driver=enetc ;;
	fsl_dpaa2_eth) driver=dpaa2 ;;
	rvu_nicpf) driver=otx2 ;;
	vif) driver=xen-netfront ;;
	am65-cpsw-nuss) driver=am65-cpsw ;;
	esac
	awk -F ' *[|] *' -v driver="$driver" -v column="$1" '
		$2 == "driver" { for (at = NF; at && $at != column; at--); }
		at && (", " $2 ",") ~ (", " driver ",") { gsub(/ *\(?\*\*(run|simulated)\*\*\)?/, "", $at); print $at; exit }' "$page"
}

# seen WHAT COLUMN YES NO HERE: HERE is yes, no or empty, as seen; the page says YES or NO, patterns of grep.
seen()
{
	says=$(cell "$2")
	if [ -z "$says" ] || [ -z "$5" ]; then
		verdict='not compared'
	elif { [ "$5" = no ] && echo "$says" | grep -q "^$3"; } || { [ "$5" = yes ] && echo "$says" | grep -q "^$4"; }; then
		verdict='**the page is wrong**'
		bad "docs/drivers.md, $(of_ethtool driver), $2: \"$says\"; here: $1 $5"
	else
		verdict=agrees
	fi
	echo "| $1 | ${says:-no row} | ${5:-not seen} | $verdict |" >> "$scratch/row"
}

# in_logs PATTERN ANSWER: that, where the tests said so; several PATTERN ANSWER are asked one after the other.
in_logs()
{
	while [ $# -gt 0 ]; do
		if cat "$logs"/*.log | grep -q "$1"; then
			echo "$2"
			return
		fi
		shift 2
	done
}

# Is what its row promises so here? What the tests do not show is not compared.
check_row()
{
	: > "$scratch/row"
	seen "takes a program" 'refuses when' '[^a]' always "$(in_logs '^  hook=xdp: xdp 1' yes)"
	seen "link goes down" resets '[^n]' no "$(in_logs 'the link of .* was down for' yes)"
	seen "tags are lost" 'VLAN tags at XDP' stripped left "$(in_logs 'tags, said to be missing' yes)"
	seen zero-copy 'AF_XDP zero-copy' yes no "$(in_logs '^table: .* queues*, zero-copy |' yes '^table: .* zero-copy=auto: ' no)"
	echo
	echo "| docs/drivers.md | says | here | |"
	echo "|---|---|---|---|"
	cat "$scratch/row"
}

table()
{
	echo
	describe
	echo
	echo "| test | passed | failed | skipped |"
	echo "|---|---|---|---|"
	cat "$scratch/rows"
	rows=$(sed -n 's/^table: .* | .* | \(.*\) | \(.*\) | \(.*\)$/| \1 | \2 | \3 |/p' "$logs"/*.log)
	[ -z "$rows" ] || printf '\n| engine | mode | frames |\n|---|---|---|\n%s\n' "$rows"
	failures=$(grep -h '^FAILED' "$logs"/*.log)
	[ -z "$failures" ] || printf '\n%s\n' "$failures"
}

[ -n "${CARD-}" ] && [ -n "${PEER-}" ] || refuse "name both cards: make check-card CARD=eth1 PEER=eth2; docs/hardware.md"
[ "$CARD" != "$PEER" ] || refuse "CARD and PEER are the two ends of a cable"
need_root
need_library
need ethtool tcpdump ping ss
is_free "$CARD"
is_free "$PEER"
mkdir -p "$logs"
rm -f "$logs"/*.log
for card in "$CARD" "$PEER"; do
	state "$card" > "$scratch/$card.before"
done
: > "$scratch/rows"
for test in $tests; do
	run "$test"
done
for card in "$CARD" "$PEER"; do
	state "$card" > "$scratch/$card.after"
	check "$card is as it was" diff "$scratch/$card.before" "$scratch/$card.after"
done
check_row > "$scratch/compared"
{
	table
	cat "$scratch/compared"
} > "$logs/table.md"
cat "$logs/table.md"
echo
echo "This table is in $logs/table.md: please send it; docs/hardware.md says where."
finish
