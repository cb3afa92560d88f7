#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --doctor --report: what a bug report needs is in one file, and nothing that is nobody's business.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
refuse=$build/tests/xdpdump/doctor/refuse
[ -x "$refuse" ] || skip_all "needs $refuse"
veth_pair
report=$scratch/report

# has NAME TEXT: the report has a line with this, a basic regular expression.
has()
{
	check "$1" grep -q -e "$2" "$report"
}

# lacks WHAT TEXT: it has not, in capitals or not.
lacks()
{
	check "without $1" fails grep -i -q -F -e "$2" "$report"
}

in_right sysctl -qw net.ipv6.conf.vb.disable_ipv6=0 2> /dev/null
ip -n "$right" -6 addr add 2001:db8::17/64 dev vb nodad 2> /dev/null
SECRET_TOKEN=hunter2 PCAP_AFXDP_OPTIONS=ring=4M,veth=xdp
export SECRET_TOKEN PCAP_AFXDP_OPTIONS
run_xdpdump --doctor -i vb --report "$report" -Q inout -w "$scratch/$(uname -n).pcapng" \
	'host 10.99.0.2 or ether host 02:74:67:00:00:02 or host 2001:db8::17 or net 10.99.0.0/24'
equal "status" 0 "$state"
check "the table is still on standard output" grep -q '^Capture on vb works' "$out"
for section in Versions Options 'Interface vb' 'Settings of the kernel' 'Privileges and limits' 'Loader process' \
	'What the trial said' 'Words of the kernel and of libbpf'; do
	has "section: $section" "^== $section ==\$"
done
has "our version" "^version of xdpdump: pcap-afxdp [0-9]"
has "libpcap's" '^version of libpcap: libpcap version [0-9]'
has "libbpf's" '^version of libbpf: v[0-9]'
has "the kernel's" "^version of the kernel: Linux $(uname -r) "
has "the driver" '^driver *ok *veth'
has "its features" '^features that are on: .*rx-vlan-hw-parse'
has "hooks" '^programs in the XDP hook: none$'
has "findings" '^capture  *note  *xdp, in the driver'
has "options as given" '--doctor -i vb --report .* -Q inout -w '
has "the filter, without addresses" 'host ADDRESS or ether host ADDRESS or host ADDRESS or net ADDRESS/24$'
has "our environment" '^PCAP_AFXDP_OPTIONS=ring=4M,veth=xdp$'
has "counters" '^counters: vb:'
has "settings of the kernel" '^/proc/sys/net/core/optmem_max: [0-9]'
has "capabilities" '^CapEff:'
has "limits" '^memory that may be locked: '
has "the loader" "pcap-afxdp-loader: mode "
has "the outcome" '^it works$'
for address in $(ip -n "$right" addr | sed -n 's/^ *\(inet6*\|link\/ether\) \([^ /]*\).*/\2/p' | sort -u); do
	lacks "$address" "$address"
done
lacks "the name of the host" "/$(uname -n).pcapng"
lacks "the rest of the environment" hunter2
PCAP_AFXDP_OPTIONS=veth=xdp

# In the kernel's words.
start ip netns exec "$right" "$refuse" 6 13 "$xdpdump" --doctor vb --hook xdp --report "$report"
ended "$pid" 20
equal "refused by the kernel: status" 1 $?
has "the reason" 'refuses the capture program'
has "libbpf's words" "^libbpf: prog '.*': .*\(Permission denied\|EACCES\)"
has "the outcome" '^it does not work$'

run_xdpdump --doctor vb --report - --json
check "to standard output, the report alone" test "$(grep -c '^== ' "$out")" -eq 8
check "... without the table as JSON" fails grep -q '"verdict"' "$out"
run_xdpdump --doctor nosuch --report "$report"
equal "of no interface: status" 1 "$state"
has "it says so" 'nosuch: no such interface'
run_xdpdump --doctor vb --report "$scratch/nonexistent/report"
equal "a file that cannot be made: status" 1 "$state"
check "... and why" grep -q 'nonexistent/report: No such file or directory' "$err"
run_xdpdump -i vb --report "$report"
equal "without --doctor: status" 1 "$state"
check "... and why" grep -q -e '--report needs --doctor' "$err"
start ip netns exec "$right" sh -c 'exec "$0" --doctor vb --report - > /dev/full' "$xdpdump"
ended "$pid" 20
equal "to a disk that is full: status" 1 $?
check "... and why" grep -q '^xdpdump: --report standard output: No space left on device$' "$err"
finish
