# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of lib.sh, which comes first
# Two network cards that a cable joins, in place of a veth pair: CARDS, by default eth0 and eth1 (a virtual machine's).

# has_cards: are they here?
has_cards()
{
	for card in ${CARDS:-eth0 eth1}; do
		[ -e "/sys/class/net/$card" ] || return 1
	done
}

# setting CARD: what a test may change, by words for ip-link(8), then by lines of ethtool(8).
setting()
{
	ip -o link show "$1" | awk '{
		for (i = 1; i < NF; i++)
			if ($i == "mtu" || $i == "link/ether")
				printf "%s %s ", $i == "mtu" ? $i : "address", $(i + 1)
		print $3 ~ /[<,]UP[,>]/ ? "up" : "down"
	}'
	ethtool -k "$1" 2> /dev/null | sed -n 's/^[\t ]*\([a-z0-9-]*\): \(o[nf]*\)$/\1 \2/p'
}

# take_cards LEFT RIGHT: the first one is in $left by that name, the other in $right, with the addresses and the MTU that
# tests expect. When the test ends they are here again, as they were.
take_cards()
{
	taken="$left:$1 $right:$2"
	for card in ${CARDS:-eth0 eth1}; do
		setting "$card" > "$scratch/setting-$card"
	done
	at_exit give_back
	# shellcheck disable=SC2086 # two names
	set -- "$1" "$2" ${CARDS:-eth0 eth1}
	ip link set "$3" down
	ip link set "$4" down
	ip link set "$3" mtu 1500 address 02:00:00:00:00:0a netns "$left" name "$1"
	ip link set "$4" mtu 1500 address 02:74:67:00:00:02 netns "$right" name "$2"
}

give_back()
{
	kill_started # captures hold programs on them
	for card in ${CARDS:-eth0 eth1}; do
		from=${taken%% *}
		taken=${taken#* }
		ip -n "${from%:*}" link set "${from#*:}" down
		ip -n "${from%:*}" link set "${from#*:}" netns $$ name "$card"
		setting "$card" > "$scratch/setting"
		diff "$scratch/setting" "$scratch/setting-$card" | sed -n 's/^> \([a-z0-9-]* o[nf]*\)$/\1/p' |
			while read -r feature state; do
				ethtool -K "$card" "$feature" "$state" > /dev/null 2>&1
			done
		# shellcheck disable=SC2046 # words
		ip link set "$card" $(head -n 1 "$scratch/setting-$card")
	done
}
