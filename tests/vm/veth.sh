#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: which hook a kernel lets auto take on a veth, in which form it takes a filter,
# what is said where it can do less; and that nothing is lost uncounted.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_library
need tcpdump ping ethtool
veth_pair

# Too old: then it has to say so, whatever is asked for.
if ! kernel_since 5 18; then
	for options in hook=xdp hook=tc hook=packet hook=packet,ring=512K; do
		run_xdpdump -i "xdp:vb,$options" -c 1
		check "$options: the error names the kernels that do" grep -q '5\.18' "$err"
		show "$err"
	done
	check "nothing is left attached" no_xdp_program "$right" vb
	finish
fi

# Before 6.6 there are no TCX links, and a filter on a packet socket has no access to the frame but by
# helper.
by_helper=', each load by helper'
behind='at tc' form_behind=''
kernel_since 6 6 || behind='by a packet socket' form_behind=$by_helper

filter='icmp and src net 10.99.0.0/24'

# place_and_form HOOK DIRECTION PLACE FORM: what xdpdump tells of both, and the frames it has.
place_and_form()
{
	what="hook=$1, $2"
	start_xdpdump -v --hook "$1" -Q "$2" -w "$scratch/f.pcapng" "$filter"
	capture=$pid said=$err
	in_left ping -qc 5 -i 0.1 -W 5 10.99.0.2 > /dev/null
	sleep 0.5
	check "$what: ends well" stop "$capture" INT
	check "$what: $3" grep -q "^listening on vb: $3, whole packets" "$said"
	check "$what: filter in the kernel$4" grep -q "filter: in the kernel$4\$" "$said"
	wanted=5
	[ "$2" != inout ] || wanted=10
	equal "$what: frames" "$wanted" "$(packets "$scratch/f.pcapng")"
	[ "$failed" -eq 0 ] || show "$said"
}

place_and_form auto in 'received frames at XDP (native)' ''
place_and_form auto out "sent frames $behind" "$form_behind"
place_and_form auto inout "received frames at XDP (native), sent frames $behind" "$form_behind"
place_and_form tc inout "received and sent frames $behind" "$form_behind"
place_and_form packet inout "received and sent frames by a packet socket" "$by_helper"
# Ports by search, of IPv4 and of IPv6.
filter="icmp$(seq 2000 7 2693 | sed 's/^/ or udp port /' | tr -d '\n')"
place_and_form auto in 'received frames at XDP (native)' ''
place_and_form auto out "sent frames $behind" "$form_behind"

# Programs of their own for what is to be left out, longer than the others.
echo 10.99.0.1 > "$scratch/hosts"
echo icmp 10.99.0.1 10.99.0.2 > "$scratch/flows"
for hook in xdp tc packet; do
	for less in slice=l3 sample=2 flow-cutoff=200 hosts="$scratch/hosts" not-hosts="$scratch/hosts" \
		not-flows="$scratch/flows"; do
		entries=''
		[ "${less%%=*}" != hosts ] || entries=--entries
		# shellcheck disable=SC2086 # one word or none
		start ip netns exec "$right" "$xdpdump" -i "xdp:vb,hook=$hook,$less" $entries -Q in -w "$scratch/f.pcapng" icmp
		started_capturing "$hook, $less"
		capture=$pid said=$err
		in_left ping -qc 5 -i 0.1 -W 5 10.99.0.2 > /dev/null
		sleep 0.5
		check "hook=$hook, $less: ends well" stop "$capture" INT
		number=$(packets "$scratch/f.pcapng")
		case $less in
		slice=*)
			equal "hook=$hook, $less: frames" 5 "$number"
			equal "hook=$hook, $less: cut to a header" 5 "$(tcpdump -nnr "$scratch/f.pcapng" 2> /dev/null | grep -c '\[|icmp\]')"
			;;
		sample=*) between "hook=$hook, $less: frames" 0 5 "$number" ;;
		hosts=*) equal "hook=$hook, hosts= and --entries: frames" 5 "$number" ;;
		not-hosts=* | not-flows=*) equal "hook=$hook, ${less%%=*}=: frames" 0 "$number" ;;
		*) equal "hook=$hook, $less: frames, the first 200 bytes of the flow" 3 "$number" ;;
		esac
	done
done

# Sent = delivered + counted, of large and small frames, into a ring that is large enough and one that
# is not; then every frame is looked at.
# Without XDP at the far end trafgen's frames need GRO there.
in_right ethtool -K vb gro on
for options in '' hook=tc hook=packet hook=xdp,ring=512K; do
	for size in 64 1500; do
		start ip netns exec "$right" "$xdpdump" -i "xdp:vb${options:+,$options}" -Q in -w "$scratch/f.pcapng"
		started_capturing "$options"
		capture=$pid said=$err
		send -n 20000 -s $size
		settle "$capture"
		stop "$capture" INT || bad "$options, $size bytes: status"
		check "${options:-auto}, 20000 frames of $size bytes: delivered or counted" accounted "$scratch/f.pcapng"
		echo "  $(count dropped "$said") dropped"
	done
done

# Tags beside the frame: put back by XDP from 6.8 on; before, it is said that they are missing.
ip -n "$left" link add link va name va.5 type vlan id 5 2> /dev/null || skip_all "no vlan interfaces in this kernel"
ip -n "$left" addr add 10.94.0.1/24 dev va.5
ip -n "$left" link set va.5 up
ip -n "$left" neigh replace 10.94.0.2 lladdr 02:74:67:00:00:02 dev va.5
PCAP_AFXDP_DEBUG=1 # notes
export PCAP_AFXDP_DEBUG
for hook in xdp tc packet; do
	device=xdp:vb,hook=$hook
	start_tcpdump -Z root -Q in --immediate-mode -e -l || continue
	capture=$pid printed=$out said=$err
	in_left ping -qc 3 -i 0.1 -W 1 10.94.0.2 > /dev/null
	sleep 0.5
	stop "$capture" INT
	if [ $hook = xdp ] && ! kernel_since 6 8; then
		check "hook=xdp: says that tags are missing" grep -q 'vb takes VLAN tags off' "$said"
		equal "hook=xdp: tags" 0 "$(grep -c 'vlan 5, p 0' "$printed")"
	else
		equal "hook=$hook: tags" 3 "$(grep -c 'vlan 5, p 0' "$printed")"
	fi
done
check "nothing is left attached" no_xdp_program "$right" vb
finish
