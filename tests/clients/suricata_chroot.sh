#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# From a bare Debian that has Suricata to the results of suricata.sh and tests/find/alert.sh. For a system to throw away: it
# installs packages. Run by `make check-suricata`.

set -u
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
cd "$(dirname "$0")/../.." || exit 1
# What a build of the library needs, and what looks at it.
packages="$(sed -n 's/^\(build\|demo\)  *\([^ ]*\) .*/\2/p' tests/packages | grep -v tshark)
	suricata ethtool jq tcpdump python3 python3-scapy"

# quietly COMMAND...: the end of what it said where it fails.
quietly()
{
	"$@" > quietly.log 2>&1 && return
	tail -n 20 quietly.log
	exit 1
}

quietly apt-get -q update
# shellcheck disable=SC2086 # a list
quietly apt-get -q -y --no-install-recommends install $packages
quietly autoreconf -fi
mkdir -p build && cd build || exit 1
given=''
[ ! -d /mnt/libpcap ] || given=--with-libpcap-source=/mnt/libpcap
# shellcheck disable=SC2086 # none, or one
quietly ../configure $given
quietly make -j2 libpcap-build/libpcap.so.0.8 pcap-afxdp-loader find/pcapng-find
sh ../tests/find/alert.sh
alert=$?
sh ../tests/clients/suricata.sh && exit $alert
