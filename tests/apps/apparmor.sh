#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# AppArmor's rules: go where there is AppArmor, beside what an administrator has there, and leave
# again; the parser takes them. That they suffice needs a kernel with AppArmor: see docs/kernels.md.
# APPARMOR_BASE: where the parser's abstractions are.

# shellcheck source-path=SCRIPTDIR source=../graft/common.sh
. "$(dirname "$0")/../graft/common.sh"
PATH=$PATH:/sbin:/usr/sbin
libdir=/usr/lib/x86_64-linux-gnu
[ -f packaging/apparmor/pcap-afxdp ] || { echo "skipped: nothing is built in $build"; exit 77; }

# staged ARGUMENT...: into $scratch/root, as if the system had the directory $system.
system=$scratch/system
staged()
{
	DESTDIR=$scratch/root APPARMOR_DIR=$system sh "$top/packaging/apparmor/install" "$@"
}

mkdir "$scratch/root"
check "without AppArmor" staged "$build" $libdir
check "nothing is installed" test -z "$(find "$scratch/root" ! -type d)"
mkdir -p "$system"
check "for a library that is not the system's" staged "$build" /home/somebody/lib
check "nothing is installed either" test -z "$(find "$scratch/root" ! -type d)"

dir=$scratch/root$system
mkdir -p "$dir/local"
printf '# mine\n  /srv/captures/** rw,\n' > "$dir/local/usr.bin.tcpdump"
cp "$dir/local/usr.bin.tcpdump" "$scratch/before"
check "with AppArmor" staged "$build" $libdir
check "the loader has its profile" grep -q '^profile pcap-afxdp-loader /' "$dir/pcap-afxdp-loader"
check "no name is left open" fails grep -r '@[a-z]*@' "$dir"
staged "$build" $libdir > "$scratch/said"
check "again: once is enough" test "$(grep -c pcap-afxdp "$dir/local/usr.bin.tcpdump")" -eq 1
check "what was there is still there" grep -q '/srv/captures' "$dir/local/usr.bin.tcpdump"

base=${APPARMOR_BASE:-/etc/apparmor.d}
if command -v apparmor_parser > /dev/null && [ -d "$base/tunables" ]; then
	cp -R "$base/tunables" "$base/abi" "$dir/" 2> "$scratch/unread"
	cp -R "$base/abstractions/." "$dir/abstractions/"
	cp /etc/apparmor.d/usr.bin.tcpdump "$dir/" 2> "$scratch/unread" ||
		printf '#include <tunables/global>\nprofile tcpdump /usr/bin/tcpdump {\n#include <abstractions/base>\n#include <local/usr.bin.tcpdump>\n}\n' > "$dir/usr.bin.tcpdump"
	cp "$dir/local/usr.bin.tcpdump" "$scratch/with"
	for profile in usr.bin.tcpdump pcap-afxdp-loader; do
		check "the parser takes $profile" apparmor_parser -Q -K -b "$dir" "$dir/$profile"
	done
	check "tcpdump's allows the loader" grep -q 'loader px' "$dir/abstractions/pcap-afxdp"
else
	skip "syntax: no apparmor_parser (package apparmor)"
fi

check "uninstalls" staged --uninstall $libdir
check "the administrator's file is as it was" same "$scratch/before" "$dir/local/usr.bin.tcpdump"
check "the rest is gone" test ! -e "$dir/pcap-afxdp-loader" -a ! -e "$dir/abstractions/pcap-afxdp"
check "uninstalls what is not there" staged --uninstall $libdir
finish
