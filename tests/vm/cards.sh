# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154,SC2034 # variables of who reads it, and for them
# The two network cards that a cable joins: eth0 and eth1 of a virtual machine, or PEER and CARD of make check-card.
# They are lent to the test's namespaces. However the test ends, they go back as they were.
near=${PEER:-eth0} far=${CARD:-eth1}

# need_card NAME...
need_card()
{
	for card; do
		[ -e "/sys/class/net/$card" ] || skip_all "no network card $card"
	done
}

# features NAME: those of the driver that can be changed, as ethtool -K has them.
features()
{
	ethtool -k "$1" 2> /dev/null | sed -n 's/^\t*\([a-z0-9-]*\): \(on\|off\)$/\1 \2/p'
}

# rings_of NAME: how many queues it has, in words for ethtool -L.
rings_of()
{
	ethtool -l "$1" 2> /dev/null | sed -n '/^Current/,$s/^Combined:[^0-9]*\([0-9]\)/combined \1/p'
}

# lend CARD NAMESPACE NAME [ADDRESS]: there it has that name, and that hardware address.
lend()
{
	features "$1" > "$scratch/$1.features"
	rings_of "$1" > "$scratch/$1.rings"
	cat "/sys/class/net/$1/address" > "$scratch/$1.address"
	grep -q '[13579bdf]$' "/sys/class/net/$1/flags" && touch "$scratch/$1.up"
	at_exit "give_back $1 $2 $3"
	ip link set "$1" down
	ip link set "$1" netns "$2" name "$3" || exit 1
	[ -z "${4-}" ] || [ "$4" = "$(cat "$scratch/$1.address")" ] || ip -n "$2" link set "$3" address "$4" || exit 1
}

# give_back CARD NAMESPACE NAME
give_back()
{
	kill_started
	ip -n "$2" link set "$3" down 2> /dev/null || return 0 # it has not come there
	ip netns exec "$2" ethtool -k "$3" > "$scratch/now" 2> /dev/null
	while read -r feature value; do
		grep -q "^[[:space:]]*$feature: $value" "$scratch/now" || ip netns exec "$2" ethtool -K "$3" "$feature" "$value"
	done < "$scratch/$1.features" > /dev/null 2>&1
	read -r kind number < "$scratch/$1.rings" && ip netns exec "$2" ethtool -L "$3" "$kind" "$number" > /dev/null 2>&1
	ip -n "$2" link set "$3" address "$(cat "$scratch/$1.address")"
	ip -n "$2" link set "$3" netns $$ name "$1" || echo "$1 is still in the network namespace $2, as $3"
	[ ! -e "$scratch/$1.up" ] || ip link set "$1" up
}

# join_cards: eth0 in $left and eth1 in $right, with addresses of IPv4, when they reach each other.
join_cards()
{
	need_card "$near" "$far"
	pair_namespaces
	lend "$near" "$left" eth0
	lend "$far" "$right" eth1
	ip -n "$left" addr add 10.99.0.1/24 dev eth0
	ip -n "$right" addr add 10.99.0.2/24 dev eth1
	ip -n "$left" link set eth0 up
	ip -n "$right" link set eth1 up
	ip -n "$left" neigh replace 10.99.0.2 lladdr "$(in_right cat /sys/class/net/eth1/address)" dev eth0
	ip -n "$right" neigh replace 10.99.0.1 lladdr "$(in_left cat /sys/class/net/eth0/address)" dev eth1
	check "the cards are joined" wait_for 30 in_left ping -qc 1 -W 1 10.99.0.2
}
