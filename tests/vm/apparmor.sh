#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: Debian's profile of tcpdump, enforced. As it is, xdp: devices are refused, and
# it is said why; with our rules tcpdump captures, also once it has dropped its privileges.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need tcpdump ping apparmor_parser
profile=/etc/apparmor.d/usr.bin.tcpdump
rules=/etc/apparmor.d/abstractions/pcap-afxdp
[ -d /sys/kernel/security/apparmor ] || skip_all "AppArmor is not switched on"
[ -f $profile ] || skip_all "no profile of tcpdump"
cp -R /installed/. /
[ -f $rules ] || skip_all "no rules of ours"
unset PCAP_AFXDP_LOADER
echo /usr/local/lib > /etc/ld.so.conf
ldconfig 2> "$scratch/ldconfig" || skip_all "no ldconfig"
veth_pair
# tcpdump drops them to user tcpdump, as Debian has it, but for options that say otherwise.
# run NAME REQUESTS OPTION...: five pings while it captures; it prints so many requests.
run()
{
	what=$1 wanted=$2
	shift 2
	start ip netns exec "$right" env PCAP_AFXDP_DEBUG=1 tcpdump -nn -l --immediate-mode "$@" icmp
	capture=$pid printed=$out said=$err
	wait_for 20 grep -q 'listening on' "$said"
	under=$(cat "/proc/$capture/attr/current" 2> /dev/null)
	loader=$(pidof pcap-afxdp-loader)
	[ -z "$loader" ] || loader=$(cat "/proc/$loader/attr/current")
	in_left ping -qc 5 -i 0.1 -W 5 10.99.0.2 > "$scratch/ping"
	sleep 1
	stop "$capture" INT
	equal "$what: requests" "$wanted" "$(grep -c 'echo request' "$printed")"
	[ "$wanted" -gt 0 ] || check "$what: an error" test "$(wc -c < "$said")" -gt 20
	sed 's/^/  /' "$said"
	# A name in another mount namespace, as ip makes one, is no name of the profile's: standard output.
	dmesg -c | grep 'apparmor="DENIED"' | grep -v 'disconnected path' > "$scratch/denied"
	sed -n 's/.*apparmor="DENIED"/  denied:/p' "$scratch/denied" | sort -u | head -n 10
}

parsed()
{
	apparmor_parser -r -K "$@"
}

: > /etc/apparmor.d/local/usr.bin.tcpdump
check "Debian's profile is loaded" parsed $profile
run "Debian's profile, an ordinary device" 5 -i vb
equal "it is enforced" 'tcpdump (enforce)' "$under"
run "Debian's profile, xdp:" 0 -i xdp:vb
# It may not even open the libraries there; so, one that may do that and nothing else.
grep -e libpcap -e libafxdpcapture $rules > /etc/apparmor.d/local/usr.bin.tcpdump
check "with a rule for the libraries" parsed $profile
run "the libraries alone, xdp:" 0 -i xdp:vb
check "the error names what is missing" grep -q 'CAP_BPF.*missing.*AppArmor' "$said"

echo '#include <abstractions/pcap-afxdp>' > /etc/apparmor.d/local/usr.bin.tcpdump
check "our profile of the loader" parsed /etc/apparmor.d/pcap-afxdp-loader
check "tcpdump's with our rules" parsed $profile
for options in '' ,hook=tc ,hook=packet; do
	run "our rules, xdp:vb$options" 5 -i xdp:vb$options
	equal "it is enforced" 'tcpdump (enforce)' "$under"
	equal "for the loader as well" 'pcap-afxdp-loader (enforce)' "$loader"
	check "filter in the kernel, by the loader" grep -q 'filter in the kernel.*by the loader' "$said"
	check "nothing is denied" test ! -s "$scratch/denied"
done
run "our rules, xdp:any" 5 -i xdp:any
check "nothing is denied" test ! -s "$scratch/denied"
run "our rules, AF_XDP sockets" 5 -i xdp:vb,engine=divert,zero-copy=off,queues=0
check "nothing is denied" test ! -s "$scratch/denied"
run "our rules, as root" 5 -i xdp:vb -Z root
check "nothing is denied" test ! -s "$scratch/denied"

echo 'deny capability bpf,' >> /etc/apparmor.d/local/usr.bin.tcpdump
check "tcpdump's without the capability" parsed $profile
run "the loader opens it" 5 -i xdp:vb
check "filter in the kernel, by the loader" grep -q 'filter in the kernel.*by the loader' "$said"
check "the loader is denied nothing" fails grep -q 'profile="pcap-afxdp-loader"' "$scratch/denied"
run "the loader opens all interfaces" 5 -i xdp:any
check "the loader is denied nothing" fails grep -q 'profile="pcap-afxdp-loader"' "$scratch/denied"
check "nothing is left attached" no_xdp_program "$right" vb
finish
