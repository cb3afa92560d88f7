#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Bindings of six languages open xdp: devices, without an option, on a veth: each warning that
# pcap_activate() gave would be an error to most of them. CLIENTS=all: also those that registries have.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair ping

# --- from Debian ---

# The measure for the others: without our library, on AF_PACKET, the same is counted.
drive_libpcap()
{
	compile -o "$scratch/use_libpcap" "$drivers/use_libpcap.c" -lpcap || { bad "C: does not compile"; return; }
	version=$(debian_version libpcap0.8)
	drive 'C, AF_PACKET' vb env -u LD_LIBRARY_PATH "$scratch/use_libpcap"
	drive 'C, libpcap' xdp:vb "$scratch/use_libpcap"
	drive 'C, PCAP_AFXDP=vb' vb env PCAP_AFXDP=vb PCAP_AFXDP_DEBUG=1 "$scratch/use_libpcap"
	check "C, PCAP_AFXDP=vb: it was captured at the XDP layer" is_ours vb "$err"
}

drive_pcaprub()
{
	packaged 'Ruby pcaprub' /usr/lib/ruby/vendor_ruby/pcaprub.rb ruby-pcaprub || return
	drive 'Ruby pcaprub' xdp:vb /usr/bin/ruby "$drivers/use_pcaprub.rb"
}

# --- from registries ---

drive_crate()
{
	command -v cargo > /dev/null || { left_out 'Rust pcap' 'no cargo'; return; }
	version=$(sed -n 's/^pcap = "=\(.*\)"/\1/p' "$drivers/rust/Cargo.toml")
	made 'Rust pcap' "rust-$version" crate rust || return
	drive 'Rust pcap' xdp:vb "$cache/rust-$version/target/release/use_pcap"
}

# drive_pypi NAME VERSION DRIVER
drive_pypi()
{
	version=$2
	made "Python $1" "$1-$2" pypi "$1" "$2" || return
	drive "Python $1" xdp:vb env PYTHONPATH="$cache/$1-$2" "$python" "$drivers/$3"
}

drive_cap()
{
	command -v npm > /dev/null || { left_out 'npm cap' 'no npm'; return; }
	version=0.2.1
	made 'npm cap' "cap-$version" npm cap "$version" || return
	drive 'npm cap' xdp:vb env NODE_PATH="$cache/cap-$version/node_modules" node "$drivers/use_cap.js"
}

# Java opens libpcap.so, by dlopen().
drive_pcap4j()
{
	if ! command -v mvn > /dev/null || ! command -v javac > /dev/null; then
		left_out 'Java pcap4j' 'no mvn or no javac'
		return
	fi
	version=$(grep -m 1 -A 1 pcap4j-core "$drivers/java/pom.xml" | sed -n 's/.*<version>\(.*\)<.*/\1/p')
	made 'Java pcap4j' "pcap4j-$version" pcap4j || return
	drive 'Java pcap4j' xdp:vb java \
		-cp "$cache/pcap4j-$version/classes:$cache/pcap4j-$version/jars/*" UsePcap4j
}

drive_libpcap
drive_pcaprub
if is_long; then
	drive_crate
	drive_pypi pypcap 1.3.0 use_pypcap.py
	drive_pypi pcapy-ng 2.1.0 use_pcapy.py
	drive_cap
	drive_pcap4j
fi
nothing_left "$right" vb
finish_table
