#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcap-afxdp-libpcap, the package's command, with an /etc of the test's own: programs load the library of the build and
# the system's again; of a system's libpcap that is newer, on and status say so, and what to do. Libraries of another
# architecture are not taken for the system's.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need ldconfig tcpdump
is_sanitized && skip_all "the library with sanitizers has to be loaded first"
command=$scratch/pcap-afxdp-libpcap ours=$scratch/private newer=$scratch/system
mkdir "$ours" "$newer" "$scratch/etc"
copy_library "$ours"
real=$(readlink "$library/libpcap.so.0.8")
mv "$ours/libpcap.so.0.8" "$ours/$real" && ln -s "$real" "$ours/libpcap.so.0.8"
version=${real##*.so.}
sed -e "s,@private@,$ours," -e 's,@soname@,libpcap.so.0.8,' "$top/packaging/pcap-afxdp-libpcap" > "$command"
cp -a /etc/ld.so* /etc/alternatives /etc/passwd /etc/group "$scratch/etc"

# choose WORD [FILE]: as on a system whose /etc the test's is. Its /usr is this system's, to read only: ldconfig removes
# links that lead nowhere, as those of alternatives do while another /etc is in place. FILE is there in place of the
# system's libpcap.
# shellcheck disable=SC2016 # for the shell inside
choose()
{
	unshare --mount sh -c 'mount --bind /usr /usr && mount -o remount,bind,ro /usr && mount --bind "$1" "$2" &&
		mount --bind "$3" /etc && shift 3 && exec "$@"' sh \
		"${2:-$theirs}" "$(readlink -f "$theirs")" "$scratch/etc" sh "$command" "$1" > "$scratch/said" 2>&1
}

# loaded: the libpcap that tcpdump takes there.
loaded()
{
	unshare --mount sh -c 'mount --bind "$1" /etc && ldd "$(command -v tcpdump)"' sh "$scratch/etc" |
		sed -n 's/.*libpcap.* => \([^ ]*\) .*/\1/p'
}

theirs=$(ldd "$(command -v tcpdump)" | sed -n 's/.*libpcap.* => \([^ ]*\) .*/\1/p')
choose on
equal "on: status" 0 $?
equal "... one line" 1 "$(wc -l < "$scratch/said")"
equal "... tcpdump loads" "$ours/libpcap.so.0.8" "$(loaded)"

# As after an upgrade: the linker finds the system's, of that version, behind ours.
cp "$theirs" "$newer/libpcap.so.99.12.0" && ln -s libpcap.so.99.12.0 "$newer/libpcap.so.0.8"
echo "$newer" > "$scratch/etc/ld.so.conf.d/01-test.conf"
says="note: the system's libpcap 99.12.0 is newer than this one, $version: programs that need what is new there do not start, until "
for word in on status; do
	choose $word
	equal "a newer one of the system's, $word: status" 0 $?
	check "... and it says so" grep -q "^$says" "$scratch/said"
	equal "... one line more" 2 "$(wc -l < "$scratch/said")"
	show "$scratch/said"
done
choose off
equal "off: status" 0 $?
check "... says no more of it" fails grep -q 'is newer' "$scratch/said"
equal "... tcpdump loads" "$newer/libpcap.so.0.8" "$(loaded)"
choose status
equal "status is that it is off" 1 $?

# Of another architecture than ours, as i386's on amd64: programs of ours take none of these.
echo 'int none;' > "$scratch/foreign.c"
foreign=$newer/libpcap.so.99.12.0
if cc -m32 -shared -nostdlib -Wl,-soname,libpcap.so.0.8 -o "$foreign" "$scratch/foreign.c" > "$scratch/cc" 2>&1; then
	choose off "$foreign"
	equal "libraries of another architecture, off: status" 0 $?
	equal "... that is what is said" 'off: there is no libpcap.so.0.8' "$(cat "$scratch/said")"
	choose on "$foreign"
	equal "... on: status" 0 $?
	equal "... without a note that one is newer" 1 "$(wc -l < "$scratch/said")"
	check "... ours is loaded" grep -q "^on: programs load $ours/libpcap.so.0.8," "$scratch/said"
else
	skip "libraries of another architecture: cc makes none by -m32"
fi
finish
