#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Interfaces in other network namespaces; the process itself stays where it is.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump capinfos
veth_pair
first=$right
second_pair()
{
	keep_left=$left
	veth_pair
	second=$right other=$left left=$keep_left
}
second_pair
file=$scratch/f.pcapng

# namespace_of PID: its number, as the kernel tells it.
namespace_of()
{
	readlink "/proc/$1/ns/net"
}

start "$xdpdump" --netns "$first" -i vb --netns "/run/netns/$second" -i vb -w "$file" udp
capture=$pid said=$err
started_capturing
equal "the process is in its own namespace" "$(namespace_of $$)" "$(namespace_of "$capture")"
check "attached in the first" fails no_xdp_program "$first" vb
check "attached in the second" fails no_xdp_program "$second" vb
send -n 1000 -r 20000
left=$other
send -n 500 -r 20000
sleep 1.5
check "it goes on" kill -0 "$capture"
check "it ends well" stop "$capture" INT
equal "captured" 1500 "$(count captured "$said")"
equal "packets in the file" 1500 "$(packets "$file")"
capinfos "$file" > "$scratch/said"
check "the first is named" grep -q "Name = $first/vb" "$scratch/said"
check "the second is named" grep -q "Name = /run/netns/$second/vb" "$scratch/said"
check "and described" grep -q "Description = network namespace $first, ingress XDP program" "$scratch/said"
check "dropped by the interface: none" fails grep -q 'dropped by interface' "$said"
check "no program is left in the first" no_xdp_program "$first" vb
check "no program is left in the second" no_xdp_program "$second" vb

# Ours and another one in one capture.
left=$keep_left
start ip netns exec "$second" "$xdpdump" -i vb --netns "$first" -i vb -c 20 -w "$file"
started_capturing
capture=$pid
send -n 10 -r 1000
left=$other
send -n 10 -r 1000
check "ours and another end by -c" ended "$capture" 5
capinfos "$file" > "$scratch/said"
check "ours has its plain name" grep -q "Name = vb$" "$scratch/said"

# In lines the namespace is told where it says which of several.
left=$keep_left
start ip netns exec "$second" "$xdpdump" -i vb --netns "$first" -i vb -t -c 20
started_capturing
capture=$pid printed=$out
send -n 10 -r 1000
left=$other
send -n 10 -r 1000
check "lines of two namespaces end by -c" ended "$capture" 5
equal "lines of ours" 10 "$(grep -c '^vb In  IP ' "$printed")"
equal "lines of another" 10 "$(grep -c "^$first/vb In  IP " "$printed")"
start "$xdpdump" --netns "$second" -i vb -t -c 10
started_capturing
capture=$pid printed=$out
send -n 10 -r 1000
check "lines of one namespace end by -c" ended "$capture" 5
equal "lines of the one" 10 "$(grep -c '^vb In  IP ' "$printed")"

# An interface that goes away is noticed there as well.
start "$xdpdump" --netns "$first" -i vb -w "$file"
started_capturing
capture=$pid said=$err
ip -n "$first" link del vb
ended "$capture" 10
equal "the interface disappears: status" 1 $?
check "the interface disappears: the reason" grep -q 'vb has disappeared' "$said"

# examined NAMESPACE STATUS: of vb there; the report is $scratch/examined.
examined()
{
	"$xdpdump" --netns "$1" --doctor vb > "$scratch/examined" 2>&1
	equal "--netns $1 --doctor: status" "$2" $?
}

# The one interface of that name that is examined is there, and so are the remedies.
for place in "$second" "/run/netns/$second"; do
	case $place in
	/*) enter="nsenter --net=$place" ;;
	*) enter="ip netns exec $place" ;;
	esac
	examined "$place" 0
	check "it says where" grep -q "^Capture on vb in network namespace $place works\.$" "$scratch/examined"
	ip -n "$second" link set vb down
	examined "$place" 1
	remedy=$(sed -n "s|^ *# \($enter ip link set vb up\)$|\1|p" "$scratch/examined")
	check "a remedy" test -n "$remedy"
	$remedy
	examined "$place" 0
	ip -n "$second" link set vb up
done
"$xdpdump" --netns "$second" --doctor vb --json > "$scratch/examined" 2>&1
check "--json says where" grep -q "\"interface\":\"vb\",\"netns\":\"$second\"" "$scratch/examined"

"$xdpdump" --netns "$second" -D > "$scratch/listed"
check "-D lists what is there" grep -q ' vb .*veth' "$scratch/listed"
finish
