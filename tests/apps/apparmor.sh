#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# AppArmor's rules: go where there is AppArmor, and leave again; what an administrator has there is not touched.
# The parser takes them. That they suffice needs a kernel with AppArmor: see docs/kernels.md.
# APPARMOR_BASE: where the parser's abstractions are.

# shellcheck source-path=SCRIPTDIR source=../graft/common.sh
. "$(dirname "$0")/../graft/common.sh"
PATH=$PATH:/sbin:/usr/sbin
[ -f packaging/apparmor/pcap-afxdp ] || { echo "skipped: nothing is built in $build"; exit 77; }

# by_make TARGET [VARIABLE=VALUE]...: staged into $scratch/root.
by_make()
{
	make -s -C "$build" DESTDIR="$scratch/root" prefix=/usr extcapdir= apparmordir=/etc/apparmor.d "$@"
}

# not_staged TARGET: into a prefix, on a system with AppArmor's rules in $1, or none.
not_staged()
{
	make -s -C "$build" "$2" prefix="$scratch/prefix" extcapdir= apparmordir="$1"
}

check "installs where there is no AppArmor" not_staged "$scratch/none" install
check "none of its rules are installed" test ! -e "$scratch/none"
check "uninstalls" not_staged "$scratch/none" uninstall
check "nothing is left" test ! -e "$scratch/prefix"

dir=$scratch/root/etc/apparmor.d
mkdir -p "$dir/local"
printf '# mine\n  /srv/captures/** rw,\n  #include <abstractions/pcap-afxdp>\n' > "$dir/local/usr.bin.tcpdump"
cp "$dir/local/usr.bin.tcpdump" "$scratch/before"
check "with AppArmor" by_make install
check "the loader has its profile" grep -q '^profile pcap-afxdp-loader /' "$dir/pcap-afxdp-loader"
check "no name is left open" fails grep -r '@[a-z]*@' "$dir"
check "the administrator's file is as it was" same_text "$scratch/before" "$dir/local/usr.bin.tcpdump"

base=${APPARMOR_BASE:-/etc/apparmor.d}
if command -v apparmor_parser > /dev/null && [ -d "$base/tunables" ]; then
	cp -R "$base/tunables" "$base/abi" "$dir/" 2> "$scratch/unread"
	cp -R "$base/abstractions/." "$dir/abstractions/"
	cp /etc/apparmor.d/usr.bin.tcpdump "$dir/" 2> "$scratch/unread" ||
		printf '#include <tunables/global>\nprofile tcpdump /usr/bin/tcpdump {\n#include <abstractions/base>\n#include <local/usr.bin.tcpdump>\n}\n' > "$dir/usr.bin.tcpdump"
	for profile in usr.bin.tcpdump pcap-afxdp-loader; do
		check "the parser takes $profile" apparmor_parser -Q -K -b "$dir" "$dir/$profile"
	done
	check "tcpdump's allows the loader" grep -q 'loader px' "$dir/abstractions/pcap-afxdp"
else
	skip "syntax: no apparmor_parser (package apparmor)"
fi

check "uninstalls" by_make uninstall
check "the administrator's file is as it was" same_text "$scratch/before" "$dir/local/usr.bin.tcpdump"
check "the rest is gone" test ! -e "$dir/pcap-afxdp-loader" -a ! -e "$dir/abstractions/pcap-afxdp"
finish
