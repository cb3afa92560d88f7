#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# xdp:any gives what libpcap's own any gives; the system's tcpdump captures with it, by its name and by
# PCAP_AFXDP=any, also on interfaces that come later, and without privilege after it has begun.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping strace
export LD_LIBRARY_PATH="$library"

# shellcheck disable=SC3045 # dash and busybox have these
ulimit -n "$(ulimit -Hn)" # all filters capture at once, in some 30 descriptors each
start tests/pcap/any_test
ended "$pid" 120
status=$?
if [ "$status" -eq 0 ]; then
	ok "$(grep -c '^ok' "$out") comparisons with libpcap's any"
else
	bad "comparisons with libpcap's any: status $status"
	grep -v '^ok' "$out" | head -40
	show "$err"
fi

veth_pair

# capture DEVICE ARGUMENT...: by the system's tcpdump, in the namespace of va.
# shellcheck disable=SC2046 # one word per variable
capture()
{
	device=$1
	shift
	start in_left env $(library_environment) tcpdump -nne -l -i "$device" "$@"
	tcpdump=$pid printed=$out said=$err
	wait_for 20 grep -q 'listening on' "$said"
}

capture xdp:any -c 4 icmp
check "ping is answered" in_left ping -qc 2 -i 0.1 -W 20 10.99.0.2
check "tcpdump on xdp:any ends by itself" ended "$tcpdump" 20
equal "sent and received are told apart" "2 2" "$(grep -c ' Out .*echo request' "$printed") $(grep -c ' In .*echo reply' "$printed")"
check "the link type is LINUX_SLL" grep -q 'LINUX_SLL (' "$said"

PCAP_AFXDP=any PCAP_AFXDP_DEBUG=1
export PCAP_AFXDP PCAP_AFXDP_DEBUG
capture any -c 2 'inbound and icmp'
check "ping is answered" in_left ping -qc 2 -i 0.1 -W 20 10.99.0.2
check "tcpdump on any ends by itself" ended "$tcpdump" 20
check "with PCAP_AFXDP=any it is captured here" grep -q 'any: captured at the XDP layer' "$said"
check "the filter is in the kernel" grep -q 'any: filter in the kernel' "$said"
check "names of interfaces are printed" grep -q 'va  *In ' "$printed"
unset PCAP_AFXDP

# The interface comes, and sends, when the privileges are gone.
capture xdp:any -y LINUX_SLL2 -Z nobody -c 1 host 10.98.0.2
in_left ip link add late type veth peer name late2
in_left sh -c 'ip addr add 10.98.0.1/24 dev late && ip link set late up && ip link set late2 up'
in_left ip neigh add 10.98.0.2 lladdr 02:00:00:00:00:09 dev late nud permanent
in_left ping -qc 1 -W 1 10.98.0.2 > "$scratch/ping" 2>&1
check "tcpdump without privilege ends by itself" ended "$tcpdump" 20
check "an interface that came later is captured" grep -q '^[^ ]* late ' "$printed"

# The kernel would look for a module of that name.
# shellcheck disable=SC2046 # one word per variable
start in_left env $(library_environment) strace -o "$scratch/calls" -e trace=ioctl tcpdump -nn -l -i xdp:any -c 1 icmp
tcpdump=$pid said=$err
wait_for 20 grep -q 'listening on' "$said"
check "ping is answered" in_left ping -qc 1 -W 20 10.99.0.2
check "tcpdump under strace ends by itself" ended "$tcpdump" 20
check "no interface is asked for by the name any" fails grep -q 'ifr_name="any"' "$scratch/calls"

check "hook=tc is refused, and why" sh -c "! ip netns exec '$left' env $(library_environment | tr '\n' ' ') tcpdump -c 1 -i xdp:any,hook=tc 2>&1 | tee '$scratch/refused' | grep -q listening && grep -q 'any is captured by a packet socket' '$scratch/refused'"
finish
