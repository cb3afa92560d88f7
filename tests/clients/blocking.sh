#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Programs that take a read of nothing for the end, as AF_PACKET never returns it before the time-out:
# they come to the end of the traffic on xdp: devices, too, whatever pauses it has.
# CLIENTS=all: also one in Rust.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair ping
blocking=$drivers/blocking
# Echo requests of each of six bursts; each is answered.
pings=25
frames=$((6 * 2 * pings))

bursts()
{
	for pause in 0.001 0.002 0.005 0.3 0.01 0.05; do
		in_left ping -qc "$pings" -i 0.002 -W 5 10.99.0.2 > "$scratch/ping" ||
			bad "ping is answered while a capture runs"
		sleep "$pause"
	done
}

# until_nothing NAME COMMAND...: COMMAND DEVICE FRAMES, on each device.
until_nothing()
{
	name=$1
	shift
	for device in ${devices:?}; do
		client="$name, $device"
		by_device "$device" "$@" "$device" "$frames"
		bursts
		ended "$pid" 20 > "$scratch/ended"
		counted=$(sed -n 's/^counted //p' "$out")
		equal "$client: reads on to the end" "$frames" "${counted:-nothing}"
		[ -n "$counted" ] || show "$err"
		row "$client" "$version" yes "${counted:-no}/$frames" - -
	done
}

block_libpcap()
{
	version=$(debian_version libpcap0.8)
	compile -o "$scratch/block_libpcap" "$blocking/block_libpcap.c" -lpcap ||
		{ bad 'pcap_next(): does not compile'; return; }
	until_nothing 'pcap_next()' "$scratch/block_libpcap"
}

block_pcaprub()
{
	packaged pcaprub /usr/lib/ruby/vendor_ruby/pcaprub.rb ruby-pcaprub || return
	until_nothing pcaprub /usr/bin/ruby "$blocking/block_pcaprub.rb"
}

block_net_pcap()
{
	packaged Net::Pcap /usr/share/doc/libnet-pcap-perl libnet-pcap-perl || return
	until_nothing Net::Pcap /usr/bin/perl "$blocking/block_net_pcap.pl"
}

block_gopacket()
{
	go_program gopacket "$blocking/block_gopacket.go" || return
	until_nothing gopacket "$scratch/gopacket"
}

block_rust()
{
	command -v cargo > /dev/null || { left_out 'Rust pcap' 'no cargo'; return; }
	version=$(sed -n 's/^pcap = "=\(.*\)"/\1/p' "$blocking/rust/Cargo.toml")
	made 'Rust pcap' "block-$version" crate blocking/rust || return
	until_nothing 'Rust pcap' "$cache/block-$version/target/release/block_pcap"
}

# It has no limit: a line for each packet, and it runs on. Its own seccomp knows the system calls of
# AF_PACKET only.
block_sniffglue()
{
	packaged sniffglue sniffglue sniffglue || return
	for device in ${devices:?}; do
		client="sniffglue, $device"
		by_device "$device" sniffglue --insecure-disable-seccomp -vvv -j "$device"
		wait_for 20 is_hooked "$right" vb
		settle "$pid"
		bursts
		wait_for 10 has_all_lines
		equal "$client: reads on to the end" "$frames" "$(grep -c '^{' "$out")"
		check "$client: goes on" fails process_gone "$pid"
		row "$client" "$version" yes "$(grep -c '^{' "$out")/$frames" - -
		stop "$pid" INT
	done
}

has_all_lines()
{
	[ "$(grep -c '^{' "$out")" -ge "$frames" ] || process_gone "$pid"
}

BLOCKING=${BLOCKING:-'libpcap pcaprub net_pcap gopacket sniffglue rust'}
for one in $BLOCKING; do
	if [ "$one" != rust ] || is_long; then
		"block_$one"
	fi
done
nothing_left "$right" vb
finish_table
