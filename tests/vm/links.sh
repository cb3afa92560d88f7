#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# In a virtual machine: every kind of link that rtnetlink makes. A device of the kind receives and sends; what auto, tc
# and the packet hook have is what AF_PACKET has, or the hook is refused with the one that works.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/../hooks/lib.sh"
need_root
need_library
need tcpdump ping
kernel_since 5 18 || skip_all "needs Linux 5.18"
while read -r module; do
	insmod "/modules/$module.ko" > "$scratch/insmod" 2>&1 || echo "insmod $module: $(cat "$scratch/insmod")"
done < /modules/later
veth_pair
filter=''
refused='' # what is refused, with the way that works: tc, or all

# kind NAME [PACKETS]: captures on $device_name of $right, at all hooks at once, while $traffic runs. AF_PACKET has so
# many packets at least.
kind()
{
	what=$1 least=${2:-6} pairs_started=''
	for hook in auto tc packet; do
		options=hook=$hook
		refusal=''
		[ -z "$refused" ] ||
			with_library timeout 20 tcpdump -Z root -i "xdp:$device_name,$options" -d > /dev/null 2> "$scratch/said" ||
			refusal=$(grep -v -e listening -e suppressed "$scratch/said" | head -n 1)
		if [ -n "$refusal" ]; then
			if { [ $hook = tc ] && [ "$refused" = tc ] && echo "$refusal" | grep -q ': use hook=packet$'; } ||
				{ [ "$refused" = all ] && echo "$refusal" | grep -q ': use x0 without xdp:$'; }; then
				ok "$what, $options: refused: $refusal"
			else
				bad "$what, $options: refused: $refusal"
			fi
			continue
		fi
		start_pair "$hook" "$right" "$device_name" "$options" ${filter:+"$filter"}
		pairs_started="$pairs_started $hook"
	done
	[ -n "$pairs_started" ] || return 0
	$traffic > "$scratch/traffic" 2>&1 || echo "    $what: traffic: $(tail -n 2 "$scratch/traffic" | xargs)"
	# shellcheck disable=SC2086 # names
	end_pairs $pairs_started
	for hook in $pairs_started; do
		# libpcap has some that begin with the IP header as cooked.
		frame_options='-e -xx'
		[ "$(link_type "$scratch/$hook.theirs")" = "$(link_type "$scratch/$hook.ours")" ] || frame_options=-x
		same_frames "$hook" "$what, hook=$hook${filter:+, '$filter'}" "$least"
	done
}

# link_type FILE
link_type()
{
	tcpdump -r "$1" 2>&1 | sed -n 's/.*link-type \([A-Z0-9_]*\).*/\1/p'
}

from_left()
{
	in_left ping -qc 4 -i 0.05 -s 100 -W 5 "$far"
}

from_right()
{
	in_right ping -qc 4 -i 0.05 -s 100 -W 5 "$far"
}

# tunnel NAME NETWORK TYPE WORD...: a device of this type at both ends, x0, with 10.NETWORK.0.1 and .2. $to_left and
# $to_right are further words, one for each end.
to_left='' to_right=''
tunnel()
{
	title=$1 network=$2 type=$3
	shift 3
	# shellcheck disable=SC2086 # words
	ip -n "$right" link add x0 type "$type" "$@" $to_left > "$scratch/link" 2>&1 &&
		ip -n "$left" link add x0 type "$type" "$@" $to_right >> "$scratch/link" 2>&1 || {
		ip -n "$right" link del x0 2> /dev/null
		skip "$title: $(head -n 1 "$scratch/link")"
		return 1
	}
	for end in "$left 1" "$right 2"; do
		where=${end% *}
		ip -n "$where" addr add "10.$network.0.${end#* }/24" dev x0
		ip -n "$where" link set x0 up
	done
	device_name=x0 far=10.$network.0.2 traffic=from_left
}

tunnel_end()
{
	ip -n "$right" link del x0
	ip -n "$left" link del x0
	to_left='' to_right=''
}

# ends LOCAL-WORD: tunnels that have both addresses.
ends()
{
	to_left='remote 10.99.0.1 local 10.99.0.2' to_right='remote 10.99.0.2 local 10.99.0.1'
}

ip -n "$right" addr add fd00:99::2/64 dev vb nodad 2> /dev/null
for where in "$left" "$right"; do
	ip netns exec "$where" sysctl -qw net.ipv6.conf.all.disable_ipv6=0 net.ipv6.conf.default.disable_ipv6=1 \
		net.ipv6.conf.va.disable_ipv6=0 net.ipv6.conf.vb.disable_ipv6=0 2> /dev/null
done
ip -n "$right" addr add fd00:99::2/64 dev vb nodad
ip -n "$left" addr add fd00:99::1/64 dev va nodad
six='remote fd00:99::1 local fd00:99::2' six_far='remote fd00:99::2 local fd00:99::1'

ends
tunnel gre 60 gre && kind gre && { filter=icmp && kind gre 4; filter=''; tunnel_end; }
to_left='local 10.99.0.2' to_right='local 10.99.0.1'
tunnel "gre without a remote" 61 gre && {
	ip -n "$left" neigh replace 10.61.0.2 lladdr 10.99.0.2 dev x0
	ip -n "$right" neigh replace 10.61.0.1 lladdr 10.99.0.1 dev x0
	refused=all
	kind "gre without a remote"
	refused=''
	tunnel_end
}
for type in gretap ipip vxlan; do
	ends
	words=''
	[ $type != vxlan ] || words='id 7 dstport 4789'
	# shellcheck disable=SC2086 # words
	tunnel $type 62 $type $words && kind $type && tunnel_end
done
ends
tunnel erspan 63 erspan seq key 5 erspan_ver 1 erspan 9 && kind erspan && tunnel_end
ends
tunnel sit 64 sit mode any && kind sit && tunnel_end
to_left='remote 10.99.0.1' to_right='remote 10.99.0.2'
tunnel geneve 65 geneve id 8 && kind geneve && tunnel_end
for type in ip6gre ip6gretap ip6tnl; do
	to_left=$six to_right=$six_far
	words=''
	[ $type != ip6tnl ] || words='mode any'
	# shellcheck disable=SC2086 # words
	[ $type != ip6gre ] || refused=all
	tunnel $type 66 $type $words && kind $type && tunnel_end
	refused=''
done
to_left='local fd00:99::2' to_right='local fd00:99::1'
tunnel "ip6gre without a remote" 68 ip6gre && {
	ip -n "$left" neigh replace 10.68.0.2 lladdr fd:00:00:99:00:00:00:00:00:00:00:00:00:00:00:02 dev x0
	ip -n "$right" neigh replace 10.68.0.1 lladdr fd:00:00:99:00:00:00:00:00:00:00:00:00:00:00:01 dev x0
	refused=all
	kind "ip6gre without a remote"
	refused=''
	tunnel_end
}

# ipsec SPI WORD...: a tunnel between the ends, for what has this mark or number, with nothing encrypted.
near=10.99.0.1 other=10.99.0.2
ipsec()
{
	spi=$1
	shift
	for where in "$left" "$right"; do
		for way in "$near $other" "$other $near"; do
			ip -n "$where" xfrm state add src "${way% *}" dst "${way#* }" proto esp spi "$spi" reqid "$spi" mode tunnel "$@" \
				flag af-unspec auth-trunc digest_null '' 0 enc 'ecb(cipher_null)' '' || return
		done
	done
	for way in "$left out $near $other" "$left in $other $near" "$right out $other $near" "$right in $near $other"; do
		# shellcheck disable=SC2086 # four words
		policy "$spi" "$*" $way || return
	done
}

# policy SPI WORDS NAMESPACE DIRECTION FROM TO
# shellcheck disable=SC2086 # words
policy()
{
	ip -n "$3" xfrm policy add src 0.0.0.0/0 dst 0.0.0.0/0 dir "$4" $2 tmpl src "$5" dst "$6" proto esp reqid "$1" mode tunnel
}

ipsec 7 mark 7 > "$scratch/xfrm" 2>&1 || echo "    ipsec: $(head -n 1 "$scratch/xfrm")"
ends
refused=tc
tunnel vti 69 vti key 7 && kind vti && tunnel_end
ipsec 8 if_id 8 > "$scratch/xfrm" 2>&1 || echo "    ipsec: $(head -n 1 "$scratch/xfrm")"
ip -n "$right" link add x0 type xfrm dev vb if_id 8 2> "$scratch/link" && ip -n "$left" link add x0 type xfrm dev va if_id 8 && {
	ip -n "$right" addr add 10.70.0.2/24 dev x0 && ip -n "$right" link set x0 up
	ip -n "$left" addr add 10.70.0.1/24 dev x0 && ip -n "$left" link set x0 up
	device_name=x0 far=10.70.0.2 traffic=from_left
	kind xfrm
	tunnel_end
}
end_ipsec()
{
	for where in "$left" "$right"; do
		ip -n "$where" xfrm policy flush
		ip -n "$where" xfrm state flush
	done
}
end_ipsec
near=fd00:99::1 other=fd00:99::2
ipsec 9 mark 9 > "$scratch/xfrm" 2>&1 || echo "    ipsec: $(head -n 1 "$scratch/xfrm")"
to_left=$six to_right=$six_far
tunnel vti6 67 vti6 key 9 && kind vti6 && tunnel_end
refused=''
end_ipsec

for where in "$left 1 va" "$right 2 vb"; do
	# shellcheck disable=SC2086 # three words
	set -- $where
	ip -n "$1" link add x0 type wireguard 2> "$scratch/link" || continue
	wg genkey > "$scratch/key$2"
	wg pubkey < "$scratch/key$2" > "$scratch/public$2"
	ip -n "$1" addr add "10.78.0.$2/24" dev x0
	ip -n "$1" link set x0 up
done 2> "$scratch/wg"
if [ -s "$scratch/public1" ]; then
	in_left wg set x0 listen-port 5 private-key "$scratch/key1" peer "$(cat "$scratch/public2")" allowed-ips 10.78.0.0/24 endpoint 10.99.0.2:5
	in_right wg set x0 listen-port 5 private-key "$scratch/key2" peer "$(cat "$scratch/public1")" allowed-ips 10.78.0.0/24 endpoint 10.99.0.1:5
	device_name=x0 far=10.78.0.2 traffic=from_left
	wait_for 5 in_left ping -qc 1 -W 1 $far
	kind wireguard
else
	skip "wireguard: $(cat "$scratch/link" "$scratch/wg" | head -n 1)"
fi
ip -n "$right" link del x0 2> /dev/null
ip -n "$left" link del x0 2> /dev/null

# A VRF with one port: what is for the port is for the VRF.
ip -n "$right" link add vrf0 type vrf table 10 2> "$scratch/link" && {
	ip -n "$right" link set vrf0 up
	ip -n "$right" link set vb master vrf0
	ip -n "$right" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb
	device_name=vrf0 far=10.99.0.2 traffic=from_left
	refused=tc
	kind vrf 4
	filter=icmp && kind vrf 4
	filter='' refused=''
	device_name=vb
	kind "a port of a VRF" 4
	ip -n "$right" link del vrf0
	ip -n "$right" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb
} || skip "vrf: $(head -n 1 "$scratch/link")"

# Above the pair: macvtap (its queue is a program's, so by what is sent), macsec, VLANs of both kinds.
for kind in 'vlan id 5' 'vlan proto 802.1ad id 6' 'macvlan mode bridge' 'ipvlan mode l2' 'ipvlan mode l3' 'ipvlan mode l3s'; do
	# shellcheck disable=SC2086 # words
	ip -n "$right" link add link vb name x0 type $kind 2> "$scratch/link" || {
		skip "$kind: $(head -n 1 "$scratch/link")"
		continue
	}
	case $kind in
	vlan*) # shellcheck disable=SC2086 # words
		ip -n "$left" link add link va name x0 type $kind ;;
	*) ip -n "$left" link add link va name x0 type macvlan mode bridge ;;
	esac
	for end in "$left 1" "$right 2"; do
		ip -n "${end% *}" addr add "10.71.0.${end#* }/24" dev x0
		ip -n "${end% *}" link set x0 up
	done
	address=$(ip -n "$right" -br link show dev x0 | awk '{ print $3 }')
	ip -n "$left" neigh replace 10.71.0.2 lladdr "$address" dev x0
	device_name=x0 far=10.71.0.2 traffic=from_left
	kind "$kind" 4
	ip -n "$right" link del x0
	ip -n "$left" link del x0
done
ip -n "$right" link add link vb name x0 type macvtap mode bridge 2> "$scratch/link" && {
	ip -n "$right" addr add 10.72.0.2/24 dev x0
	ip -n "$right" link set x0 up
	device_name=x0 far=10.72.0.1 traffic=from_right
	ip -n "$right" neigh replace 10.72.0.1 lladdr 02:00:00:00:00:0a dev x0
	kind macvtap 4
	ip -n "$right" link del x0
} || skip "macvtap: $(head -n 1 "$scratch/link")"
ip -n "$right" link add link vb name x0 type macsec encrypt off 2> "$scratch/link" && {
	key='01 12345678901234567890123456789012'
	ip -n "$left" link add link va name x0 type macsec encrypt off
	of_left='port 1 address 02:00:00:00:00:0a' of_right='port 1 address 02:74:67:00:00:02'
	# shellcheck disable=SC2086 # two words
	{
		ip -n "$right" macsec add x0 tx sa 0 pn 1 on key $key && ip -n "$left" macsec add x0 tx sa 0 pn 1 on key $key
		ip -n "$right" macsec add x0 rx $of_left on && ip -n "$right" macsec add x0 rx $of_left sa 0 pn 1 on key $key
		ip -n "$left" macsec add x0 rx $of_right on && ip -n "$left" macsec add x0 rx $of_right sa 0 pn 1 on key $key
	} > "$scratch/macsec" 2>&1
	keys=$?
	for end in "$left 1" "$right 2"; do
		ip -n "${end% *}" addr add "10.73.0.${end#* }/24" dev x0
		ip -n "${end% *}" link set x0 up
	done
	device_name=x0 far=10.73.0.2 traffic=from_left
	if [ "$keys" -eq 0 ]; then
		kind macsec 2
	else
		skip "macsec: $(head -n 1 "$scratch/macsec")"
	fi
	tunnel_end
} || skip "macsec: $(head -n 1 "$scratch/link")"

start "$build/tests/vm/ppp" "$left" "$right"
lines=$pid
if wait_for 5 grep -q ready "$out"; then
	for end in "$left 1 2" "$right 2 1"; do
		# shellcheck disable=SC2086 # three words
		set -- $end
		ip -n "$1" link set ppp0 name x0
		ip -n "$1" addr add "10.79.0.$2" peer "10.79.0.$3" dev x0
		ip -n "$1" link set x0 up
	done
	device_name=x0 far=10.79.0.2 traffic=from_left
	kind ppp
	stop "$lines" KILL
else
	skip "ppp: $(head -n 1 "$err")"
fi

# HSR: a ring of two, each frame by both of its ports.
hsr_end()
{
	ip -n "$1" link set p0 up
	ip -n "$1" link set q0 up
	ip -n "$1" link add x0 type hsr slave1 p0 slave2 q0 version 1 2> "$scratch/link" || return
	ip -n "$1" addr add "10.77.0.$2/24" dev x0
	ip -n "$1" link set x0 up
}

for port in p0 q0; do
	ip -n "$right" link add $port type veth peer name $port netns "$left"
done
if hsr_end "$right" 2 && hsr_end "$left" 1; then
	device_name=x0 far=10.77.0.2 traffic=from_left
	wait_for 5 in_left ping -qc 1 -W 1 $far
	filter='icmp or arp' # supervision frames come at any time
	kind hsr 4
	filter=''
	ip -n "$right" link del x0
	ip -n "$left" link del x0
else
	skip "hsr: $(head -n 1 "$scratch/link")"
fi
ip -n "$right" link del p0
ip -n "$right" link del q0

# Devices of several ports.
for kind in 'team' 'bond mode active-backup miimon 100' 'bond mode balance-rr miimon 100' 'bridge'; do
	# shellcheck disable=SC2086 # words
	ip -n "$right" link add x0 type $kind 2> "$scratch/link" || {
		skip "$kind: $(head -n 1 "$scratch/link")"
		continue
	}
	ip -n "$right" link add p0 type veth peer name p1 netns "$left"
	ip -n "$right" link set p0 master x0
	for end in "$left 1 p1" "$right 2 x0"; do
		# shellcheck disable=SC2086 # three
		set -- $end
		ip -n "$1" addr add "10.74.0.$2/24" dev "$3"
		ip -n "$1" link set "$3" up
	done
	ip -n "$right" link set p0 up
	wait_for 5 in_left ping -qc 1 -W 1 10.74.0.2
	device_name=x0 far=10.74.0.2 traffic=from_left
	kind "$kind" 4
	device_name=p0
	filter='icmp or arp'
	kind "a port of a $kind" 1
	filter=''
	ip -n "$right" link del x0
	ip -n "$right" link del p0
done

# netkit, both modes: a pair as veth's. An ip that does not know it makes one of the default mode, l3.
netkit()
{
	ip -n "$right" link add x0 type netkit mode "$1" forward peer forward name x1 2> "$scratch/link" && return
	[ "$1" = l3 ] && ip -n "$right" link add x0 type netkit 2> "$scratch/link" && ip -n "$right" link set nk0 name x1
}

for mode in l2 l3; do
	netkit $mode || {
		skip "netkit $mode: $(head -n 1 "$scratch/link")"
		continue
	}
	ip -n "$right" link set x1 netns "$left" name x0
	for end in "$left 1" "$right 2"; do
		ip -n "${end% *}" addr add "10.75.0.${end#* }/24" dev x0
		ip -n "${end% *}" link set x0 up
	done
	device_name=x0 far=10.75.0.2 traffic=from_left
	kind "netkit $mode" 4
	ip -n "$right" link del x0
done

# What is sent into these goes nowhere.
for kind in dummy ifb; do
	ip -n "$right" link add x0 type $kind 2> "$scratch/link" || {
		skip "$kind: $(head -n 1 "$scratch/link")"
		continue
	}
	ip -n "$right" addr add 10.76.0.2/24 dev x0
	ip -n "$right" link set x0 up
	ip -n "$right" neigh replace 10.76.0.1 lladdr 02:00:00:00:00:0a dev x0
	device_name=x0
	into_nothing()
	{
		in_right ping -qc 4 -i 0.05 -W 0.2 10.76.0.1 || true
	}
	traffic=into_nothing
	kind $kind 4
	ip -n "$right" link del x0
done

# Frames of another kind are refused, and the way is named.
for kind in nlmon vcan; do
	ip -n "$right" link add x0 type $kind 2> "$scratch/link" || {
		skip "$kind: $(head -n 1 "$scratch/link")"
		continue
	}
	ip -n "$right" link set x0 up
	device_name=x0 refused=all
	kind $kind
	ip -n "$right" link del x0
done
finish
