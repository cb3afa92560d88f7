#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What a terminal shows: xdpdump prints packets, writes a file, and ends on Ctrl-C. In namespaces, between two ends of a
# veth; the page goes to standard output. Run by make screen, as root.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../tests/lib.sh"
unset PCAP_AFXDP_OPTIONS # as users have it
need_root
need python3 bash dnsmasq busybox ping
veth_pair
ip -n "$right" link set vb down
ip -n "$right" link set vb name eth0
ip -n "$right" link set eth0 up
start ip netns exec "$left" dnsmasq --keep-in-foreground --conf-file=/dev/null --no-resolv --no-hosts --pid-file \
	--user=nobody --listen-address=10.99.0.1 --bind-interfaces --host-record=www.example.org,10.99.0.1 --log-facility=-
mkdir "$scratch/www"
head -c 3000000 /dev/urandom > "$scratch/www/file"
start ip netns exec "$left" busybox httpd -f -p 10.99.0.1:80 -h "$scratch/www"
wait_for 10 ip netns exec "$left" grep -q ':0035 ' /proc/net/udp || exit 1
wait_for 10 ip netns exec "$left" grep -q ':0050 ' /proc/net/tcp || exit 1

inside="ip netns exec $right"
cd "$scratch" || exit 1
$inside env TERM=xterm PATH="$build/xdpdump:$PATH" \
	python3 "$top/docs/screen.py" bash --norc --noprofile --noediting -i <<- END > "$scratch/page" || exit 1
	wait bash.*#\$
	type PS1='# '
	wait ^#\$
	clear
	type xdpdump -i eth0
	wait listening on
	run busybox nslookup -type=a www.example.org 10.99.0.1
	run ping -qc 1 10.99.0.1
	wait echo reply, .* seq 1, length 64
	ctrl-c
	wait ^#\$
	show Packets, until Ctrl-C:
	clear
	type xdpdump -i eth0 -w web.pcapng tcp port 80
	wait listening on
	run for i in 1 2 3 4 5; do busybox wget -qO /dev/null http://10.99.0.1/file; sleep 0.6; done
	wait ^[1-9][0-9]* packets captured, .* left
	show A file: the last line is written again each second.
	ctrl-c
	wait ^#\$
END
cat << 'END'
# What a terminal shows

xdpdump on one end of a veth pair; the other end has a DNS and an HTTP server. `make screen` records it again. Colors
are not shown.

END
cat "$scratch/page"
passed=1
exit 0
