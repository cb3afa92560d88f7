#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The demo: tcpdump on xdp:vb while real traffic comes in, then a file for Wireshark. It shows what
# it does, and fails unless all of it was seen. Run from the build directory: make demo.
#
#   namespace afxdp-PID-a, "server"        namespace afxdp-PID-b, "client"
#   dnsmasq, busybox httpd   va --- veth --- vb   nslookup, wget, ping, the captures

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/demo/show.sh"
. "$(dirname "$0")/demo/traffic.sh"

unset PCAP_AFXDP_OPTIONS # as users have it
pcapng=$build/demo.pcapng
capture='' said='' printed=''
# Where tags that travel beside the frame are seen, and whether at XDP.
tagged=xdp:vb,hook=xdp vlan=vlan
kernel_since 6 8 || tagged=xdp:vb,hook=tc vlan=''

# --- the steps ---

show_the_wire()
{
	heading "1. Two hosts and a cable"
	say "Two network namespaces joined by a veth pair: a server (va, 192.0.2.1) and a client" \
		"(vb, 192.0.2.2). The server runs dnsmasq and an HTTP server; we capture on the client."
	make_hosts
	start_servers
	shown ip -n "$client" -br link show vb
}

show_tcpdump()
{
	heading "2. The system's own tcpdump, on the interface \"xdp:vb\""
	say "$(command -v tcpdump) is the distribution's, unchanged. LD_LIBRARY_PATH makes it load our" \
		"libpcap. After 'make install' it does so without. hook=xdp asks for XDP, which cards have" \
		"without asking; on a veth, tc does less harm."
	prompt "LD_LIBRARY_PATH=$(short "$library") tcpdump -nn -i xdp:vb,hook=xdp"
	listen -nn -i xdp:vb,hook=xdp
	grep -v 'verbose output suppressed' "$said" | sed 's/^/    /'
	say "While it runs, an XDP program sits in vb. It copies each frame and passes it on:"
	shown_line 'prog/xdp' ip -n "$client" -d link show vb
	traffic
	settle
	leave
	show_packets
	show_statistics
	nothing_left_behind
}

show_packets()
{
	say "What was captured, some lines of each kind out of $(grep -c . "$printed"):"
	kind "DNS" 4 '192\.0\.2\.1\.53' ' 192\.0\.2\.1\.53 > .* A '
	kind "TCP" 3 ' 192\.0\.2\.1\.80' ' 192\.0\.2\.1\.80 > .*Flags \[S\.\]'
	kind "HTTP" 2 ' 192\.0\.2\.1\.80.*HTTP: ' ' 192\.0\.2\.1\.80 > .*HTTP: HTTP/1\.. 200 OK'
	kind "ICMP" 2 'IP .*: ICMP echo re' 'IP 192\.0\.2\.1 > 192\.0\.2\.2: ICMP echo reply'
	kind "IPv6" 2 'IP6 .*: ICMP6, echo re' 'IP6 2001:db8::1 > 2001:db8::2: ICMP6, echo reply'
}

show_statistics()
{
	say "Its closing statistics:"
	grep -E '^[0-9]+ packets?' "$said" | sed 's/^/    /'
	captured=$(tcpdump_count captured "$said")
	wanted "tcpdump captured the transfer" [ "${captured:-0}" -ge $((megabytes * 1000000 / 65535)) ]
	wanted "a count of 0 packets dropped" [ "$(tcpdump_count dropped "$said")" = 0 ]
	wanted "the transfer arrived unharmed while it was captured" cmp -s "$scratch/www/file" "$scratch/got"
}

nothing_left_behind()
{
	say "And no XDP program is left in vb:"
	wanted "vb has no XDP program any more" no_xdp_program "$client" vb
	shown ip -n "$client" -br link show vb
}

show_vlan()
{
	heading "3. VLAN tags, and a filter"
	say "The server sends tagged pings (VLAN 5) and plain ones. The filter matches the tagged ones." \
		"The tag travels beside the frame, as many network cards deliver it. The capture puts it" \
		"back into the frame. (Nobody answers these pings: vb has no VLAN device.)"
	[ -n "$vlan" ] || say "(Before Linux 6.8, drivers do not report such tags to XDP. So this capture is at tc.)"
	prompt "LD_LIBRARY_PATH=$(short "$library") tcpdump -nn -e -i $tagged vlan 5"
	listen -nn -e -i "$tagged" vlan 5
	tagged_traffic
	settle
	leave
	grep 'echo request' "$printed" | sed -e 's/^/    /' -e 2q
	grep -E '^[0-9]+ packets? (captured|dropped by kernel)' "$said" | sed 's/^/    /'
	wanted "the tagged pings" [ "$(grep -c 'vlan 5,.*echo request' "$printed")" -eq 3 ]
	wanted "nothing but VLAN 5" [ "$(grep -c . "$printed")" -eq "$(grep -c 'vlan 5' "$printed")" ]
}

show_file()
{
	heading "4. A pcapng file, for Wireshark"
	say "xdpdump is our own command. It writes pcapng files with nanosecond time stamps. Here it" \
		"captures the same traffic again:"
	prompt "xdpdump/xdpdump -i vb -w $(short "$pcapng")"
	rm -f "$pcapng"
	start ip netns exec "$client" "$build/xdpdump/xdpdump" -i vb -w "$pcapng"
	capture=$pid said=$err printed=$out
	wait_for 20 grep -q 'listening on' "$said" || lose "xdpdump does not start" "$said"
	traffic
	tagged_traffic
	settle
	leave
	grep -h . "$printed" "$said" | sed 's/^/    /'
	wanted "a count of 0 packets dropped" grep -q '^0 packets dropped by kernel' "$said"
	prompt "capinfos $(short "$pcapng")"
	shown capinfos -t -E -c -d -u -n "$pcapng"
	prompt "tshark -r $(short "$pcapng") -q -z io,phs"
	tshark -r "$pcapng" -q -z io,phs > "$scratch/tree" 2> "$scratch/tshark" || lose "tshark cannot read $pcapng" "$scratch/tshark"
	grep -E '^ *[a-z0-9]+ +frames:' "$scratch/tree" | sed 's/^/    /'
	for protocol in dns http icmp icmpv6 ${vlan:-}; do
		wanted "$protocol in the file" grep -q "^ *$protocol " "$scratch/tree"
	done
	prompt "tshark -r $(short "$pcapng") -Y 'dns.flags.response == 1 || http.response || vlan' -T fields ..."
	shown_some tshark -r "$pcapng" -Y 'dns.flags.response == 1 || http.response || vlan' \
		-T fields -e frame.number -e vlan.id -e _ws.col.Protocol -e _ws.col.Info
}

show_next()
{
	heading "What to type next"
	cat <<-END
	  Open the file:                   wireshark $(short "$pcapng")
	  Install, to /usr/local:          make -C $(short "$build") install
	  Then capture:                    tcpdump -nn -i xdp:eth0     or     xdpdump -i eth0 -w f.pcapng
	  Remove it:                       make -C $(short "$build") uninstall

	  Before you capture on a real network card:
	  - Attaching an XDP program resets the queues of many cards, and so does removing it. The link
	    can be gone for some seconds. Over SSH on that card, use xdp:eth0,hook=tc (xdpdump: --hook tc).
	  - You see the frames of the wire, so large receive offload (LRO) is off during the capture.
	  - If another program is in the XDP hook, it stays there, and the capture goes to tc.
	  - When the capture ends, also by kill -9, the kernel removes its programs.
	END
}

need_root
need_library
need tcpdump tshark capinfos dnsmasq busybox ping
show_the_wire
show_tcpdump
show_vlan
show_file
if [ "$failed" -gt 0 ]; then
	heading "The demo FAILED: see the lines with FAILED above"
else
	show_next
	heading "All of it was seen"
fi
finish
