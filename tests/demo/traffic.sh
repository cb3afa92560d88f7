# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# The two hosts of the demo, what they say to each other, and tcpdump beside it: read by tests/demo.sh.

megabytes=8
site=www.example.org

# Addresses are those that RFC 5737 and RFC 3849 set aside for examples.
make_hosts()
{
	veth_pair
	server=$left client=$right
	for host in "$server va 1" "$client vb 2"; do
		# shellcheck disable=SC2086 # three words
		set -- $host
		ip netns exec "$1" sysctl -qw "net.ipv6.conf.$2.disable_ipv6=0"
		ip -n "$1" addr add "192.0.2.$3/24" dev "$2"
		ip -n "$1" addr add "2001:db8::$3/64" dev "$2" nodad
	done
}

start_servers()
{
	mkdir "$scratch/www"
	head -c $((megabytes * 1000000)) /dev/urandom > "$scratch/www/file"
	start ip netns exec "$server" dnsmasq --keep-in-foreground --conf-file=/dev/null --no-resolv \
		--no-hosts --pid-file --user=nobody --listen-address=192.0.2.1 --bind-interfaces \
		--host-record="$site,192.0.2.1,2001:db8::1" --log-facility=-
	wait_for 10 ip netns exec "$server" grep -q ':0035 ' /proc/net/udp ||
		lose "the DNS server does not start" "$err"
	start ip netns exec "$server" busybox httpd -f -p 192.0.2.1:80 -h "$scratch/www"
	wait_for 10 ip netns exec "$server" grep -q ':0050 ' /proc/net/tcp ||
		lose "the HTTP server does not start" "$err"
}

resolve()
{
	ip netns exec "$client" timeout 20 busybox nslookup "$site" 192.0.2.1
}

download()
{
	ip netns exec "$client" timeout 30 busybox wget -q -O "$scratch/got" http://192.0.2.1/file
}

traffic()
{
	say "Meanwhile: a name is looked up, a file of $megabytes MB fetched, and both pinged, IPv4 and IPv6."
	wanted "an answer to nslookup $site" quietly resolve
	rm -f "$scratch/got"
	wanted "a file from http://192.0.2.1/" quietly download
	wanted "answers to ping" quietly ip netns exec "$client" ping -c 3 -i 0.1 -W 5 192.0.2.1
	wanted "answers to ping over IPv6" quietly ip netns exec "$client" ping -c 3 -i 0.1 -W 5 2001:db8::1
}

# bpf_skb_vlan_push gives frames the tag that a VLAN device would; kernels without one have it too.
tagged_traffic()
{
	ip netns exec "$server" "$build/testprogs/vlanpush" -i va -v 5 -- \
		ping -c 3 -i 0.1 -W 1 192.0.2.2 > /dev/null 2> "$scratch/vlanpush"
	ip netns exec "$server" ping -c 2 -i 0.1 -W 5 192.0.2.2 > /dev/null
}

quietly()
{
	"$@" > /dev/null 2>&1
}

# AppArmor profiles go by a program's path, and Debian's for tcpdump allows it neither bpf() nor a
# library in a build directory. A copy, byte for byte, has no profile.
find_tcpdump()
{
	tcpdump=$(command -v tcpdump)
	grep -q '^tcpdump ' /sys/kernel/security/apparmor/profiles 2> /dev/null || return
	say "(AppArmor confines $tcpdump: this is a copy of it, without a profile.)"
	cp "$tcpdump" "$scratch/tcpdump"
	tcpdump=$scratch/tcpdump
}

# listen OPTION...: tcpdump with our library, until leave.
listen()
{
	find_tcpdump
	start_capture "$tcpdump" -l "$@"
	capture=$pid said=$err printed=$out
	wait_for 15 grep -q 'listening on' "$said" || lose "tcpdump does not start" "$said"
}

# settle: what was sent has been printed when there is no more of it for a while.
settle()
{
	lines=-1 rounds=0
	while [ "$lines" != "$(wc -c < "$printed")" ] && [ $rounds -lt 20 ]; do
		lines=$(wc -c < "$printed")
		rounds=$((rounds + 1))
		sleep 0.5
	done
}

leave()
{
	stop "$capture" INT || bad "the capture did not end well: status $?"
}
