#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without -w: a line per packet, with -x its bytes, in the words of xdp-tools' xdpdump. And what
# needs no capture: -d, -D, --version, --help.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need ping tcpdump
veth_pair
time='[0-9]\{10\}\.[0-9]\{9\}'
where='on if_index [0-9]*, rx queue [0-9]*, id [0-9]*'

start_xdpdump -c 3 icmp
capture=$pid printed=$out said=$err
in_left ping -qc 5 -i 0.1 -s 56 10.99.0.2 > /dev/null
check "-c 3 ends it" ended "$capture" 5
equal "lines" 3 "$(grep -c "^$time: xdpdump()@entry: packet size 98 bytes $where\$" "$printed")"
equal "all lines" 3 "$(wc -l < "$printed")"
equal "captured" 3 "$(count captured "$said")"
check "announced as by xdp-tools" grep -q \
	'^listening on vb, ingress XDP program ID [0-9]* func [a-z_]*, capture mode entry, capture size 262144 bytes$' "$said"

start_xdpdump -x -s 30 -c 1 icmp
capture=$pid printed=$out
in_left ping -qc 2 -i 0.1 -s 56 10.99.0.2 > /dev/null
check "-x ends" ended "$capture" 5
check "first line with -x" grep -q "^$time: xdpdump()@entry: packet size 98 bytes, captured 30 bytes $where\$" "$printed"
check "first line of bytes" grep -q '^  0x0000:  02 74 67 00 00 02 02 00 00 00 00 0a 08 00 45 00  \.tg...........E\.$' "$printed"
check "last line of bytes" grep -q '^  0x0010:  00 54 .* 0a 63 00 01 *  \.T' "$printed"
equal "lines with -x" 3 "$(wc -l < "$printed")"

# Printed at once, and the lines of a live capture that is stopped.
start_xdpdump icmp
capture=$pid printed=$out said=$err
in_left ping -qc 1 10.99.0.2 > /dev/null
check "printed within half a second" wait_for 1 grep -q 'packet size' "$printed"
check "it ends well on SIGINT" stop "$capture" INT
equal "captured" "$(wc -l < "$printed")" "$(count captured "$said")"

# -v tells where the filter runs.
start_xdpdump -v icmp
stop "$pid" INT
check "-v tells of the filter" grep -q '^xdpdump: filter: ' "$err"
check "-v tells of causes that did not occur" grep -q '^0 .*ring full' "$err"

for level in -d -dd -ddd; do
	"$xdpdump" "$level" tcp port 80 > "$scratch/ours"
	tcpdump -y EN10MB -s 262144 "$level" tcp port 80 2> /dev/null > "$scratch/theirs"
	check "$level as tcpdump prints it" cmp "$scratch/ours" "$scratch/theirs"
done
printf '# web\ntcp # not udp\nport 80\n' > "$scratch/filter"
"$xdpdump" -d -F "$scratch/filter" > "$scratch/ours"
tcpdump -y EN10MB -s 262144 -d tcp port 80 2> /dev/null > "$scratch/theirs"
check "-F with comments" cmp "$scratch/ours" "$scratch/theirs"
check "-F from standard input" sh -c "'$xdpdump' -d -F - < '$scratch/filter' | cmp - '$scratch/theirs'"

in_right "$xdpdump" -D > "$scratch/list"
check "-D lists vb" grep -q '^[0-9]* *vb  *<No XDP program loaded!>  *02:74:67:00:00:02  *[a-z]*  *veth$' "$scratch/list"
check "-D attaches nothing" no_xdp_program "$right" vb
start_xdpdump
in_right "$xdpdump" -D > "$scratch/list"
stop "$pid" INT
check "-D shows who is in the hook" grep -q ' vb  *xdp_[a-z_]* (id [0-9]*)  *02:74:' "$scratch/list"
check "--version" sh -c "'$xdpdump' --version | grep -q '^xdpdump (pcap-afxdp [0-9]'"
check "--help names every option" sh -c "[ \$('$xdpdump' --help | grep -c -- '--[a-z]') -ge 16 ]"
check "-h" sh -c "'$xdpdump' -h | grep -q '^Usage: xdpdump '"
finish
